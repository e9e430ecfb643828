"""Game trees, and how they are read."""
