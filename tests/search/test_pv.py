"""The line of a forced mate: whole, legal, ending in mate, and as long as its score says."""

import chess
import pytest
from support.suites import needed

from sssnake._fast.board.board import Board
from sssnake._fast.search import pv
from sssnake._fast.search.pv import finish_line
from sssnake._fast.search.worker import Worker
from sssnake._fast.values import DECISIVE, MATE
from sssnake.engine.player import deepening
from sssnake.engine.player.engine import Engine
from sssnake.engine.player.limits import Limits
from sssnake.engine.player.result import Info

MATE_RANGE = 31744

MATES = {  # position -> shortest mate, in moves
    "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1": 1,
    "r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1": 2,
    "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1": 3,
}
LONG = ["8/8/8/8/4k3/8/1Q6/K7 w - - 0 1", "8/8/8/8/4k3/8/8/KRR5 w - - 0 1"]


def check(board: chess.Board, found: Info) -> None:
    """Legal to the end; a mate score and a mate at the end go together, in the right number of moves."""
    board = board.copy()
    for move in found.names:
        assert not board.is_game_over()
        board.push_uci(move)  # raises where it is illegal
    if abs(found.score) >= MATE_RANGE:
        assert board.is_checkmate(), (board.fen(), found)
        assert len(found.names) == MATE - abs(found.score)
        assert (len(found.names) % 2 == 1) == (found.score > 0)


def exact_lines(engine: Engine, board: chess.Board, limits: Limits) -> list[Info]:
    """The exact reports of a search, each checked."""
    found: list[Info] = []
    engine.play(Board.from_chess(board), limits, found.append)
    found = [info for info in found if not info.bound]
    for info in found:
        check(board, info)
    return found


@pytest.mark.parametrize("driver", ["SSS*", "PVS"])
@pytest.mark.parametrize(("fen", "moves"), MATES.items())
def test_short_mates(fen: str, moves: int, driver: str) -> None:
    engine = Engine(driver=driver)
    for _ in range(2):  # the second time the table knows it all
        found = exact_lines(engine, chess.Board(fen), Limits(depth=10))
        assert found[-1].score == MATE - (2 * moves - 1)


@pytest.mark.parametrize("driver", ["SSS*", "DUAL*", "MTD(f)", "PVS"])
@pytest.mark.parametrize("fen", LONG)
def test_a_game_up_to_the_mate(fen: str, driver: str) -> None:
    """From move to move the table answers more and more, down to the first iteration."""
    engine, board = Engine(driver=driver), chess.Board(fen)
    seen = 0
    while not board.is_game_over():
        found = exact_lines(engine, board, Limits(nodes=60_000, depth=24))
        seen += sum(abs(info.score) >= MATE_RANGE for info in found)
        board.push_uci(found[-1].names[0])
    assert board.is_checkmate()
    assert seen > 20


@pytest.mark.parametrize("value", [MATE - 5, 6 - MATE])
def test_false_promises_have_no_line(value: int) -> None:
    """They are plain wins or losses, with a line as long as any."""
    engine = Engine()
    exact_lines(engine, chess.Board(), Limits(depth=4))
    worker = engine.prepare().main
    first = worker.root(0).move
    moves, shown = finish_line(worker, [first], value, 3)
    assert shown == (DECISIVE if value > 0 else -DECISIVE)
    assert moves[0] == first and len(moves) == 3
    board = Board()
    for move in moves:
        board.push(board.uci(move))


def test_stopped_searches_have_no_line() -> None:
    engine = Engine()
    found = exact_lines(engine, chess.Board(list(MATES)[2]), Limits(depth=10))[-1]
    worker = engine.prepare().main
    first = worker.root(0).move
    moves, shown = finish_line(worker, [first], found.score, 1)
    assert len(moves) == MATE - found.score and shown == found.score
    assert finish_line(worker, [first], MATE - 2 * len(moves) - 1, 1) == (moves, shown)  # the length mended
    worker.stop_flag.set()
    assert finish_line(worker, [first], found.score, 1)[1] == DECISIVE
    assert not worker.stopped


@pytest.mark.parametrize("driver", ["SSS*", "PVS"])
def test_mate_problems(driver: str) -> None:
    engine, mates, capped = Engine(driver=driver), 0, 0
    for line in needed("matetrack_dm1_6.epd").read_text().splitlines()[::12]:
        engine.new_game()
        board = chess.Board(line.split(" dm ")[0] + " 0 1")
        for info in exact_lines(engine, board, Limits(nodes=30_000)):
            mates += abs(info.score) >= MATE_RANGE
            capped += abs(info.score) == DECISIVE
    assert mates > 50
    assert capped < mates / 10


# Where the line is lost

LOST_LINES = (  # found at so many nodes with a table of 1 MB
    "5K2/8/8/3p2R1/6R1/8/7p/b6k w - - 0 1",
    "8/8/3p4/3p1K2/5B2/3p1k2/7R/8 w - - 0 1",
    "1K6/1N5n/1B1pB2b/1b1NkP2/6P1/n1P2Pp1/1p4P1/8 b - - 0 1",
    "RB6/3p4/8/3P4/1p6/1Pp5/1pPp4/1k1K4 b - - 0 1",
)


@pytest.mark.parametrize("fen", LOST_LINES)
def test_a_score_is_a_proved_mate_or_a_plain_win(fen: str) -> None:
    for info in exact_lines(Engine(hash_mb=1), chess.Board(fen), Limits(nodes=100_000)):
        assert abs(info.score) <= DECISIVE or abs(info.score) >= MATE_RANGE


@pytest.mark.parametrize("driver", ["SSS*", "DUAL*", "PVS"])
@pytest.mark.parametrize("fen", MATES)
def test_a_mate_without_its_line_is_a_plain_win(
    fen: str, driver: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor do bounds claim more."""

    def lost(worker: Worker, moves: list[int], value: int, length: int) -> tuple[list[int], int]:
        return moves, max(-DECISIVE, min(value, DECISIVE))

    monkeypatch.setattr(pv, "finish_line", lost)
    monkeypatch.setattr(deepening, "BOUND_AFTER", 0.0)
    found: list[Info] = []
    Engine(driver=driver).play(Board(fen), Limits(depth=10), found.append)
    assert found[-1].score == DECISIVE and not found[-1].bound
    assert all(abs(info.score) <= DECISIVE for info in found)
    assert not [info for info in found if info.score == DECISIVE and info.bound == "upperbound"]
