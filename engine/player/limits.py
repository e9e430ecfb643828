"""What a `go` asks for: every limit is an upper bound, the first one reached ends the search."""

import operator
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, replace
from itertools import compress

from sssnake.engine.common.suggest import did_you_mean
from sssnake.engine.player.options import whole_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    import chess.engine

    from sssnake._fast.board.board import Board

HUGE = 1 << 40  # caps numbers from outside, so that they fit the core's integers

# Keyword -> smallest and largest value taken; anything beyond is clamped. GUIs do send negative clocks.
NUMBERS = {
    "wtime": (-HUGE, HUGE),
    "btime": (-HUGE, HUGE),
    "winc": (0, HUGE),
    "binc": (0, HUGE),
    "movestogo": (0, 1000),
    "depth": (0, 127),
    "nodes": (0, HUGE),
    "movetime": (0, HUGE),
    "mate": (0, 64),
}
LIMITS = ("depth", "nodes", "movetime", "mate")
CLOCKS = ("wtime", "btime", "winc", "binc")
FLAGS = ("infinite", "ponder")
KEYWORDS = {*NUMBERS, *FLAGS, "searchmoves", "perft"}
FILES = frozenset("abcdefgh")
SHOWN = 5  # how many ignored words a complaint quotes
DEFAULT_NODES = 100_000  # of a search that must end, without limits
BRIEF_NODES, BRIEF_MS = 20_000, 50  # of a search too short to be interrupted by Ctrl-C
LONGEST_QUOTE = 60  # characters of a refused value that are shown


@dataclass
class Limits:
    """What one search may use: the first limit that is reached ends it. None: not limited.

    wtime, btime, winc, binc, movetime: milliseconds. depth: plies. mate: moves. nodes: positions.
    searchmoves: in UCI notation; those that are illegal in the position are ignored.
    ValueError, one line: a limit that is no whole number, below 1, or larger than the search can count.
    Clocks may show any time, also a negative one.
    """

    wtime: int | None = None
    btime: int | None = None
    winc: int | None = None
    binc: int | None = None
    movestogo: int | None = None
    depth: int | None = None
    nodes: int | None = None
    movetime: int | None = None
    mate: int | None = None  # moves, not plies
    infinite: bool = False
    ponder: bool = False
    searchmoves: list[str] | None = None

    def __post_init__(self) -> None:
        self.check()

    def check(self) -> None:
        """ValueError, one line: what the search cannot keep to. They can be changed after they were made."""
        values = self.__dict__
        # Every search looks at all of them, and most are not used: found without a loop in Python.
        for name in [*compress(UNUSED, map(operator.is_not, map(values.get, UNUSED), UNUSED.values()))]:
            value = values[name]
            if name in NUMBERS:
                low, high = NUMBERS[name]
                values[name] = _checked(name, value, low if name in CLOCKS else 1, high)
            elif name in FLAGS and value is not True:
                raise ValueError(f"{name} is True or False, not {_quoted(value)}")
        moves = self.searchmoves
        if moves is not None:
            if not isinstance(moves, (list, tuple)) or not all(isinstance(move, str) for move in moves):
                raise ValueError(f"searchmoves is a list such as ['e2e4'], not {_quoted(moves)}")
            self.searchmoves = list(moves)

    @classmethod
    def from_chess(cls, limit: "chess.engine.Limit") -> "Limits":
        """The limits that python-chess writes in seconds. ValueError: see above."""
        return cls(
            wtime=_milliseconds("white_clock", limit.white_clock),
            btime=_milliseconds("black_clock", limit.black_clock),
            winc=_milliseconds("white_inc", limit.white_inc),
            binc=_milliseconds("black_inc", limit.black_inc),
            movestogo=limit.remaining_moves or None,
            depth=limit.depth,
            nodes=limit.nodes,
            movetime=_milliseconds("time", limit.time),
            mate=limit.mate,
        )

    @classmethod
    def parse(cls, words: list[str], complain: Callable[[str], None] = lambda text: None) -> "Limits":
        """Read the words after `go`; what cannot be read is skipped, and `complain` told once.

        A `go` whose only limits were unreadable must still end, at once: it searches one ply.
        """
        limits = cls()
        ignored: list[str] = []
        moves: list[str] = []  # of all `searchmoves`
        rest = list(reversed(words))
        while rest:
            word = rest.pop().lower()
            if word in NUMBERS:
                limits._number(word, rest, ignored)
            elif word in FLAGS:
                setattr(limits, word, True)
            elif word == "searchmoves":
                listed = [*_until_keyword(rest)]
                moves += listed
                ignored += [] if listed else [word]
            else:
                ignored.append(word)
        limits._restrict(moves, ignored)
        limits._drop_zeros()
        if ignored:
            quoted = " ".join(ignored[:SHOWN]) + (" ..." if len(ignored) > SHOWN else "")
            complain(f"go: ignored {quoted!a}{_hint(ignored[0].partition(' ')[0])}")
            if not limits.ends():
                limits.depth = 1
        return limits

    def _number(self, word: str, rest: list[str], ignored: list[str]) -> None:
        """Take the number after `word`, if one stands there."""
        if not rest or rest[-1].lower() in KEYWORDS:
            ignored.append(word)
            return
        text = rest.pop()
        try:
            value = whole_number(text)
        except ValueError:
            ignored.append(f"{word} {text}")
            return
        low, high = NUMBERS[word]
        value = min(max(value, low), high)
        setattr(self, word, None if word == "movestogo" and value == 0 else value)

    def _drop_zeros(self) -> None:
        """A limit of 0 beside others is none, as drivers write those that they do not use; alone it is 1."""
        least = None if self.infinite or any(getattr(self, name) for name in (*LIMITS, *CLOCKS)) else 1
        for name in LIMITS:
            if getattr(self, name) == 0:
                setattr(self, name, least)

    def _restrict(self, words: list[str], ignored: list[str]) -> None:
        """Take the words of `searchmoves`. Where none looks like a move, all stand: nothing may be played."""
        moves = [word for word in words if _is_move(word)]
        if moves:
            ignored += [word for word in words if not _is_move(word)]
        self.searchmoves = moves or words or None

    def ends(self) -> bool:
        """Whether the search will end by itself or was asked not to: false for a bare `go`."""
        if self.infinite or self.nodes is not None or self.depth is not None or self.movetime is not None:
            return True
        others = (self.wtime, self.btime, self.winc, self.binc, self.mate)
        return others != (None,) * len(others)

    def of(self, board: "Board") -> "Limits":
        """These limits with `searchmoves` as the board writes them, without those that are illegal there.

        ValueError: none is left, though the position has legal moves.
        """
        if self.searchmoves is None:
            return self
        legal = [board.uci(move) for move in map(board.parse, self.searchmoves) if move]
        if not legal and board.legal_moves():
            raise ValueError("no legal move among searchmoves")
        return replace(self, searchmoves=list(dict.fromkeys(legal)) or None)

    def clock(self, white: bool) -> tuple[int, int] | None:
        """(remaining time, increment) of the side to move; if only one side's clock was sent, that one.

        A clock that shows 0 is none where another limit was sent: drivers of xboard engines write it so.
        """
        if self.wtime is None and self.btime is None and self.winc is None and self.binc is None:
            return None
        time, inc = (self.wtime, self.winc) if white else (self.btime, self.binc)
        other, other_inc = (self.btime, self.binc) if white else (self.wtime, self.winc)
        increment = inc if inc is not None else 0
        for remaining in (time, other, inc, other_inc):
            if remaining is not None:
                unused = remaining == 0 and any(getattr(self, name) is not None for name in LIMITS)
                return None if unused else (remaining, increment)
        return None


