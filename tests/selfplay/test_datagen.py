"""datagen: shards depend on their seed alone, go on where they stopped, and hold legal games."""

import errno
import json
import random
import re
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

import chess
import pytest
from support.commands import leave, status_of
from support.terminal import terminal

from sssnake._fast.board.board import Board
from sssnake._fast.evaluation import netfile
from sssnake.engine.commands.evalspeed import material_net
from sssnake.engine.common import files
from sssnake.engine.games import gamelog
from sssnake.engine.games.outcome import BLACK_WON, DRAWN, WHITE_WON
from sssnake.engine.games.starts import random_start
from sssnake.engine.jobs import cluster
from sssnake.engine.jobs.executor import LocalExecutor
from sssnake.engine.player.engine import Engine
from sssnake.engine.player.limits import Limits
from sssnake.engine.selfplay import datagen
from sssnake.engine.selfplay.datagen import (
    ADJUDICATION,
    FAIR_START,
    Recipe,
    fingerprint,
    make_game,
    make_shard,
    player_for,
    shard_path,
)
from sssnake.engine.selfplay.game import Game, play

RECIPE = Recipe(seed=5, games=3, nodes=60)
SHALLOW = Recipe(seed=5, games=3, nodes=60, depth=2)


@pytest.fixture(scope="module", params=[RECIPE, SHALLOW], ids=["nodes", "depth"])
def recipe(request: pytest.FixtureRequest) -> Recipe:
    """Games by nodes, and by depth."""
    assert isinstance(request.param, Recipe)
    return request.param


