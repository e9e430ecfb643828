"""bench: always the same node count, in the form that OpenBench reads; every position searched."""

import re

import pytest
from support.commands import leave
from support.released import signature as default_signature
from support.released import signed

from sssnake._fast.board.board import Board
from sssnake.engine.player import bench


def signature(capsys: pytest.CaptureFixture[str], *words: str) -> int:
    """Node count of a run at depth 3."""
    assert bench.main(["3", *words]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    found = re.fullmatch(r"(\d+) nodes (\d+) nps", last)
    assert found
    return int(found[1])


def test_the_signature_is_always_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    first = signature(capsys)
    assert first > len(bench.POSITIONS)
    assert signature(capsys) == first
    assert signature(capsys, "--driver", "PVS") != first


def test_parameters_change_it(capsys: pytest.CaptureFixture[str]) -> None:
    first = signature(capsys)
    assert signature(capsys, "--param", "lmr_depth=0", "--param", "see_depth=0") != first


def test_positions_are_different_and_one_is_a_stalemate() -> None:
    assert len(set(bench.POSITIONS)) == len(bench.POSITIONS)
    over = [board for board in map(Board, bench.POSITIONS) if not board.legal_moves()]
    assert [board.is_stalemate for board in over] == [True]


@pytest.mark.parametrize(
    "words",
    [
        "0",
        "x",
        "--driver MTD",
        "--param nothing=1",
        "--param lmr_depth=99",
        f"--param lmr_depth={'9' * 22}",
        "--hash -1",
    ],
)
def test_bad_arguments_are_one_line(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        leave(bench.main, words.split())
    assert left.value.code == 2
    heard = capsys.readouterr()
    assert (heard.out, heard.err.count("\n")) == ("", 1)


def test_the_last_commit_that_names_a_signature_named_this_one() -> None:
    """Commits that can change the search say `Bench: N`; the binary must agree with the newest of them."""
    assert default_signature() == signed()
