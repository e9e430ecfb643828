"""The stable: engine processes that a worker keeps from job to job, until the run they belong to is over.

Every thread has engines of its own. A run is named by a string, so that several can share a worker.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from engine.common.process import this_engine
from engine.jobs.local import held
from engine.match.client import EngineError, UciEngine
from engine.match.game import TimeControl


@dataclass
class Player:
    """How an engine is started and called; `options` are its own, `shared` everybody's.

    An empty command is this engine, as the worker has it. `tuned` are parameters of the search, which may
    change from job to job: they are sent before each.
    """

    command: list[str]
    control: TimeControl
    options: dict[str, str | None] = field(default_factory=dict)
    shared: dict[str, str | None] = field(default_factory=dict)
    name: str = ""
    ponder: bool = False  # thinks on the opponent's time, if it has the option Ponder
    tuned: dict[str, str] = field(default_factory=dict)


def start_player(
    player: Player, chess960: bool = False, started: Callable[[UciEngine], None] = lambda _: None
) -> tuple[UciEngine, list[str]]:
    """A running engine with its options set, and the shared options it does not have.

    With `chess960` it is refused if it does not play that, and always if it does not take an option's value.
    `started` is told of the engine as soon as there is one that may have to be ended.
    """
    command = player.command or this_engine()
    engine = None
    try:
        with held():
            engine = UciEngine(command)
            started(engine)
        engine.handshake()
        unknown = engine.set_options(player.options)
        if unknown:
            raise EngineError(f"{engine.name} has no option {unknown[0]!r}")
        engine.set_chess960(chess960)
        shared = {**player.shared, **({"Ponder": "true"} if player.ponder else {})}
        missing = engine.set_options({k: v for k, v in shared.items() if k not in player.options})
        engine.ponders = player.ponder and "ponder" in engine.options
        engine.wait_ready()
        if engine.refusal:
            raise EngineError(f"{engine.name} does not take an option: {engine.refusal}")
    except BaseException as error:
        if engine is not None:
            engine.kill()
            engine.close()
        if not isinstance(error, EngineError):
            raise
        raise EngineError(f"{' '.join(player.command) or 'this engine'}: {error}") from None
    return engine, missing


class Stable:
    """The engines of one run in one process, by thread and slot. Whatever is started after `close` dies."""

    def __init__(self) -> None:
        self._engines: dict[tuple[int, int], UciEngine] = {}
        self._lock = threading.Lock()
        self._closed = False

    def engine(self, slot: int, player: Player, chess960: bool = False) -> UciEngine:
        """This thread's engine in a slot, started if need be, with the options of this job."""
        key = threading.get_ident(), slot
        engine = self._engines.get(key)
        if engine is None:

            def note(engine: UciEngine) -> None:
                with self._lock:
                    self._engines[key] = engine
                    if self._closed:
                        engine.kill()

            try:
                engine, _missing = start_player(player, chess960, note)
            except BaseException:
                with self._lock:
                    self._engines.pop(key, None)
                raise
        engine.set_chess960(chess960)
        for name, value in player.tuned.items():
            engine.send(f"setoption name {name} value {value}")
        return engine

    def keep(self, slots: set[int]) -> None:
        """Let this thread's other engines go."""
        thread = threading.get_ident()
        for key in [key for key in list(self._engines) if key[0] == thread and key[1] not in slots]:
            with self._lock:
                engine = self._engines.pop(key, None)
            if engine is not None:
                engine.close()

    def close(self, kill: bool) -> None:
        """End all engines; `kill`: those that are thinking, too, which ends their jobs."""
        with self._lock:
            self._closed = True
            engines = list(self._engines.values())
            self._engines.clear()
            if kill:
                for engine in engines:
                    engine.kill()
        for engine in engines:
            engine.close()


_stables: dict[str, Stable] = {}
_lock = threading.Lock()


def stable(run: str) -> Stable:
    """This process's stable for a run."""
    with _lock:
        return _stables.setdefault(run, Stable())


def close_stable(run: str, kill: bool) -> None:
    """End a run's engines in this process; a job of it that is still under way cannot start new ones."""
    stable(run).close(kill)
