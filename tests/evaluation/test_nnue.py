"""The network: equal to its formula in Python, on every instruction set, however a position is reached."""

import gc
import hashlib
import json
import random
from array import array
from collections.abc import Iterator
from pathlib import Path

import chess
import pytest
from support.commands import leave
from support.playouts import playout

from sssnake._fast.board.board import Board
from sssnake._fast.evaluation import netfile, nnue
from sssnake._fast.evaluation.evaluate import Evaluator
from sssnake._fast.evaluation.netfile import INPUTS, MAX_WEIGHT, Net
from sssnake._fast.evaluation.nnue import Network, Recording
from sssnake._fast.search.root import mt
from sssnake._fast.search.tt import TranspositionTable
from sssnake._fast.search.worker import StopFlag, Worker
from sssnake.engine.commands import evalspeed
from sssnake.engine.player import bench, evaluation
from sssnake.engine.player.engine import Engine
from sssnake.engine.player.limits import Limits
from sssnake.engine.player.options import DRIVERS, INTERNAL, Options
from sssnake.engine.selfplay import datagen

SETS = nnue.instruction_sets()
TB_RANGE = 30744
KINDS = (chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN, chess.KING)


@pytest.fixture(autouse=True)
def widest() -> Iterator[None]:
    """Every test begins with the widest instruction set."""
    yield
    nnue.use()


def random_net(seed: int, hidden: int, buckets: int = 1, weight: int = 60, out: int = 127) -> Net:
    rng = random.Random(seed)
    net = Net(hidden, buckets)
    limits = {"weights": weight, "bias": weight, "out": out, "out_bias": 255 * 64}
    for name, (kind, length) in net.parts().items():
        setattr(net, name, array(kind, (rng.randint(-limits[name], limits[name]) for _ in range(length))))
    return net


# The formula, in plain Python.


def quotient(a: int, b: int) -> int:
    """a / b without the fraction, as in C."""
    return abs(a) // b * (1 if a >= 0 else -1)


def inputs(board: chess.Board, view: chess.Color) -> list[int]:
    """Indices of the inputs that are on, as `view` sees the board."""
    king = board.king(view)
    assert king is not None
    flip = (0 if view else 56) ^ (7 if king & 4 else 0)
    return [
        (0 if piece.color == view else 384) + 64 * KINDS.index(piece.piece_type) + (square ^ flip)
        for square, piece in board.piece_map().items()
    ]


def activation(net: Net, board: chess.Board, view: chess.Color) -> list[int]:
    """The hidden layer of one view, clamped and squared."""
    rows = [net.weights[i * net.hidden : (i + 1) * net.hidden] for i in inputs(board, view)]
    sums = [sum(column) for column in zip(net.bias, *rows, strict=True)]
    return [min(max(x, 0), net.qa) ** 2 for x in sums]


def formula(net: Net, board: chess.Board) -> int:
    """The network's value of a position: centipawns for the side to move."""
    bucket = (len(board.piece_map()) - 2) * net.buckets // 31
    out = net.out[2 * bucket * net.hidden : 2 * (bucket + 1) * net.hidden]
    both = activation(net, board, board.turn) + activation(net, board, not board.turn)
    total = quotient(sum(x * w for x, w in zip(both, out, strict=True)), net.qa) + net.out_bias[bucket]
    return min(max(quotient(total * net.scale, net.qa * net.qb), 1 - TB_RANGE), TB_RANGE - 1)


# Positions.


def some_positions(count: int) -> list[chess.Board]:
    boards = [board.copy(stack=False) for seed in range(8) for board, _ in playout(seed, null_moves=True)]
    return random.Random(1).sample(boards, count)


# Tests.


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize(
    ("hidden", "buckets", "changes"),
    [
        (16, 1, {}),
        (32, 8, {}),
        (48, 3, {"qa": 181, "qb": 32, "scale": 1}),
        (80, 1, {"qa": 258, "qb": 1, "scale": 173}),
        (256, 2, {"scale": 3}),
    ],
)
def test_the_formula(name: str, hidden: int, buckets: int, changes: dict[str, int]) -> None:
    nnue.use(name)
    assert nnue.in_use() == name
    net = random_net(hidden, hidden, buckets, out=127)
    for field, value in changes.items():
        setattr(net, field, value)
    network = Network(net)
    values = set()
    for board in some_positions(25):
        values.add(formula(net, board))
        assert network.value(Board.from_chess(board)) == formula(net, board), board.fen()
    assert len(values) > 5


