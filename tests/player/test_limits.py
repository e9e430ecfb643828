"""What `go` asks for, read from everything that clients have been seen to send."""

from typing import Any

import chess.engine
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sssnake._fast.board.board import Board
from sssnake.engine.player.clock import Clock
from sssnake.engine.player.limits import CLOCKS, LIMITS, Limits


def parse(text: str) -> tuple[Limits, list[str]]:
    complaints: list[str] = []
    return Limits.parse(text.split(), complaints.append), complaints


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", Limits()),
        ("infinite", Limits(infinite=True)),
        ("wtime 100", Limits(wtime=100)),
        ("wtime -35 btime 0 winc -5", Limits(wtime=-35, btime=0, winc=0)),
        (
            "ponder wtime 1 btime 2 winc 3 binc 4 movestogo 5 depth 6 nodes 7 movetime 8 mate 9",
            Limits(1, 2, 3, 4, 5, 6, 7, 8, 9, ponder=True),
        ),
        ("movestogo 0 wtime 5", Limits(wtime=5)),
        ("depth 0", Limits(depth=1)),
        ("movetime -1", Limits(movetime=1)),
        ("nodes 99999999999999999999999", Limits(nodes=1 << 40)),
        ("searchmoves e2e4 D2D4 depth 3", Limits(depth=3, searchmoves=["e2e4", "d2d4"])),
        ("depth 3 searchmoves 0000", Limits(depth=3, searchmoves=["0000"])),
        ("wtime 60000.0 btime 59999.9 winc 1e3", Limits(wtime=60000, btime=59999, winc=1000)),
        ("movetime 500,5", Limits(movetime=500)),  # by the system's locale
        ("movetime 0.5", Limits(movetime=1)),
        ("depth 5.0 nodes 1e300", Limits(depth=5, nodes=1 << 40)),
        ("depth 3 depth 5 wtime -0.5", Limits(depth=5, wtime=0)),
        ("DEPTH 3 Infinite", Limits(depth=3, infinite=True)),
    ],
)
def test_read(text: str, expected: Limits) -> None:
    assert parse(text) == (expected, [])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("depth abc", Limits(depth=1)),  # unreadable: the search must still end
        ("movetime", Limits(depth=1)),
        ("wtime btime", Limits(depth=1)),
        ("nonsense", Limits(depth=1)),
        ("wtime 100 depth x", Limits(wtime=100)),
        ("infinite depth", Limits(infinite=True)),
        ("depth " + "9" * 5000, Limits(depth=1)),
        ("movetime inf", Limits(depth=1)),
        ("movetime nan", Limits(depth=1)),
        ("movetime 1e999", Limits(depth=1)),
        ("movetime 1.2.3", Limits(depth=1)),
        ("depht 5", Limits(depth=1)),
        ("5", Limits(depth=1)),
        ("searchmoves", Limits(depth=1)),
        ("searchmoves depth 2", Limits(depth=2)),
        ("searchmoves e2e4 depht 5", Limits(depth=1, searchmoves=["e2e4"])),
    ],
)
def test_complain_once(text: str, expected: Limits) -> None:
    limits, complaints = parse(text)
    assert limits == expected
    assert len(complaints) == 1 and "\n" not in complaints[0]


def test_complaints_say_what_is_wrong() -> None:
    assert parse("depht 5")[1][0].endswith("did you mean depth?")
    assert parse("depth five")[1][0].endswith("depth wants a number")
    assert parse("searchmoves")[1][0].endswith("searchmoves wants moves")


def test_clock_of_the_side_to_move() -> None:
    both = Limits(wtime=1, btime=2, winc=3, binc=4)
    assert both.clock(white=True) == (1, 3)
    assert both.clock(white=False) == (2, 4)
    assert Limits(wtime=100).clock(white=False) == (100, 0)  # one clock sent: shared
    assert Limits(winc=50).clock(white=True) == (50, 50)
    assert Limits(depth=3, movetime=9).clock(white=True) is None


@pytest.mark.parametrize(
    ("words", "white", "clock"),
    [
        ("wtime 900 btime 700 binc 40", True, (900, 0)),
        ("wtime 900 btime 700 winc 40", False, (700, 0)),
        ("wtime 900 btime 700 winc 0 binc 40", True, (900, 0)),
        ("btime 700 winc 30 binc 40", True, (700, 30)),
        ("btime 700 binc 40", True, (700, 0)),
        ("wtime 900 winc 30 binc 40", False, (900, 40)),
        ("binc 40", True, (40, 0)),
    ],
)
def test_the_opponents_increment_is_not_ours(words: str, white: bool, clock: tuple[int, int]) -> None:
    assert Limits.parse(words.split()).clock(white) == clock


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("depth 126", Limits(depth=126)),
        ("depth 128", Limits(depth=127)),
        ("movestogo 1001 wtime 5", Limits(movestogo=1000, wtime=5)),
        ("mate 65", Limits(mate=64)),
        ("wtime 1e300 btime -1e300", Limits(wtime=1 << 40, btime=-1 << 40)),
        ("winc -1 wtime 1", Limits(winc=0, wtime=1)),
        ("movestogo -3 wtime 1", Limits(wtime=1)),
    ],
)
def test_numbers_are_clamped(text: str, expected: Limits) -> None:
    assert parse(text) == (expected, [])


