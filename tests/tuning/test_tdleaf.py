"""tdleaf: the formula, the leaves, and that a little play teaches what a queen is worth."""

import importlib.util
import json
import random
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import chess
import pytest
from support.commands import leave
from support.terminal import terminal

np = pytest.importorskip("numpy", reason="numpy is missing: pip install '.[tune]'")
pytest.importorskip("scipy", reason="scipy is missing: pip install '.[tune]'")

from sssnake._fast.board.board import Board
from sssnake._fast.evaluation.evaluate import Evaluator
from sssnake._fast.evaluation.pst import Weights
from sssnake._fast.evaluation.weights import WEIGHTS
from sssnake.engine.games.starts import random_start
from sssnake.engine.jobs.executor import JobExecutor, LocalExecutor
from sssnake.engine.selfplay import datagen
from sssnake.engine.selfplay.game import play
from sssnake.engine.tuning import tdleaf, tdleaf_games, texel, tune
from sssnake.engine.tuning.tdleaf import MATERIAL_RATE, SQUARE_RATE, TDLeafState
from sssnake.engine.tuning.tdleaf_games import (
    BY_THE_RULES,
    SQUARES,
    SQUASH,
    GameGradient,
    GradientJob,
    LeafPlayer,
    Step,
    WeightsPair,
)

TABLES = texel.as_array(WEIGHTS)[:SQUARES]


def test_the_differences_that_followed_are_summed_up_decayed() -> None:
    steps = [Step(0.1, [(0, 1)], 1.0, 0.0), Step(0.3, [(0, 1)], 1.0, 0.0), Step(-0.2, [(0, 2)], 0.5, 0.5)]
    third = 1 - -0.2
    second = (-0.2 - 0.3) + 0.7 * third
    first = (0.3 - 0.1) + 0.7 * second
    found = tdleaf_games.gradient(steps, result=1, decay=0.7)
    expected = SQUASH * (first * (1 - 0.01) + second * (1 - 0.09) + 0.5 * 2 * third * (1 - 0.04))
    assert found[0, 0] == pytest.approx(expected)
    assert found[0, 1] == pytest.approx(SQUASH * 0.5 * 2 * third * (1 - 0.04))
    assert np.count_nonzero(found) == 2


def test_the_gradient_of_a_value_is_that_of_its_leaf() -> None:
    player = LeafPlayer(TABLES, depth=3)
    for seed in range(4, 8):
        assert play((player, player), random_start(random.Random(seed)), BY_THE_RULES) is not None
    steps = player.steps
    learnt = [step for step in steps if step.features]
    assert len(learnt) > 0.8 * len(steps)
    for step in learnt:
        sums = sum(count * TABLES[index] for index, count in step.features)
        value = sums[0] * step.middle + sums[1] * step.end
        assert np.arctanh(step.value) / SQUASH == pytest.approx(value, abs=1.5)  # the engine rounds
        once = tdleaf_games.gradient([step], result=1, decay=0.7)  # d(tanh)/d(tables) * (1 - value)
        direction = np.random.default_rng(1).normal(size=TABLES.shape)
        shift = sum(count * direction[index] for index, count in step.features)
        slope = SQUASH * (1 - step.value**2) * (shift[0] * step.middle + shift[1] * step.end)
        assert np.sum(once * direction) == pytest.approx(slope * (1 - step.value))


def test_the_leaf_is_where_the_principal_variation_ends() -> None:
    board = Board("6k1/5ppp/8/8/8/8/q4PPP/3R2K1 w - - 0 1")  # mate in one
    player = LeafPlayer(TABLES, depth=3)
    move, _score = player.move(board)
    assert (move, player.steps) == ("d1d8", [Step(1.0)])
    assert player.leaf(board).is_checkmate
    board = Board("r5k1/5ppp/8/8/8/8/q4PPP/R4QK1 w - - 0 1")
    move, _score = player.move(board)
    assert move == "a1a2"
    assert player.leaf(board).to_chess().occupied.bit_count() == board.to_chess().occupied.bit_count() - 2


def test_a_players_weights_are_its_own() -> None:
    """A rook is worth much to the one, nothing to the other, whoever was made or searched last."""
    board = Board("4k3/pppp4/8/8/8/8/PPPP4/R3K3 w - - 0 1")
    usual, blind = LeafPlayer(TABLES, depth=2), LeafPlayer(0 * TABLES, depth=2)
    for _ in range(2):
        assert blind.move(board)[1] == 0
        assert usual.move(board)[1] > 300
    assert [player.engine.parameters["correction_rate"] for player in (usual, blind)] == [0, 0]
    nothing = Weights(tdleaf_games.tables_alone(0 * TABLES))
    assert Evaluator(weights=nothing).evaluate(board) == 0 < Evaluator().evaluate(board)


