"""One browser tab: its game, what it asks for, and the one piece of work that the server does for it.

A message is an object with "id" and "do". Questions and changes of the game (`ANSWERS`) are answered at once.
Work (`work.WORK`) sends events with the "job" it belongs to; new work takes the place of the old. A "node" is
the number of a move of the game, 0 for its start. A message with "moves" speaks of a game of its own.
"""

import asyncio
import random
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import chess

from sssnake.engine.common.messages import one_line
from sssnake.engine.games.starts import CHESS960_STARTS
from sssnake.engine.serve import rules
from sssnake.engine.serve.games.reading import Text, read_text
from sssnake.engine.serve.games.record import Record
from sssnake.engine.serve.machine import Machine
from sssnake.engine.serve.messages import LONGEST_REASON, Message, is_name, moves, take, texts
from sssnake.engine.serve.work import WORK, Emit, Worker

REST = 120.0  # seconds without work, after which the engine's memory is given back
SMALL = 600  # moves of a game that is sent as PGN with every change
CHESS960 = "chess960"  # in place of a FEN: one of its starts, at random
LOAD, CHOOSE = "load", "choose"


class Tab:
    """The other end of one websocket. `emit` takes an event, in the event loop."""

    def __init__(self, machine: Machine, options: Mapping[str, Any], emit: Emit):
        self._machine = machine
        self._worker = Worker(machine, options)
        self._emit = emit
        self._job: asyncio.Task[None] | None = None
        self._rest: asyncio.TimerHandle | None = None
        self._text = Text([])
        self.record = Record.new(chess.Board())

    async def handle(self, message: object) -> Message:
        """The answer to a message; {"error": one line} where it cannot be had."""
        name = message.get("id") if isinstance(message, dict) else None
        name = name if is_name(name) else None
        try:
            if not isinstance(message, dict) or name is None:
                raise ValueError('a message is an object with an "id", a number or a short string')
            return {"id": name, **await self._answer(take(message, "do", str, ""), message)}
        except ValueError as error:
            return {"id": name, "error": one_line(str(error), LONGEST_REASON)}
        except (RecursionError, MemoryError) as error:
            return {"id": name, "error": f"too much for this server: {type(error).__name__}"}

    async def _answer(self, do: str, message: Message) -> Message:
        if do in WHOLE:
            return await self._apart(partial(ANSWERS[do], self, message))
        if do in ANSWERS:
            return ANSWERS[do](self, message)
        if do in (LOAD, CHOOSE):
            return await self._load(message, choose=do == CHOOSE)
        if do in WORK:
            record = self._record(message)
            await self.stop()
            self._begin(do, message, record)
        elif do == "stop":
            await self.stop()
        else:
            raise ValueError(f"nothing is called {do[:30]!a} here")
        return {}

    def _record(self, message: Message) -> Record:
        """The tab's game, or the one in the message."""
        return new_record(message) if "moves" in message or "start" in message else self.record

    async def _apart(self, look: Callable[[], Message]) -> Message:
        """Look at the whole game: off the event loop if it is long, one after the other."""
        if self.record.size <= SMALL:
            return look()
        async with self._machine.reading:
            return await asyncio.to_thread(look)

    async def _load(self, message: Message, choose: bool) -> Message:
        """Open a text, or another game of the one that is open; what cannot be opened stops nothing."""
        number, text = take(message, "game", int, 1), take(message, "text", str, "")
        async with self._machine.reading:  # one after the other, and off the event loop
            if not choose:
                opened = await asyncio.to_thread(read_text, text)
            else:
                opened = self._text
            record = await asyncio.to_thread(opened.record, number, take(message, "own", bool, False))
            await self.stop()
            self._text, self.record = opened, record
            told = await asyncio.to_thread(self.changed)
        games = len(opened.games) or 1
        more = {"titles": opened.titles()} if games > 1 and not choose else {}
        return {**told, "games": games, "game": number, **more}

    def changed(self) -> Message:
        """The whole game, after a change."""
        return {**self.record.state(), **self.kept()}

    def kept(self) -> Message:
        """The game as PGN, if that is not too long to be sent with every change."""
        return {"pgn": self.record.pgn()} if self.record.size <= SMALL else {}

    def _begin(self, do: str, message: Message, record: Record) -> None:
        def emit(event: Message) -> None:
            self._emit({"job": message["id"], **event})

        self._awake()
        self._job = asyncio.create_task(self._guarded(do, message, record, emit))
        self._job.add_done_callback(self._rests)  # also if it is stopped before it has begun

    async def _guarded(self, do: str, message: Message, record: Record, emit: Emit) -> None:
        """The work, and an event that tells of its end."""
        try:
            await WORK[do](self._worker, message, record, emit)
        except MemoryError:
            emit({"event": "failed", "error": "out of memory"})
        except Exception as error:  # the tab must hear of it, whatever it is
            emit({"event": "failed", "error": one_line(str(error), LONGEST_REASON) or type(error).__name__})
        else:
            emit({"event": "done", **(await self._apart(self.changed) if do == "review" else {})})

    def _rests(self, _: asyncio.Task[None]) -> None:
        """There is no work for now."""
        self._rest = asyncio.get_running_loop().call_later(REST, self._give_back)
        self._machine.rests(self._worker, self._give_back)

    def _give_back(self) -> None:
        self._awake()
        if self._job is None or self._job.done():
            self._job = asyncio.create_task(self._worker.rest())

    async def stop(self) -> None:
        """End the work under way."""
        while job := self._job:
            job.cancel()
            await asyncio.wait([job])
            if self._job is job:  # else memory is given back since
                self._job = None

    async def close(self) -> None:
        """End all and give the memory back."""
        await self.stop()
        self._awake()
        await self._worker.rest()

    def _awake(self) -> None:
        """The engine's memory is needed, or given back at once."""
        self._machine.wakes(self._worker)
        if self._rest:
            self._rest.cancel()

    # Questions, and changes of the game.

    def position(self, message: Message) -> Message:
        """What the page shows of a position."""
        return rules.describe(self._record(message).board(take(message, "node", int, None)))

    def move(self, message: Message) -> Message:
        """Make a move, if the tab's game is meant; otherwise only read it."""
        record, number = self._record(message), take(message, "node", int, None)
        text = take(message, "text", str, "")
        if record is not self.record:
            return {"move": record.board(None).uci(rules.read_move(record.board(None), text))}
        before, played = record.size, take(message, "played", bool, False)
        made = record.push(number, text, seconds_of(message))
        shown = {"entry": record.entry(made), **rules.describe(record.board(made))}
        if played and record.play(made):
            return {**shown, **self.changed()}
        return {**shown, "tags": record.tags(), **self.kept()} if played or record.size > before else shown

    def new(self, message: Message) -> Message:
        """Begin a game."""
        self.record = new_record(message)
        return self.changed()

    def cut(self, message: Message) -> Message:
        """Remove a move and what follows it."""
        self.record.cut(take(message, "node", int, 0))
        return self.changed()

    def promote(self, message: Message) -> Message:
        """Make a line the main line."""
        self.record.promote(take(message, "node", int, 0))
        return self.changed()

    def comment(self, message: Message) -> Message:
        """Write a comment on a move."""
        self.record.comment(take(message, "node", int, 0), take(message, "text", str, ""))
        return self.changed()

    def mark(self, message: Message) -> Message:
        """Mark a move."""
        self.record.mark(take(message, "node", int, 0), take(message, "nag", int, 0))
        return self.changed()

    def tag(self, message: Message) -> Message:
        """Set tags."""
        for name, value in texts(message, "tags").items():
            self.record.tag(name, value)
        return self.changed()

    def end(self, message: Message) -> Message:
        """The result of a game."""
        score, reason = take(message, "score", str, ""), take(message, "reason", str, "")
        self.record.end(take(message, "node", int, None), score, reason, take(message, "played", bool, False))
        return self.changed()

    def pgn(self, message: Message) -> Message:
        """The game as PGN, and the position as FEN."""
        record = self._record(message)
        if record is not self.record:
            for side in ("white", "black"):
                record.tag(side.capitalize(), take(message, side, str, "?"))
            if result := take(message, "result", str, None):
                record.end(None, result, "")
        return {"pgn": record.pgn(), "fen": record.board(take(message, "node", int, None)).fen()}