@pytest.mark.parametrize("hidden", [16, 32, 48, 112, 256, 496, 1024])
def test_instruction_sets_agree_where_numbers_are_largest(hidden: int) -> None:
    """Accumulators near the ends of an int16, output sums beyond 32 bits."""
    net = random_net(hidden, hidden, weight=MAX_WEIGHT, out=1)
    net.out = array("h", [-127] * hidden + [127] * hidden)
    net.out[5] = 1
    network = Network(net)
    boards = [board.copy(stack=False) for board in some_positions(12)]
    full = chess.Board()
    full.turn = chess.BLACK
    expected = [formula(net, board) for board in [*boards, full]]
    for name in SETS:
        nnue.use(name)
        assert [network.value(Board.from_chess(board)) for board in [*boards, full]] == expected


@pytest.mark.parametrize(("hidden", "qa", "weight"), [(1024, 255, 128), (1024, 255, -128), (256, 2000, 16)])
def test_sums_beyond_32_bits(hidden: int, qa: int, weight: int) -> None:
    net = Net(hidden, scale=100, qa=qa, qb=32767)
    net.weights = array("h", [300] * INPUTS * hidden)
    net.bias = array("h", [0] * hidden)
    net.out_bias = array("i", [0])
    net.out = array("h", [weight] * 2 * hidden)
    total = 2 * hidden * qa * qa * weight
    assert abs(total) > 1 << 33
    for name in SETS:
        nnue.use(name)
        assert Network(net).value(Board()) == quotient(quotient(total, qa) * 100, qa * 32767)


def test_unknown_instructions() -> None:
    with pytest.raises(ValueError, match="no instruction set 'mmx' here: "):
        nnue.use("mmx")
    assert nnue.in_use() == SETS[-1]


def test_colours_are_equal() -> None:
    network = Network(random_net(1, 32, 4))
    one = Evaluator(network)
    for board in some_positions(150):
        mirror = board.mirror()
        assert network.value(Board.from_chess(board)) == network.value(Board.from_chess(mirror)), board.fen()
        assert one.evaluate(Board.from_chess(board)) == one.evaluate(Board.from_chess(mirror)), board.fen()


def test_left_and_right_are_equal() -> None:
    network = Network(random_net(2, 32))
    for board in some_positions(100):
        board.castling_rights = chess.BB_EMPTY
        mirrored = board.transform(chess.flip_horizontal)
        values = [network.value(Board.from_chess(one)) for one in (board, mirrored)]
        assert values[0] == values[1], board.fen()


@pytest.mark.parametrize("name", SETS)
def test_the_way_to_a_position_does_not_matter(name: str) -> None:
    """One evaluator evaluates some positions of many games, in mixed order."""
    nnue.use(name)
    network = Network(random_net(3, 48, 2, weight=200))
    recording = Recording(10_000)
    evaluator = Evaluator(network, recording)
    rng, kinds = random.Random(4), set()
    games = [(Board.from_chess(chess.Board()), playout(seed, null_moves=True)) for seed in range(1, 24, 2)]
    while games:
        number = rng.randrange(len(games))
        step = next(games[number][1], None)
        if step is None:
            del games[number]
            continue
        board, kind = step
        kinds.add(kind)
        if rng.random() < 0.6:
            core = Board.from_chess(board)
            assert evaluator.evaluate(core) == Evaluator(network).evaluate(core), board.fen()
    assert kinds == {"quiet", "capture", "castling", "promotion", "en passant", "king crossing", "null move"}
    assert len(recording) > 500
    assert recording.wrong(network) == 0
    assert recording.wrong(Network(random_net(4, 48, 2, weight=200))) > 0.9 * len(recording)


@pytest.mark.parametrize("driver", DRIVERS)
def test_in_searches_every_evaluation_is_right(driver: str) -> None:
    network = Network(evalspeed.material_net(32, buckets=4))
    recording = Recording(400_000)
    engine = Engine(driver=driver)
    engine.prepare().main.use_network(network, recording)
    for fen in bench.POSITIONS[::6]:
        engine.play(Board(fen), Limits(depth=7))
    assert 5_000 < len(recording) < 400_000
    assert recording.wrong(network) == 0


