"""What a `go` asks for: every limit is an upper bound, the first one reached ends the search."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from sssnake.engine.common.suggest import did_you_mean
from sssnake.engine.player.options import whole_number

TYPE_CHECKING = False
if TYPE_CHECKING:
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


@dataclass
class Limits:
    """One `go`. Times in milliseconds; None = not limited; `searchmoves` in UCI notation, not yet checked."""

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

    @classmethod
    def parse(cls, words: list[str], complain: Callable[[str], None] = lambda text: None) -> "Limits":
        """Read the words after `go`; what cannot be read is skipped, and `complain` told once.

        A `go` whose only limits were unreadable must still end, at once: it searches one ply.
        """
        limits = cls()
        ignored: list[str] = []
        rest = list(reversed(words))
        while rest:
            word = rest.pop().lower()
            if word in NUMBERS:
                limits._number(word, rest, ignored)
            elif word in FLAGS:
                setattr(limits, word, True)
            elif word == "searchmoves":
                limits._moves(list(_until_keyword(rest)), ignored)
            else:
                ignored.append(word)
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

    def _moves(self, words: list[str], ignored: list[str]) -> None:
        """Take the moves after `searchmoves`. Where none looks like one, all stand: nothing may be played."""
        moves = [word for word in words if _is_move(word)]
        if moves or not words:
            ignored += [word for word in words if not _is_move(word)] if words else ["searchmoves"]
        self.searchmoves = moves or words or self.searchmoves

    def ends(self) -> bool:
        """Whether the search will end by itself or was asked not to: false for a bare `go`."""
        clocks = (self.wtime, self.btime, self.winc, self.binc, self.movetime)
        return self.infinite or any(x is not None for x in (*clocks, self.depth, self.nodes, self.mate))

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
        time, inc = (self.wtime, self.winc) if white else (self.btime, self.binc)
        other, other_inc = (self.btime, self.binc) if white else (self.wtime, self.winc)
        increment = inc if inc is not None else 0
        for remaining in (time, other, inc, other_inc):
            if remaining is not None:
                unused = remaining == 0 and any(getattr(self, name) is not None for name in LIMITS)
                return None if unused else (remaining, increment)
        return None


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
