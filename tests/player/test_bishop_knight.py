"""Bishop and knight against a lone king at the root: solved, so the shortest mate is played."""

import time

import chess
import pytest

from sssnake._fast.board import kbnk
from sssnake._fast.board.board import Board
from sssnake.engine.player.engine import Engine
from sssnake.engine.player.limits import Limits
from sssnake.engine.player.resources.tablebase import TB_WIN, Tablebase

FAR = "8/8/8/8/8/2k5/8/KBN5 w - - 0 1"


def distance(board: chess.Board) -> int | None:
    """Moves to mate, the lone king to move."""
    return kbnk.mated_in(Board.from_chess(board))


def longest_defence(board: chess.Board) -> chess.Move:
    """The lone king's move that puts the mate off for longest."""

    def left(move: chess.Move) -> int:
        after = board.copy()
        after.push(move)
        replies = []
        for reply in after.legal_moves:
            after.push(reply)
            moves = distance(after)
            after.pop()
            replies += [] if moves is None else [moves]
        return min(replies)

    return max(board.legal_moves, key=left)


@pytest.mark.parametrize(
    "fen", [FAR, "8/8/8/8/8/8/8/n1b1K2k b - - 0 1", "8/8/4k3/8/8/2K5/3B4/4N3 w - - 7 40"]
)
def test_the_shortest_mate_against_the_best_defence(fen: str) -> None:
    board = chess.Board(fen)
    with Engine(hash_mb=1) as engine:
        result = engine.play(board, Limits(nodes=50))
        expected, moves = TB_WIN - result.lines[0].score, 0
        while not board.is_game_over(claim_draw=True):
            move = engine.play(board, Limits(nodes=50)).move
            assert move
            board.push(move)
            moves += 1
            if not board.is_checkmate():
                board.push(longest_defence(board))
    assert board.is_checkmate() and expected == 2 * moves - 1


def test_a_win_that_takes_too_long_is_a_draw() -> None:
    with Engine(hash_mb=1) as engine:
        values = [
            engine.play(chess.Board(FAR.replace(" 0 1", f" {clock} 80")), Limits(nodes=50)).score
            for clock in (0, 40, 50)
        ]
    assert values[0] == values[1] > TB_WIN - 100 and values[2] < 100


def test_lines_are_in_the_order_of_their_mates() -> None:
    board = chess.Board(FAR)
    with Engine(hash_mb=1, multipv=4) as engine:
        lines = engine.play(board, Limits(nodes=2000)).lines
    found = []
    for line in lines:
        after = board.copy()
        after.push_uci(line.names[0])
        moves = distance(after)
        assert moves is not None
        found.append(2 * moves + 1)
    assert len(lines) == 4 and found == sorted(found)
    assert [TB_WIN - line.score for line in lines] == found


def test_only_asked_moves_are_played() -> None:
    with Engine(hash_mb=1) as engine:
        result = engine.play(chess.Board(FAR), Limits(nodes=50, searchmoves=["a1a2"]))
    assert str(result.move) == "a1a2" and result.score > TB_WIN - 100


@pytest.mark.parametrize("steps", [0, 3])
def test_no_time_is_taken_that_is_not_there(steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The analysis stops between its steps, and goes on with the next move."""
    taken = []

    def advance() -> bool:
        taken.append(time.monotonic())
        return False

    monkeypatch.setattr(kbnk, "advance", advance)
    board, told = Board(FAR), list[str]()
    with Engine(hash_mb=1) as engine:
        tablebase = Tablebase(engine.options, told.append)
        until = time.monotonic() - 1 if steps == 0 else None
        verdicts = tablebase.judge(board, board.legal_moves(), until, lambda: len(taken) >= steps)
        assert verdicts == {} and len(taken) == steps
        assert engine.play(chess.Board(FAR), Limits(movetime=60)).move


def test_the_lone_king_and_weaker_players_search() -> None:
    with Engine(hash_mb=1) as engine:
        assert abs(engine.play(chess.Board(FAR.replace(" w ", " b ")), Limits(nodes=50)).score) < TB_WIN - 100
    with Engine(hash_mb=1, limit_strength=True, elo=1500) as engine:
        assert engine.play(chess.Board(FAR), Limits(nodes=50)).score < TB_WIN - 100