def test_a_recording_is_written_by_one_worker() -> None:
    """Two that search at once would write beyond its end."""
    network, recording = Network(random_net(5, 16)), Recording(1)
    first, second = (Worker(TranspositionTable(1), StopFlag()) for _ in range(2))
    first.use_network(network, recording)
    with pytest.raises(ValueError, match="written by one worker"):
        second.use_network(network, recording)
    assert second.network is None, "nothing has changed"
    with pytest.raises(ValueError, match="written by one worker"):
        Evaluator(network, recording)
    first.use_network(network, recording)
    for worker in (first, second):
        worker.use_network(network, recording if worker is first else Recording(1))
        worker.set_position(Board(chess.STARTING_FEN))
        mt(worker, 0, 2)
    assert len(recording) == 1, "the rest has no place"


def test_a_search_is_the_same_on_every_instruction_set(tmp_path: Path) -> None:
    path = tmp_path / "net"
    netfile.write(path, evalspeed.material_net(48))
    counts = set()
    for name in SETS:
        nnue.use(name)
        counts.add(bench.bench(4, Options(eval_file=str(path))).nodes)
    assert len(counts) == 1
    assert bench.bench(4).nodes not in counts


def test_all_threads_evaluate_with_the_network(tmp_path: Path) -> None:
    path = tmp_path / "net"
    netfile.write(path, random_net(5, 16))
    engine = Engine(eval_file=str(path), threads=2)
    pool = engine.prepare()
    pool.set_threads(4)
    assert engine.network is not None
    assert [worker.network for worker in pool.workers] == [engine.network] * 4
    engine.options.threads = 4
    assert engine.play(Board(), Limits(depth=6)).move
    before = engine.network
    engine.load_network(INTERNAL)
    assert engine.network is not before
    assert [worker.network for worker in pool.workers] == [engine.network] * 4


def test_a_network_lives_as_long_as_it_is_used() -> None:
    engine = Engine()
    for seed in range(3):
        engine.prepare().set_network(Network(random_net(seed, 16)))
        gc.collect()
        assert engine.play(Board(), Limits(depth=4)).move
    engine.prepare().set_network(None)
    assert engine.play(Board(), Limits(depth=4)).move


def test_endings_with_rules_ignore_the_network() -> None:
    net = random_net(6, 16)
    net.out_bias = array("i", [1 << 30])  # the network's value is at its maximum everywhere
    network, by_tables = Evaluator(Network(net)), Evaluator()
    fens = {
        "8/8/4k3/4b3/8/8/4R3/4K3": (3, 6),  # phase, ending scale: a rook mostly does not win against a bishop
        chess.STARTING_BOARD_FEN: (24, 64),
    }
    for fen, (phase, scale) in fens.items():
        board = Board(f"{fen} w - - 0 1")
        assert network.evaluate(board) == (TB_RANGE - 1) * (phase * 64 + (24 - phase) * scale) // (24 * 64)
    for fen in ("8/8/8/3k4/8/8/1NN5/4K3", "1k6/3p4/8/P7/8/8/1B6/4K3"):  # two knights, the wrong bishop
        assert network.evaluate(Board(f"{fen} w - - 0 1")) == 0
    alone = Board("8/8/4k3/8/1K6/8/8/1Q6 w - - 0 1")
    assert network.evaluate(alone) == by_tables.evaluate(alone) > 1500


@pytest.mark.parametrize("bias", [2**31 - 1, -(2**31)])
def test_values_stay_in_the_plain_range(bias: int) -> None:
    net = random_net(7, 16)
    net.scale, net.qb, net.out_bias = 32767, 1, array("i", [bias])
    network = Network(net)
    value = Evaluator(network).evaluate(Board())
    assert value == (TB_RANGE - 1 if bias > 0 else 1 - TB_RANGE)
    assert network.value(Board()) == value == formula(net, chess.Board())


def test_a_queen_up_is_good() -> None:
    network = Network(evalspeed.material_net(64))
    for row, sign in (("RNBQKBNR", 1), ("RNB1KBNR", -1)):
        for turn in "wb":
            fen = f"rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/{row} {turn} - - 0 1"
            value = network.value(Board(fen)) * (1 if turn == "w" else -1)
            assert value > 300 if sign > 0 else abs(value) < 60


