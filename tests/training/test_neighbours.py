"""neighbours: positions of random walks: quiet, with the right values, repeatable, and marked."""

from dataclasses import replace
from itertools import islice
from pathlib import Path
from types import SimpleNamespace

import chess
import pytest

np = pytest.importorskip("numpy", reason="numpy is missing: pip install '.[tune]'")
pytest.importorskip("scipy", reason="scipy is missing: pip install '.[tune]'")

from sssnake._fast.board.board import Board
from sssnake._fast.evaluation.evaluate import Evaluator
from sssnake.engine.games import gamelog
from sssnake.engine.player import evaluation
from sssnake.engine.player.options import INTERNAL
from sssnake.engine.training import dataset
from sssnake.engine.training.config import Config, Data, NetworkShape, Training
from sssnake.engine.training.dataset import Filter, Samples
from sssnake.engine.training.shards import load_all
from sssnake.engine.training.trainer import Trainer, targets

WALKS, PLIES = 4, 3
AROUND = Filter(walks=WALKS, walk_plies=PLIES)


@pytest.fixture(scope="module")
def samples(shard: Path) -> Samples:
    """The positions of the quick shard, and those around them."""
    return dataset.load(shard, AROUND)[1]


def board_of(sample: Samples) -> chess.Board:
    """The position, its mover as White."""
    board = chess.Board(None)
    for _, code, square in zip(*dataset.placements(sample), strict=True):
        board.set_piece_at(int(square), chess.Piece(int(code >> 1) + 1, not code & 1))
    return board


def test_what_the_games_hold_stays_as_it_was(shard: Path, samples: Samples) -> None:
    alone = dataset.load(shard, Filter())[1]
    beside = dataset.neighbours(samples)
    assert samples[~beside].tobytes() == alone.tobytes()
    assert WALKS * len(alone) / 3 < beside.sum() <= WALKS * (1 + PLIES) * len(alone)
    assert dataset.load(shard, AROUND)[1].tobytes() == samples.tobytes()


def test_files_are_converted_side_by_side(shard: Path, samples: Samples, tmp_path: Path) -> None:
    """Into the cache; the samples come in the order of the files."""
    games = gamelog.read_games(shard)
    halves = [tmp_path / "b.games", tmp_path / "a.games"]
    for path, count in zip(halves, (60, 40), strict=True):
        packed = [gamelog.pack_game(game.start, game.result, game.plies) for game in islice(games, count)]
        path.write_bytes(b"".join(packed))
    shards, found = load_all(halves, AROUND, tmp_path / "cache", workers=2)
    assert [shard.games for shard in shards] == [60, 40]
    assert found.tobytes() == samples.tobytes()
    assert len(list((tmp_path / "cache").iterdir())) == 2


def test_neighbours_are_quiet_and_have_the_right_values(samples: Samples) -> None:
    """Valued by quiescence, a position without a good capture has its static value."""
    evaluator = Evaluator(evaluation.load(INTERNAL))
    found = samples[dataset.neighbours(samples)]
    differing = 0
    for i in range(0, len(found), max(1, len(found) // 500)):
        board = board_of(found[i : i + 1])
        assert board.is_valid() and not board.is_check()
        differing += evaluator.evaluate(Board(board.fen())) != found["score"][i]
    assert differing == 0


def test_walks_begin_with_any_move_of_the_games_position(samples: Samples) -> None:
    """Some neighbours stand one move from it, others further, where captures followed."""
    beside = dataset.neighbours(samples)
    at = np.flatnonzero(~beside)[:40]
    near = total = 0
    for first, end in zip(at, [*at[1:], at[-1] + 1], strict=False):
        board = board_of(samples[first : first + 1])
        reached = set()
        for move in board.legal_moves:
            board.push(move)
            reached.add(board.mirror().board_fen())
            board.pop()
        for i in range(first + 1, end):
            near += board_of(samples[i : i + 1]).board_fen() in reached
            total += 1
    assert total > 50 and total / 4 < near < total


def test_other_walks_lead_elsewhere(shard: Path, samples: Samples) -> None:
    deeper = dataset.load(shard, replace(AROUND, walk_depth=2))[1]
    assert dataset.neighbours(deeper).sum() > 1.2 * dataset.neighbours(samples).sum(), "quiet moves go on"
    others = dataset.load(shard, replace(AROUND, walk_seed=2))[1]
    assert len({found.tobytes() for found in (samples, deeper, others)}) == 3
    assert len({wanted.name() for wanted in (Filter(), AROUND, replace(AROUND, walk_seed=2))}) == 3


def test_a_caches_name_depends_on_the_whole_core(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Its modules lie in folders of their own."""
    module = tmp_path / "search" / "worker.so"
    module.parent.mkdir()
    monkeypatch.setattr(dataset, "_fast", SimpleNamespace(__file__=str(tmp_path / "__init__.py")))
    found = set()
    for content in (b"one", b"another"):
        module.write_bytes(content)
        dataset.core_hash.cache_clear()
        found.add(dataset.core_hash())
    dataset.core_hash.cache_clear()
    assert len(found) == 2


def test_neighbours_have_no_result_and_are_never_held_out(samples: Samples) -> None:
    config = Config(Data(held_out=0.3, walks=WALKS), NetworkShape(hidden=16), Training(result_weight=1.0))
    beside = dataset.neighbours(samples)
    wanted = targets(samples, config)
    assert (wanted[~beside] == samples["result"][~beside] / 2).all()
    assert np.allclose(wanted[beside], dataset.sigmoid(samples["score"][beside] / 400.0))
    trainer = Trainer(config, samples, "")
    assert dataset.neighbours(trainer.known).any() and not dataset.neighbours(trainer.unseen).any()
    held = set(trainer.unseen["game"].tolist())
    assert held and not held & set(trainer.known["game"].tolist())
