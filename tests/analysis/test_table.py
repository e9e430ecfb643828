"""The table and the JSON lines."""

import json

from support.studies import LEGAL, found, study

from sssnake.engine.analysis import table
from sssnake.engine.analysis.judge import judge
from sssnake.engine.analysis.study import Study, studies
from sssnake.engine.player import wdl


def mated() -> Study:
    one = study(f'[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n{LEGAL}')
    best = [found(30 if ply % 2 == 0 else -30, move.uci()) for ply, move in enumerate(one.moves)]
    one.evaluations = [*best, found(-32000)]
    return one


def test_rows_of_a_game() -> None:
    one = mated()
    lines = list(table.text(one, judge(one), None))
    assert lines[0] == "A - B, 1-0"
    assert lines[1] == table.HEAD.rstrip()
    assert len(lines) == 2 + 13 + 1 + 2
    win, _, loss = (round(share / 10) for share in wdl.wdl(30, wdl.FULL))
    assert lines[2].split() == ["1.", "e4", "+0.30", f"{win}/{100 - win - loss}/{loss}", "9", "1.", "e4"]
    assert lines[3].startswith("1... e5 ")
    assert lines[14].split()[:4] == ["7.", "Nd5#", "#", "100/0/0"]
    assert lines[-1].startswith("Black: accuracy ")
    assert {line.index("+0.30") for line in lines[2:14]} == {19}


def test_what_is_lost_is_shown_as_it_is_judged() -> None:
    """A loss of 0.0996 is no mistake, and must not look like 0.10."""
    for after in range(-200, 100):
        one = study("1. e4 *")
        one.evaluations = [found(100, "d2d4"), found(-after, "e7e5")]
        (move,) = judge(one)
        shown = list(table.text(one, [move], None))[2][: len(table.HEAD)].split()
        lost = next((word for word in shown[3:] if word.startswith("0.")), "0.00")
        assert move.loss is not None and float(lost) <= move.loss < float(lost) + 0.01
        assert (move.mark is not None) == (float(lost) >= 0.05) and (float(lost) < 0.1 or "?!" not in shown)


def test_the_table_fits_the_terminal() -> None:
    one = mated()
    assert max(map(len, table.text(one, judge(one), 40))) <= 40


def test_positions() -> None:
    text = '6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#; am Ra1-a2; id "mate";'
    (one,) = studies([text.replace(" am Ra1-a2;", "")])
    assert isinstance(one, Study)
    one.evaluations = [found(31999, "a1a8")]
    shown = list(table.text(one, [], None))
    assert shown[0] == "mate" and shown[1] == one.start.fen()
    assert shown[3].split() == ["#1", "100/0/0", "9", "1.", "Ra8#"]
    assert shown[4] == "best: Ra8#; solved"
    one.evaluations = [found(0, "a1a2")]
    assert list(table.text(one, [], None))[4] == "best: Ra8#; not solved"
    one.evaluations = [found(-32000)]
    assert list(table.text(one, [], None))[2] == "over: 0-1"


def test_json() -> None:
    one = mated()
    (row,) = table.as_json(one, judge(one)).splitlines()
    game = json.loads(row)
    assert game["headers"]["White"] == "A" and game["fen"] == one.start.fen()
    assert [move["san"] for move in game["moves"]][:3] == ["e4", "e5", "Nf3"]
    assert game["moves"][0]["cp"] == 30 and game["moves"][0]["lines"][0]["moves"] == ["e4"]
    assert game["moves"][-1]["mate"] == 0 and game["moves"][-1]["ended"] == "over"
    assert game["white"]["accuracy"] == 100.0 and game["white"]["marks"] == {}
    one.evaluations[2:] = [None] * 12
    assert json.loads(table.as_json(one, judge(one)))["moves"][-1]["lost"] is None
