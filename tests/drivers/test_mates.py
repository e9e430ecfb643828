"""Mate problems: the shortest mate and its whole line, or none; checked by python-chess."""

import random
import re

import chess
import pytest
from support.constants import KIWIPETE
from support.suites import OWN, located

from sssnake._fast.board.board import Board
from sssnake._fast.drivers.mates import MateSolver
from sssnake._fast.search.tt import TranspositionTable
from sssnake._fast.search.worker import StopFlag, Worker
from sssnake._fast.values import MATE
from sssnake.engine.player.engine import Engine
from sssnake.engine.player.limits import Limits
from sssnake.engine.player.result import Info, Result

SUITES = [OWN / "mates.epd", *located("mate_1_to_5_pv298.epd", "mates2000.epd", "matetrack_dm1_6.epd")]
SAMPLE = 8  # problems of each length


def go_mate(fen: str, moves: int, **limits: int | list[str]) -> tuple[Result, list[Info]]:
    reports: list[Info] = []
    limit = Limits(mate=moves, **limits)  # type: ignore[arg-type]
    return Engine(hash_mb=4).play(Board(fen), limit, reports.append), reports


def mates_in(board: chess.Board, moves: int) -> bool:
    """Oracle: the side to move mates in at most so many moves, the 50-move rule in force."""
    if board.halfmove_clock >= 100 and board.move_stack:
        return False
    for move in list(board.legal_moves):
        board.push(move)
        mated = is_mated_in(board, moves - 1)
        board.pop()
        if mated:
            return True
    return False


def is_mated_in(board: chess.Board, moves: int) -> bool:
    """Oracle: whatever the side to move does, it is mate in at most so many moves of the other side."""
    if not any(board.legal_moves):
        return board.is_check()
    if moves == 0 or board.halfmove_clock >= 100:
        return False
    for move in list(board.legal_moves):
        board.push(move)
        escapes = not mates_in(board, moves)
        board.pop()
        if escapes:
            return False
    return True


def check_line(fen: str, line: list[str], moves: int) -> None:
    """The line is legal, as long as the mate, and ends in it."""
    board = chess.Board(fen)
    for move in line:
        assert not board.is_game_over()
        board.push_uci(move)
    assert board.is_checkmate() and len(line) == (2 * moves - 1 if moves > 0 else -2 * moves)


def problems() -> list[tuple[str, int]]:
    """(FEN, mate) of a sample of the suites: up to five moves, both signs."""
    by_length: dict[int, list[tuple[str, int]]] = {}
    for path in SUITES:
        for line in path.read_text().splitlines():
            found = re.match(r"((?:\S+ ){4}).*?dm (-?[1-5]);", line)
            if found:
                by_length.setdefault(int(found[2]), []).append((found[1] + "0 1", int(found[2])))
    rng = random.Random(3)
    samples = (rng.sample(found, min(SAMPLE, len(found))) for _, found in sorted(by_length.items()))
    return [problem for sample in samples for problem in sample]


def test_the_shortest_mates_of_the_suites_are_found() -> None:
    for fen, moves in problems():
        result, reports = go_mate(fen, abs(moves))
        last = reports[-1]
        assert last.score == (MATE - 2 * moves + 1 if moves > 0 else -MATE - 2 * moves), fen
        assert last.pv[0] == result.move and last.bound == ""
        check_line(fen, last.names, moves)


def test_no_mate_is_claimed_and_none_missed_in_small_endings() -> None:
    rng = random.Random(11)
    found = 0
    for _ in range(60):
        board = chess.Board.empty()
        board.set_piece_at(rng.choice((chess.A8, chess.B8, chess.D8)), chess.Piece.from_symbol("k"))
        board.set_piece_at(rng.choice((chess.B6, chess.C6, chess.D6)), chess.Piece.from_symbol("K"))
        for piece in rng.choice(["Q", "RR", "Qr", "RP", "qQ"]):
            square = rng.choice([square for square in chess.SQUARES if not board.piece_at(square)])
            board.set_piece_at(square, chess.Piece.from_symbol(piece))
        board.turn = rng.random() < 0.7
        if not board.is_valid() or board.is_game_over():
            continue
        truth = next((n for n in (1, 2) if mates_in(board, n)), 0) or next(
            (-n for n in (1, 2) if is_mated_in(board, n)), 0
        )
        result, reports = go_mate(board.fen(), 2)
        score = reports[-1].score
        assert str(result.move) in {move.uci() for move in board.legal_moves}
        if truth:
            found += 1
            assert score == (MATE - 2 * truth + 1 if truth > 0 else -MATE - 2 * truth), board.fen()
            check_line(board.fen(), reports[-1].names, truth)
        else:
            assert abs(score) < MATE - 4, board.fen()
    assert found > 15


