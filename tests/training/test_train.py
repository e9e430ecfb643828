"""train: learning, on games; what is written, resumed and refused."""

import gc
import hashlib
import io
import json
import re
from array import array
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import chess
import pytest
from support.commands import leave

np = pytest.importorskip("numpy", reason="numpy is missing: pip install '.[tune]'")
pytest.importorskip("scipy", reason="scipy is missing: pip install '.[tune]'")

from support.constants import ROOT

from sssnake._fast.board.board import Board
from sssnake._fast.evaluation import netfile, nnue
from sssnake._fast.evaluation.evaluate import Evaluator
from sssnake._fast.training.samples import Collector, features
from sssnake.engine.games import gamelog
from sssnake.engine.player import evaluation
from sssnake.engine.selfplay import datagen
from sssnake.engine.training import baselines, dataset, train
from sssnake.engine.training import config as train_config
from sssnake.engine.training.config import Config, Data, NetworkShape, Training
from sssnake.engine.training.dataset import Filter, Samples
from sssnake.engine.training.shards import load_all
from sssnake.engine.training.trainer import Losses, Numbers, Trainer, targets

QUICK = Config(Data(held_out=0.1), NetworkShape(hidden=16), Training(epochs=3, batch=512, learning_rate=5e-3))


# -- learning ------------------------------------------------------------------------------------------


def trained(config: Config, samples: Samples, threads: int = 1) -> Trainer:
    """A finished training."""
    run = Trainer(config, samples, "test", threads)
    while len(run.history) < config.training.epochs:
        run.epoch()
    return run


@pytest.fixture(scope="module")
def small_run(tmp_path_factory: pytest.TempPathFactory) -> Trainer:
    """A small network, and the games it was trained on."""
    folder = tmp_path_factory.mktemp("games")
    # With half as many games, the network is only a tenth better than fitted tables.
    words = [str(folder), "--seeds", "1", "2", "--games", "1300", "--nodes", "20", "--concurrency", "2"]
    assert datagen.main(words) == 0
    samples = load_all(sorted(folder.glob("*.games")), Filter())[1]
    config = Config(
        Data(held_out=0.1),
        NetworkShape(hidden=16),
        Training(epochs=8, batch=256, learning_rate=4e-3, weight_decay=0.1, result_weight=0.0),
    )
    return trained(config, samples)


def test_the_loss_falls_below_that_of_piece_square_tables(small_run: Trainer) -> None:
    last = small_run.history[-1]
    untrained = Trainer(small_run.config, np.concatenate([small_run.known, small_run.unseen]), "test")
    start = untrained.losses(0.0, 0.0).held_out
    assert last.training < small_run.history[0].training / 2  # of so many games the first epoch learns much
    assert last.training < start / 10 and last.held_out < start / 8  # scores of 20 nodes are noisy
    compared = {name: target for name, target, _ in islice(baselines.comparison(small_run), 3)}
    assert compared["network"] == pytest.approx(last.held_out)
    assert compared["network"] < compared["linear piece-square tables"]
    assert compared["network"] < compared["tapered piece-square tables"]


