"""Engine processes: how they are started, and the pool that keeps them from game to game.

A pool belongs to one run (a match, an EPD suite, a tuning) and has separate engines for every thread. Runs
have names, so that several of them can share a worker process.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from sssnake.engine.common.process import this_engine
from sssnake.engine.common.suggest import did_you_mean
from sssnake.engine.jobs.signals import defer_interrupts
from sssnake.engine.match.client import EngineError, UciEngine
from sssnake.engine.match.game import TimeControl


@dataclass
class EngineConfig:
    """How an engine is started and what it is called.

    An empty `command` means this engine, as installed on the worker. The engine must have all of `options`;
    of `shared` it gets those that it has. `tuned` are search parameters that are sent before every game.
    """

    command: list[str]
    control: TimeControl
    options: dict[str, str | None] = field(default_factory=dict)
    shared: dict[str, str | None] = field(default_factory=dict)
    name: str = ""
    ponder: bool = False  # let it ponder, if it has the option Ponder
    tuned: dict[str, str] = field(default_factory=dict)


def start_engine(
    config: EngineConfig, chess960: bool = False, started: Callable[[UciEngine], None] = lambda _: None
) -> tuple[UciEngine, list[str]]:
    """(engine, shared options that it does not have). EngineError if it cannot be used.

    That is also the case if it rejects the value of an option, or with `chess960` does not play Chess960.
    `started` is called with the engine as soon as its process exists, so that the caller can end it.
    """
    command = config.command or this_engine()
    engine = None
    try:
        with defer_interrupts():
            engine = UciEngine(command)
            started(engine)
        engine.handshake()
        unknown = engine.set_options(config.options)
        if unknown:
            advice = did_you_mean(unknown[0], [option.name for option in engine.options.values()])
            raise EngineError(f"{engine.name} has no option {unknown[0]!r}{advice}")
        engine.set_chess960(chess960)
        shared = {**config.shared, **({"Ponder": "true"} if config.ponder else {})}
        missing = engine.set_options({k: v for k, v in shared.items() if k not in config.options})
        engine.ponders = config.ponder and "ponder" in engine.options
        engine.wait_ready()
        if engine.refusal:
            raise EngineError(f"{engine.name} does not take an option: {engine.refusal}")
    except BaseException as error:
        if engine is not None:
            engine.kill()
            engine.close()
        if not isinstance(error, EngineError):
            raise
        raise EngineError(f"{' '.join(config.command) or 'this engine'}: {error}") from None
    return engine, missing


class EnginePool:
    """The engines of one run in one process, by thread and slot. Engines started after `close` are killed."""

    def __init__(self) -> None:
        self._engines: dict[tuple[int, int], UciEngine] = {}
        self._lock = threading.Lock()
        self._closed = False

    def engine(self, slot: int, config: EngineConfig, chess960: bool = False) -> UciEngine:
        """This thread's engine in a slot, started if needed, with the tuned parameters set."""
        key = threading.get_ident(), slot
        engine = self._engines.get(key)
        if engine is None:

            def note(engine: UciEngine) -> None:
                with self._lock:
                    self._engines[key] = engine
                    if self._closed:
                        engine.kill()

            try:
                engine, _missing = start_engine(config, chess960, note)
            except BaseException:
                with self._lock:
                    self._engines.pop(key, None)
                raise
        engine.set_chess960(chess960)
        for name, value in config.tuned.items():
            engine.send(f"setoption name {name} value {value}")
        return engine

    def keep(self, slots: set[int]) -> None:
        """Close the engines of this thread that are in other slots."""
        thread = threading.get_ident()
        for key in [key for key in list(self._engines) if key[0] == thread and key[1] not in slots]:
            with self._lock:
                engine = self._engines.pop(key, None)
            if engine is not None:
                engine.close()

    def close(self, kill: bool) -> None:
        """End all engines. `kill`: also those that are thinking; their jobs fail then."""
        with self._lock:
            self._closed = True
            engines = list(self._engines.values())
            self._engines.clear()
            if kill:
                for engine in engines:
                    engine.kill()
        for engine in engines:
            engine.close()


_pools: dict[str, EnginePool] = {}
_lock = threading.Lock()


def engine_pool(run: str) -> EnginePool:
    """The pool of a run in this process."""
    with _lock:
        return _pools.setdefault(run, EnginePool())


def close_engine_pool(run: str, kill: bool) -> None:
    """End the engines of a run in this process. Jobs of it that still run cannot start new ones."""
    engine_pool(run).close(kill)
