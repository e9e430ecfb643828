"""SSSnake, the player: protocol, time, drivers and tools around the compiled core `_fast`."""

__version__ = "0.2.0"