ANSWERS: dict[str, Callable[[Tab, Message], Message]] = {
    "position": Tab.position,
    "move": Tab.move,
    "new": Tab.new,
    "cut": Tab.cut,
    "promote": Tab.promote,
    "comment": Tab.comment,
    "mark": Tab.mark,
    "tag": Tab.tag,
    "end": Tab.end,
    "pgn": Tab.pgn,
}


WHOLE = frozenset(ANSWERS) - {"position", "move"}  # look at all moves of the game


def new_record(message: Message) -> Record:
    """A game from its start and its moves."""
    start = take(message, "start", str, None)
    if start == CHESS960:
        start = chess.Board.from_chess960_pos(random.randrange(CHESS960_STARTS)).fen()
        board = chess.Board(start, chess960=True)
    else:
        board = rules.read_start(start)
    return Record.new(rules.play_moves(board, moves(message)), texts(message, "tags"))


def seconds_of(message: Message) -> float | None:
    """The time left on a clock after a move, in seconds."""
    given = take(message, "seconds", int, None)
    return None if given is None else float(max(0, min(given, 86_400)))


def cost(message: object, size: int = 0) -> float:
    """About the milliseconds that it takes to answer a message, searching and reading of texts aside.

    size: moves of the tab's game.
    """
    if not isinstance(message, dict):
        return 0
    do, played = message.get("do"), message.get("moves")
    plies = len(played) if isinstance(played, list) else 0
    text = message.get("text")
    letters = len(text) if isinstance(text, str) else 0
    known = do if isinstance(do, str) else ""
    work = 9 * (known in WORK) + min(1000.0, size / 30) * (known in WHOLE)
    return work + plies / 12 + min(1000.0, letters / 300)
