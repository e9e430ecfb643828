"""Endgame tables through chess.syzygy: which moves at the root keep the result, and what they are worth.

Moves are ranked by result, then by distance to zeroing (DTZ: the next capture or pawn move). Wins that are
sure within the 50-move rule rank alike, so that the search may choose the shortest mate among them; once the
game has repeated, only the quickest zeroing ranks first, and no game goes in circles. Lost positions are held
as long as may be.

Nothing is opened, and chess.syzygy not imported, before tables are wanted.
"""

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import chess

from _fast.board import Board
from engine.options import Options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from chess.syzygy import Tablebase as Tables

TB_WIN = 20000  # centipawns: a won ending, less the plies to zeroing; far from mates and from evaluations
FIFTY = 100  # plies without capture or pawn move that draw
SAFE = FIFTY - 1  # DTZ is rounded: up to one ply more than it says
SURE, UNSURE, CURSED, DRAWN = 4000, 3000, 2000, 0  # ranks; those of lost positions are negative
FARTHEST = 900  # plies, caps distances within a rank
FILE_UNIT, FILE_REST = 64, 16  # a table file has that remainder of bytes
PREFIX, HEAD = 5, 64  # bytes of its head before the men, and read at all
WON = 2  # as in the tables


@dataclass(frozen=True)
class Outcome:
    """What a move leads to: WDL (-2..2) for the side that plays it, plies to zeroing, the move included."""

    wdl: int
    plies: int
    zeroing: bool


@dataclass(frozen=True)
class Verdict:
    """A move's rank (higher is better; among equals the search chooses) and value in centipawns."""

    rank: int
    value: int


