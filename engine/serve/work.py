"""What the server works at for a tab: a move, an analysis, a review, a race of drivers. Each sends events.

Scores are from White's view.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from functools import partial
from typing import Any

import chess

from sssnake.engine.analysis.annotate import annotate
from sssnake.engine.analysis.judge import JudgedMove, View, judge, san_line, summary
from sssnake.engine.analysis.marks import ERRORS
from sssnake.engine.analysis.segments import Evaluation, Segment, Settings, backward, segments
from sssnake.engine.analysis.study import Study
from sssnake.engine.games.outcome import outcome_with_history
from sssnake.engine.player.engine import Engine, Info, Limits, Result, Score
from sssnake.engine.player.result import score_text
from sssnake.engine.player.wdl import expected as expected_of
from sssnake.engine.serve import levels, messages
from sssnake.engine.serve.games.record import Record, searched
from sssnake.engine.serve.machine import Machine, Queued, unbroken
from sssnake.engine.serve.messages import Message, take
from sssnake.engine.serve.watch import MOST_NODES, NODES, watch

MOST_LINES = 5
REVIEW_NODES, MOST_REVIEW_NODES = 30_000, 500_000  # of each position of a game
REVIEW_HASH = 64  # MiB, as `sssnake analyse`
OFFER_NODES = 30_000  # to decide whether a draw is taken
HINT_NODES = 100_000
EARLIEST_DRAW = 20  # plies into the game
SHOWN_MOVES = 14  # of a line

Emit = Callable[[Message], None]
ANALYSIS: Message = {"limit_strength": False, "skill_level": 20, "own_book": False}
OVER = "the game is over"


class Worker:
    """The engine of a tab, made when it is wanted: that takes too long for the event loop."""

    def __init__(self, machine: Machine, options: Mapping[str, Any]):
        self.machine = machine
        self._options = options
        self._made: Engine | None = None

    async def engine(self, **options: Any) -> Engine:
        """The engine, with these options."""
        if self._made is None:
            self._made = await asyncio.to_thread(Engine, **self._options)
        self._made.configure(**options)
        return self._made

    async def rest(self) -> None:
        """Give memory and threads back; a search takes them again."""
        if self._made:
            await unbroken(asyncio.to_thread(self._made.close))


async def play(worker: Worker, message: Message, record: Record, emit: Emit) -> None:
    """The engine's move, at a level."""
    board = board_to_search(message, record, claims=True)
    options = levels.options(take(message, "level", str, "full strength"), take(message, "elo", int, None))
    limits = levels.limits(messages.clock(message), worker.machine.crowd)
    engine = await worker.engine(**options)
    if len(board.move_stack) < 2:
        engine.new_game()
    started = {"event": "started"}  # its clock runs from now
    outcome = await worker.machine.search(
        engine, board, limits, on_start=lambda: emit(started), on_wait=queued(emit), urgent=True
    )
    move = outcome.result.move
    if move is None:
        raise ValueError(OVER)
    played = {"move": board.uci(move), "san": board.san(move), "ms": round(outcome.seconds * 1000)}
    emit({"event": "move", **played, **worth(outcome.result, board)})


async def offer(worker: Worker, message: Message, record: Record, emit: Emit) -> None:
    """Whether the engine takes a draw: late enough, and it expects no more than half a point."""
    board = board_to_search(message, record, claims=True)
    taken = len(board.move_stack) >= EARLIEST_DRAW
    if taken:
        engine = await worker.engine(**ANALYSIS, multipv=1)
        found = await worker.machine.search(engine, board, Limits(nodes=OFFER_NODES), urgent=True)
        white = worth(found.result, board)["expected"]
        own = 1 - white if take(message, "side", str, "white") == "white" else white  # the page's side
        taken = own <= 0.5
    emit({"event": "offer", "taken": taken})


async def analyse(worker: Worker, message: Message, record: Record, emit: Emit) -> None:
    """The best lines of a position, until stopped; "hint": one, soon."""
    board = board_to_search(message, record)
    lines = max(1, min(MOST_LINES, take(message, "lines", int, 1)))
    deepest = dict.fromkeys(range(1, lines + 1), 0)

    def told(info: Info) -> None:
        if not info.bound and info.depth >= deepest.get(info.multipv, 0):  # a slice begins anew
            deepest[info.multipv] = info.depth
            emit({"event": "line", **line_of(info, board)})

    limits = Limits(nodes=HINT_NODES) if take(message, "hint", bool, False) else Limits(infinite=True)
    engine = await worker.engine(**ANALYSIS, multipv=lines)
    await worker.machine.search(engine, board, limits, told, on_wait=queued(emit))


