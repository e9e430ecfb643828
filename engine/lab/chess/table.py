"""`lab table --chess`: what the drivers cost on chess positions, depth by depth.

As Plaat and others measured Chinook, Keyano and Phoenix: every driver deepens iteratively with a
transposition table (TT) of its own. In exact mode the moves are in generation order and leaves are static. In
full-width mode the TT and the histories order the moves and lines end with quiescence, but nothing is pruned.
In play mode the player's own drivers search as they play.

Costs are relative to alpha-beta; in full-width mode to NegaScout, because there the core allows no TT cutoffs
in open windows, which slows down alpha-beta alone; in play mode to PVS.
"""

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean, stdev

import chess

from sssnake._fast.drivers.bracket import SWING, Bracket
from sssnake._fast.search.params import Parameters
from sssnake.engine.common.inputs import read_text
from sssnake.engine.games.epd_reader import read_position
from sssnake.engine.jobs.executor import JobExecutor
from sssnake.engine.lab.chess.core import DRIVERS, FULL_WIDTH, Core
from sssnake.engine.lab.trees.trees import TreeError
from sssnake.engine.player import evaluation
from sssnake.engine.player.drivers import close
from sssnake.engine.player.options import DRIVERS as IN_PLAY
from sssnake.engine.player.options import INTERNAL

# Well-known openings, a few moves into the middlegame.
OPENINGS = (
    "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O",
    "e4 e5 Nf3 Nc6 Bb5 Nf6 O-O Nxe4 d4 Nd6 Bxc6 dxc6 dxe5 Nf5 Qxd8 Kxd8",
    "e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6 d3 d6 O-O O-O",
    "e4 e5 Nf3 Nc6 d4 exd4 Nxd4 Nf6 Nc3 Bb4 Nxc6 bxc6 Bd3 d5",
    "e4 e5 Nf3 Nf6 Nxe5 d6 Nf3 Nxe4 d4 d5 Bd3 Nc6 O-O Be7",
    "e4 e5 f4 exf4 Nf3 g5 h4 g4 Ne5 Nf6",
    "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Bg5 e6 f4 Be7",
    "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 g6 Be3 Bg7 f3 O-O Qd2 Nc6",
    "e4 c5 Nf3 Nc6 d4 cxd4 Nxd4 Nf6 Nc3 e5 Ndb5 d6 Bg5 a6 Na3 b5",
    "e4 c5 c3 d5 exd5 Qxd5 d4 Nf6 Nf3 e6",
    "e4 e6 d4 d5 Nc3 Nf6 Bg5 Be7 e5 Nfd7 Bxe7 Qxe7 f4 O-O",
    "e4 e6 d4 d5 e5 c5 c3 Nc6 Nf3 Qb6 a3 c4",
    "e4 c6 d4 d5 Nc3 dxe4 Nxe4 Bf5 Ng3 Bg6 h4 h6 Nf3 Nd7",
    "e4 d6 d4 Nf6 Nc3 g6 f4 Bg7 Nf3 O-O Bd3 Na6",
    "d4 d5 c4 e6 Nc3 Nf6 Bg5 Be7 e3 O-O Nf3 Nbd7 Rc1 c6",
    "d4 d5 c4 c6 Nf3 Nf6 Nc3 dxc4 a4 Bf5 e3 e6 Bxc4 Bb4",
    "d4 d5 c4 dxc4 Nf3 Nf6 e3 e6 Bxc4 c5 O-O a6",
    "d4 Nf6 c4 e6 Nc3 Bb4 e3 O-O Bd3 d5 Nf3 c5 O-O Nc6",
    "d4 Nf6 c4 e6 Nf3 b6 g3 Bb7 Bg2 Be7 O-O O-O Nc3 Ne4",
    "d4 Nf6 c4 g6 Nc3 Bg7 e4 d6 Nf3 O-O Be2 e5 O-O Nc6",
    "d4 Nf6 c4 g6 Nc3 d5 cxd5 Nxd5 e4 Nxc3 bxc3 Bg7 Nf3 c5",
    "d4 Nf6 c4 c5 d5 e6 Nc3 exd5 cxd5 d6 e4 g6 Nf3 Bg7",
    "d4 f5 g3 Nf6 Bg2 g6 Nf3 Bg7 O-O O-O c4 d6",
    "c4 e5 Nc3 Nf6 Nf3 Nc6 g3 d5 cxd5 Nxd5 Bg2 Nb6",
)


BASE = {"exact": "alpha-beta", "full-width": "NegaScout", "play": "PVS"}


@dataclass(frozen=True)
class Row:
    """Means over positions at one depth; `relative` compares with the BASE, position by position."""

    mode: str
    grain: int
    clusters: int
    depth: int
    driver: str
    positions: int
    leaves: float
    leaves_relative: float
    leaves_error: float
    nodes: float
    nodes_relative: float
    nodes_error: float
    passes: float
    entries: float


@dataclass(frozen=True)
class Cost:
    """One driver's iteration on one position."""

    leaves: int
    nodes: int
    passes: int
    entries: int


Done = tuple[str, list[list[Cost]]]  # a position and what each driver's iterations cost


def opening_positions() -> list[str]:
    """Return the positions after OPENINGS."""
    found = []
    for line in OPENINGS:
        board = chess.Board()
        for san in line.split():
            board.push_san(san)
        found.append(board.fen())
    return found