UNUSED = {field.name: field.default for field in fields(Limits)}  # what stands where nothing is limited


def limits_of(limits: "Limits | chess.engine.Limit | None") -> Limits:
    """Limits of either kind, checked again as they can be changed; None: none. TypeError: something else."""
    if isinstance(limits, Limits):
        limits.check()
        return limits
    if limits is None:
        return Limits()
    engine = sys.modules.get("chess.engine")  # imported by whoever has made a Limit of it
    if engine and isinstance(limits, engine.Limit):
        return Limits.from_chess(limits)
    raise TypeError(f"limits are a Limits, such as Limits(nodes=1000), not {_quoted(limits)}")


def ending(limits: Limits, nodes: int = DEFAULT_NODES) -> Limits:
    """Limits that end a search: `nodes` where there are none. ValueError: they were asked not to."""
    if (limits.infinite or limits.ponder) and not (limits.depth or limits.nodes):
        raise ValueError("infinite and ponder do not end by themselves: use start or analysis")
    return limits if limits.ends() else replace(limits, nodes=nodes)


def is_brief(limits: Limits) -> bool:
    """Whether a search is over before anybody could interrupt it."""
    return (limits.nodes or BRIEF_NODES + 1) <= BRIEF_NODES or (limits.movetime or BRIEF_MS + 1) <= BRIEF_MS


def _checked(name: str, value: object, low: int, high: int) -> int:
    """A whole number in a range, of whatever type. ValueError: it is none."""
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        number = low - 1
    if isinstance(value, bool) or not low <= number <= high:
        what = "a whole number" if low < 0 else f"a whole number from {low} to {high}"
        raise ValueError(f"{name} is {what}, not {_quoted(value)}")
    return number


def _milliseconds(name: str, seconds: float | None) -> int | None:
    """A time of python-chess. Less than a millisecond is one. ValueError: no number of seconds."""
    if seconds is None:
        return None
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not abs(seconds) < HUGE / 1000:
        raise ValueError(f"{name} is a number of seconds, not {_quoted(seconds)}")
    if name == "time" and seconds <= 0:
        raise ValueError(f"{name} is a number of seconds above 0, not {_quoted(seconds)}")
    if name.endswith("_inc") and seconds < 0:
        raise ValueError(f"{name} is a number of seconds, not {_quoted(seconds)}")
    return max(round(seconds * 1000), 1) if seconds > 0 else round(seconds * 1000)


def _quoted(value: object) -> str:
    """A value as one short line."""
    if isinstance(value, int) and abs(value) > HUGE**2:
        return "a larger number" if value > 0 else "a negative number"
    text = " ".join(repr(value).split())
    return text if len(text) <= LONGEST_QUOTE else text[: LONGEST_QUOTE - 4] + " ..."


def _is_move(word: str) -> bool:
    """Whether a word has the shape of a move: e2e4, e7e8q, 0000."""
    squares = len(word) in (4, 5) and word[0] in FILES and word[2] in FILES
    return word == "0000" or (squares and word[1].isdigit() and word[3].isdigit())


def _hint(word: str) -> str:
    """What is wrong with an ignored word."""
    if word in KEYWORDS:
        return f"; {word} wants {'moves' if word == 'searchmoves' else 'a number'}"
    return did_you_mean(word, KEYWORDS)


def _until_keyword(rest: list[str]) -> Iterable[str]:
    while rest and rest[-1].lower() not in KEYWORDS:
        yield rest.pop().lower()
