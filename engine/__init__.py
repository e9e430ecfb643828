"""SSSnake, the player: protocol, time, drivers and tools around the compiled core `_fast`."""
