"""Training a network: positions from games and searches, samples, and the trainer in floats."""

from sssnake._fast import prefer_core

prefer_core(__path__)
