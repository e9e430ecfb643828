"""The board: positions and their keys, moves, legality, exchanges, and endings that a table decides."""

from _fast import prefer_core

prefer_core(__path__)
