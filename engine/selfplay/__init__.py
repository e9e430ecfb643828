"""Games of the engine against itself inside one process."""
