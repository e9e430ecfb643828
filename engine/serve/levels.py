"""Levels of play in words. What an Elo means here: docs/play/strength.md."""

from typing import Any

from sssnake.engine.player.limits import Limits
from sssnake.engine.player.options import FIELDS

LEVELS: dict[str, int | None] = {  # name -> UCI_Elo; None: full strength
    "beginner": 850,
    "casual player": 1200,
    "club player": 1600,
    "strong club player": 2000,
    "master": 2400,
    "full strength": None,
}
LONGEST = 10_000  # ms of a move, whatever the clock: others wait for the processor
USUAL = 1_000  # ms of a move without a clock
SHORTEST = 50  # ms of a move, however many wait


def options(level: str, elo: int | None = None) -> dict[str, Any]:
    """The engine's options for a level, or for a UCI_Elo. ValueError: there is none of that name."""
    if elo is None and level not in LEVELS:
        raise ValueError(f"no level {level[:30]!a}")
    elo = LEVELS[level] if elo is None else elo
    if elo is not None:
        FIELDS["elo"].check(elo)
    strength = {"limit_strength": False} if elo is None else {"limit_strength": True, "elo": elo}
    return {**strength, "own_book": True, "multipv": 1}


def limits(clock: dict[str, Any] | None, crowd: int = 1) -> Limits:
    """How long the engine may think. clock: UCI's wtime, btime, winc, binc in milliseconds.

    crowd: how many moves share each place for a search; nobody waits long behind the others.
    """
    longest = max(SHORTEST, (LONGEST if clock else USUAL) // max(1, crowd))
    return Limits(movetime=longest, **(clock or {}))
