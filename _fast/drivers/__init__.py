"""Whole searches without the GIL: drivers for helper threads, and mate problems."""

from sssnake._fast import prefer_core

prefer_core(__path__)
