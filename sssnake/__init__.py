"""SSSnake: a UCI chess engine whose search is SSS*.

>>> import chess
>>> from sssnake import Engine, Limits
>>> with Engine(hash_mb=1) as engine:
...     print(engine.play(chess.Board("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"), Limits(depth=4)).move)
a1a8

Everything else lies in `sssnake.engine`, and its compiled core in `sssnake._fast`. The engine is imported
when one of the names is used.
"""

import sys

if not getattr(sys, "_is_gil_enabled", lambda: True)():
    raise ImportError("SSSnake needs Python's lock: use Python without free threading, or PYTHON_GIL=1")

TYPE_CHECKING = False  # typing itself would slow the start of UCI down

if TYPE_CHECKING:
    from sssnake.engine.analysis.api.batch import Analysed, analyse_many
    from sssnake.engine.analysis.api.games import GameAnalysis, analyse
    from sssnake.engine.player.engine import (
        Analysis,
        Engine,
        Evaluated,
        Info,
        Limits,
        Options,
        OptionValues,
        Pass,
        Result,
        Score,
        Search,
    )

__version__ = "0.2.0"
__all__ = [
    "Analysed",
    "Analysis",
    "Engine",
    "Evaluated",
    "GameAnalysis",
    "Info",
    "Limits",
    "OptionValues",
    "Options",
    "Pass",
    "Result",
    "Score",
    "Search",
    "analyse",
    "analyse_many",
]
ELSEWHERE = {"Analysed": "batch", "analyse_many": "batch", "GameAnalysis": "games", "analyse": "games"}


def __getattr__(name: str) -> object:
    """Import what a name of `__all__` stands for."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    module = f"analysis.api.{ELSEWHERE[name]}" if name in ELSEWHERE else "player.engine"
    try:
        found = getattr(import_module(f"{__name__}.engine.{module}"), name)
    except ModuleNotFoundError as error:
        from sssnake.engine.common.messages import NO_CORE, lacks_core

        if lacks_core(error):
            raise ImportError(NO_CORE) from None
        raise
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
