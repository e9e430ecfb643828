"""Endgame tablebases (Syzygy): opening them, which moves at the root keep the result, what they are worth.

Moves are ranked by result, then by distance to zeroing (DTZ: the next capture or pawn move). Wins that are
sure within the 50-move rule rank alike, so that the search may choose the shortest mate among them; once the
game has repeated, only the quickest zeroing ranks first, and no game goes in circles. Lost positions are held
as long as may be. Inside the search the core probes by itself; here it is told what it may probe.

Nothing is opened before tablebases are wanted.
"""

import os
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from sssnake._fast.board import kbnk
from sssnake._fast.board.board import Board
from sssnake._fast.board.syzygy import Tables
from sssnake._fast.values import FIFTY
from sssnake.engine.player.options import Options

TYPE_CHECKING = False
if TYPE_CHECKING:
    import chess

TB_WIN = 20000  # centipawns: a won ending, less the plies to zeroing; far from mates and from evaluations
SAFE = FIFTY - 1  # DTZ is rounded: up to one ply more than it says
SURE, UNSURE, CURSED, DRAWN = 4000, 3000, 2000, 0  # ranks; those of lost positions are negative
FARTHEST = 900  # plies, caps distances within a rank
WON = 2  # as in the tablebases
FEWEST, MOST = 3, 7  # pieces of a table, kings included
NAME = re.compile(r"(KQ*R*B*N*P*)v(KQ*R*B*N*P*)\.rtb([wz])")
LISTED = 5  # damaged files that a remark names
LONGEST_SHOWN = 100  # characters of a folder that cannot be opened


class MoveOutcome(NamedTuple):
    """What a move leads to: WDL (-2..2) for the side that plays it, plies to zeroing, the move included."""

    wdl: int
    plies: int
    zeroing: bool


class RootVerdict(NamedTuple):
    """A move's rank (higher is better; among equals the search chooses) and value in centipawns."""

    rank: int
    value: int


class Missing(Exception):  # noqa: N818  # not an error
    """A table that is needed is not there, or cannot be read."""


