"""Mates at the edges of segments."""

from support.studies import found, study

from _fast.values import MATE
from engine.analysis.mates import settle
from engine.analysis.segments import PLIES, Evaluation
from engine.analysis.study import Study


def long_game() -> Study:
    """Nine plies of shuffling knights: the first segment ends before the last move."""
    one = study("1. Nf3 Nf6 2. Ng1 Ng8 3. Nc3 Nc6 4. Nb1 Nb8 5. e4 *")
    one.evaluations = [
        found(30 if ply % 2 == 0 else -30, name) for ply, name in enumerate([*one.names, "e7e5"])
    ]
    return one


def test_the_mate_of_the_next_segment_is_seen_before_the_edge() -> None:
    one = long_game()
    one.evaluations[PLIES] = found(-(MATE - 4), "a2a3")  # White is mated: Black's move was good
    assert settle(one) == PLIES + 2
    edge = one.evaluations[PLIES - 1]
    assert edge and edge.score == MATE - 5 and edge.score.mate == 3
    assert edge.best and edge.best.moves == ("c6b8", "a2a3")
    assert one.evaluations[PLIES - 2] == found(30, one.names[PLIES - 2])


def test_another_move_may_be_better_than_one_into_a_mate() -> None:
    one = long_game()
    one.evaluations[PLIES] = found(MATE - 3, "a2a3")
    settle(one)
    assert one.evaluations[PLIES - 1] == found(-30, one.names[PLIES - 1])


def test_a_forced_move_takes_the_mate_over() -> None:
    one = study('[FEN "k7/8/8/8/8/8/1r6/K7 w - - 0 1"]\n[SetUp "1"]\n\n1. Kxb2 *')
    assert one.forced == [True]
    one.evaluations = [found(500, "a1b2"), found(MATE - 7, "a8a7")]
    assert settle(one) == 2
    first = one.evaluations[0]
    assert first and first.score == -(MATE - 8) and first.score.mate == -4
    one.evaluations = [found(MATE - 9, "a1b2"), found(-(MATE - 4), "a8a7")]
    settle(one)
    assert one.evaluations[0] == found(MATE - 9, "a1b2")  # it has seen one


def test_a_position_before_an_edge_waits_for_the_next_segment() -> None:
    one = long_game()
    rest: list[Evaluation | None] = [None] * 2
    one.evaluations[PLIES:] = rest
    assert settle(one) == PLIES - 1
    one.evaluations[0] = None
    assert settle(one) == 0
