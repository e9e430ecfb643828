"""Endings in the search: pruning by static values does not overrule exact results."""

import random

import chess
import pytest
from support.one_rule import EVALUATOR, after, worker_at
from support.parameters import PARAMETERS

from sssnake._fast.board.board import Board
from sssnake._fast.evaluation import bishop_knight
from sssnake._fast.evaluation.evaluate import Evaluator
from sssnake._fast.search import root
from sssnake._fast.values import MATE_RANGE
from sssnake.engine.player import evaluation
from sssnake.engine.player.engine import Engine
from sssnake.engine.player.limits import Limits
from sssnake.engine.player.options import INTERNAL
from sssnake.engine.player.result import Info

CORNERS = (  # drawn: a rook pawn and the bishop of the other colour, against a king near the corner
    "8/8/6k1/8/7p/7K/8/4b3 b - - 0 1",
    "2b5/8/8/8/p7/8/2K2k2/8 b - - 0 1",
    "8/2b5/8/2k5/7p/5K2/8/8 b - - 0 1",
    "7k/7P/8/3B4/8/8/8/3K4 w - - 0 1",
    "7k/8/2B4P/5K2/8/8/8/8 b - - 0 1",
    "8/8/3b1k2/7p/8/8/8/6K1 b - - 0 1",
    "8/1b6/8/8/3k4/8/p7/K7 b - - 0 1",
    "8/8/8/4b3/1k6/7p/8/7K b - - 0 1",
    "8/8/4b3/8/1k6/8/pK6/8 b - - 0 1",
    "8/8/8/8/1b2k2p/8/7p/5K2 w - - 0 1",  # two pawns on the file
)
PAWN_DRAWS = (
    "8/8/2k5/8/2P5/2K5/8/8 w - - 0 1",
    "8/8/8/8/3k4/3p4/8/3K4 b - - 0 1",
    "k7/8/K7/P7/8/8/8/8 w - - 0 1",
)
PAWN_WINS = (
    "8/8/8/8/2P5/2K5/8/k7 w - - 0 1",
    "8/8/8/4k3/8/2K5/2P5/8 w - - 0 1",
    "3K4/8/3k4/3p4/8/8/8/8 b - - 0 1",
)


def search_to(fen: str, nodes: int) -> tuple[str | None, list[Info]]:
    """Best move and the exact reports."""
    reports: list[Info] = []
    result = Engine(hash_mb=4).play(Board(fen), Limits(nodes=nodes), reports.append)
    return str(result.move), [info for info in reports if not info.bound]


@pytest.mark.parametrize("fen", CORNERS)
def test_a_wrong_bishop_is_no_win(fen: str) -> None:
    """Delta pruning must not count the last pawn as a hundred centipawns only."""
    assert abs(search_to(fen, 60_000)[1][-1].score) <= 100


def test_a_bishop_is_given_for_the_pawn_that_leaves_the_wrong_one() -> None:
    move, reports = search_to("8/8/2B1b3/8/8/2k5/6PP/5K2 b - - 0 1", 1_000_000)
    assert move == "e6h3"
    assert reports[-1].score > -100


@pytest.mark.parametrize("fen", PAWN_DRAWS)
def test_king_and_pawn_drawn(fen: str) -> None:
    assert [info.score for info in search_to(fen, 2000)[1]][-1] == 0


@pytest.mark.parametrize("fen", PAWN_WINS)
def test_king_and_pawn_won(fen: str) -> None:
    """Decisive, but no mate until one is seen; and the win is finished."""
    board = chess.Board(fen)
    assert 1000 <= search_to(fen, 20)[1][-1].score < MATE_RANGE
    engine = Engine(hash_mb=4)
    while not board.is_game_over():
        result = engine.play(Board.from_chess(board), Limits(nodes=3000))
        board.push_uci(str(result.move))
        assert len(board.move_stack) < 90
    assert board.is_checkmate()


@pytest.mark.parametrize(
    ("fen", "value"),
    [
        ("8/8/8/8/3k4/8/8/1NN1K3 w - - 0 1", 0),  # two knights
        ("8/8/8/3n4/3k4/8/8/1N2K3 w - - 0 1", 0),
        ("8/8/2k5/8/2P5/2K5/8/8 w - - 0 1", 0),
        ("8/8/2k5/8/2P5/2K5/8/8 b - - 0 1", 0),
        ("8/8/8/8/2P5/2K5/8/k7 w - - 0 1", 1150),
        ("8/8/8/8/2P5/2K5/8/k7 b - - 0 1", -1150),
        ("K7/8/2k5/2p5/8/8/8/8 b - - 0 1", 1150),
    ],
)
def test_endings_with_rules(fen: str, value: int) -> None:
    assert EVALUATOR.evaluate(Board(fen)) == value
    assert EVALUATOR.trace(Board(fen)) is None


def test_queen_against_rook_is_won() -> None:
    centre, edge = (
        EVALUATOR.evaluate(Board(f"{rows}/8/3K4/8/8/1Q6 w - - 0 1")) for rows in ("8/8/3kr3", "3kr3/8/8")
    )
    assert 400 < centre < edge < 1500


