"""The board: positions and their keys, moves, legality, static exchanges, KPK bitbase, Syzygy tablebases."""

from sssnake._fast import prefer_core

prefer_core(__path__)
