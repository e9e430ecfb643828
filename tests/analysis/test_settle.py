"""Mates at the edges of segments."""

from support.studies import found, study

from sssnake._fast.values import MATE
from sssnake.engine.analysis.mates import settle
from sssnake.engine.analysis.segments import PLIES, Evaluation, Line
from sssnake.engine.analysis.study import Study
from sssnake.engine.player.result import Score


def long_game() -> Study:
    """Nine plies of shuffling knights: the first segment ends before the last move."""
    one = study("1. Nf3 Nf6 2. Ng1 Ng8 3. Nc3 Nc6 4. Nb1 Nb8 5. e4 *")
    one.evaluations = [
        found(30 if ply % 2 == 0 else -30, name) for ply, name in enumerate([*one.names, "e7e5"])
    ]
    return one


def with_line(score: int, *names: str) -> Evaluation:
    return Evaluation(Score(score), (Line(Score(score), 9, names),))


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


def test_a_second_move_stays_second_if_the_best_one_leads_to_the_mate() -> None:
    for best, second in (("c6b8", Score(-300)), ("d7d5", None)):
        one = long_game()
        lines = (Line(Score(-30), 9, (best, "e2e4")),)
        one.evaluations[PLIES - 1] = Evaluation(Score(-30), lines, Score(-300))
        one.evaluations[PLIES] = found(-(MATE - 4), "a2a3")
        settle(one)
        edge = one.evaluations[PLIES - 1]
        assert edge and edge.score == MATE - 5 and edge.second == second


def test_the_line_to_a_mate_goes_on_behind_the_edge() -> None:
    """Black saw on ply 7 that the next segment's position is lost; there the search saw nothing."""
    one = long_game()
    line = ("c6b8", "e2e4", "d7d5", "e4d5", "d8d5")  # as if they mated
    one.evaluations[PLIES - 1] = with_line(MATE - 5, *line)
    assert settle(one) == PLIES + 2
    for ply, score in ((PLIES, -(MATE - 4)), (PLIES + 1, MATE - 3)):
        here = one.evaluations[ply]
        assert here and here.best and here.score == here.best.score == score
        assert here.best.moves == line[ply - PLIES + 1 :]
    one = long_game()
    one.evaluations[PLIES - 1] = with_line(-(MATE - 6), *line)
    settle(one)
    mating = one.evaluations[PLIES]
    assert mating and mating.score == MATE - 5 and mating.score.mate == 3


def test_another_move_than_the_mating_one_loses_the_mate() -> None:
    one = long_game()
    one.evaluations[PLIES - 1] = with_line(MATE - 5, "g8f6", "e2e4", "d8h4")
    settle(one)
    assert one.evaluations[PLIES] == found(30, "e2e4")


def test_a_game_that_is_drawn_stays_so() -> None:
    one = long_game()
    one.evaluations[PLIES - 1] = with_line(MATE - 5, "c6b8", "e2e4", "d8h4")
    one.evaluations[PLIES] = drawn = Evaluation(Score(0), ended="threefold repetition")
    settle(one)
    assert one.evaluations[PLIES] == drawn


def test_a_position_before_an_edge_waits_for_the_next_segment() -> None:
    one = long_game()
    rest: list[Evaluation | None] = [None] * 2
    one.evaluations[PLIES:] = rest
    assert settle(one) == PLIES - 1
    one.evaluations[0] = None
    assert settle(one) == 0