def test_baselines_that_need_no_fit(samples: Samples) -> None:
    few = samples[:: len(samples) // 40]  # of many games: those of one have one result
    run = Trainer(QUICK, samples, "test")
    run.known, run.unseen = few, few
    *_, static, search = baselines.comparison(run)
    assert static[0].startswith("static evaluation / ")
    assert search[2] < run.losses(0.0, 0.0).held_out_result
    evaluator = Evaluator()
    for sample, value in zip(few, baselines.static_values(few), strict=True):
        board = baselines.board_of(sample)
        assert [sorted(view) for view in features(sample.tobytes())] == [
            sorted(view) for view in features(sample_of(board.to_chess()).tobytes())
        ]
        assert value == evaluator.evaluate(board)


def sample_of(board: chess.Board) -> Samples:
    """A position as a sample; any quiet move will do."""
    moves = [move for move in board.legal_moves if not board.is_capture(move) and not move.promotion]
    collector = Collector()
    code = gamelog.encode_move(board, moves[0])
    collector.add(Board.from_chess(board), array("H", [code]), array("h", [0]), 1, 0)
    assert len(collector) == 1
    samples: Samples = np.frombuffer(collector.samples_so_far(), dataset.SAMPLE)
    return samples


@pytest.mark.parametrize("turn", chess.COLORS)
@pytest.mark.parametrize("owner", chess.COLORS)
def test_up_a_queen_is_good_for_its_owner(owner: chess.Color, turn: chess.Color, small_run: Trainer) -> None:
    board = chess.Board()
    board.remove_piece_at(chess.D1 if owner == chess.BLACK else chess.D8)
    board.turn = turn
    value = float(small_run.values(sample_of(board))[0]) * 400
    assert value * (1 if owner == turn else -1) > 200


@pytest.mark.parametrize("buckets", [1, 4])
def test_float_and_integer_network_agree(buckets: int, small_run: Trainer, samples: Samples) -> None:
    if buckets == 1:
        run = small_run
    else:
        run = trained(Config(network=NetworkShape(16, buckets), training=QUICK.training), samples)
    net = run.net("")
    network = nnue.Network(net)
    part = samples[:: len(samples) // 200]
    values = run.values(part) * net.scale
    played = [network.value(baselines.board_of(sample)) for sample in part]
    wrong = [abs(value - number) for value, number in zip(values, played, strict=True)]
    assert max(wrong) <= 3
    assert np.abs(values).max() > 100


def test_the_shipped_network_is_the_same_in_floats(samples: Samples) -> None:
    """Its file taken apart into the trainer's parameters, and made again of them."""
    net = netfile.read(evaluation.SHIPPED)
    run = Trainer(Config(network=NetworkShape(net.hidden, net.buckets, net.scale)), samples, "test")
    run.begin_with(evaluation.SHIPPED)
    again = run.net(net.description)
    assert again == net
    network = nnue.Network(again)
    part = samples[:: len(samples) // 500]
    values = run.values(part) * net.scale
    played = np.array([network.value(baselines.board_of(sample)) for sample in part])
    assert np.abs(values - played).max() <= 3
    assert np.ptp(values) > 1000
    assert len({int(sample["occupied"]).bit_count() * net.buckets // 33 for sample in part}) > 5


def test_samples_come_in_another_order_every_epoch(samples: Samples) -> None:
    """Each once, and not as they lie: neighbours in a file are of one game."""

    def orders(seed: int) -> list[list[int]]:
        run = Trainer(Config(QUICK.data, QUICK.network, Training(seed=seed, epochs=2)), samples, "test")
        seen: list[list[int]] = []

        def step(order: Numbers, step: int, executor: object) -> float:
            seen[-1] += order.tolist()
            return 0.0

        run.step = step  # type: ignore[assignment,method-assign]
        for _ in range(2):
            seen.append([])
            run.epoch()
            assert sorted(seen[-1]) == list(range(len(run.known)))
        return seen

    first, second = orders(1)
    near = sum(abs(a - b) < 100 for a, b in pairwise(first))
    assert near < len(first) / 10
    assert first != second and first != orders(2)[0]
    assert [first, second] == orders(1)


@pytest.mark.parametrize("threads", [2, 3])
def test_the_same_network_on_any_number_of_threads(threads: int, samples: Samples) -> None:
    alone, together = trained(QUICK, samples), trained(QUICK, samples, threads)
    assert repr(alone.history) == repr(together.history)  # NaN is not NaN
    assert (alone.parameters == together.parameters).all()
    other = trained(Config(QUICK.data, QUICK.network, Training(seed=2, epochs=1)), samples)
    assert not (other.parameters == alone.parameters).all()


def one_array() -> bytes:
    """A file of numpy's that is no archive."""
    file = io.BytesIO()
    np.save(file, np.zeros(3))
    return file.getvalue()


def broken_archives() -> Iterator[bytes]:
    """Archives of numpy's: empty, of members whose compressed bytes are none, of encrypted members."""
    empty, packed = io.BytesIO(), io.BytesIO()
    np.savez(empty)
    yield empty.getvalue()
    np.savez_compressed(packed, identity=np.zeros(1000), parameters=np.zeros(1000))
    torn, locked = bytearray(packed.getvalue()), bytearray(packed.getvalue())
    for member in re.finditer(rb"PK\x03\x04", packed.getvalue()):
        start = member.end() + 26 + torn[member.start() + 26] + torn[member.start() + 28]  # name, extra
        torn[start : start + 8] = b"\xff" * 8
        locked[member.start() + 6] |= 1  # the flag that says so
    for entry in re.finditer(rb"PK\x01\x02", packed.getvalue()):
        locked[entry.start() + 8] |= 1  # and in the directory
    yield bytes(torn)
    yield bytes(locked)


@pytest.mark.filterwarnings("error::ResourceWarning", "error::pytest.PytestUnraisableExceptionWarning")
def test_a_training_that_was_stopped_ends_the_same(samples: Samples, tmp_path: Path) -> None:
    whole, path = trained(QUICK, samples), tmp_path / "checkpoint.npz"
    stopped = Trainer(QUICK, samples, "test")
    stopped.epoch()
    stopped.save(path)
    resumed = Trainer(QUICK, samples, "test")
    resumed.restore(path)
    while len(resumed.history) < 3:
        resumed.epoch()
    assert repr(resumed.history) == repr(whole.history)
    for name in ("parameters", "mean", "square"):
        assert (getattr(resumed, name) == getattr(whole, name)).all()
    for other in (Trainer(QUICK, samples, "other games"), Trainer(Config(), samples, "test")):
        with pytest.raises(ValueError, match="other settings or games"):
            other.restore(path)
    for content in (
        b"",
        b"PK no archive",
        b"no archive",
        path.read_bytes()[:-300],
        one_array(),
        *broken_archives(),
    ):
        path.write_bytes(content)
        with pytest.raises(ValueError, match="not a checkpoint"):
            resumed.restore(path)
        with pytest.raises(ValueError, match="not a checkpoint"):
            resumed.begin_with(path)
    gc.collect()  # a file that is left open says so now


def test_the_rate_falls_along_a_cosine(samples: Samples) -> None:
    run = Trainer(QUICK, samples, "test")
    total = 3 * run.batches()
    first, last = QUICK.training.learning_rate, QUICK.training.final_learning_rate
    assert run.rate(0) == first
    assert run.rate(total) == pytest.approx(last)
    assert run.rate(total // 2) == pytest.approx((first + last) / 2, rel=0.1)


def test_the_weight_of_the_results_moves_evenly(samples: Samples, tmp_path: Path) -> None:
    """Each step learns as a training would whose weight is that of the step throughout."""
    path = tmp_path / "rising.toml"
    text = "[network]\nhidden = 16\n[training]\nepochs = 3\nbatch = 256\n"
    path.write_text(text + "result_weight = 0.2\nfinal_result_weight = 0.4\n", encoding="utf-8")
    run = Trainer(train_config.read(path), samples, "test")
    total = 3 * run.batches()
    assert [run.result_weight(step) for step in (0, total // 2, total)] == pytest.approx(
        [0.2, 0.3, 0.4], abs=0.2 / total
    )
    order = np.arange(256)
    for step in (0, total - 1):
        path.write_text(f"{text}result_weight = {run.result_weight(step)!r}\n", encoding="utf-8")
        steady = Trainer(train_config.read(path), samples, "test")
        rising = Trainer(run.config, samples, "test")
        with ThreadPoolExecutor(1) as executor:
            assert rising.step(order, step, executor) == steady.step(order, step, executor)
        assert (rising.parameters == steady.parameters).all()
        assert steady.result_weight(total) == steady.result_weight(0)
    path.write_text(text + "result_weight = 0.4\n", encoding="utf-8")  # held-out losses are those of the end
    assert (targets(samples, run.config) == targets(samples, train_config.read(path))).all()
    path.write_text(text + "final_result_weight = 1.5\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"final_result_weight = 1\.5: a number from 0"):
        train_config.read(path)


# -- the command -----------------------------------------------------------------------------------


TOML = """
[data]
games = ["*.games"]
held_out = 0.1
[network]
hidden = 16
scale = 300
[training]
epochs = 2
batch = 512
"""


def test_a_comparison_needs_games_that_were_held_out(
    shard: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "all.toml"
    config.write_text(TOML.replace("held_out = 0.1", "held_out = 0.0"), encoding="utf-8")
    (tmp_path / "a.games").write_bytes(shard.read_bytes())
    with pytest.raises(ValueError, match="--compare needs held-out games"):
        train.main([str(config), "-o", str(tmp_path / "out"), "--compare"])
    assert "epoch" not in capsys.readouterr().out


def test_the_table_of_losses_is_written_again(shard: Path, tmp_path: Path) -> None:
    """A training may have been stopped between its last checkpoint and the table."""
    config, table = tmp_path / "small.toml", tmp_path / "out" / train.TABLE
    config.write_text(TOML, encoding="utf-8")
    (tmp_path / "a.games").write_bytes(shard.read_bytes())
    words = [str(config), "-o", str(tmp_path / "out")]
    assert train.main(words) == 0
    before = table.read_text()
    table.write_text("\n".join(before.splitlines()[:-1]))
    assert train.main([*words, "--resume"]) == 0
    assert table.read_text() == before


def test_command(shard: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config, output = tmp_path / "small.toml", tmp_path / "out"
    config.write_text(TOML, encoding="utf-8")
    (tmp_path / "a.games").write_bytes(shard.read_bytes())
    words = [str(config), "-o", str(output), "--cache", str(tmp_path / "cache"), "--threads", "2"]
    assert train.main(words) == 0
    printed = capsys.readouterr().out
    assert "epoch 2/2: training 0.0" in printed
    assert "million positions a second and core" in printed
    net = netfile.read(output / train.NET)
    assert (net.hidden, net.scale) == (16, 300)
    assert "2 epochs, seed 1" in net.description
    assert "beside the games" not in printed, "there is nothing"
    card = card_of(output)
    assert card["losses"]["held_out_beside"] is None
    assert card["networks"] == {}
    assert card["games"][0]["games"] == 100
    assert card["settings"]["training"]["batch"] == 512
    assert (output / train.TABLE).read_text(encoding="utf-8").count("\n") == 3
    pytest.importorskip("matplotlib", reason="matplotlib is missing: pip install '.[lab]'")
    assert (output / train.PICTURE).read_bytes().startswith(b"\x89PNG")
    with pytest.raises(SystemExit):
        leave(train.main, words)
    assert "use --resume" in capsys.readouterr().err
    before = (output / train.NET).read_bytes()
    assert train.main([*words, "--resume"]) == 0  # nothing is left to do
    assert (output / train.NET).read_bytes() == before
    *_, (_, last, _) = gamelog.raw_games(shard)
    fewer = shard.read_bytes()[: -gamelog.START.size - gamelog.PLY.size * len(last)]
    (tmp_path / "a.games").write_bytes(fewer)
    with pytest.raises(SystemExit):
        leave(train.main, [*words, "--resume"])
    assert "other settings or games" in capsys.readouterr().err


def card_of(folder: Path) -> dict[str, Any]:
    """The card of a network, which any reader of JSON must understand."""

    def refuse(word: str) -> None:
        raise ValueError(f"{word} is no JSON")

    text = (folder / train.CARD).read_text(encoding="utf-8")
    card: dict[str, Any] = json.loads(text, parse_constant=refuse)
    return card


def test_missing_numbers_are_not_printed(
    shard: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without held-out games there are no losses of theirs."""
    config, output = tmp_path / "small.toml", tmp_path / "out"
    config.write_text(TOML.replace("held_out = 0.1", "held_out = 0.0"), encoding="utf-8")
    assert train.main([str(config), "-o", str(output), "--data", str(shard)]) == 0
    epochs = [line for line in capsys.readouterr().out.splitlines() if line.startswith("epoch")]
    assert len(epochs) == 2 and all(line.count(",") == 0 and "nan" not in line for line in epochs)
    losses = card_of(output)["losses"]
    assert losses["held_out"] is losses["held_out_result"] is None and losses["training"] > 0


@pytest.mark.parametrize("epochs", [1, 2, 3, 5, 20])
def test_epochs_are_whole_numbers_in_the_picture(epochs: int) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is missing: pip install '.[lab]'")
    history = [Losses(epoch, 1e-3, 0.1 / epoch, 0.1, 0.1, 0.1) for epoch in range(1, epochs + 1)]
    figure = train.picture(history)
    figure.draw_without_rendering()
    ticks = figure.axes[0].get_xticks()
    assert len(ticks) > 0 and all(tick == round(tick) for tick in ticks)


@pytest.mark.parametrize("cached", [False, True])
def test_games_that_are_refused_make_no_network(
    cached: bool, shard: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line, as `data check` has it, whatever the cache holds."""
    config, flipped, output = tmp_path / "small.toml", tmp_path / "flipped", tmp_path / "out"
    config.write_text(TOML, encoding="utf-8")
    results = bytearray(shard.read_bytes())
    place = 0
    for _, moves, _ in gamelog.raw_games(shard):
        results[place + 28] = 2 - results[place + 28]
        place += gamelog.START.size + gamelog.PLY.size * len(moves)
    flipped.write_bytes(results)
    words = [str(config), "-o", str(output), "--data", str(flipped)]
    if cached:
        dataset.load(flipped, Filter(), tmp_path / "cache")
        words += ["--cache", str(tmp_path / "cache")]
    with pytest.raises(SystemExit) as left:
        leave(train.main, words)
    assert left.value.code == 2
    heard = capsys.readouterr()
    assert heard.out == "" and heard.err.count("\n") == 1
    assert heard.err.startswith(f"sssnake train: {flipped}: score and result have correlation -")
    assert not list(output.iterdir())


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_one_training_goes_on_where_another_ended(
    shard: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the first one's parameters, and what its network says of positions that searches evaluate."""
    first, second = tmp_path / "first.toml", tmp_path / "second.toml"
    first.write_text(TOML, encoding="utf-8")
    more = 'harvest_every = 20\nharvest_nodes = 500\nevaluation = "one/net.sssn"\n[network]'
    gentle = '[training]\nstart = "one/checkpoint.npz"\nlearning_rate = 0.0\nfinal_learning_rate = 0.0'
    second.write_text(
        TOML.replace("[network]", more).replace("[training]", gentle).replace("scale = 300", "scale = 400"),
        encoding="utf-8",
    )
    (tmp_path / "a.games").write_bytes(shard.read_bytes())
    assert train.main([str(first), "-o", str(tmp_path / "one")]) == 0
    assert train.main([str(second), "-o", str(tmp_path / "two"), "--cache", str(tmp_path / "cache")]) == 0
    nets = [netfile.read(tmp_path / name / train.NET) for name in ("one", "two")]
    assert card_of(tmp_path / "one")["networks"] == {}
    assert card_of(tmp_path / "two")["networks"] == {
        "start": sha256(tmp_path / "one" / train.CHECKPOINT),
        "evaluation": sha256(tmp_path / "one" / train.NET),
    }
    assert nets[0].weights == nets[1].weights and nets[0].out == nets[1].out, "a rate of 0 moves nothing"
    evaluator = Evaluator(evaluation.load(str(tmp_path / "one" / train.NET)))
    wanted = train_config.read(second).data.filter(tmp_path)
    samples = dataset.load(shard, wanted, tmp_path / "cache")[1]
    for sample in samples[dataset.neighbours(samples)][:100]:
        assert evaluator.evaluate(baselines.board_of(sample)) == sample["score"]
    capsys.readouterr()
    third = tmp_path / "third.toml"
    text = second.read_text(encoding="utf-8").replace("checkpoint.npz", "net.sssn")
    third.write_text(text, encoding="utf-8")
    assert train.main([str(third), "-o", str(tmp_path / "three"), "--cache", str(tmp_path / "cache")]) == 0
    again = netfile.read(tmp_path / "three" / train.NET)
    for part in again.parts():
        assert getattr(again, part) == getattr(nets[0], part), "a network will do as well"
    networks = card_of(tmp_path / "three")["networks"]
    assert networks["start"] == networks["evaluation"] == sha256(tmp_path / "one" / train.NET)
    wide = tmp_path / "wide.toml"
    text = second.read_text(encoding="utf-8").replace("hidden = 16", "hidden = 32")
    wide.write_text(text, encoding="utf-8")
    with pytest.raises(SystemExit):
        leave(train.main, [str(wide), "-o", str(tmp_path / "four")])
    assert "of a network of another shape" in capsys.readouterr().err
    (tmp_path / "one" / train.CHECKPOINT).write_bytes(b"nothing")
    with pytest.raises(SystemExit):
        leave(train.main, [str(second), "-o", str(tmp_path / "four")])
    assert "not a checkpoint" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[data", "bad.toml: Expected"),
        ("[data]\nwalks = 256", "walks = 256: an integer from 0 to 255 is expected"),
        ("[net]", "no section [net]; there are data, network, training"),
        ("hidden = 16", "no section [hidden]"),
        ("[network]\nhiden = 16", "[network] has no hiden; there are hidden, buckets, scale"),
        ("[network]\nhidden = 24", "hidden = 24: not a multiple of 16"),
        ("[network]\nhidden = 16.0", "hidden = 16.0: an integer from 16 to 1024 is expected"),
        ("[training]\nepochs = true", "epochs = True: an integer"),
        ("[training]\nlearning_rate = nan", "learning_rate = nan: a number from 0.0 to 1.0"),
        ("[training]\nscore_scale = 0", "score_scale = 0: a number"),
        ('[data]\ngames = "x"', "games: a list"),
        ("", "no games in [data]"),
        ('[data]\ngames = ["*.none"]', "*.none: no such file"),
        ('[data]\ngames = ["/"]', "/: no such file"),
        ("[training]\nstart = 1", "start = 1: the name of a file is expected"),
    ],
)
def test_a_bad_configuration(
    text: str, complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SystemExit) as left:
        leave(train.main, [str(path), "-o", str(tmp_path / "out")])
    assert left.value.code == 2
    printed = capsys.readouterr().err
    assert complaint in printed
    assert printed.count("\n") == 1


def test_the_presets_are_valid() -> None:
    presets = sorted((ROOT / "docs" / "training").glob("*.toml"))
    assert presets
    for path in presets:
        assert f"h{train_config.read(path).network.hidden}" == path.stem.split("-")[0]


def test_missing_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "c.toml"
    config.write_text("", encoding="utf-8")
    for words in ([str(tmp_path / "none.toml")], [str(config), "--data", str(tmp_path / "none.games")]):
        with pytest.raises(SystemExit) as left:
            leave(train.main, [*words, "-o", str(tmp_path / "out")])
        assert left.value.code == 2
        printed = capsys.readouterr().err
        assert "No such file" in printed
        assert printed.count("\n") == 1


def test_an_output_that_is_no_folder(shard: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "c.toml"
    config.write_text("", encoding="utf-8")
    with pytest.raises(SystemExit) as left:
        leave(train.main, [str(config), "--data", str(shard), "-o", str(config)])
    assert left.value.code == 2
    assert capsys.readouterr().err == f"sssnake train: {config}: File exists\n"