def test_gradients_are_the_same_in_any_process() -> None:
    todo = [GradientJob(TABLES, seed=1, number=number, depth=2, decay=0.7) for number in range(4)]
    here = [tdleaf_games.game_gradient(job) for job in todo]
    with LocalExecutor(2, processes=True) as executor:
        there = [found for _, found in executor.in_order(tdleaf_games.game_gradient, todo)]
    for one, other in zip(here, there, strict=True):
        assert (one.result, one.steps) == (other.result, other.steps)
        assert np.array_equal(one.gradient, other.gradient)


def test_better_weights_win_and_colours_are_changed() -> None:
    equal = WeightsPair(TABLES, tdleaf_games.tables_alone(TABLES), seed=1, number=0, nodes=60)
    assert tdleaf_games.play_weights(equal) == 2
    unequal = [WeightsPair(0 * TABLES, None, seed=1, number=number, nodes=60) for number in range(3)]
    pairs = list(map(tdleaf_games.play_weights, unequal))
    assert sum(pairs) < 6


class OneGame:
    """An executor that plays no game: all games have the same gradient."""

    def __init__(self, steps: list[Step], result: int) -> None:
        self.game = GameGradient(tdleaf_games.gradient(steps, result - 1, 0.7), result, len(steps))

    def in_order(
        self, _function: object, todo: Iterable[GradientJob]
    ) -> list[tuple[GradientJob, GameGradient]]:
        return [(job, self.game) for job in todo]


def test_material_is_what_the_squares_have_in_common() -> None:
    """A win with a pawn on one square and without one on the other; a knight that was always there."""
    good, bad, knight = chess.E7, chess.A2, 64 + chess.F3
    leaf = [(good, 1), (bad, -1), (knight, 1)]
    executor: Any = OneGame([Step(0.0, leaf, middle=0.75, end=0.25)], result=2)
    state = TDLeafState(seed=1, depth=2, decay=0.7, batch=4)
    for times in (1, 1 + 0.5**0.5):
        state.train_batch(executor)
        moved = np.zeros((SQUARES, 2))
        moved[[good, knight]], moved[bad] = SQUARE_RATE * times, -SQUARE_RATE * times
        assert state.squares == pytest.approx(moved)
        assert state.material == pytest.approx([0, MATERIAL_RATE * times, 0, 0, 0, 0])
    assert state.tables[good, 0] > 0 > state.tables[bad, 0]
    assert state.tables[knight, 0] == pytest.approx((SQUARE_RATE + MATERIAL_RATE) * times)
    assert (state.games, state.steps) == (8, 8)


def test_self_play_finds_piece_values_from_zero(tmp_path: Path) -> None:
    state = TDLeafState(seed=1, depth=2, decay=0.7, batch=16)
    assert not state.tables.any()
    with LocalExecutor(2, processes=True) as executor:
        for _ in range(9):
            state.train_batch(executor)
        state.save(tmp_path / "state.json")
        again = TDLeafState.load(tmp_path / "state.json")
        state.train_batch(executor)
        again.train_batch(executor)
    assert again.games == state.games == 160
    assert np.array_equal(again.tables, state.tables)
    values = {name: sum(pair) for name, pair in state.values().items()}
    assert values["queen"] > values["rook"] > 0
    assert values["queen"] > values["pawn"]
    start = chess.Board("4k3/8/8/8/8/8/8/QQQ1K3 w - - 0 1")
    weights = Weights(tdleaf_games.tables_alone(state.tables))
    assert Evaluator(weights=weights).evaluate(Board(start.fen())) > 100


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state, weights = tmp_path / "state.json", tmp_path / "weights.py"
    recipe = datagen.Recipe(seed=1, games=2, nodes=40)
    datagen.make_shard(tmp_path, recipe)
    words = ["--method", "tdleaf", str(state), "--batch", "4", "--depth", "1", "--every", "4"]
    words += ["--pairs", "1", "--nodes", "40", "-o", str(weights)]
    words += ["--held-out", str(datagen.shard_path(tmp_path, recipe))]
    assert tune.main([*words, "--games", "4"]) == 0
    picture = ["--png", str(tmp_path / "curve.png")] if importlib.util.find_spec("matplotlib") else []
    opponent = weights.rename(tmp_path / "opponent.py")
    assert tune.main([*words, "--games", "8", "--against", str(opponent), *picture]) == 0
    assert not picture or (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(" games")[0] for line in lines] == ["0", "4", "8"]
    assert all("error 0." in line and "match" in line for line in lines)
    groups = texel.read(weights)
    assert not any(any(pair) for name, pairs in groups.items() if name != "psqt" for pair in pairs)
    assert np.array_equal(
        texel.as_array(groups), texel.as_array(tdleaf_games.tables_alone(TDLeafState.load(state).tables))
    )


