"""The transposition table: both bounds with their own depths, contradictions, replacement, mates, damage."""

import pytest

from sssnake._fast.search.tt import Bound, TranspositionTable
from sssnake._fast.values import MATE

INFINITE = 32002
NO_DEPTH = -2
ENTRY_BITS = 128


def small(exact: bool = False) -> TranspositionTable:
    """A table of one cluster: four entries for all keys."""
    return TranspositionTable(0, exact, clusters=1)


def lower(table: TranspositionTable, key: int, value: int, depth: int, move: int = 0) -> None:
    table.put(key, value, depth, Bound.LOWER, move)


def upper(table: TranspositionTable, key: int, value: int, depth: int, move: int = 0) -> None:
    table.put(key, value, depth, Bound.UPPER, move)


def bounds(table: TranspositionTable, key: int) -> tuple[int, int, int, int] | None:
    """(lower, its depth, upper, its depth), None on a miss."""
    hit = table.get(key)
    return (hit["lower"], hit["lower_depth"], hit["upper"], hit["upper_depth"]) if hit else None


def test_nothing_is_found_in_an_empty_table() -> None:
    table = small()
    assert [table.get(key) for key in (0, 1, 2**64 - 1)] == [None] * 3
    assert (table.entries_used(), table.hashfull()) == (0, 0)


def test_both_bounds_are_stored() -> None:
    table = small()
    lower(table, 7, 30, 9)
    assert bounds(table, 7) == (30, 9, INFINITE, NO_DEPTH)
    upper(table, 7, 55, 4)
    assert bounds(table, 7) == (30, 9, 55, 4)
    lower(table, 7, 41, 10)
    assert bounds(table, 7) == (41, 10, 55, 4)
    upper(table, 7, 41, 10)
    assert bounds(table, 7) == (41, 10, 41, 10)
    assert table.entries_used() == 1


def test_an_exact_value_is_both_bounds() -> None:
    table = small()
    table.put(7, -250, 6, Bound.EXACT)
    assert bounds(table, 7) == (-250, 6, -250, 6)


def test_a_contradiction_drops_the_older_bound() -> None:
    table = small()
    upper(table, 7, 20, 8)
    lower(table, 7, 21, 6)
    assert bounds(table, 7) == (21, 6, INFINITE, NO_DEPTH)
    upper(table, 7, 20, 7)
    assert bounds(table, 7) == (-INFINITE, NO_DEPTH, 20, 7)


def test_a_move_is_kept_if_none_is_stored() -> None:
    table = small()
    lower(table, 7, 30, 5, move=0x1234)
    upper(table, 7, 60, 6)
    hit = table.get(7)
    assert hit is not None
    assert hit["move"] == 0x1234


def test_a_far_shallower_result_is_ignored() -> None:
    table = small()
    lower(table, 7, 30, 12)
    upper(table, 7, 40, 3)
    assert bounds(table, 7) == (30, 12, INFINITE, NO_DEPTH)
    upper(table, 7, 40, 4)
    assert bounds(table, 7) == (30, 12, 40, 4)
    table.new_search()
    lower(table, 7, 10, 3)
    assert bounds(table, 7) == (30, 12, 40, 4)
    lower(table, 7, 10, 4)
    assert bounds(table, 7) == (10, 4, 40, 4)


def flags(table: TranspositionTable, key: int) -> tuple[int, int]:
    """Which bounds, lower and upper, a PV node proved."""
    hit = table.get(key)
    assert hit is not None
    return hit["lower_pv"], hit["upper_pv"]


def test_each_bound_stores_whether_a_pv_node_proved_it() -> None:
    table = small()
    table.put(7, 30, 5, Bound.LOWER, pv=True)
    assert flags(table, 7) == (1, 0)
    table.put(7, 50, 5, Bound.UPPER)
    assert flags(table, 7) == (1, 0)
    table.put(7, 45, 6, Bound.UPPER, pv=True)
    assert flags(table, 7) == (1, 1)
    lower(table, 7, 31, 6)
    assert flags(table, 7) == (0, 1)
    table.new_search()
    assert flags(table, 7) == (0, 1)
    lower(table, 7, 32, 6)
    assert flags(table, 7) == (0, 1)
    assert bounds(table, 7) == (32, 6, 45, 6)


def test_the_shallowest_entry_is_replaced() -> None:
    table = small()
    for key, depth in ((1, 5), (2, 3), (3, 9), (4, 7)):
        lower(table, key, 0, depth)
    lower(table, 5, 0, 1)
    assert [key for key in range(1, 6) if table.get(key)] == [1, 3, 4, 5]


def test_the_deeper_bound_of_an_entry_counts() -> None:
    table = small()
    for key in (1, 2, 3, 4):
        lower(table, key, 0, 2)
    upper(table, 1, 50, 9)
    for key in (5, 6, 7):
        lower(table, key, 0, 3)
    assert [key for key in range(1, 8) if table.get(key)] == [1, 5, 6, 7]


def test_old_entries_are_replaced_first() -> None:
    table = small()
    lower(table, 1, 0, 12)
    table.new_search()
    table.new_search()
    for key in (2, 3, 4):
        lower(table, key, 0, 1)
    assert table.hashfull() == 750
    lower(table, 5, 0, 1)
    assert [key for key in range(1, 6) if table.get(key)] == [2, 3, 4, 5]


def test_mates_are_returned_relative_to_the_root() -> None:
    table = small()
    table.put(7, MATE - 9, 5, Bound.LOWER, ply=4)  # mate 9 plies from that root, 5 from the node
    table.put(8, -MATE + 9, 5, Bound.UPPER, ply=4)
    table.put(9, 12000, 5, Bound.LOWER, ply=4)  # no mate: worth the same everywhere
    for ply in (0, 4, 11):
        won, lost, plain = (table.get(key, ply) for key in (7, 8, 9))
        assert won is not None
        assert lost is not None
        assert plain is not None
        assert (won["lower"], lost["upper"]) == (MATE - 5 - ply, -MATE + 5 + ply)
        assert plain["lower"] == 12000


def test_a_forged_collision_is_found_in_exact_mode_only() -> None:
    key, other = 0x0123456789ABCDEF, 0x7654321089ABCDEF  # alike where only half a key is kept
    play, exact = small(), small(exact=True)
    lower(play, key, 30, 5)
    assert bounds(play, other) == (30, 5, INFINITE, NO_DEPTH)
    lower(exact, key, 30, 5)
    assert exact.get(other) is None
    upper(exact, other, -70, 2)
    assert bounds(exact, key) == (30, 5, INFINITE, NO_DEPTH)
    assert bounds(exact, other) == (-INFINITE, NO_DEPTH, -70, 2)


@pytest.mark.parametrize("bit", [*range(64), *range(96, 128)])
def test_a_torn_entry_matches_nothing(bit: int) -> None:
    table = small()
    table.put(7, 30, 5, Bound.EXACT, 0x1234)
    whole = table.get(7)
    table.flip(bit)
    assert table.get(7) is None
    table.flip(bit)
    assert table.get(7) == whole


def test_clear_and_sizes() -> None:
    table = TranspositionTable(1)
    for key in range(1000):
        lower(table, key << 40 | key, 1, 1)
    assert table.entries_used() > 0
    table.clear()
    assert table.entries_used() == 0
    with pytest.raises(ValueError, match="impossible"):
        TranspositionTable(-1)
    with pytest.raises(MemoryError, match="no memory for a transposition table of 2000000000 MB"):
        TranspositionTable(2_000_000_000)
    with pytest.raises(IndexError):
        small().flip(4 * ENTRY_BITS)
