"""Static evaluation: the network, piece-square tables, and endings with rules of their own."""

from sssnake._fast import prefer_core

prefer_core(__path__)
