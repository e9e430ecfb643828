"""SSSnake: a UCI chess engine whose search is SSS*.

>>> import chess
>>> from sssnake import Engine, Limits
>>> with Engine(hash_mb=1) as engine:
...     print(engine.play(chess.Board("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"), Limits(depth=4)).move)
a1a8

Everything else lies in `sssnake.engine`, and its compiled core in `sssnake._fast`. The engine is imported
when one of the names is used.
"""

TYPE_CHECKING = False  # typing itself would slow the start of UCI down

if TYPE_CHECKING:
    from sssnake.engine.player.engine import Engine, Info, Limits, Options, Result, Score, Search

__version__ = "0.2.0"
__all__ = ["Engine", "Info", "Limits", "Options", "Result", "Score", "Search"]


def __getattr__(name: str) -> object:
    """Import what a name of `__all__` stands for."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from sssnake.engine.player import engine

    return getattr(engine, name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