class Tablebase:
    """The tablebases that the options name. `tell` is called with what was found and what cannot be read."""

    def __init__(self, options: Options, tell: Callable[[str], None]):
        self.hits = 0  # positions found at the root; every search resets it
        self.exact = False  # whether the last position judged is held with its distances
        self._options = options
        self._tell = tell
        self._tables: Tables | None = None
        self._opened = ""  # SyzygyPath as it was when last opened
        self._fifty = options.syzygy_50_move_rule  # what values searched so far rest on

    def refresh(self) -> bool:
        """Open what the options ask for, unless that is done. Whether values of earlier searches are void."""
        path, fifty = self._options.syzygy_path, self._options.syzygy_50_move_rule
        changed = path != self._opened or (self._tables is not None and fifty != self._fifty)
        self._fifty = fifty
        if self._opened != path:
            self._opened, self._tables = path, None
            if path:
                self._tables = self._open(folders(path))
        return changed

    def _open(self, paths: Iterator[str]) -> Tables:
        """All tables in these folders; the first one of a name counts, if it is whole."""
        tables = Tables()
        remarks: list[str] = []
        damaged: list[str] = []
        unreadable: list[str] = []
        for path in paths:
            try:
                names = sorted(os.listdir(path))  # noqa: PTH208  # names alone
            except (OSError, ValueError) as error:
                shown = path if len(path) <= LONGEST_SHOWN else f"{path[:LONGEST_SHOWN]}..."
                remarks.append(f"{shown}: {getattr(error, 'strerror', None) or error}")
                continue
            for name in names:
                found = NAME.fullmatch(name)
                if not found or not FEWEST <= len(found[1] + found[2]) <= MOST:
                    continue
                try:
                    tables.add(str(Path(path, name)), f"{found[1]}v{found[2]}", found[3] == "z")
                except ValueError:
                    damaged.append(name)
                except (OSError, MemoryError):
                    unreadable.append(name)
        remarks += [*left_out(damaged), *left_out(unreadable, "unreadable")]
        self._tell("; ".join([f"SyzygyPath: {len(tables)} files, up to {tables.largest} pieces", *remarks]))
        return tables

    def report_damage(self) -> None:
        """Tell of tables that turned out damaged while they were probed."""
        for remark in left_out(self._tables.damaged()) if self._tables else ():
            self._tell(f"SyzygyPath: {remark}")

    def for_search(self) -> tuple[Tables | None, int, int, bool]:
        """What the core may probe inside the search: the arguments of `Worker.use_tablebases`."""
        options = self._options
        pieces = options.syzygy_probe_limit
        return self._tables, pieces, options.syzygy_probe_depth, options.syzygy_50_move_rule

    def judge(
        self,
        board: Board,
        names: list[str],
        until: float | None = None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> dict[str, RootVerdict]:
        """Verdict on each of the legal moves `names` (UCI); {} if the tablebases do not hold the position.

        Bishop and knight against a lone king are solved here, with or without tablebases.

        until: when to do without distances (seconds of `time.monotonic`): files may lie on a slow disk.
        stopped: asked before each probe; a position whose results are not all known counts as not held.
        """
        self.refresh()
        self.exact = False
        if not names:
            return {}
        found = self._look_up(board, names, until, stopped)
        if not found and mates_with_bishop_and_knight(board) and solved(until, stopped):
            self.exact = True
            return {name: with_bishop_and_knight(played(board, name)) for name in names}
        return found

    def _look_up(
        self, board: Board, names: list[str], until: float | None, stopped: Callable[[], bool]
    ) -> dict[str, RootVerdict]:
        """The verdicts of the tablebases alone."""
        if self._tables is None:
            return {}
        if len(board.pieces) > min(self._tables.largest, self._options.syzygy_probe_limit):
            return {}
        if self._tables.wdl(board) is None:  # castling, or a table is missing
            self.report_damage()
            return {}
        try:
            found = self._outcomes(self._tables, board, names, until, stopped)
        except Missing:
            found = {}
        self.report_damage()
        clock, fifty = board.halfmove_clock, self._options.syzygy_50_move_rule
        strict = bool(found) and repeated(board.to_chess())
        return {name: verdict(outcome, clock, strict, fifty) for name, outcome in found.items()}

    def _outcomes(
        self,
        tables: Tables,
        board: Board,
        names: list[str],
        until: float | None,
        stopped: Callable[[], bool],
    ) -> dict[str, MoveOutcome]:
        """Outcome of every move; {} if stopped. Missing: a table is missing."""
        found: dict[str, MoveOutcome] = {}
        children: dict[str, Board] = {}
        for name in names:
            if stopped():
                return {}
            children[name] = played(board, name)
            found[name] = self._result(tables, children[name])
        return self._distances(tables, found, children, until, stopped)

    def _distances(
        self,
        tables: Tables,
        found: dict[str, MoveOutcome],
        children: dict[str, Board],
        until: float | None,
        stopped: Callable[[], bool],
    ) -> dict[str, MoveOutcome]:
        """The same with distances where they matter; as it was if time is up or a table is missing."""
        top = max(outcome.wdl for outcome in found.values())
        chosen = [name for name in found if found[name].wdl == top]
        if len(chosen) < self._options.multipv:
            chosen = list(found)
        exact = dict(found)
        for name in chosen:
            if stopped() or (until is not None and time.monotonic() > until):
                return found
            if found[name].wdl and not children[name].is_checkmate:
                dtz = tables.dtz(children[name])
                if dtz is None:
                    return found
                exact[name] = distant(found[name], dtz)
        self.exact = True
        return exact

    def _result(self, tables: Tables, child: Board) -> MoveOutcome:
        """What a move leads to, the distance left open. Missing: a table is missing."""
        zeroing = child.halfmove_clock == 0
        if child.is_checkmate:
            return MoveOutcome(WON, 1, True)
        if child.is_stalemate or child.is_fifty_moves or child.is_repetition(3):
            return MoveOutcome(0, 0, zeroing)
        wdl = tables.wdl(child)
        if wdl is None:
            raise Missing
        self.hits += 1
        return MoveOutcome(-wdl, 1, zeroing)


def mates_with_bishop_and_knight(board: Board) -> bool:
    """Whether the player to move has bishop and knight against a lone king."""
    return kbnk.holds(board) and ("N" if board.turn else "n") in board.pieces


def solved(until: float | None, stopped: Callable[[], bool]) -> bool:
    """Go on solving bishop and knight, half a second in all, while there is time. Whether that is done."""
    while not stopped() and (until is None or time.monotonic() < until):
        if kbnk.advance():
            return True
    return False


def with_bishop_and_knight(child: Board) -> RootVerdict:
    """Verdict on the move that led to `child`: of wins, the quickest."""
    moves = None
    if not (child.is_fifty_moves or child.is_repetition(3)):
        moves = kbnk.mated_in(child)
    outcome = MoveOutcome(0, 0, False) if moves is None else MoveOutcome(WON, 2 * moves + 1, False)
    return verdict(outcome, child.halfmove_clock - 1, strict=True, fifty=True)


def left_out(names: list[str], why: str = "damaged") -> list[str]:
    """The remark on files that are not used, if there are any."""
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return [f"left out as {why}: {', '.join(names[:LISTED])}{more}"] if names else []


def played(board: Board, name: str) -> Board:
    """The game after one more move."""
    child = board.copy()
    child.push(name)
    return child


def distant(result: MoveOutcome, dtz: int) -> MoveOutcome:
    """`result` with its distance; `dtz` as the tablebases give it for the opponent, to move now."""
    if result.zeroing and result.wdl > 0:
        return MoveOutcome(result.wdl, 1 if result.wdl == WON else FIFTY + 1, True)
    return MoveOutcome(result.wdl, 1 + abs(dtz), result.zeroing)


def verdict(outcome: MoveOutcome, clock: int, strict: bool, fifty: bool) -> RootVerdict:
    """Rank and value of a move. `clock`: plies since the last capture or pawn move, this one not included.

    strict: among sure wins, the quickest zeroing counts. fifty: the 50-move rule is in force.
    """
    plies = min(outcome.plies, FARTHEST)
    decided = abs(outcome.wdl) == WON or (outcome.wdl != 0 and not fifty)
    in_time = outcome.zeroing or clock + plies <= FIFTY
    value = TB_WIN - plies if decided and (in_time or not fifty) else 1
    if outcome.wdl > 0:
        if not decided:
            return RootVerdict(CURSED - plies, value)
        if outcome.zeroing or clock + plies <= SAFE:
            return RootVerdict(SURE - plies * strict, value)
        return RootVerdict(UNSURE - plies, value)
    if outcome.wdl < 0:
        lost = decided and (in_time or not fifty)
        return RootVerdict((-SURE if lost else -CURSED) + plies, -value)
    return RootVerdict(DRAWN, 0)


def folders(text: str) -> Iterator[str]:
    """The folders of a SyzygyPath, between `;` or os.pathsep; on Windows `:` belongs to drive letters."""
    if os.path.isdir(text):  # noqa: PTH112  # says no where Path raises: no permission, names too long
        yield text
        return
    if os.pathsep == ":":
        text = text.replace(":", ";")
    for part in filter(None, map(str.strip, text.split(";"))):
        yield os.path.expanduser(part)  # noqa: PTH111  # an unknown ~user stays as it is


def repeated(game: "chess.Board") -> bool:
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


def best(verdicts: dict[str, RootVerdict], count: int) -> list[str]:
    """The moves worth searching: all of the highest rank; the next best too if these are under `count`."""
    ordered = sorted(verdicts, key=lambda name: (-verdicts[name].rank, -verdicts[name].value))
    top = [name for name in ordered if verdicts[name].rank == verdicts[ordered[0]].rank]
    return top if len(top) >= count else ordered[:count]