def read_positions(file: str) -> list[str]:
    """Return the FENs of an EPD file, whose lines may be FENs; TreeError on a bad one."""
    try:
        lines = read_text(file, "utf-8-sig").splitlines()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "no UTF-8 text"
        raise TreeError(f"cannot read {file}: {reason}") from None
    found = []
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.startswith("#"):
            try:
                board, remark = read_position(line)
            except (ValueError, AssertionError):
                raise TreeError(f"{file}, line {number}: no legal position in EPD") from None
            if remark:
                print(f"sssnake lab: {file}, line {number}: {remark}", file=sys.stderr)
            found.append(board.fen())
    if not found:
        raise TreeError(f"{file} holds no position")
    return found


def deepen(fen: str, driver: str, depth: int, mode: str, clusters: int, parameters: Parameters) -> list[Cost]:
    """Deepen one driver on one position; one cost an iteration."""
    core = Core(fen, exact=mode == "exact", clusters=clusters, parameters=parameters)
    guesses = [0, 0]  # the value two iterations before is the better guess
    found = []
    for now in range(1, depth + 1):
        core.begin(now)
        guesses.append(DRIVERS[driver](core, guesses[-2] if now > 2 else guesses[-1]))
        leaves = len(set(core.worker.leaves())) if mode == "exact" else 0
        found.append(Cost(leaves, core.nodes, core.passes, core.table.entries_used()))
    return found


def deepen_in_play(fen: str, driver: str, depth: int, clusters: int, parameters: Parameters) -> list[Cost]:
    """Deepen one of the player's drivers on one position; one cost an iteration."""
    core = Core(fen, exact=False, clusters=clusters, parameters=parameters)
    worker = core.worker
    worker.use_network(evaluation.load(INTERNAL))
    guess, swing = 0, float(SWING)
    found = []
    for now in range(1, depth + 1):
        core.begin(now)
        bracket = Bracket(driver, parameters, now, guess, swing)
        close(bracket, worker)
        guess, swing = bracket.lower, bracket.next_swing
        worker.promote(worker.best_root())
        worker.sort_roots(1)
        found.append(Cost(0, core.nodes, bracket.passes, core.table.entries_used()))
    return found


@dataclass(frozen=True)
class Conditions:
    """The conditions of all searches of a table."""

    depth: int
    mode: str
    clusters: int = 0
    grain: int = 1


def deepen_all(conditions: Conditions, fen: str) -> list[list[Cost]]:
    """Deepen every driver on one position."""
    depth, mode, clusters = conditions.depth, conditions.mode, conditions.clusters
    parameters = Parameters(grain=conditions.grain, **(FULL_WIDTH if mode == "full-width" else {}))
    if mode == "play":
        return [deepen_in_play(fen, driver, depth, clusters, parameters) for driver in IN_PLAY]
    return [deepen(fen, driver, depth, mode, clusters, parameters) for driver in DRIVERS]


def compare(
    positions: Sequence[str],
    conditions: Conditions,
    executor: JobExecutor,
    progress: Callable[[Iterable[Done]], Iterable[Done]],
) -> list[Row]:
    """Deepen every driver on every position; rows by depth and driver."""
    table = [found for _fen, found in progress(executor.in_order(partial(deepen_all, conditions), positions))]
    drivers = IN_PLAY if conditions.mode == "play" else DRIVERS
    costs = {driver: [line[column] for line in table] for column, driver in enumerate(drivers)}
    base = costs[BASE[conditions.mode]]
    return [
        row(conditions, now, driver, [one[now - 1] for one in found], [one[now - 1] for one in base])
        for now in range(1, conditions.depth + 1)
        for driver, found in costs.items()
    ]


def row(conditions: Conditions, depth: int, driver: str, costs: Sequence[Cost], base: Sequence[Cost]) -> Row:
    """Sum up one driver's iterations of one depth."""
    count = len(costs)
    leaves = [
        one.leaves / other.leaves if other.leaves else 0.0 for one, other in zip(costs, base, strict=True)
    ]
    nodes = [one.nodes / max(1, other.nodes) for one, other in zip(costs, base, strict=True)]
    return Row(
        conditions.mode,
        conditions.grain,
        conditions.clusters,
        depth,
        driver,
        count,
        leaves=fmean(one.leaves for one in costs),
        leaves_relative=fmean(leaves),
        leaves_error=stdev(leaves) / count**0.5 if count > 1 else 0.0,
        nodes=fmean(one.nodes for one in costs),
        nodes_relative=fmean(nodes),
        nodes_error=stdev(nodes) / count**0.5 if count > 1 else 0.0,
        passes=fmean(one.passes for one in costs),
        entries=fmean(one.entries for one in costs),
    )


def markdown(rows: Sequence[Row]) -> str:
    """Write a table for people."""
    lines = [
        "| mode | grain | clusters | depth | driver | leaves | rel. | nodes | rel. | passes | entries |",
        "|---|---:|---:|---:|---|---:|---:|---:|---:|---:|---:|",
    ]
    for row in rows:
        leaves = "|  |  "
        if row.leaves:
            percent = f"{100 * row.leaves_relative:.1f} ± {100 * row.leaves_error:.1f} %"
            leaves = f"| {row.leaves:.0f} | {percent} "
        nodes = f"| {row.nodes:.0f} | {100 * row.nodes_relative:.1f} ± {100 * row.nodes_error:.1f} % "
        lines.append(
            f"| {row.mode} | {row.grain} | {row.clusters or '∞'} | {row.depth} | {row.driver} "
            f"{leaves}{nodes}| {row.passes:.1f} | {row.entries:.0f} |"
        )
    return "\n".join(lines) + "\n"
