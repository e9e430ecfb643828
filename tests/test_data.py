"""data: descriptions add up, and a shard whose labels or games are wrong is refused in one line."""

from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("numpy", reason="the training tools need numpy")
pytest.importorskip("scipy", reason="the training tools need scipy")

from engine.tools import data, dataset, gamelog
from engine.tools.dataset import Filter

Row = tuple[bytes, int, list[tuple[int, int]]]  # start bytes, result, plies
Change = Callable[[bytes, int, list[tuple[int, int]]], Row]


def rewritten(shard: Path, path: Path, change: Change) -> Path:
    """A copy with every game changed: start bytes, result, plies."""
    with path.open("wb") as file:
        for start, moves, scores in gamelog.raw_games(shard):
            head, result, plies = change(start, start[28], list(zip(moves, scores, strict=True)))
            file.write(head[:28] + bytes([result]) + head[29:])
            for move, score in plies:
                file.write(gamelog.PLY.pack(move, score))
    return path


def refusal(path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """The line with which `check` refuses a file."""
    assert data.main(["check", str(path)]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    return printed.err


def test_a_good_shard(shard: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert data.main(["check", str(shard)]) == 0
    assert capsys.readouterr().out == f"{shard}: good\n"


def test_inverted_scores(shard: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = rewritten(shard, tmp_path / "x", lambda s, r, plies: (s, r, [(m, -score) for m, score in plies]))
    assert "score and result have correlation -" in refusal(path, capsys)


def test_inverted_results(shard: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = rewritten(shard, tmp_path / "x", lambda start, result, plies: (start, 2 - result, plies))
    assert "score and result have correlation -" in refusal(path, capsys)


def test_scores_of_the_mover(shard: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Right for White and wrong for Black: over all positions alone it would hardly show."""

    def movers_view(start: bytes, result: int, plies: list[tuple[int, int]]) -> Row:
        sign = -1 if start[24] >> 7 else 1
        return start, result, [(move, score * sign * (-1) ** ply) for ply, (move, score) in enumerate(plies)]

    path = rewritten(shard, tmp_path / "x", movers_view)
    assert "where Black is to move" in refusal(path, capsys)


def test_labels_that_say_nothing(shard: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = rewritten(shard, tmp_path / "x", lambda start, result, plies: (start, 1, plies))
    assert "are not correlated" in refusal(path, capsys)


def test_a_queen_more_must_be_good(shard: Path) -> None:
    _, samples = dataset.load(shard, Filter())
    owner = data.up_a_queen(samples)
    assert owner.any()
    assert data.sign_problem(samples) is None
    wrong = samples.copy()
    wrong["score"] = [-score if up else score for score, up in zip(samples["score"], owner, strict=True)]
    assert "a queen more has a mean score of -" in (data.sign_problem(wrong) or "")


@pytest.mark.parametrize("bytes_lost", [1, 4, 40])
def test_truncated(bytes_lost: int, shard: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x"
    path.write_bytes(shard.read_bytes()[:-bytes_lost])
    assert "truncated" in refusal(path, capsys)
    assert data.main(["info", str(path)]) == 0  # a shard that is being written looks like this
    assert "half-written" in capsys.readouterr().out


PROSE = b"no games here, whatever the name says, but long enough to look like some"


@pytest.mark.parametrize("content", [b"", b"short", PROSE, bytes(500)])
def test_other_files(content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x"
    path.write_bytes(content)
    assert str(path) in refusal(path, capsys)
    with pytest.raises(SystemExit) as left:
        data.main(["info", str(path)])
    assert left.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_an_illegal_move(shard: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bent = bytearray(shard.read_bytes())
    bent[gamelog.START.size + 5 * gamelog.PLY.size] ^= 21
    path = tmp_path / "x"
    path.write_bytes(bent)
    assert "game 1: an illegal move at ply 6" in refusal(path, capsys)


def test_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "No such file" in refusal(tmp_path / "missing", capsys)


def test_info(shard: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    twice = tmp_path / "twice"
    twice.write_bytes(shard.read_bytes() * 2)
    assert data.main(["info", str(shard)]) == 0
    once = capsys.readouterr().out
    games = list(gamelog.read_games(shard))
    plies = sum(len(game.plies) for game in games)
    assert f"games            {len(games)} ({plies / len(games):.1f} plies each), " in once
    assert f"{sum(game.start.chess960 for game in games)}.0 % Chess960" in once
    assert f"{sum(game.result == 2 for game in games)}.0 % White won" in once
    assert f"positions        {plies}: " in once
    assert "repeated         0 games" in once
    assert data.main(["info", str(twice)]) == 0
    assert "repeated         100 games" in capsys.readouterr().out


def test_cache(shard: Path, tmp_path: Path) -> None:
    cache, path = tmp_path / "cache", tmp_path / "x"
    path.write_bytes(shard.read_bytes())
    known, samples = dataset.load(path, Filter(), cache)
    again, cached = dataset.load(path, Filter(), cache)
    assert known == again
    assert (samples == cached).all()
    assert len(list(cache.iterdir())) == 1
    path.write_bytes(shard.read_bytes()[:-1])  # other games: converted anew
    shorter, fewer = dataset.load(path, Filter(), cache)
    assert shorter.games == known.games - 1
    assert len(fewer) < len(samples)
    for file in cache.iterdir():
        file.write_bytes(file.read_bytes()[1:])
    with pytest.raises(ValueError, match="delete it"):
        dataset.load(path, Filter(), cache)
    with pytest.raises(ValueError, match="the same games"):
        dataset.load_all([shard, shard], Filter())


def test_games_are_held_out_whole(shard: Path) -> None:
    _, samples = dataset.load(shard, Filter())
    mask = dataset.held_out(samples, 0.3)
    assert not set(samples["game"][mask]) & set(samples["game"][~mask])
    assert 0.1 < mask.mean() < 0.5
    assert (dataset.held_out(samples[:500], 0.3) == mask[:500]).all()  # whatever other games there are
    assert not dataset.held_out(samples, 0.0).any()