async def review(worker: Worker, message: Message, record: Record, emit: Emit) -> None:
    """The game as `sssnake analyse` judges it; what that writes into a PGN, the game has afterwards."""
    nodes = max(1, min(MOST_REVIEW_NODES, take(message, "nodes", int, REVIEW_NODES)))
    study = Study(1, "", record.game)
    if any(not move for move in study.moves):
        raise ValueError("a game with a null move in its main line is not reviewed")
    settings = Settings(Limits(nodes=nodes), 1, REVIEW_HASH)
    async with worker.machine.large(queued(emit)):
        for segment in segments(1, study.start, study.moves, settings):
            await _search_segment(worker.machine, study, segment, emit)
    if study.moves != list(record.game.mainline_moves()):
        raise ValueError("the game was changed meanwhile")
    judged = judge(study)
    annotate(study, judged, f"{nodes} nodes a position", all_lines=False)
    first = study.evaluations[0]
    assert first
    record.start_score = seen(View(study.start, first))
    record.renumber()
    sides = {name: summary(judged, color) for name, color in (("white", True), ("black", False))}
    told = {name: {"accuracy": side.accuracy, "marks": dict(side.marks)} for name, side in sides.items()}
    lost = {
        move.ply: {"mark": move.mark.sign, "lost": move.loss, "best": _best(move)}
        for move in judged
        if move.mark and move.mark in ERRORS
    }
    emit({"event": "reviewed", "summary": told, "lost": lost})


def _best(move: JudgedMove) -> str:
    return san_line(move.board, move.best.moves, SHOWN_MOVES) if move.best else ""


async def _search_segment(machine: Machine, study: Study, segment: Segment, emit: Emit) -> None:
    """Search the positions of a segment, last to first; between two of them others have their turn."""
    with await asyncio.to_thread(partial(Engine, **segment.settings.options)) as engine:
        found = backward(engine, segment)
        for ply in range(segment.last, segment.first - 1, -1):
            async with machine.place(queued(emit)):
                await unbroken(asyncio.to_thread(_next, study, ply, found))
            evaluation = study.evaluations[ply]
            assert evaluation
            board = study.start.copy()
            for move in study.moves[:ply]:
                board.push(move)
            emit({"event": "evaluated", "ply": ply, **seen(View(board, evaluation))})


def _next(study: Study, ply: int, found: Iterator[Evaluation]) -> None:
    study.evaluations[ply] = next(found)


async def race(worker: Worker, message: Message, record: Record, emit: Emit) -> None:
    """The passes of three drivers."""
    board = board_to_search(message, record)
    nodes = max(1, min(MOST_NODES, take(message, "nodes", int, NODES)))
    async with worker.machine.large(queued(emit)):
        await watch(worker.machine, board, nodes, emit, queued(emit))


WORK: dict[str, Callable[[Worker, Message, Record, Emit], Awaitable[None]]] = {
    "play": play,
    "offer": offer,
    "analyse": analyse,
    "review": review,
    "watch": race,
}


def board_to_search(message: Message, record: Record, claims: bool = False) -> chess.Board:
    """The position of a message. ValueError: the game is over there; claims: also where a draw is claimed."""
    board = searched(record.node(take(message, "node", int, None)))
    ended = outcome_with_history(board)
    if not any(board.legal_moves) or (ended and (claims or ended[1] == "insufficient material")):
        raise ValueError(OVER)
    if board.was_into_check():
        raise ValueError("after this null move a king could be taken")
    return board


def queued(emit: Emit) -> Queued:
    """Tells the page that its search waits for a place, and when it has got one."""
    return lambda waits: emit({"event": "waiting" if waits else "searching"})


# Scores.


def expected(wdl: tuple[int, int, int], turn: bool) -> float:
    """White's expected score, from 0 to 1."""
    share = expected_of(wdl)
    return round(share if turn else 1 - share, 3)


def shown(score: Score, turn: bool) -> str:
    """A score of the player to move from White's view."""
    return score_text(*score.seen_by(turn))


def seen(view: View) -> Message:
    """An evaluation of a review, as the page shows it."""
    return {"score": str(view), "expected": round(view.expected, 3)}


def worth(result: Result, board: chess.Board) -> Message:
    """What a search says of a position."""
    return {"score": shown(result.score, board.turn), "expected": expected(result.wdl, board.turn)}


def line_of(info: Info, board: chess.Board) -> Message:
    """A line of play, with its moves in SAN."""
    moves = info.pv[:SHOWN_MOVES]
    return {
        "line": info.multipv,
        "depth": info.depth,
        "nodes": info.nodes,
        "score": shown(info.score, board.turn),
        "expected": expected(info.wdl, board.turn),
        "moves": [board.uci(move) for move in moves],
        "text": board.variation_san(moves),
    }