class Tablebase:
    """The tables that the options name. `tell` hears what was found, and once what cannot be read."""

    def __init__(self, options: Options, tell: Callable[[str], None]):
        self.hits = 0  # positions found in the tables; the searcher resets it
        self._options = options
        self._tell = tell
        self._tables: Tables | None = None
        self._opened = ""  # SyzygyPath as it was when last opened
        self._largest = 0  # men
        self._broken: set[str] = set()  # materials whose tables turned out unreadable

    def refresh(self) -> None:
        """Open what the options ask for, unless that is done."""
        if self._opened == self._options.syzygy_path:
            return
        self._opened = self._options.syzygy_path
        self._largest = 0
        self._broken.clear()
        if self._tables:
            self._tables.close()
            self._tables = None
        if self._opened:
            self._open(list(folders(self._opened)))

    def _open(self, paths: list[Path]) -> None:
        from chess.syzygy import Tablebase as Tables

        tables = Tables()
        remarks = []
        for path in paths:
            try:
                tables.add_directory(str(path))
            except (OSError, ValueError) as error:
                remarks.append(f"{path}: {getattr(error, 'strerror', None) or error}")
        damaged = drop_damaged(tables)
        if damaged:
            remarks.append(f"left out as damaged: {', '.join(damaged)}")
        self._tables = tables
        self._largest = max((len(name) - 1 for name in tables.wdl), default=0)
        found = len(set(tables.wdl.values())) + len(set(tables.dtz.values()))
        self._tell("; ".join([f"SyzygyPath: {found} files, up to {self._largest} men", *remarks]))

    def judge(
        self,
        board: Board,
        names: list[str],
        until: float | None = None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> dict[str, Verdict]:
        """Verdict on each of the legal moves `names` (UCI); {} when the tables do not hold the position.

        until: when to do without distances (seconds of `time.monotonic`): each costs about a millisecond.
        stopped: asked before each probe; a position whose results are not all known counts as not held.
        """
        self.refresh()
        if self._tables is None or not names:
            return {}
        game = board.to_chess()
        men = chess.popcount(game.occupied)
        if men > min(self._largest, self._options.syzygy_probe_limit) or game.castling_rights:
            return {}
        material = "".join(sorted(filter(str.isalpha, game.board_fen())))
        if material in self._broken:
            return {}
        try:
            found = self._results(self._tables, board, game, names, stopped)
            if found:
                found = self._distances(self._tables, game, found, until, stopped)
        except KeyError:  # a table is missing
            return {}
        except Exception as error:  # whatever a damaged file leads to
            self._broken.add(material)
            self._tell(f"SyzygyPath: a table for {game.board_fen()} cannot be read: {error!r}")
            return {}
        clock, strict, fifty = board.halfmove_clock, repeated(game), self._options.syzygy_50_move_rule
        return {name: verdict(outcome, clock, strict, fifty) for name, outcome in found.items()}

    def _results(
        self, tables: "Tables", board: Board, game: chess.Board, names: list[str], stopped: Callable[[], bool]
    ) -> dict[str, Outcome]:
        """Outcome of every move, distances left open; {} if stopped. KeyError: a table is missing."""
        found: dict[str, Outcome] = {}
        for name in names:
            if stopped():
                return {}
            found[name] = self._result(tables, board, name, played(game, name))
        return found

    def _distances(
        self,
        tables: "Tables",
        game: chess.Board,
        found: dict[str, Outcome],
        until: float | None,
        stopped: Callable[[], bool],
    ) -> dict[str, Outcome]:
        """The same with distances where they matter; as it was if time is up or a table is missing."""
        top = max(outcome.wdl for outcome in found.values())
        chosen = [name for name in found if found[name].wdl == top]
        if len(chosen) < self._options.multipv:
            chosen = list(found)
        exact = dict(found)
        for name in chosen:
            if stopped() or (until is not None and time.monotonic() > until):
                return found
            child = played(game, name)
            if found[name].wdl and not child.is_checkmate():
                try:
                    exact[name] = distant(found[name], tables.probe_dtz(child))
                except KeyError:
                    return found
        return exact

    def _result(self, tables: "Tables", board: Board, name: str, child: chess.Board) -> Outcome:
        """What a move leads to, the distance left open."""
        after = board.copy()
        after.push(name)
        zeroing = child.halfmove_clock == 0
        if after.is_checkmate:
            return Outcome(WON, 1, True)
        if after.is_stalemate or after.is_fifty_moves or after.is_repetition(3):
            return Outcome(0, 0, zeroing)
        wdl = tables.probe_wdl(child)
        self.hits += 1
        return Outcome(-wdl, 1, zeroing)


def played(game: chess.Board, name: str) -> chess.Board:
    """The position after a move, without history."""
    child = game.copy(stack=False)
    child.push_uci(name)
    return child


def distant(result: Outcome, dtz: int) -> Outcome:
    """`result` with its distance; `dtz` as the tables give it for the opponent, to move now."""
    if result.zeroing and result.wdl > 0:
        return Outcome(result.wdl, 1 if result.wdl == WON else FIFTY + 1, True)
    return Outcome(result.wdl, 1 + abs(dtz), result.zeroing)


def verdict(outcome: Outcome, clock: int, strict: bool, fifty: bool) -> Verdict:
    """Rank and value of a move. `clock`: plies since the last capture or pawn move, this one not included.

    strict: among sure wins, the quickest zeroing counts. fifty: the 50-move rule is in force.
    """
    plies = min(outcome.plies, FARTHEST)
    decided = abs(outcome.wdl) == WON or (outcome.wdl != 0 and not fifty)
    in_time = outcome.zeroing or clock + plies <= FIFTY
    value = TB_WIN - plies if decided and (in_time or not fifty) else 1
    if outcome.wdl > 0:
        if not decided:
            return Verdict(CURSED - plies, value)
        if outcome.zeroing or clock + plies <= SAFE:
            return Verdict(SURE - plies * strict, value)
        return Verdict(UNSURE - plies, value)
    if outcome.wdl < 0:
        lost = decided and (in_time or not fifty)
        return Verdict((-SURE if lost else -CURSED) + plies, -value)
    return Verdict(DRAWN, 0)


def folders(text: str) -> Iterator[Path]:
    """The folders of a SyzygyPath, between `;` or os.pathsep; on Windows `:` belongs to drive letters."""
    if os.path.isdir(text):  # noqa: PTH112 (Path.is_dir raises where a folder may not be entered)
        yield Path(text)
        return
    if os.pathsep == ":":
        text = text.replace(":", ";")
    for part in filter(None, map(str.strip, text.split(";"))):
        yield Path(os.path.expanduser(part))  # noqa: PTH111 (an unknown ~user stays as it is)


def drop_damaged(tables: "Tables") -> list[str]:
    """Forget tables whose file cannot be whole; their names."""
    damaged = set()
    for known in (tables.wdl, tables.dtz):
        for name, table in list(known.items()):
            if not whole(Path(table.path)):
                damaged.add(Path(table.path).name)
                del known[name]
    return sorted(damaged)


def whole(path: Path) -> bool:
    """Whether a table file has a size that such files have, and the men in its head that its name promises.

    With other men than stand on the board, chess.syzygy would look for them for ever.
    """
    try:
        with path.open("rb") as file:
            head, size = file.read(HEAD), file.seek(0, os.SEEK_END)
    except OSError:
        return False
    sides = path.stem.split("v")
    men = sum(map(len, sides))
    wanted = [men_codes(*sides), men_codes(*reversed(sides))]
    before = 1 + all("P" in side for side in sides)  # bytes between the blocks of men
    for block in range(4 if "P" in path.stem else 1):  # with pawns: one for each file of the leading pawn
        start = PREFIX + block * (before + men) + before
        codes = head[start : start + men]
        for shift in (0, 4) if path.suffix == ".rtbw" else (0,):  # WDL: half a byte for each side to move
            if sorted(code >> shift & 15 for code in codes) not in wanted:
                return False
    return size % FILE_UNIT == FILE_REST


def men_codes(white: str, black: str) -> list[int]:
    """The codes of all men in a table file, from the two halves of its name."""
    return sorted(["PNBRQK".index(man) + 1 for man in white] + ["PNBRQK".index(man) + 9 for man in black])


def repeated(game: chess.Board) -> bool:
    """Whether a position has occurred twice since the last capture or pawn move."""
    game = game.copy()
    seen = set()
    while True:
        place = game.epd()
        if place in seen:
            return True
        seen.add(place)
        if not game.halfmove_clock or not game.move_stack:
            return False
        game.pop()


def best(verdicts: dict[str, Verdict], count: int) -> list[str]:
    """The moves worth searching: all of the highest rank; the next best too if these are under `count`."""
    ordered = sorted(verdicts, key=lambda name: (-verdicts[name].rank, -verdicts[name].value))
    top = [name for name in ordered if verdicts[name].rank == verdicts[ordered[0]].rank]
    return top if len(top) >= count else ordered[:count]
