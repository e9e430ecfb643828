"""Pairs of games between two settings: what they depend on, their results, and games broken off."""

import chess
import pytest

from sssnake._fast.board.board import Board
from sssnake.engine.games.openings import OpeningOptions, openings
from sssnake.engine.games.outcome import BLACK_WON, DRAWN
from sssnake.engine.player.limits import Limits
from sssnake.engine.selfplay.game import Game, play
from sssnake.engine.selfplay.pair import (
    ADJUDICATION,
    WON,
    Pair,
    PairResult,
    expected,
    judge_of,
    play_pair,
    points,
)
from sssnake.engine.selfplay.players import SearchPlayer, Side

LOST = BLACK_WON
START = next(openings(None, OpeningOptions(seed=5)))
BLIND = Side({"lmr_depth": 0, "null_move_depth": 0, "quiesce_margin": 600})


def players_of(pair: Pair) -> tuple[SearchPlayer, SearchPlayer]:
    """Both sides."""
    one, other = (SearchPlayer(side, pair.limits) for side in pair.sides)
    return one, other


def test_a_pair_depends_on_itself_alone() -> None:
    job = Pair(START, (Side(), BLIND), Limits(nodes=150))
    first = play_pair(job)
    play_pair(Pair(START, (BLIND, Side({"grain": 8}, "PVS")), Limits(nodes=50)))
    assert play_pair(job) == first


def test_equal_sides_draw_every_pair() -> None:
    outcome = play_pair(Pair(START, (Side(), Side()), Limits(nodes=150)))
    assert outcome.points == 2 and outcome.nodes[0] == outcome.nodes[1] > 0


def test_sides_exchanged_exchange_the_outcome() -> None:
    both = Side(), BLIND
    one, other = (play_pair(Pair(START, sides, Limits(nodes=150))) for sides in (both, both[::-1]))
    assert other == PairResult(4 - one.points, one.nodes[::-1], one.passes[::-1])


def test_parameters_count_for_their_side_alone() -> None:
    """At a fixed depth the side without reductions searches more."""
    sides = Side({"lmr_depth": 0, "null_move_depth": 0}), Side()
    outcome = play_pair(Pair(START, sides, Limits(depth=7)))
    assert outcome.nodes[0] > 1.2 * outcome.nodes[1]


def test_the_stronger_side_wins() -> None:
    """A queen and a pawn up."""
    white = chess.Board("4k3/8/8/8/8/8/3QP3/4K3 w - - 0 1")
    assert play_pair(Pair(white, (Side(), Side()), Limits(nodes=300))).points == 2, "each wins once, as White"
    black = Pair(chess.Board("4k3/3qp3/8/8/8/8/8/4K3 w - - 0 1"), (Side(), Side()), Limits(nodes=300))
    game = play(players_of(black), black.start, ADJUDICATION)
    assert game is not None and game.result == LOST


def test_what_is_adjudged() -> None:
    adjudged = ADJUDICATION.result
    assert adjudged([700] * 6, 20) == WON and adjudged([-700] * 6, 20) == LOST
    assert adjudged([700] * 5, 20) is None and adjudged([9, 700, 699, 700, 700, 700, 700], 20) is None
    assert adjudged([8] * 10, 80) == DRAWN and adjudged([8] * 10, 79) is None
    assert adjudged([8] * 9, 90) is None and adjudged([9, *[-8] * 9], 90) is None


class Judge:
    """Gives every position the same score, White's."""

    def __init__(self, score: int) -> None:
        self.score = score

    def new_game(self) -> None:
        """Nothing to forget."""

    def move(self, board: Board) -> tuple[str, int]:
        """No move of its own."""
        return "", self.score


def test_unfinished_games_are_worth_what_is_expected() -> None:
    def worth(score: int) -> float:
        return expected(Board.from_chess(START), Judge(score))

    assert worth(0) == DRAWN and worth(900) > 1.9 and worth(-900) < 0.1
    assert DRAWN < worth(50) < worth(80) < WON
    assert worth(50) + worth(-50) == pytest.approx(WON)


def test_hope_is_worth_nothing() -> None:
    """A side whose scores are too high plays the same moves, and the game counts as much."""

    class Hopeful(SearchPlayer):
        def move(self, board: Board) -> tuple[str, int]:
            move, score = super().move(board)
            return move, score + (300 if board.turn else -300)

    job = Pair(START, (Side(), Side()), Limits(nodes=150), plies=len(START.move_stack) + 8)
    honest, other, hopeful = *players_of(job), Hopeful(Side(), job.limits)
    worth = [
        points(play((white, other), START, ADJUDICATION, plies=job.plies), job, judge_of(job))
        for white in (honest, hopeful)
    ]
    assert worth[0] == worth[1]


def test_the_judge_searches_longer_than_the_players() -> None:
    job = Pair(START, (BLIND, BLIND), Limits(nodes=500))
    judge, player = judge_of(job), players_of(job)[0]
    for one in (judge, player):
        one.move(Board.from_chess(START))
    assert isinstance(judge, SearchPlayer) and judge.nodes > 3 * player.nodes
    by_depth = judge_of(Pair(START, job.sides, Limits(depth=3)))  # no nodes to multiply
    assert by_depth.move(Board.from_chess(START))


def test_a_game_ends_after_so_many_plies() -> None:
    job = Pair(START, (Side(), BLIND), Limits(nodes=150), plies=len(START.move_stack) + 8)
    players = players_of(job)
    value = points(play(players, START, ADJUDICATION, plies=job.plies), job, judge_of(job))
    assert LOST < value < WON and value != DRAWN, "expected, not played out"
    assert players[0].nodes < 6 * 150, "four moves each"
    both = play_pair(job)
    exchanged = play_pair(Pair(START, (BLIND, Side()), Limits(nodes=150), plies=job.plies))
    assert both.points + exchanged.points == pytest.approx(4)
    equal = play_pair(Pair(START, (Side(), Side()), Limits(nodes=150), plies=job.plies))
    assert equal.points == pytest.approx(2)


def test_a_game_as_long_as_any_is_drawn() -> None:
    """Whatever its position promises; where games are broken off, that counts."""
    game, job = Game(Board(), [(0, 600)] * 4, None), Pair(START, (Side(), Side()), Limits(nodes=1))
    assert points(game, job, Judge(600)) == DRAWN
    assert points(game, Pair(START, job.sides, job.limits, plies=399), Judge(600)) > DRAWN


def test_histories_start_empty() -> None:
    """The second game knows nothing of the first: played alone it is the same."""
    job = Pair(START, (Side(), BLIND), Limits(nodes=150))
    players = players_of(job)
    one, other = (play(players, START, ADJUDICATION) for _ in range(2))
    assert one is not None and other is not None
    assert (one.plies, one.result) == (other.plies, other.result)
    assert Board.from_chess(START).fen() == START.fen()