def test_nothing_is_asked_for_that_was_not_written() -> None:
    plain = Limits.parse([])
    assert (plain.infinite, plain.ponder, plain.searchmoves, plain.ends()) == (False, False, None, False)
    assert all(getattr(plain, name) is None for name in (*LIMITS, *CLOCKS, "movestogo"))
    for words in ("infinite", "depth 1", "nodes 1", "mate 1", "movetime 1", "wtime 1", "btime 0", "binc 0"):
        assert Limits.parse(words.split()).ends()
    assert not Limits.parse(["ponder"]).ends() and not Limits.parse(["searchmoves", "e2e4"]).ends()


def test_searchmoves_are_those_that_are_legal_each_once() -> None:
    board = Board()
    asked = Limits(depth=3, searchmoves=["d2d4", "e2e5", "e2e4", "d2d4"])
    assert asked.of(board) == Limits(depth=3, searchmoves=["d2d4", "e2e4"])
    assert Limits(depth=3).of(board) == Limits(depth=3)
    with pytest.raises(ValueError, match="no legal move among searchmoves"):
        Limits(searchmoves=["e2e5", "0000"]).of(board)
    mated = Board("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")
    assert Limits(searchmoves=["h8g8"]).of(mated) == Limits()


WORDS = st.sampled_from(
    [
        "wtime",
        "depth",
        "nodes",
        "infinite",
        "ponder",
        "searchmoves",
        "mate",
        "movestogo",
        "1",
        "-7",
        "e2e4",
        "x",
    ]
)


@given(st.lists(st.one_of(WORDS, st.text(max_size=8))))
def test_any_words(words: list[str]) -> None:
    complaints: list[str] = []
    limits = Limits.parse(words, complaints.append)
    assert len(complaints) <= 1
    assert not complaints or limits.ends()
    assert limits.depth is None or 1 <= limits.depth <= 127


@pytest.mark.parametrize(
    ("words", "clock"),
    [
        ("btime 0 wtime 0 movetime 970", None),
        ("wtime 0 btime 0 depth 8", None),
        ("wtime 0 btime 0 winc 0 binc 0 nodes 500", None),
        ("winc 0 binc 0 mate 2", None),
        ("btime 0 depth 8", None),
        ("wtime 0 btime 0", (0, 0)),
        ("wtime 0 btime 0 winc 1000 binc 1000", (0, 1000)),
        ("wtime -5 btime 100 depth 8", (-5, 0)),
        ("wtime 0 btime 0 depth 0", None),
        ("btime 700 depth 8", (700, 0)),
        ("wtime 900 btime 700 movetime 0", (900, 0)),
    ],
)
def test_a_clock_of_zero_beside_another_limit_is_none(words: str, clock: tuple[int, int] | None) -> None:
    limits = Limits.parse(words.split())
    assert limits.clock(True) == clock
    assert limits.movetime == (970 if "970" in words else None)
    assert limits.depth == (8 if "depth 8" in words else 1 if "depth 0" in words else None)


@pytest.mark.parametrize(
    ("words", "least", "most"),
    [
        ("wtime 900000 btime 900000 movetime 200", 200, 200),
        ("wtime 1000 btime 1000 movetime 900", 1, 400),
        ("wtime 0 btime 0 movetime 970", 970, 970),
        ("wtime -5 movetime 970", 1, 3),
    ],
)
def test_of_clock_and_movetime_the_smaller_counts(words: str, least: int, most: int) -> None:
    clock = Clock(Limits.parse(words.split()), True, 0)
    assert clock.hard_ms is not None and least <= clock.hard_ms <= most


@pytest.mark.parametrize(("seconds", "milliseconds"), [(1, 1000), (0.25, 250), (0.0001, 1), (None, None)])
def test_seconds_of_python_chess(seconds: float | None, milliseconds: int | None) -> None:
    assert Limits.from_chess(chess.engine.Limit(time=seconds)).movetime == milliseconds
    assert Limits.from_chess(chess.engine.Limit(black_clock=seconds)).btime == milliseconds


@pytest.mark.parametrize("seconds", ["1", True, [1], float("nan"), 1e300])
def test_what_is_no_number_of_seconds(seconds: Any) -> None:
    with pytest.raises(ValueError, match="white_clock is a number of seconds, not"):
        Limits.from_chess(chess.engine.Limit(white_clock=seconds))
