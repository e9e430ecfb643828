"""Helpers shared by several test files: sessions with the engine, positions, parameters, workers."""
