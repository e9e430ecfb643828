"""gauge: positions judged by long searches, and the order of networks by their error on them."""

from pathlib import Path

import chess
import numpy as np
import pytest
from support.commands import leave

from sssnake.engine.common.files import lock
from sssnake.engine.games.gamelog import encode_move, pack_game
from sssnake.engine.player.engine import Engine
from sssnake.engine.player.limits import Limits
from sssnake.engine.training import errors, gauge, judged
from sssnake.engine.training.dataset import sigmoid

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - "


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six games of quick searches."""
    path = tmp_path_factory.mktemp("gauge") / "some.games"
    text = b""
    for first in ("e2e4", "d2d4", "c2c4", "g1f3", "b2b3", "g2g3"):
        board, engine, plies = chess.Board(), Engine(hash_mb=1), []
        board.push_uci(first)
        start = board.copy(stack=False)
        for _ in range(30):
            result = engine.play(board, Limits(nodes=300))
            assert result.move is not None
            plies.append((encode_move(board, result.move), int(result.score) * (1 if board.turn else -1)))
            board.push(result.move)
        text += pack_game(start, 1, plies)
    path.write_bytes(text)
    return path


def test_more_noise_is_a_larger_error_at_any_scale() -> None:
    rng = np.random.default_rng(1)
    scores = rng.normal(0, 150, 2000)
    wanted = sigmoid(scores / errors.SCALE)
    good = errors.errors("good", 3 * (scores + rng.normal(0, 20, 2000)), wanted)
    bad = errors.errors("bad", scores + rng.normal(0, 60, 2000), wanted)
    assert good.scale == pytest.approx(3 * errors.SCALE, rel=0.1)
    assert good.squares.mean() < bad.squares.mean() / 4
    head, *rows = errors.table([good, bad, good], np.full(2000, 25), 1)
    assert "21-32 pieces (2000)" in head and "2-10 pieces (0)" in head
    excess, error = map(float, rows[1].rsplit("  ", 1)[1].split(" +- "))
    assert 0 < error < excess, "the difference of paired samples is sure"
    first, before = (float(cell.split(" +- ")[0]) for cell in rows[2].rsplit("  ", 2)[1:])
    assert first == 0 and before == -excess, "the third one is the first one, better than the second"


def test_the_bootstrap_error_is_that_of_the_mean() -> None:
    """Squares of normal numbers: a mean of 1, its standard error the square root of 2 / n."""
    squares = np.random.default_rng(2).normal(size=10_000) ** 2
    mean, error = map(float, errors.cell(squares, 1).split(" +- "))
    assert mean == pytest.approx(1, abs=0.03)
    assert error == pytest.approx(1.96 * np.sqrt(2 / 10_000) / 2, rel=0.1)  # of the root: half of the mean's


def test_positions_are_judged_written_and_read(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = ["--judge", str(games), "--count", "2", "--nodes", "1000", "-o"]
    for name in ("one.epd", "two.epd"):
        assert (
            gauge.main([*wanted, str(tmp_path / name), "--concurrency", "1" if name == "one.epd" else "2"])
            == 0
        )
    assert (tmp_path / "one.epd").read_bytes() == (tmp_path / "two.epd").read_bytes()
    found = judged.read(tmp_path / "one.epd")
    assert len(found) == 2 and all(abs(position.score) <= judged.DECIDED for position in found)
    again = Engine(hash_mb=judged.HASH_MB).play(found[0].board, Limits(nodes=1000))
    assert again.score.cp == found[0].score
    capsys.readouterr()
    assert gauge.main(["--positions", str(tmp_path / "one.epd")]) == 0
    assert capsys.readouterr().out.splitlines()[1].startswith("<internal>")


@pytest.mark.parametrize(
    ("words", "idle"),
    [
        ("net.sssn nofile --judge G -o p.epd", "NET does nothing with --judge"),
        ("--judge G -o p.epd --positions nofile", "--positions does nothing with --judge"),
        ("--count 5", "--count does nothing without --judge"),
        ("--nodes 5", "--nodes does nothing without --judge"),
        ("--judge G -o p.epd --results G", "--results does nothing with --judge"),
        ("net.sssn --results G --positions nofile", "--positions does nothing with --results"),
        ("--results G --seed 3", "--seed does nothing with --results"),
    ],
)
def test_an_option_of_the_other_half_is_refused(
    words: str, idle: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        leave(gauge.main, words.split())
    assert left.value.code == 2 and capsys.readouterr().err == f"sssnake gauge: {idle}\n"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (START + "ce 5;\n" + START + "\n", "line 2: no score"),
        (START + 'ce "5";\n', "line 1: no score"),
        ("nonsense ce 5;\n", "line 1: "),
        ("", "no positions"),
    ],
)
def test_files_without_judgement_are_refused(
    text: str, complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.epd"
    path.write_text(text)
    with pytest.raises(SystemExit) as refused:
        leave(gauge.main, ["--positions", str(path)])
    error = capsys.readouterr().err
    assert refused.value.code == 2 and error.count("\n") == 1 and str(path) in error and complaint in error


def test_an_installed_copy_asks_for_positions(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(gauge, "JUDGED", tmp_path / "judged.epd")
    with pytest.raises(SystemExit):
        gauge.main([])
    assert (
        capsys.readouterr()
        .err.splitlines()[-1]
        .endswith("--positions is missing: the sources bring some, docs/training/judged.epd")
    )


@pytest.mark.parametrize(
    ("fen", "kept"),
    [
        (chess.STARTING_FEN, True),
        ("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", False),  # decided
        ("rnb1kbnr/pppp1ppp/8/8/4q3/3P4/PPP2PPP/RNB1KBNR w KQkq - 0 1", False),  # takes the queen
    ],
)
def test_decided_and_tactical_positions_are_left_out(fen: str, kept: bool) -> None:
    assert (judged.judge((chess.Board(fen), 2000)) is not None) == kept


JUDGE = ["--nodes", "500", "--judge"]


def judge(capsys: pytest.CaptureFixture[str], output: Path, *games: Path, count: int) -> str:
    """Bring a file to so many positions; what is said, errors included."""
    words = [*JUDGE, *map(str, games), "-o", str(output), "--count", str(count)]
    try:
        leave(gauge.main, words)
    except SystemExit as left:
        assert left.code in (0, 2)
    said = capsys.readouterr()
    return said.out + said.err


def test_too_few_positions_are_an_error_and_more_games_may_follow(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What was judged is kept; with games named behind the first ones the file goes on."""
    path, more = tmp_path / "new.epd", tmp_path / "more.games"
    said = judge(capsys, path, games, count=7)
    before = path.read_bytes()
    have = before.count(b"\n")
    assert 2 <= have <= 6 and f"only {have} positions" in said
    more.write_bytes(games.read_bytes())
    assert f"{have + 2} positions" in judge(capsys, path, games, more, count=have + 2)
    assert path.read_bytes().startswith(before) and path.read_bytes().count(b"\n") == have + 2
    judge(capsys, tmp_path / "whole.epd", games, more, count=have + 2)
    assert (tmp_path / "whole.epd").read_bytes() == path.read_bytes()