def test_the_last_pawn_against_a_minor_piece_is_no_win_by_itself() -> None:
    evaluator = Evaluator(evaluation.load(INTERNAL))
    for fen in ("8/8/8/8/3KP3/8/8/1n2k3 w - - 0 1", "8/8/8/8/3KP3/8/8/b3k3 w - - 0 1"):
        assert abs(evaluator.evaluate(Board(fen))) < 100


# One rule on, the others off.

LAST_PAWN = "8/8/8/8/8/8/Pk6/4KB2 w - - 0 1"  # Kd1: the king takes the last pawn
LAST_MATING_PIECE = "B7/8/8/8/8/8/4k3/4B2K w - - 0 1"  # Kg1: the king takes the bishop
BARE_KING = "7k/8/8/8/8/3Q4/8/K2n4 b - - 0 1"  # Kg7: the queen takes the last piece, and drives the king


@pytest.mark.usefixtures("rules_off")
@pytest.mark.parametrize("fen, move", [(LAST_PAWN, "e1d1"), (LAST_MATING_PIECE, "h1g1")])
def test_delta_pruning_allows_the_capture_of_the_last_pawn_or_mating_piece(fen: str, move: str) -> None:
    PARAMETERS["quiesce_margin"] = 0
    worker = worker_at(Board(fen), [move], 1)
    assert root.mt(worker, 20, 1) == 0
    assert worker.nodes == 2


@pytest.mark.usefixtures("rules_off")
def test_delta_pruning_allows_the_capture_of_the_last_piece() -> None:
    """What the lone king's rule adds is more than a knight."""
    PARAMETERS["quiesce_margin"] = 0
    board = Board(BARE_KING)
    assert root.mt(worker_at(board, ["h8g7"], 1), -2000, 1) < -2000


LAST_PAWN_HANGS = "8/8/8/5b2/8/8/Pk6/4K1B1 b - - 0 1"  # Bg4: White's only pawn hangs


@pytest.mark.usefixtures("rules_off")
@pytest.mark.parametrize("pieces", [0, 7])
def test_static_values_above_a_draw_are_not_trusted_where_the_last_pawn_hangs(pieces: int) -> None:
    """Reverse futility; `ending_pieces` switches the exception off."""
    PARAMETERS["reverse_futility_depth"] = 9
    PARAMETERS["ending_pieces"] = pieces
    PARAMETERS["reverse_futility_margin"] = 20
    board = Board(LAST_PAWN_HANGS)
    assert EVALUATOR.evaluate(after(board, "f5g4")) > 50
    worker = worker_at(board, ["f5g4"], 2)
    root.mt(worker, -10, 2)
    assert (worker.nodes > 1) == (pieces > 0)


@pytest.mark.usefixtures("rules_off")
@pytest.mark.parametrize("rule", ["razoring", "futility"])
@pytest.mark.parametrize("pieces", [0, 7])
def test_no_pruning_below_a_draw_while_the_win_needs_a_pawn(pieces: int, rule: str) -> None:
    """After Kd1 Black is far behind, and gets the pawn."""
    PARAMETERS[f"{rule}_depth"] = 4
    PARAMETERS["ending_pieces"] = pieces
    PARAMETERS["futility_base"] = 0
    PARAMETERS["futility_margin"] = 20
    worker = worker_at(Board("8/8/8/8/3n4/k7/3BP3/4KB2 w - - 0 1"), ["e1d1"], 3)
    assert (root.mt(worker, 60, 3) < 200) == (pieces > 0)


@pytest.mark.usefixtures("rules_off")
@pytest.mark.parametrize("pieces", [0, 7])
@pytest.mark.parametrize(
    ("see", "fen", "move"),
    [
        (10, "8/8/8/5n2/k7/4P3/3K1N2/8 w - - 0 1", "d2e2"),  # in the search: Nxe3 Kxe3 leaves one knight
        (0, "8/8/8/5n2/k7/4P3/3K1N2/8 w - - 0 1", "d2e2"),  # in quiescence
    ],
)
def test_a_piece_may_be_given_for_the_last_pawn(pieces: int, see: int, fen: str, move: str) -> None:
    """A losing exchange, but the ending after it is drawn."""
    PARAMETERS["see_depth"] = see
    PARAMETERS["see_capture"] = 20
    PARAMETERS["ending_pieces"] = pieces
    depth = 2 if see else 1
    assert (root.mt(worker_at(Board(fen), [move], depth), 20, depth) < 20) == (pieces > 0)


