"""The laboratory on chess positions, with the engine's own search."""