@pytest.mark.parametrize(
    "change",
    [{"hidden": 20}, {"out_bias": array("i")}, {"weights": array("h", [MAX_WEIGHT + 1]) * (INPUTS * 16)}],
)
def test_impossible_networks_are_refused(change: dict[str, object]) -> None:
    net = random_net(8, 16)
    for name, value in change.items():
        setattr(net, name, value)
    with pytest.raises(ValueError):
        Network(net)


def test_a_bad_file_leaves_the_evaluation_as_it_was(tmp_path: Path) -> None:
    good, bad = tmp_path / "good", tmp_path / "bad"
    netfile.write(good, random_net(9, 16))
    bad.write_bytes(good.read_bytes()[:-1])
    engine = Engine()
    assert "(768 -> 16) x 2 -> 1" in engine.load_network(str(good))
    used = engine.network
    for name in (bad, tmp_path, tmp_path / "missing"):
        with pytest.raises(ValueError) as refusal:
            engine.load_network(str(name))
        assert "\n" not in str(refusal.value)
    assert engine.network is used is engine.prepare().main.network


def test_what_is_shipped_is_a_network_of_permitted_size() -> None:
    assert evaluation.SHIPPED.stat().st_size < 500_000
    assert evaluation.load(INTERNAL) is not None
    assert evaluation.load(INTERNAL) is evaluation.load(""), "engines share it"


def test_the_card_of_what_is_shipped_is_its_own() -> None:
    card = json.loads(evaluation.SHIPPED.with_suffix(".json").read_text(encoding="utf-8"))
    assert card["sha256"] == hashlib.sha256(evaluation.SHIPPED.read_bytes()).hexdigest()
    net = netfile.read(evaluation.SHIPPED)
    assert card["settings"]["network"] == {"hidden": net.hidden, "buckets": net.buckets, "scale": net.scale}
    assert card["commit"] in net.description
    assert all(len(games["sha256"]) == 64 for games in card["games"]) and card["games"]


def test_the_shipped_network_values_pieces() -> None:
    network = evaluation.load(INTERNAL)
    assert network is not None
    values = []
    for square in (chess.D8, chess.A8, chess.F8, chess.E7):  # queen, rook, bishop, pawn
        board = chess.Board()
        board.remove_piece_at(square)
        board.castling_rights &= ~chess.BB_A8
        values.append(network.value(Board.from_chess(board)))
    assert sorted(values, reverse=True) == values
    for value, least in zip(values, (600, 300, 200, 30), strict=True):
        assert value - network.value(Board()) > least


def test_games_can_be_made_with_a_network(tmp_path: Path) -> None:
    path, shards = tmp_path / "net", []
    netfile.write(path, evalspeed.material_net(16))
    for folder in ("a", "b"):
        words = ["--seeds", "5", "1", "--games", "1", "--nodes", "60", "--eval-file", str(path)]
        assert datagen.main([str(tmp_path / folder), *words]) == 0
        shards += [file.read_bytes() for file in (tmp_path / folder).glob("*.games")]
    assert len(shards) == 2 and shards[0] == shards[1]


def test_speed_is_printed_for_every_instruction_set(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "net"
    netfile.write(path, evalspeed.material_net(16))
    assert evalspeed.main(["--depth", "3", "--eval-file", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1:]] == SETS
    assert all(float(line.split()[1]) > 0 for line in lines[1:])


@pytest.mark.parametrize("hidden", [24, 2048])
def test_a_size_that_no_network_has_is_refused_before_it_is_filled(hidden: int) -> None:
    with pytest.raises(ValueError, match=f"hidden size {hidden}"):
        evalspeed.material_net(hidden)


@pytest.mark.parametrize("command", [bench.main, evalspeed.main, datagen.main])
def test_a_bad_file_is_one_line(command, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:  # type: ignore[no-untyped-def]
    words = [str(tmp_path)] if command is datagen.main else []
    with pytest.raises(SystemExit) as left:
        leave(command, [*words, "--eval-file", str(tmp_path / "missing")])
    assert left.value.code == 2
    heard = capsys.readouterr()
    assert heard.err.count("\n") == 1 and heard.err.endswith("no such file\n")