def test_an_interrupted_evaluation_is_repeated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def words(name: str) -> list[str]:
        common = ["--batch", "2", "--depth", "1", "--every", "4", "--games", "10"]
        return ["--method", "tdleaf", str(tmp_path / name), *common]

    assert tune.main(words("whole")) == 0
    evaluate, evaluations = tdleaf.Comparison.run, list[int]()

    def killed(self: tdleaf.Comparison, state: TDLeafState, executor: JobExecutor) -> dict[str, Any]:
        evaluations.append(state.games)
        if len(evaluations) in (1, 3, 5):
            raise KeyboardInterrupt
        return evaluate(self, state, executor)

    monkeypatch.setattr(tdleaf.Comparison, "run", killed)
    for _ in range(3):
        with pytest.raises(KeyboardInterrupt):
            tune.main(words("cut"))
    assert tune.main(words("cut")) == 0
    assert evaluations == [0, 0, 4, 4, 8, 8, 10]
    curves = [TDLeafState.load(tmp_path / name).curve for name in ("whole", "cut")]
    assert curves[0] == curves[1] and [row["games"] for row in curves[0]] == [0, 4, 8, 10]


@pytest.mark.parametrize("changed", [["--depth", "2"], ["--decay", "0.1"], ["--seed", "9"], ["--batch", "3"]])
def test_a_state_of_another_run_is_refused(
    changed: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state = tmp_path / "state.json"
    TDLeafState(seed=1, depth=1, decay=0.7, batch=2, games=2, curve=[{"games": 2, "values": {}}]).save(state)
    words = ["--method", "tdleaf", str(state), "--games", "2", "--batch", "2", "--depth", "1"]
    assert tune.main(words) == 0
    before = state.read_bytes()
    with pytest.raises(SystemExit) as left:
        leave(tune.main, [*words, *changed, "--games", "4"])
    assert left.value.code == 2
    line = capsys.readouterr().err
    assert "is the state of a run with another seed" in line and line.count("\n") == 1
    assert state.read_bytes() == before


def test_a_terminal_sees_a_bar(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["--method", "tdleaf", "--batch", "2", "--depth", "1", "--games", "4"]
    assert tune.main([*words, str(tmp_path / "one")]) == 0
    lines, error = capsys.readouterr()
    assert error == ""
    screen = terminal(monkeypatch)
    assert tune.main([*words, str(tmp_path / "two")]) == 0
    assert capsys.readouterr().out == lines
    shown = re.findall(r"\d/\d ", screen.getvalue())
    assert list(dict.fromkeys(shown)) == ["0/4 ", "2/4 ", "4/4 "] and "knight" in screen.getvalue()


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"seed": 1}', "\xe4"])
def test_a_bad_state_is_one_line(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x"
    path.write_text(text, encoding="latin-1")
    new = str(tmp_path / "new")
    for words in ([str(path)], [new, "--against", str(path)], [new, "--games", "1", "--png", f"{path}.foo"]):
        with pytest.raises(SystemExit) as left:
            leave(tune.main, ["--method", "tdleaf", *words])
        assert left.value.code == 2
        assert capsys.readouterr().err.count("\n") == 1
        assert not Path(new).exists()


@pytest.mark.parametrize(
    "change",
    [
        {"games": "abc"},
        {"steps": None},
        {"curve": "abc"},
        {"curve": [{}]},
        {"curve": [{"games": "2", "values": {}}]},
        {"curve": [{"games": 2, "values": {"pawn": 1}}]},
        {"curve": [{"games": 2, "values": {}, "error": "small"}]},
        {"curve": [{"games": 2, "values": {}, "pairs": [0, 0, 0, 0, 0]}]},
        {"material": [None] * 6},
    ],
)
def test_a_state_with_another_type_in_it_is_none(change: dict[str, object], tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    TDLeafState(seed=1, depth=1, decay=0.7, batch=2).save(path)
    assert TDLeafState.load(path).games == 0
    path.write_text(json.dumps({**json.loads(path.read_text(encoding="utf-8")), **change}), encoding="utf-8")
    with pytest.raises(ValueError, match="no state of tdleaf"):
        TDLeafState.load(path)