@pytest.mark.parametrize("form", [" acn 400;", ""])
def test_positions_judged_with_other_nodes_are_not_mixed(
    form: str, games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "new.epd"
    judge(capsys, path, games, count=1)
    before = path.read_text().replace(" acn 500;", form)
    path.write_text(before)
    said = judge(capsys, path, games, count=3)
    assert f"judged with {'400' if form else 'an unknown number of'} nodes" in said
    assert path.read_text() == before


@pytest.mark.parametrize("share", [0.0, 0.4, 0.7, 1.0])
def test_a_file_cut_off_goes_on(
    share: float, games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, cut = tmp_path / "whole.epd", tmp_path / "cut.epd"
    judge(capsys, whole, games, count=3)
    cut.write_bytes(whole.read_bytes()[: int(whole.stat().st_size * share)])
    judge(capsys, cut, games, count=3)
    assert cut.read_bytes() == whole.read_bytes()


def test_a_file_of_other_games_is_not_touched(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for text in (START + "ce 5;\n", "a diary\n"):
        path = tmp_path / "other.epd"
        path.write_text(text)
        said = judge(capsys, path, games, count=3)
        assert said.count("\n") == 1 and f"{path}: its last position is none of these games" in said
        assert path.read_text() == text
    with path.open("ab") as file:
        lock(file)
        assert "another process is writing it" in judge(capsys, path, games, count=3)


def test_half_a_line_that_is_no_position_is_not_cut_off(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "diary"
    path.write_text("a diary")
    assert "none of these games" in judge(capsys, path, games, count=1)
    assert path.read_text() == "a diary"
