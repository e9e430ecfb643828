"""The static value of a position: the network, piece-square tables, and endings judged by rule."""

from _fast import prefer_core

prefer_core(__path__)
