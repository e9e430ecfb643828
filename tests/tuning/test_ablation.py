"""worth: rules switched off by name, and what the command says of their worth."""

import pytest
from support.commands import leave

from sssnake._fast.search.parameters import BY_NAME
from sssnake.engine.tuning import ablation


def test_every_rule_can_be_switched_off() -> None:
    rules = [row for row in BY_NAME.values() if row.off is not None]
    assert len(rules) > 30
    for row in rules:
        assert row.off is not None and row.minimum <= row.off <= row.maximum
        assert row.off != row.default, f"{row.name} is off already"
        assert ablation.changes(row.name) == {row.name: row.off}


def test_unfinished_games_say_more(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["reverse_futility_depth", "--games", "24", "--nodes", "300"]
    errors = []
    for plies in ([], ["--plies", "40"]):
        assert ablation.main([*words, *plies]) == 0
        errors.append(float(capsys.readouterr().out.splitlines()[1].split()[2]))
    assert 0 < errors[1] < errors[0]


def test_command(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["null_move_depth", "driver_margin=0,driver_step=0", "--games", "4", "--nodes", "200"]
    assert ablation.main(words) == 0
    head, *rows = capsys.readouterr().out.splitlines()
    assert head.split() == ["without", "Elo", "+-", "nodes", "passes"]
    assert [row.split()[0] for row in rows] == ["null_move_depth=0", "driver_margin=0,driver_step=0"]
    assert all(0.5 < float(row.split()[3]) < 2 for row in rows)
    assert 1.5 * float(rows[0].split()[4]) < float(rows[1].split()[4]), "literal SSS* makes many passes"


def test_what_helps_is_worth_something(capsys: pytest.CaptureFixture[str]) -> None:
    """Elo is that of the engine with the rule, and so are the nodes, beside those without it."""
    assert ablation.main(["reverse_futility_depth", "--games", "150", "--nodes", "500"]) == 0
    elo, error = map(float, capsys.readouterr().out.splitlines()[1].split()[1:3])
    assert elo > error > 0
    assert ablation.main(["reverse_futility_depth", "--games", "16", "--depth", "5"]) == 0
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
        leave(ablation.main, [word])
    printed = capsys.readouterr().err
    assert end.value.code == 2 and complaint in printed and printed.count("\n") == 1


def test_games_without_a_search_are_refused() -> None:
    with pytest.raises(ValueError, match="--plies 4 ends the games in their openings"):
        ablation.main(["lmr_depth", "--games", "2", "--nodes", "50", "--plies", "4"])
