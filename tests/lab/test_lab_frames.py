"""Lessons on chess positions: the exchange ply by ply, repetition, the three remedies; and their pages."""

import random
from pathlib import Path

import chess
import chess.polyglot
import pytest

from sssnake.engine.lab.cli import main
from sssnake.engine.lab.lessons import exchange, horizon, repetition
from sssnake.engine.lab.lessons.lessons import FRAMES, LESSONS
from sssnake.engine.lab.lessons.remedies import TRAPPED, remedies


def words(name: str) -> list[str]:
    return [frame.words for frame in FRAMES[name]()]


def test_the_exchange_of_the_lecture_ply_by_ply() -> None:
    """The lecture: a pawn is lost, a knight (its silver), a rook: the push must not be played."""
    told = words("exchange")
    assert told[:8] == [
        "does e5 pay?",
        "1 ply: e5. Balance 0",
        "2 plies: e5 dxe5, a pawn is taken. Balance -1",
        "3 plies: e5 dxe5 Nxe5, a pawn is taken. Balance 0",
        "4 plies: e5 dxe5 Nxe5 Nxe5, a knight is taken. Balance -3",
        "5 plies: e5 dxe5 Nxe5 Nxe5 Rxe5, a knight is taken. Balance 0",
        "6 plies: e5 dxe5 Nxe5 Nxe5 Rxe5 Bxe5, a rook is taken. Balance -5",
        "The exchange is over. Balance -5: it loses 1, and must not be played.",
    ]
    assert told[-1] == "The exchange is over. Balance 0: it loses nothing."


def test_the_balance_is_that_of_the_board() -> None:
    for fen in (exchange.LOST, exchange.HELD):
        start = horizon.material(chess.Board(fen))
        for frame in list(exchange.followed(fen, exchange.PUSH))[1:]:
            sign = 1 if frame.board.turn else -1
            balance = sign * horizon.material(frame.board) - start
            assert f"Balance {balance:+d}".replace("+0", "0") in frame.words


def swapped(board: chess.Board, square: chess.Square) -> int:
    """What capturing on a square is worth: minimax over all captures there, stopping allowed."""
    best = 0
    for move in list(board.legal_moves):
        if move.to_square == square and board.is_capture(move):
            won = horizon.WORTH[board.piece_type_at(square) or chess.PAWN]
            board.push(move)
            best = max(best, won - swapped(board, square))
            board.pop()
    return best


def test_what_an_exchange_is_worth() -> None:
    """The cheapest piece first is as good as any order, where no capture is a promotion."""
    rng, tried = random.Random(7), 0
    while tried < 150:
        board = chess.Board()
        for _ in range(rng.randrange(10, 50)):
            if board.is_game_over():
                break
            board.push(rng.choice(list(board.legal_moves)))
        for square in chess.SQUARES:
            if 8 <= square < 56 and exchange.captures(board, square) and not board.is_check():
                tried += 1
                assert exchange.worth(board, square) <= swapped(board, square)
                pinned = any(board.is_pinned(side, s) for side in chess.COLORS for s in chess.SQUARES)
                if not pinned and not board.is_en_passant(exchange.captures(board, square)[0]):
                    assert exchange.worth(board, square) == swapped(board, square), (board.fen(), square)


def test_a_transposition_has_one_key_and_saves_nodes() -> None:
    told = words("repetition")
    keys = [line.rsplit(" ", 1)[1] for line in told[:2]]
    board = chess.Board()
    for move in ("d4", "Nf6", "c4"):
        board.push_san(move)
    assert keys == [f"{chess.polyglot.zobrist_hash(board):016X}"] * 2
    for depth in (1, 3, 4):
        plain, table = repetition.Visits(), repetition.Visits()
        start = chess.Board(repetition.ENDING)
        value = repetition.minimax(start, depth, plain, False)
        assert repetition.minimax(start, depth, table, True) == value
        lines = sum(perft(start, plies) for plies in range(depth + 1))
        assert plain.nodes == lines >= table.nodes + table.reused
        assert table.nodes == len(table.values)
    assert "5 plies: 14411 nodes; with a table of positions 2221, and 3399 values used again" in told


def perft(board: chess.Board, depth: int) -> int:
    if depth == 0:
        return 1
    count = 0
    for move in list(board.legal_moves):
        board.push(move)
        count += perft(board, depth - 1)
        board.pop()
    return count


def test_a_repetition_is_a_draw_as_soon_as_it_is_seen() -> None:
    """Qe8+ Kh7 Qh5+ Kg8 is the first position again, after four plies; six pawns behind otherwise."""
    board = chess.Board(repetition.PERPETUAL)
    assert horizon.material(board) == -6
    for depth in (1, 2, 3, 4, 5):
        plain = repetition.with_repetitions(board, depth, -1000, 1000, False)
        value, line = repetition.with_repetitions(board, depth, -1000, 1000, True)
        assert plain[0] == -6 and value == (0 if depth >= 4 else -6)
        if depth >= 4:
            after = board.copy()
            for move in line:
                after.push(move)
            assert after.is_repetition(2)


def test_the_remedies_one_by_one() -> None:
    told = {frame.remedies: frame.words for frame in remedies() if frame.remedies is not None}
    assert len(told) == 8
    right = {chosen for chosen, line in told.items() if "1...Bxb3" in line}
    assert right == {chosen for chosen in told if {"deeper", "sacrifices"} & set(chosen)}
    assert all(("(right)" in line) is (chosen in right) for chosen, line in told.items())
    assert "1...e3+ 2. Kxe3  (it only puts the loss off)" in told[()]
    board = chess.Board(TRAPPED)
    assert [board.san(horizon.search(board, 3, (name,)).line[0]) for name in horizon.REMEDIES] == ["Bxb3"] * 3


def test_going_deeper_adds_plies_to_checks_alone() -> None:
    """A quiet position has the value of the plain search; a mate in two by checks is seen in one ply."""
    quiet = chess.Board("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    assert horizon.search(quiet, 2, ("deeper",)) == horizon.search(quiet, 2)
    mate = chess.Board("8/7k/R7/1R6/8/8/8/K7 w - - 0 1")  # Rb7+ Kg8 Ra8
    assert [horizon.search(mate, depth).value for depth in (1, 2)] == [10, 10]
    assert horizon.search(mate, 1, ("deeper",)).value >= horizon.MATE


@pytest.mark.parametrize("name", FRAMES)
def test_a_lesson_on_positions_has_a_page(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "lesson.html"
    assert main(["lesson", name, "-o", str(target)]) == 0
    text = target.read_text(encoding="utf-8")
    assert "/*" not in text.split("const FRAMES")[0].split("<style>")[0] and "http" not in text
    printed = "\n".join(LESSONS[name]())
    assert all(line in printed for line in words(name))
    assert main(["lesson", "zobrist", "-o", str(target)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
