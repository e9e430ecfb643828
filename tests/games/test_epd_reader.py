"""Counters of EPD lines: those that a game can have, and no others."""

import pytest

from sssnake.engine.games.epd_reader import read_epd

KINGS = "4k3/8/8/8/8/8/8/4K2R w K -"


@pytest.mark.parametrize(
    ("operations", "clock", "number"),
    [
        ("", 0, 1),
        ("hmvc 0; fmvn 1;", 0, 1),
        ("fmvn 71; hmvc 39;", 39, 71),
        ("hmvc 32767; fmvn 32767;", 32767, 32767),
        ("17 30", 17, 30),
    ],
)
def test_counters_are_read(operations: str, clock: int, number: int) -> None:
    board, _ = read_epd(f"{KINGS} {operations}")
    assert (board.halfmove_clock, board.fullmove_number) == (clock, number)


@pytest.mark.parametrize("code", ["hmvc", "fmvn"])
@pytest.mark.parametrize("value", ["-1", "32768", "x"])
def test_what_is_no_counter_is_refused(code: str, value: str) -> None:
    with pytest.raises(ValueError, match=f"{code} .*{value}|{value}"):
        read_epd(f"{KINGS} {code} {value};")
