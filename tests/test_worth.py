"""worth and duel: games in one process, their results, and what the command says of them."""

import chess
import pytest

from _fast import params
from _fast.board import Board
from engine.limits import Limits
from engine.tools import duel, worth
from engine.tools.duel import DRAWN, LOST, WON, Duel, Outcome, Side, adjudged, expected, fight
from engine.tools.match_openings import openings

START = next(openings(None, seed=5))
BLIND = Side({"lmr_depth": 0, "null_move_depth": 0, "quiesce_margin": 600})


def test_a_duel_depends_on_itself_alone() -> None:
    before = [params.get(row.name) for row in params.TABLE]
    job = Duel(START, (Side(), BLIND), Limits(nodes=150))
    first = fight(job)
    fight(Duel(START, (BLIND, Side({"grain": 8}, "PVS")), Limits(nodes=50)))
    assert fight(job) == first
    assert [params.get(row.name) for row in params.TABLE] == before


def test_equal_sides_draw_every_pair() -> None:
    outcome = fight(Duel(START, (Side(), Side()), Limits(nodes=150)))
    assert outcome.points == 2 and outcome.nodes[0] == outcome.nodes[1] > 0


def test_sides_exchanged_exchange_the_outcome() -> None:
    both = Side(), BLIND
    one, other = (fight(Duel(START, sides, Limits(nodes=150))) for sides in (both, both[::-1]))
    assert other == Outcome(4 - one.points, one.nodes[::-1], one.passes[::-1])


def test_parameters_count_for_their_side_alone() -> None:
    """At a fixed depth the side without reductions searches more."""
    outcome = fight(Duel(START, (Side({"lmr_depth": 0, "null_move_depth": 0}), Side()), Limits(depth=7)))
    assert outcome.nodes[0] > 1.2 * outcome.nodes[1]


def test_the_stronger_side_wins() -> None:
    """A pawn up in a won ending, and eight plies against one."""
    white = chess.Board("4k3/8/8/8/8/8/3QP3/4K3 w - - 0 1")
    assert fight(Duel(white, (Side(), Side()), Limits(nodes=300))).points == 2, "each wins once, as White"
    black = chess.Board("4k3/3qp3/8/8/8/8/8/4K3 w - - 0 1")
    player = [duel.Player(Duel(black, (Side(), Side()), Limits(nodes=300)), number) for number in (0, 1)]
    assert duel.game(player[0], player[1], Duel(black, (Side(), Side()), Limits(nodes=300))) == LOST


def test_what_is_adjudged() -> None:
    assert adjudged([700] * 6, 20) == WON and adjudged([-700] * 6, 20) == LOST
    assert adjudged([700] * 5, 20) is None and adjudged([9, 700, 699, 700, 700, 700, 700], 20) is None
    assert adjudged([8] * 10, 80) == DRAWN and adjudged([8] * 10, 79) is None
    assert adjudged([8] * 9, 90) is None and adjudged([9, *[-8] * 9], 90) is None


def test_unfinished_games_are_worth_what_is_expected() -> None:
    board = Board.from_chess(START)
    assert expected([], board) == expected([0], board) == DRAWN
    assert expected([900] * 4, board) > 1.9 and expected([-900] * 4, board) < 0.1
    assert expected([-900, 50, 60, 70, 80], board) == expected([80, 70, 60, 50], board), "the last four count"
    assert DRAWN < expected([50] * 4, board) < expected([80] * 4, board) < WON
    assert expected([50] * 4, board) + expected([-50] * 4, board) == pytest.approx(WON)


def test_a_game_ends_after_so_many_plies() -> None:
    job = Duel(START, (Side(), BLIND), Limits(nodes=150), plies=len(START.move_stack) + 8)
    players = [duel.Player(job, number) for number in (0, 1)]
    value = duel.game(players[0], players[1], job)
    assert LOST < value < WON and value != DRAWN, "expected, not played out"
    assert players[0].nodes < 6 * 150, "four moves each"
    both = fight(job)
    exchanged = fight(Duel(START, (BLIND, Side()), Limits(nodes=150), plies=job.plies))
    assert both.points + exchanged.points == pytest.approx(4)
    equal = fight(Duel(START, (Side(), Side()), Limits(nodes=150), plies=job.plies))
    assert equal.points == pytest.approx(2)


def test_every_rule_can_be_switched_off() -> None:
    rows = {row.name: row for row in params.TABLE}
    for name, value in worth.OFF.items():
        assert rows[name].minimum <= value <= rows[name].maximum
        assert value != rows[name].default, f"{name} is off already"


def test_unfinished_games_say_more(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["reverse_futility_depth", "--games", "24", "--nodes", "300"]
    errors = []
    for plies in ([], ["--plies", "40"]):
        assert worth.main([*words, *plies]) == 0
        errors.append(float(capsys.readouterr().out.splitlines()[1].split()[2]))
    assert 0 < errors[1] < errors[0]


def test_command(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["null_move_depth", "driver_margin=0,driver_step=0", "--games", "3", "--nodes", "60"]
    assert worth.main(words) == 0
    head, *rows = capsys.readouterr().out.splitlines()
    assert head.split() == ["without", "Elo", "+-", "nodes", "passes"]
    assert [row.split()[0] for row in rows] == ["null_move_depth=0", "driver_margin=0,driver_step=0"]
    assert all(0.5 < float(row.split()[3]) < 2 for row in rows)
    assert 2 * float(rows[0].split()[4]) < float(rows[1].split()[4]), "literal SSS* makes many passes"


def test_what_helps_is_worth_something(capsys: pytest.CaptureFixture[str]) -> None:
    """Elo is that of the engine with the rule, and so are the nodes, beside those without it."""
    assert worth.main(["reverse_futility_depth", "--games", "100", "--nodes", "500"]) == 0
    elo, error = map(float, capsys.readouterr().out.splitlines()[1].split()[1:3])
    assert elo > error > 0
    assert worth.main(["reverse_futility_depth", "--games", "16", "--depth", "5"]) == 0
    assert float(capsys.readouterr().out.splitlines()[1].split()[3]) < 0.9, "it saves nodes"


@pytest.mark.parametrize(
    ("word", "complaint"),
    [
        ("no_such", "no parameter 'no_such'"),
        ("grain", "grain is no rule to be switched off"),
        ("grain=0", "grain lies in 1..64"),
        ("grain=x", "not a number"),
    ],
)
def test_bad_input(word: str, complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        worth.main([word])
    printed = capsys.readouterr().err
    assert end.value.code == 2 and complaint in printed and printed.count("\n") == 1


def test_histories_start_empty() -> None:
    """The second game knows nothing of the first: played alone it is the same."""
    job = Duel(START, (Side(), BLIND), Limits(nodes=150))
    players = [duel.Player(job, number) for number in (0, 1)]
    first = duel.game(players[0], players[1], job)
    assert duel.game(players[0], players[1], job) == first
    assert Board.from_chess(START).fen() == START.fen()
