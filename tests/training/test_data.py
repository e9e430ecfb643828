"""data: descriptions add up, and a shard whose labels or games are wrong is refused in one line."""

import re
from array import array
from collections.abc import Callable
from pathlib import Path

import chess
import pytest
from support.commands import leave
from support.terminal import terminal

np = pytest.importorskip("numpy", reason="numpy is missing: pip install '.[tune]'")
pytest.importorskip("scipy", reason="scipy is missing: pip install '.[tune]'")

from sssnake.engine.games import gamelog
from sssnake.engine.training import baselines, data, dataset, shards
from sssnake.engine.training.dataset import Filter
from sssnake.engine.training.shards import load_all, sign_problem, up_a_queen

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


def test_random_labels(shard: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = rewritten(shard, tmp_path / "x", lambda start, result, plies: (start, 1, plies))
    assert "are not correlated" in refusal(path, capsys)


@pytest.mark.parametrize("flag", [0, dataset.BLACK_MOVES])
@pytest.mark.parametrize("label", ["score", "result"])
def test_a_queen_more_must_be_good(label: str, flag: int, shard: Path) -> None:
    """Wrong where one side is up a queen and nowhere else, so that labels go together over all."""
    _, samples = dataset.load(shard, Filter())
    assert sign_problem(samples) is None
    wrong = samples.copy()
    owner = up_a_queen(samples) * (samples["flags"] & dataset.BLACK_MOVES == flag)
    bad = {"score": -300 * owner, "result": 1 - owner}[label]
    wrong[label][owner != 0] = bad[owner != 0]
    mover = "Black" if flag else "White"
    assert f"a queen more has a mean {label} of -" in (sign_problem(wrong) or "")
    assert f"where {mover} is to move" in (sign_problem(wrong) or "")


def test_up_a_queen_is_what_it_says(shard: Path) -> None:
    _, samples = dataset.load(shard, Filter())
    few = samples[::7]
    found = []
    for sample in few:
        board = baselines.board_of(sample).to_chess()  # the mover is White
        queens, material = (
            sum(
                worth * (len(board.pieces(kind, chess.WHITE)) - len(board.pieces(kind, chess.BLACK)))
                for kind, worth in zip(chess.PIECE_TYPES, values, strict=True)
            )
            for values in ((0, 0, 0, 0, 1, 0), (1, 3, 3, 5, 9, 0))
        )
        found.append((queens > 0 and material >= 9) - (queens < 0 and material <= -9))
    assert list(up_a_queen(few)) == found
    assert set(found) == {-1, 0, 1}


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
        leave(data.main, ["info", str(path)])
    assert left.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_an_illegal_move(shard: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bent = bytearray(shard.read_bytes())
    bent[gamelog.START.size + 5 * gamelog.PLY.size] ^= 21
    path = tmp_path / "x"
    path.write_bytes(bent)
    assert "game 1: an illegal move at ply 6" in refusal(path, capsys)


def test_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert refusal(tmp_path / "missing", capsys) == f"{tmp_path / 'missing'}: No such file or directory\n"


def test_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert refusal(tmp_path, capsys) == f"{tmp_path}: Is a directory\n"
    with pytest.raises(SystemExit):
        leave(data.main, ["info", str(tmp_path)])
    assert capsys.readouterr().err == f"sssnake data: {tmp_path}: Is a directory\n"


def games_of(shard: Path, first: int, last: int) -> bytes:
    """So many games of a shard, as they stand there."""
    games = [
        start + b"".join(map(gamelog.PLY.pack, moves, scores))
        for start, moves, scores in gamelog.raw_games(shard)
    ]
    return b"".join(games[first:last])


def test_games_that_repeat(shard: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Over all files together, whatever result the log gives them; `check` refuses a single one."""
    copy, twice, some = (tmp_path / name for name in ("copy", "twice", "some"))
    copy.write_bytes(shard.read_bytes())
    twice.write_bytes(shard.read_bytes() * 2)
    some.write_bytes(shard.read_bytes() + games_of(shard, 0, 1))
    assert data.main(["info", str(shard), str(copy)]) == 0
    assert "repeated         100 games" in capsys.readouterr().out
    assert refusal(twice, capsys) == (
        f"{twice}: 100 of the 200 games repeat earlier ones, mostly of {twice}\n"
    )
    assert data.main(["check", str(shard), str(copy)]) == 1
    printed = capsys.readouterr()
    assert printed.out == f"{shard}: good\n"
    assert printed.err == f"{copy}: 100 of the 100 games repeat earlier ones, mostly of {shard}\n"
    assert "1 of the 101 games" in refusal(some, capsys)
    some.write_bytes(shard.read_bytes() + games_of(shard, 0, 11))
    assert shards.inventory(some, {}).problem() is None, "quick games come out the same now and then"
    some.write_bytes(shard.read_bytes() + games_of(shard, 0, 12))
    assert shards.inventory(some, {}).problem()
    flipped = rewritten(shard, tmp_path / "x", lambda start, result, plies: (start, 2 - result, plies))
    assert data.main(["check", str(shard), str(flipped)]) == 1
    assert "100 of the 100 games repeat" in capsys.readouterr().err
    assert data.main(["check", str(flipped), str(shard)]) == 1  # what is refused spoils nothing else
    assert capsys.readouterr().out == f"{shard}: good\n"


@pytest.mark.parametrize("workers", [1, 2])
def test_refused_shards_are_not_trained_on(workers: int, shard: Path, tmp_path: Path) -> None:
    """Neither alone nor beside what is good, nor where the cache holds it already."""
    good, bad, cache = tmp_path / "good", tmp_path / "bad", tmp_path / "cache"
    good.write_bytes(games_of(shard, 0, 50))
    rest = tmp_path / "rest"
    rest.write_bytes(games_of(shard, 50, 100))
    rewritten(rest, bad, lambda start, result, plies: (start, result, [(m, -score) for m, score in plies]))
    for _ in range(2):
        with pytest.raises(ValueError, match=f"^{bad}: score and result have correlation -"):
            load_all([good, bad], Filter(), cache, workers)
    bad.write_bytes(rest.read_bytes()[:-1])
    with pytest.raises(ValueError, match=f"^{bad}: truncated: [0-9]+ bytes behind game 49$"):
        load_all([good, bad], Filter(), cache, workers)
    bad.write_bytes(good.read_bytes() + rest.read_bytes())
    with pytest.raises(ValueError, match=f"^{bad}: 50 of the 100 games .*, mostly of {good}$"):
        load_all([good, bad], Filter(), cache, workers)
    found, samples = load_all([good, rest], Filter(), cache, workers)
    assert [one.games for one in found] == [50, 50]
    assert len(samples) == sum(one.samples for one in found)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_terminal_sees_how_far_it_is(
    workers: int,
    shard: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    paths = [tmp_path / "a", tmp_path / "b"]
    for path, first in zip(paths, (0, 50), strict=True):
        path.write_bytes(games_of(shard, first, first + 50))
    load_all(paths, Filter(), tmp_path / "cache", workers)
    assert capsys.readouterr().err == ""
    screen = terminal(monkeypatch)
    load_all(paths, Filter(), tmp_path / "cache", workers)
    shown = list(dict.fromkeys(re.findall(r"(\w+): .*?(\d/\d) ", screen.getvalue())))
    read, converted = ([(title, f"{done}/2") for done in range(3)] for title in ("read", "converted"))
    assert shown == (converted + read if workers > 1 else read)


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


@pytest.mark.parametrize("lost", [1, 32, 3200])
def test_a_cache_file_that_is_not_whole_is_named(lost: int, shard: Path, tmp_path: Path) -> None:
    """Whole samples may be missing, too."""
    dataset.load(shard, Filter(), tmp_path)
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes()[:-lost])
    with pytest.raises(ValueError, match=f"{file.name}: damaged; delete it"):
        dataset.load(shard, Filter(), tmp_path)


def test_a_cache_keeps_that_there_was_no_quiet_position(shard: Path, tmp_path: Path) -> None:
    for _ in range(2):
        found, samples = dataset.load(shard, Filter(skip_plies=10_000), tmp_path)
        assert found.samples == len(samples) == 0
    assert len(list(tmp_path.iterdir())) == 1


def test_repeated_games_are_named(shard: Path) -> None:
    with pytest.raises(ValueError, match="100 of the 100 games repeat earlier ones"):
        load_all([shard, shard], Filter())


def test_scores_with_hindsight() -> None:
    """From the end backwards; what is decided keeps its score and counts as 15 pawns; no score stays none."""
    scores = array("h", [0, 80, -40, 200])
    assert dataset.seen_later(scores, 0.0) == scores
    assert list(dataset.seen_later(scores, 0.5)) == [40, 80, 80, 200]
    assert list(dataset.seen_later(scores, 1.0)) == [200] * 4
    assert list(dataset.seen_later(array("h", [100, -1600, 400]), 0.25)) == [-300, -1600, 400]
    assert list(dataset.seen_later(array("h", [0, -100, 31900]), 0.5)) == [350, 700, 31900]
    unknown = gamelog.NO_SCORE
    assert list(dataset.seen_later(array("h", [0, unknown, 80, unknown]), 0.5)) == [40, unknown, 80, unknown]
    assert not dataset.seen_later(array("h"), 0.5)


def test_hindsight_changes_scores_alone(shard: Path, tmp_path: Path) -> None:
    own, later = Filter(score_limit=31000), Filter(score_limit=31000, hindsight=0.8)
    (_, before), (_, after) = (dataset.load(shard, wanted, tmp_path) for wanted in (own, later))
    assert len(list(tmp_path.iterdir())) == 2, "kept apart"
    assert len(before) == len(after)
    same = [name for name in before.dtype.names or () if name != "score"]
    assert all((before[name] == after[name]).all() for name in same)
    assert np.mean(before["score"] != after["score"]) > 0.5
    won, lost = ((before["result"] == result) & (abs(before["score"]) < 300) for result in (2, 0))
    assert after["score"][won].mean() > before["score"][won].mean()
    assert after["score"][lost].mean() < before["score"][lost].mean()


def test_games_are_held_out_whole(shard: Path) -> None:
    _, samples = dataset.load(shard, Filter())
    mask = dataset.held_out(samples, 0.3)
    assert not set(samples["game"][mask]) & set(samples["game"][~mask])
    assert 0.1 < mask.mean() < 0.5
    assert (dataset.held_out(samples[:500], 0.3) == mask[:500]).all()  # whatever other games there are
    assert not dataset.held_out(samples, 0.0).any()