@pytest.mark.parametrize("clock", [0, 93, 94, 95, 96, 97, 98, 99, 100])
def test_no_mate_is_claimed_behind_the_fifty_move_rule(clock: int) -> None:
    """Mates in one to three by king and rook, or in two by a pawn, which the rule does not touch."""
    for fen in (
        "1k6/8/1K6/8/8/8/8/7R w - - 0 80",
        "k7/8/2K5/8/8/8/8/1R6 w - - 0 80",
        "k7/8/3K4/8/8/8/8/1R6 w - - 0 80",
        "k7/2R5/1K6/8/8/7P/8/8 w - - 0 80",
        "7k/5K2/8/6P1/8/8/8/8 w - - 0 80",
    ):
        board = chess.Board(fen)
        board.halfmove_clock = clock
        for moves in (1, 2, 3):
            found = go_mate(board.fen(), moves)[0].lines[0].score.mate == moves
            shortest = mates_in(board, moves) and not (moves > 1 and mates_in(board, moves - 1))
            assert found == shortest, (board.fen(), moves)


@pytest.mark.parametrize("clocks", [(97, 96, 95, 94, 0), (0, 94, 95, 96, 97)])
@pytest.mark.parametrize(
    "fen",
    ["8/8/8/8/2K1R3/8/k7/8 w - - 0 1", "8/8/5R2/8/1K6/8/8/1k6 w - - 0 1", "4R3/8/8/8/8/k7/3K4/8 w - - 0 1"],
)
def test_what_is_known_of_a_position_does_not_hold_at_another_clock(
    fen: str, clocks: tuple[int, ...]
) -> None:
    """One solver meets the same positions with the 50-move rule far and near: mates on the fifth ply."""
    solver, worker = MateSolver(), Worker(TranspositionTable(1), StopFlag())
    for clock in clocks:
        worker.set_position(Board(fen.replace("- 0", f"- {clock}")))
        line = solver.solve(worker, 3, 1_000_000)
        assert line is not None and len(line) == (5 if clock + 5 <= 100 else 0), clock


@pytest.mark.parametrize(
    "fen", ["8/8/3n4/7k/2R5/1p3K2/8/6Q1 w - - 99 1", "n7/4p3/8/5Q2/8/5K2/7k/6R1 w - - 99 1"]
)
def test_the_hundredth_ply_draws_though_only_captures_answer_it(fen: str) -> None:
    board = chess.Board(fen)
    assert not mates_in(board, 2) and go_mate(fen, 2)[0].lines[0].score.mate != 2
    board.halfmove_clock = 98
    assert mates_in(board, 2) and go_mate(board.fen(), 2)[0].lines[0].score.mate == 2


def test_a_problem_is_solved_though_the_game_could_be_claimed_a_draw() -> None:
    worker = Worker(TranspositionTable(1), StopFlag())
    worker.set_position(Board("1k6/8/1K6/8/8/8/8/7R w - - 100 80"))
    line = MateSolver().solve(worker, 1, 1000)
    assert line is not None and len(line) == 1


def test_a_problem_ends_by_its_limits() -> None:
    fen = KIWIPETE  # no mate near
    for limits in ({"nodes": 5000}, {"depth": 3}, {"movetime": 50}):
        result, reports = go_mate(fen, 8, **limits)
        assert result.move == reports[-1].pv[0]
        assert reports[-1].nodes <= 5000 or "nodes" not in limits


def test_searchmoves_limit_mate_problems() -> None:
    fen = "6k1/5ppp/8/8/8/8/5PPP/RR4K1 w - - 0 1"
    result, reports = go_mate(fen, 1, searchmoves=["b1b8"])
    assert str(result.move) == "b1b8" and reports[-1].score == MATE - 1
    result, reports = go_mate(fen, 1, searchmoves=["g1f1"])
    assert str(result.move) == "g1f1" and reports[-1].score < MATE - 1


def test_solver_arguments() -> None:
    engine = Engine(hash_mb=1)
    pool = engine.prepare()
    pool.start(Board("7k/5K2/8/6Q1/8/8/8/8 w - - 0 1"), None, "SSS*", 0)
    solver = MateSolver()
    assert len(solver.solve(pool.main, 1, 1000) or []) == 1
    assert solver.solve(pool.main, 1, 1) is not None or pool.main.nodes
    for n in (0, 65):
        with pytest.raises(ValueError, match="beyond"):
            solver.solve(pool.main, n, 1000)