@pytest.fixture(scope="module")
def shard(recipe: Recipe, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of the whole shard."""
    folder = tmp_path_factory.mktemp("whole")
    games, plies = make_shard(folder, recipe)
    data = shard_path(folder, recipe).read_bytes()
    assert games == 3
    assert len(data) == 3 * gamelog.START.size + plies * gamelog.PLY.size
    return data


def test_the_same_seed_makes_the_same_games(recipe: Recipe, shard: bytes, tmp_path: Path) -> None:
    make_shard(tmp_path, recipe)
    assert shard_path(tmp_path, recipe).read_bytes() == shard
    other = replace(recipe, seed=6, games=1)
    make_shard(tmp_path, other)
    assert not shard.startswith(shard_path(tmp_path, other).read_bytes())


def adjudged(scores: list[int]) -> int | None:
    """The result after so many scores."""
    return ADJUDICATION.result(scores, len(scores))


def game_from(recipe: Recipe, start: chess.Board, times: int = 1) -> list[Game | None]:
    """Games of one player."""
    player = player_for(recipe)
    return [play((player, player), start, ADJUDICATION, fair=FAIR_START) for _ in range(times)]


DEEPER = [replace(RECIPE, nodes=500), replace(SHALLOW, depth=5)]


@pytest.mark.parametrize("deeper", DEEPER, ids=["nodes", "depth"])
def test_a_game_does_not_know_of_those_before(deeper: Recipe) -> None:
    """Played again, it comes out the same: with what it left in the table its moves and scores would not."""
    one, other = game_from(deeper, random_start(random.Random(1)), 2)
    assert one is not None and other is not None
    assert (one.plies, one.result) == (other.plies, other.result)


@pytest.mark.parametrize("share", [0.0, 0.5, 0.99, 1.0])
def test_a_shard_cut_off_goes_on(share: float, recipe: Recipe, shard: bytes, tmp_path: Path) -> None:
    path = shard_path(tmp_path, recipe)
    path.write_bytes(shard[: int(len(shard) * share)])
    make_shard(tmp_path, recipe)
    assert path.read_bytes() == shard


def test_games_are_legal_and_end_with_a_reason(shard: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.games"
    path.write_bytes(shard)
    for game in gamelog.read_games(path):
        board = game.start.copy()
        assert abs(game.plies[0][1]) <= FAIR_START
        for code, _ in game.plies:
            move = gamelog.decode_move(code)
            square = board.king(board.turn)
            if move.from_square == square and board.color_at(move.to_square) == board.turn:
                step = 2 if move.to_square > move.from_square else -2
                move = chess.Move(move.from_square, move.from_square + step)
            assert move in board.legal_moves
            board.push(move)
        outcome = board.outcome(claim_draw=True)
        if outcome is None:
            assert adjudged([score for _, score in game.plies]) == game.result
        else:
            assert game.result == {True: 2, None: 1, False: 0}[outcome.winner]


def test_a_deeper_search_plays_otherwise(tmp_path: Path) -> None:
    """Each depth has files of its own; a score is that of the search (deeper ones depend on its memory)."""
    recipes = [replace(SHALLOW, games=1, depth=depth) for depth in (1, 3)]
    for recipe in recipes:
        make_shard(tmp_path, recipe)
    assert {path.name for path in tmp_path.glob("*.games")} == {"seed000005-1d.games", "seed000005-3d.games"}
    first, third = (next(gamelog.read_games(shard_path(tmp_path, recipe))) for recipe in recipes)
    assert first.start == third.start and first.plies[0] != third.plies[0]
    score = Engine(driver="AlphaBeta").play(Board(first.start.fen()), Limits(depth=1)).score.value
    assert first.plies[0][1] == (score if first.start.turn else -score)


@pytest.mark.parametrize("turn", ["w", "b"])
def test_games_that_begin_unbalanced_are_not_played(turn: str, recipe: Recipe) -> None:
    without = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
    assert game_from(recipe, chess.Board(f"{without} {turn} KQkq - 0 1")) == [None]
    assert game_from(recipe, chess.Board()) != [None]


def test_adjudication() -> None:
    won, long, drawn = [0, 2000, 2500, 2100, 2000], [50] * 400, [50] * 70 + [3, -8] * 6
    assert adjudged(won) == WHITE_WON
    assert adjudged([-score for score in won]) == BLACK_WON
    assert adjudged([*won, 1999]) is None
    assert adjudged(long) == DRAWN
    assert adjudged(long[:-1]) is None
    assert adjudged(drawn) == DRAWN
    assert adjudged(drawn[4:]) is None  # the same before move 40 is still a game
    assert adjudged([*drawn, 9]) is None


@pytest.mark.parametrize(
    "words",
    [
        ["--games", "0"],
        ["--chess960", "2"],
        ["--seeds", "1"],
        ["--seeds", "1", "0"],
        ["--depth", "128"],
        ["--depth", "9999999999999"],
        [],
    ],
)
def test_bad_arguments_are_one_line(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        leave(datagen.main, [str(tmp_path), *words] if words else [])
    assert left.value.code == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and "Error" not in error


def test_other_files_are_not_touched(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = shard_path(tmp_path, RECIPE)
    path.write_bytes(b"a diary")
    with pytest.raises(SystemExit) as left:
        leave(datagen.main, [str(tmp_path), "--seeds", "5", "1", "--games", "1", "--nodes", "60"])
    assert left.value.code == 2
    assert "not a game log" in capsys.readouterr().err
    assert path.read_bytes() == b"a diary"


def test_a_shard_is_there_when_it_has_games(tmp_path: Path) -> None:
    """A run that is cut off leaves no empty files for the seeds that it has not come to."""
    recipes = [replace(SHALLOW, seed=seed, games=1) for seed in (1, 2)]
    with LocalExecutor(1, processes=False) as executor:
        made = datagen.make_shards(executor, tmp_path, recipes)
        next(made)
        assert {path.name for path in tmp_path.iterdir()} == {"seed000001-2d.games", "seed000001-2d.json"}
        assert next(made)[1] == 1


def test_two_runs_do_not_write_one_shard(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [str(tmp_path), "--seeds", "5", "1", "--games", "2", "--depth", "1"]
    recipe = replace(RECIPE, depth=1)
    with gamelog.Writer(shard_path(tmp_path, recipe)), pytest.raises(SystemExit) as left:
        leave(datagen.main, words)
    assert left.value.code == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "another process is writing it" in said
    assert datagen.main(words) == 0 and gamelog.count(shard_path(tmp_path, recipe)) == 2


def test_a_full_disk_is_one_line_and_says_what_there_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    append, games = files.append, list[bytes]()

    def full(file: BinaryIO, data: bytes) -> None:
        games.append(data)
        if len(games) == 3:
            raise OSError(errno.ENOSPC, "No space left on device", file.name)
        append(file, data)

    monkeypatch.setattr("sssnake.engine.games.gamelog.append", full)
    with pytest.raises(SystemExit):
        leave(datagen.main, [str(tmp_path), "--seeds", "5", "1", "--games", "4", "--depth", "1"])
    path = shard_path(tmp_path, replace(RECIPE, depth=1))
    said = f"sssnake datagen: {path}: No space left on device; 2 games are in it\n"
    assert capsys.readouterr().err == said and gamelog.count(path) == 2


def test_games_that_another_run_wrote_meanwhile_are_not_written_again(tmp_path: Path) -> None:
    recipe = replace(SHALLOW, games=2)
    with LocalExecutor(1, processes=False) as executor:
        made = datagen.make_shards(executor, tmp_path, [replace(recipe, seed=1), recipe])
        next(made)
        make_shard(tmp_path, recipe)
        with pytest.raises(ValueError, match="another run has written 2 games there"):
            next(made)
    assert gamelog.count(shard_path(tmp_path, recipe)) == 2


def test_command(recipe: Recipe, shard: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    limit = ["--depth", "2"] if recipe.depth else ["--nodes", "60"]
    words = ["--seeds", "5", "1", "--games", "1", *limit]
    assert datagen.main([str(tmp_path / "new"), *words]) == 0
    assert "1 games" in capsys.readouterr().out
    assert shard.startswith(shard_path(tmp_path / "new", recipe).read_bytes())


def test_a_terminal_sees_how_far_it_has_come(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = terminal(monkeypatch)
    assert datagen.main([str(tmp_path), "--seeds", "1", "2", "--games", "2", "--depth", "1"]) == 0
    found = re.findall(r"(seed\d+-1d\.games): .*?(\d/\d) ", screen.getvalue())
    one, other = "seed000001-1d.games", "seed000002-1d.games"
    assert list(dict.fromkeys(found)) == [
        *((one, f"{done}/4") for done in (0, 1, 2)),
        *((other, f"{done}/4") for done in (2, 3, 4)),
    ]


# -- what a shard was begun with ---------------------------------------------------------------------------


def go_on(folder: Path, games: int, *words: str) -> Path:
    """Bring a shard to so many games; its file."""
    common = ["--seeds", "5", "1", "--nodes", "60", "--games", str(games)]
    if status := status_of(datagen.main, [str(folder), *common, *words]):
        raise SystemExit(status)
    return shard_path(folder, RECIPE)


@pytest.mark.parametrize("other", ["chess960", "network", "engine"])
def test_a_shard_goes_on_only_as_it_began(
    other: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, words = go_on(tmp_path, 1), list[str]()
    before = path.read_bytes()
    if other == "chess960":
        words = ["--chess960", "0.5"]
    elif other == "network":
        netfile.write(tmp_path / "net", material_net(16))
        words = ["--eval-file", str(tmp_path / "net")]
    else:
        monkeypatch.setattr(datagen, "identity", lambda: "SSSnake 9.9")
    capsys.readouterr()
    with pytest.raises(SystemExit) as left:
        go_on(tmp_path, 2, *words)
    assert left.value.code == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert f"{path} was begun with {other} " in said and f"delete {path.with_suffix('.json')}" in said
    assert path.read_bytes() == before
    go_on(tmp_path, 1, *words)  # nothing is wanted of it
    path.with_suffix(".json").unlink()
    assert go_on(tmp_path, 2, *words).read_bytes().startswith(before)
    assert not path.with_suffix(".json").exists(), "a mixture has no recipe"


def test_a_network_is_known_by_its_bytes(tmp_path: Path) -> None:
    for name in ("net", "copy"):
        netfile.write(tmp_path / name, material_net(16))
    go_on(tmp_path, 1, "--eval-file", str(tmp_path / "net"))
    path = go_on(tmp_path, 2, "--eval-file", str(tmp_path / "copy"))
    assert json.loads(path.with_suffix(".json").read_text())["network"] == fingerprint(str(tmp_path / "net"))


def test_a_note_that_is_none_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    beside = go_on(tmp_path, 1).with_suffix(".json")
    for text in ("{", "7", "[1]"):
        beside.write_text(text)
        with pytest.raises(SystemExit):
            go_on(tmp_path, 2)
        assert capsys.readouterr().err == f"sssnake datagen: {beside}: not a file of datagen\n"


def test_the_code_is_known_by_all_that_decides_about_games(tmp_path: Path) -> None:
    found = {cluster.code(tmp_path)}
    weights = "_fast/evaluation/weights.py"
    names = ("engine/a.py", "engine/match/b.py", weights, "engine/networks/a.sssn", "_fast/none.txt")
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("1")
        found.add(cluster.code(tmp_path))
    assert len(found) == len(names), "the last one is nothing to us"
    (tmp_path / weights).write_text("2")
    assert cluster.code(tmp_path) not in found


def test_a_network_that_was_replaced_is_not_taken_for_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "net"
    netfile.write(path, material_net(16))
    old = replace(RECIPE, eval_file=str(path), sha256=fingerprint(str(path)))
    games = [make_game((old, 0))]
    netfile.write(path, material_net(32, seed=9))
    new = replace(old, sha256=fingerprint(str(path)))
    games.append(make_game((new, 0)))
    assert games[0] != games[1]
    with pytest.raises(ValueError, match=r"net: not the network that this run began with \(.+\)"):
        make_game((old, 0))
    path.unlink()
    with pytest.raises(ValueError, match=r"net: no such file \(.+\)"):
        make_game((old, 0))
