"""harvest: samples of positions that searches evaluate: values, number, repeatable, no effect on searches."""

from dataclasses import replace
from pathlib import Path

import chess
import pytest

np = pytest.importorskip("numpy", reason="numpy is missing: pip install '.[tune]'")
pytest.importorskip("scipy", reason="scipy is missing: pip install '.[tune]'")

from sssnake._fast.board.board import Board
from sssnake._fast.evaluation.evaluate import Evaluator
from sssnake._fast.training.harvest import Harvest
from sssnake.engine.player import evaluation
from sssnake.engine.player.engine import Engine
from sssnake.engine.player.limits import Limits
from sssnake.engine.player.options import INTERNAL
from sssnake.engine.training import dataset
from sssnake.engine.training.baselines import board_of
from sssnake.engine.training.dataset import Filter, Samples

NODES, RARITY = 500, 5
HARVEST = Filter(harvest_every=20, harvest_nodes=NODES, harvest_rarity=RARITY)


@pytest.fixture(scope="module")
def samples(shard: Path) -> Samples:
    """The positions of the quick shard, and what searches from them evaluate."""
    return dataset.load(shard, HARVEST)[1]


def test_what_the_games_hold_stays_as_it_was(shard: Path, samples: Samples) -> None:
    alone = dataset.load(shard, Filter())[1]
    beside = dataset.neighbours(samples)
    assert samples[~beside].tobytes() == alone.tobytes()
    assert beside.sum() > 20 * NODES / RARITY / 4
    assert set(samples["game"][beside].tolist()) <= set(alone["game"].tolist())


def test_the_same_games_bring_the_same_and_another_seed_others(shard: Path, samples: Samples) -> None:
    assert dataset.load(shard, HARVEST)[1].tobytes() == samples.tobytes()
    other = replace(HARVEST, harvest_seed=2)
    assert dataset.load(shard, other)[1].tobytes() != samples.tobytes()
    assert len({wanted.name() for wanted in (Filter(), HARVEST, other, replace(HARVEST, walks=1))}) == 4


def test_positions_have_their_static_values(samples: Samples) -> None:
    evaluator = Evaluator(evaluation.load(INTERNAL))
    found = samples[dataset.neighbours(samples)]
    tactical = 0
    for i in range(0, len(found), max(1, len(found) // 500)):
        board = board_of(found[i])
        assert evaluator.evaluate(board) == found["score"][i]
        position = chess.Board(board.fen())
        assert position.is_valid() and not position.is_check()
        tactical += any(position.is_capture(move) for move in position.legal_moves)
    assert tactical > 100, "a search evaluates what is not quiet, too"


@pytest.mark.parametrize("rate", [1, 10])
def test_one_in_so_many_is_taken_and_the_search_is_the_same(rate: int) -> None:
    board = Board("r1bqk2r/2pp1ppp/p1n2n2/1pb1p3/4P3/1B3N2/PPPP1PPP/RNBQ1RK1 w kq - 0 1")
    counts = []
    for taken in (False, True):
        engine = Engine()
        harvest = Harvest(engine.prepare().main, 100_000, rate) if taken else None
        if harvest:
            harvest.begin(1)
        result = engine.play(board.copy(), Limits(nodes=20_000))
        counts.append((str(result.move), engine.pool.nodes if engine.pool else 0))
        if harvest:
            assert 0.3 * 20_000 / rate < len(harvest) < 20_000 / rate
            del harvest  # the worker must not write into it any more
            engine.play(board.copy(), Limits(nodes=20_000))
    assert counts[0] == counts[1]


def test_no_more_than_there_is_room_for() -> None:
    engine = Engine()
    harvest = Harvest(engine.prepare().main, 7, 1)
    harvest.begin(1)
    engine.play(Board(), Limits(nodes=2000))
    assert len(harvest) == 7
