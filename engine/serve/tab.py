"""One browser tab: what it asks for, its engine, and the one piece of work that it has under way.

A message is an object with "id" and "do". Questions (`ANSWERS`) are answered at once. Work (`WORK`) sends
events with the "job" it belongs to; new work takes the place of the old. Scores are from White's view.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import chess

from sssnake.engine.common.messages import one_line
from sssnake.engine.games.outcome import outcome_with_history
from sssnake.engine.player.engine import Engine, Info, Limits, Result, Score
from sssnake.engine.player.result import score_text
from sssnake.engine.player.wdl import expected as expected_of
from sssnake.engine.serve import levels, rules
from sssnake.engine.serve.machine import Machine, Queued
from sssnake.engine.serve.watch import MOST_NODES, NODES, watch

MOST_LINES = 5
REVIEW_NODES = 30_000  # of each position of a game
LONGEST_REASON = 200  # characters of an error
SHOWN_MOVES = 14  # of a line
LONGEST_ID, LARGEST_ID = 64, 2**53  # characters, number
LONGEST_CLOCK = 24 * 3600 * 1000  # ms

Message = dict[str, Any]
Emit = Callable[[Message], None]
ANALYSIS: Message = {"limit_strength": False, "skill_level": 20, "own_book": False}


class Tab:
    """The other end of one websocket. `emit` takes an event, in the event loop."""

    def __init__(self, machine: Machine, options: Mapping[str, Any], emit: Emit):
        self._machine = machine
        self._options = options  # of the engine
        self._made: Engine | None = None
        self._emit = emit
        self._job: asyncio.Task[None] | None = None

    async def _engine(self, **options: Any) -> Engine:
        """The tab's engine, made when it is wanted: that takes too long for the event loop."""
        if self._made is None:
            self._made = await asyncio.to_thread(Engine, **self._options)
        self._made.configure(**options)
        return self._made

    async def handle(self, message: object) -> Message:
        """The answer to a message; {"error": one line} where it cannot be had."""
        number = message.get("id") if isinstance(message, dict) else None
        number = number if is_name(number) else None
        try:
            if not isinstance(message, dict) or number is None:
                raise ValueError('a message is an object with an "id", a number or a short string')
            do = take(message, "do", str, "")
            if do in ANSWERS:
                return {"id": number, **ANSWERS[do](message)}
            if do in WORK:
                await self.stop()
                self._begin(do, message, board_of(message))
            elif do == "stop":
                await self.stop()
            else:
                raise ValueError(f"nothing is called {do[:30]!a} here")
            return {"id": number}
        except ValueError as error:
            return {"id": number, "error": one_line(str(error), LONGEST_REASON)}

    def _begin(self, do: str, message: Message, board: chess.Board) -> None:
        def emit(event: Message) -> None:
            self._emit({"job": message["id"], **event})

        self._job = asyncio.create_task(guarded(lambda: WORK[do](self, message, board, emit), emit))

    async def stop(self) -> None:
        """End the work under way."""
        job, self._job = self._job, None
        if job:
            job.cancel()
            await asyncio.wait([job])

    async def close(self) -> None:
        """End all and give the memory back."""
        await self.stop()
        if self._made:
            await asyncio.to_thread(self._made.close)

    # The work.

    async def play(self, message: Message, board: chess.Board, emit: Emit) -> None:
        """The engine's move, at a level."""
        options = levels.options(take(message, "level", str, "full strength"))
        limits = levels.limits(clock_of(message), self._machine.crowd)
        engine = await self._engine(**options)
        if len(board.move_stack) < 2:
            engine.new_game()
        started = {"event": "started"}  # its clock runs from now
        outcome = await self._machine.search(
            engine, board, limits, on_start=lambda: emit(started), on_wait=queued(emit), urgent=True
        )
        move = outcome.result.move
        if move is None:
            raise ValueError("the game is over")
        played = {"move": move.uci(), "san": board.san(move), "ms": round(outcome.seconds * 1000)}
        emit({"event": "move", **played, **worth(outcome.result, board)})

    async def analyse(self, message: Message, board: chess.Board, emit: Emit) -> None:
        """The best lines of a position, until stopped."""
        lines = max(1, min(MOST_LINES, take(message, "lines", int, 1)))
        deepest = dict.fromkeys(range(1, lines + 1), 0)

        def told(info: Info) -> None:
            if not info.bound and info.depth >= deepest.get(info.multipv, 0):  # a slice begins anew
                deepest[info.multipv] = info.depth
                emit({"event": "line", **line_of(info, board)})

        if outcome_with_history(board):
            raise ValueError("the game is over")
        engine = await self._engine(**ANALYSIS, multipv=lines)
        await self._machine.search(engine, board, Limits(infinite=True), told, on_wait=queued(emit))

    async def review(self, message: Message, board: chess.Board, emit: Emit) -> None:
        """The expected score after every move of the game; "from": the first ply that is wanted."""
        first, moves = take(message, "from", int, 0), board.move_stack
        await self._engine(**ANALYSIS, multipv=1)
        replay = board.root()
        for ply in range(len(moves) + 1):
            if ply >= first:
                emit({"event": "evaluated", "ply": ply, **await self._judge(replay, emit)})
            if ply < len(moves):
                replay.push(moves[ply])

    async def _judge(self, board: chess.Board, emit: Emit) -> Message:
        ended = outcome_with_history(board)
        if ended:
            return {"score": ended[0], "expected": {"1-0": 1.0, "0-1": 0.0}.get(ended[0], 0.5)}
        limits, on_wait = Limits(nodes=REVIEW_NODES), queued(emit)
        outcome = await self._machine.search(await self._engine(), board, limits, on_wait=on_wait)
        return worth(outcome.result, board)

    async def watch(self, message: Message, board: chess.Board, emit: Emit) -> None:
        """The passes of three drivers."""
        if outcome_with_history(board):
            raise ValueError("the game is over")
        nodes = max(1, min(MOST_NODES, take(message, "nodes", int, NODES)))
        await watch(self._machine, board, nodes, emit, queued(emit))