@pytest.mark.usefixtures("rules_off")
@pytest.mark.parametrize(
    ("fen", "move", "drawn"),
    [
        ("8/8/2k5/8/2P5/2K5/8/8 w - - 0 1", "c3d4", True),
        ("8/8/8/8/2P5/2K5/8/k7 w - - 0 1", "c3d4", False),
        ("7k/7P/7P/3B4/8/8/8/3K4 w - - 0 1", "d1e2", True),
        ("7k/7P/7P/8/5B2/8/8/3K4 w - - 0 1", "d1e2", False),  # the right bishop
        ("7k/7P/p6P/3B4/8/8/8/3K4 w - - 0 1", "d1e2", False),  # the king is not alone: the pawn must move
    ],
)
def test_a_sure_draw_ends_the_line(fen: str, move: str, drawn: bool) -> None:
    worker = worker_at(Board(fen), [move], 6)
    value = root.mt(worker, 1, 6)
    assert (worker.nodes == 1) == drawn
    assert value == 0 or not drawn


# Bishop and knight


@pytest.mark.parametrize(
    ("fen", "lost"),
    [
        ("8/8/8/8/8/8/1B3k2/N6K b - - 0 1", False),
        ("8/8/8/8/8/5k2/6B1/N6K b - - 0 1", False),  # guarded by the king
        ("8/8/8/8/5k2/4N3/8/K5B1 b - - 0 1", False),  # by the bishop
        ("8/8/8/8/8/4N3/8/K4Bk1 b - - 0 1", False),  # by the knight
        ("8/8/8/8/5k2/4N3/6B1/K7 b - - 0 1", True),
        ("8/8/8/8/5k2/4N3/6B1/K7 w - - 0 1", False),  # it moves away
        ("8/8/8/8/8/4N3/5k2/K4B2 b - - 0 1", True),
        ("8/8/8/8/8/4N3/5k2/K4B2 w - - 0 1", True),  # the knight cannot move away and guard the bishop
        ("8/8/8/8/8/4NB2/5k2/K7 w - - 0 1", True),
        ("8/8/8/8/8/8/3BkN2/K7 w - - 0 1", False),  # Ne4 guards the bishop
        ("8/8/7B/8/5k2/4N3/8/K7 b - - 0 1", False),  # guarded through the king
        ("8/8/8/8/4K3/4NB2/5k2/8 w - - 0 1", False),
    ],
)
def test_a_lost_bishop_or_knight_leaves_a_draw(fen: str, lost: bool) -> None:
    for board in (chess.Board(fen), chess.Board(fen).mirror()):
        assert (EVALUATOR.evaluate(Board(board.fen())) == 0) == lost


@pytest.mark.parametrize("nodes", [300, 1000, 10_000])
def test_a_fork_is_seen_before_it_comes(nodes: int) -> None:
    """Ne3 Kf2 loses a piece."""
    result = Engine(hash_mb=1).play(chess.Board("8/8/8/8/2N5/1K6/8/4kB2 w - - 0 1"), Limits(nodes=nodes))
    assert result.move != chess.Move.from_uci("c4e3") and result.score > 1000


def test_how_far_the_mate_is_on_the_mean() -> None:
    """The rows are those of the solved ending, whose longest mate takes 33 moves."""
    pytest.importorskip("numpy", reason="numpy is not installed")
    from measure.bishop_knight import DARK, means, rows, wins

    assert max(plies for plies, _ in wins()) == 65
    kings, knights = means()
    assert tuple(rows(kings, bishop_knight.KING_ZERO)) == bishop_knight.KINGS
    assert tuple(rows(knights, bishop_knight.KNIGHT_ZERO)) == bishop_knight.KNIGHTS
    rng = random.Random(1)
    for _ in range(300):
        own, lone, knight, bishop = rng.sample(range(64), 4)
        board = chess.Board(None)
        for square, symbol in ((own, "K"), (lone, "k"), (knight, "N"), (bishop, "B")):
            board.set_piece_at(square, chess.Piece.from_symbol(symbol))
        if (
            bishop in DARK
            and board.is_valid()
            and not board.attacks_mask(lone) & board.occupied_co[chess.WHITE]
        ):
            plies = round(kings[own, lone]) + round(knights[knight, lone])
            assert EVALUATOR.evaluate(Board(board.fen())) == 2100 + 100 * (57 - plies)


def test_bishop_and_knight_drive_the_king_to_the_bishops_corner() -> None:
    """Colours and symmetries of the board change nothing, also with the bishop on the other colour."""
    fen = "8/8/8/8/3NK3/8/6k1/2B5 w - - 0 1"
    value = EVALUATOR.evaluate(Board(fen))
    board = chess.Board(fen)
    turns = (
        chess.flip_diagonal,
        chess.flip_anti_diagonal,
        lambda squares: chess.flip_vertical(chess.flip_horizontal(squares)),
    )
    for turn in turns:
        assert EVALUATOR.evaluate(Board(board.transform(turn).fen())) == value
    mirrored = board.transform(chess.flip_horizontal)
    assert EVALUATOR.evaluate(Board(mirrored.fen())) == value, "the bishop too stands on the other colour"
    assert EVALUATOR.evaluate(Board(board.mirror().fen())) == value
    near, far = (f"8/{rank}/8/8/4K3/3N4/8/2B5 w - - 0 1" for rank in ("6k1", "1k6"))
    assert EVALUATOR.evaluate(Board(near)) > EVALUATOR.evaluate(Board(far)) + 500
