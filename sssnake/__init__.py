"""SSSnake: a UCI chess engine whose search is SSS*."""

__version__ = "0.2.0"