def queued(emit: Emit) -> Queued:
    """Tells the page that its search waits for a place, and when it has got one."""
    return lambda waits: emit({"event": "waiting" if waits else "searching"})


async def guarded(work: Callable[[], Awaitable[None]], emit: Emit) -> None:
    """The work, and an event that tells of its end."""
    try:
        await work()
    except MemoryError:
        emit({"event": "failed", "error": "out of memory"})
    except Exception as error:  # the tab must hear of it, whatever it is
        emit({"event": "failed", "error": one_line(str(error), LONGEST_REASON) or type(error).__name__})
    else:
        emit({"event": "done"})


# Messages.


def is_name(value: object) -> bool:
    """Whether a value may be the "id" of a message: it is sent back."""
    if isinstance(value, str):
        return len(value) <= LONGEST_ID
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= LARGEST_ID


def take(message: Message, name: str, kind: type, default: Any) -> Any:
    """A field of a message. ValueError: it is of another type."""
    value = message.get(name, default)
    if value is not default and type(value) is not kind:
        raise ValueError(f'"{name}" is of type {kind.__name__}')
    return value


def board_of(message: Message) -> chess.Board:
    """The game in a message."""
    moves = take(message, "moves", list, [])
    if not all(type(move) is str for move in moves):
        raise ValueError('"moves" is a list of strings')
    return rules.read_game(take(message, "start", str, None), moves)


def clock_of(message: Message) -> dict[str, int] | None:
    """The clocks in a message, in milliseconds."""
    clock = take(message, "clock", dict, None)
    if clock is None:
        return None
    names = ("wtime", "btime", "winc", "binc")
    return {name: max(0, min(LONGEST_CLOCK, take(clock, name, int, 0))) for name in names}


def _move(message: Message) -> Message:
    board = board_of(message)
    return {"move": rules.read_move(board, take(message, "text", str, "")).uci()}


def _pgn(message: Message) -> Message:
    white, black = (take(message, name, str, "?") for name in ("white", "black"))
    result = take(message, "result", str, None)
    if result not in (None, "1-0", "0-1", "1/2-1/2", "*"):
        raise ValueError('"result" is a result')
    board, tree = board_of(message), take(message, "tree", list, None)
    return {"pgn": rules.write_pgn(board, white, black, result, tree), "fen": board.fen()}


ANSWERS: dict[str, Callable[[Message], Message]] = {
    "position": lambda message: rules.describe(board_of(message), take(message, "ply", int, None)),
    "load": lambda message: rules.load(take(message, "text", str, ""), take(message, "game", int, 1)),
    "move": _move,
    "pgn": _pgn,
}
WORK: dict[str, Callable[[Tab, Message, chess.Board, Emit], Awaitable[None]]] = {
    "play": Tab.play,
    "analyse": Tab.analyse,
    "review": Tab.review,
    "watch": Tab.watch,
}


def cost(message: object) -> float:
    """About the milliseconds that it takes to read a message and to answer it, searching aside."""
    if not isinstance(message, dict):
        return 1
    moves, tree, text = message.get("moves"), message.get("tree"), message.get("text")
    plies = sum(len(one) for one in (moves, tree) if isinstance(one, list))
    letters = len(text) if isinstance(text, str) else 0
    return 9 * (message.get("do") in list(WORK)) + plies / 12 + letters / 300


# Scores.


def expected(wdl: tuple[int, int, int], turn: bool) -> float:
    """White's expected score, from 0 to 1."""
    share = expected_of(wdl)
    return round(share if turn else 1 - share, 3)


def shown(score: Score, turn: bool) -> str:
    """A score of the player to move from White's view."""
    return score_text(*score.seen_by(turn))


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
        "moves": [move.uci() for move in moves],
        "text": board.variation_san(moves),
    }
