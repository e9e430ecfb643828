"""Endgame tablebases inside the search: what it sees, counts and stores."""

import random
from itertools import islice
from pathlib import Path
from typing import Any

import chess
import chess.syzygy
import pytest
from support.tablebases import (
    BLOCKS_MISSING,
    open_tables,
    random_positions,
    typed_in,
)
from support.tables import TABLES, Player, with_tables

from sssnake._fast.board.board import Board
from sssnake._fast.search.root import mt
from sssnake._fast.search.tt import TranspositionTable
from sssnake._fast.search.worker import StopFlag, Worker
from sssnake.engine.player.options import DRIVERS
from sssnake.engine.player.resources.tablebase import TB_WIN

# Inside the search: positions of four pieces, whose captures lead to the tables. At first tables typed in.


@pytest.fixture
def cursed(tmp_path: Path) -> Player:
    """Knows a table that says: queen against king is won, but for the 50-move rule."""
    (tmp_path / "KQvK.rtbw").write_bytes(typed_in("Q", 1, -1))
    return Player(syzygy_path=str(tmp_path))


def after_the_capture(player: Player, depth: int = 4) -> tuple[int, int]:
    """Score and tbhits where only the capture that leads to the table is searched."""
    player.move(chess.Board("8/8/8/3k4/8/8/1p5Q/K7 w - - 0 1"), depth=depth, searchmoves=["a1b2"])
    return player.infos[-1].score, player.infos[-1].tbhits


def test_what_the_fifty_move_rule_draws(cursed: Player) -> None:
    """A centipawn with the rule, a win without; the change of the option voids what was stored before."""
    for fifty in (True, False, True):
        cursed.options.syzygy_50_move_rule = fifty
        score, hits = after_the_capture(cursed)
        assert (score, hits > 0) == (1 if fifty else TB_WIN - 1, True)


def test_another_path_voids_what_was_stored(cursed: Player) -> None:
    assert after_the_capture(cursed)[0] == 1
    cursed.options.syzygy_path = ""
    score, hits = after_the_capture(cursed)
    assert score > 500 and hits == 0


def test_from_which_depth_on_and_to_how_many_pieces(cursed: Player) -> None:
    for depth, limit, found in ((3, 7, True), (4, 7, False), (1, 3, True), (1, 2, False), (1, 0, False)):
        cursed.engine.clear_hash()
        cursed.options.syzygy_probe_depth, cursed.options.syzygy_probe_limit = depth, limit
        assert (after_the_capture(cursed)[1] > 0) == found, (depth, limit)


def test_damage_that_shows_in_the_search_is_told_once(tmp_path: Path) -> None:
    (tmp_path / "KQvK.rtbw").write_bytes(BLOCKS_MISSING)
    player = Player(syzygy_path=str(tmp_path))
    for _ in range(2):
        assert after_the_capture(player)[0] > 500
    assert player.notes == [
        "SyzygyPath: 1 files, up to 3 pieces",
        "SyzygyPath: left out as damaged: KQvK.rtbw",
    ]


# And real ones.

WON = "8/8/8/3k4/8/8/1p6/K6R w - - 0 1"  # Kxb2, and the rook wins
LOST = "8/8/8/8/7p/3k4/8/K6R b - - 0 1"  # Rxh4 or Rxh3


def scores(board: chess.Board, **options: Any) -> tuple[int, int]:
    """Score and tbhits after a few plies, all four pieces left to the search."""
    player = Player(**options)
    player.move(board, depth=8)
    return player.infos[-1].score, player.infos[-1].tbhits


@with_tables
@pytest.mark.parametrize("driver", DRIVERS)
def test_the_search_sees_what_the_tables_win(driver: str) -> None:
    for fen, sign in ((WON, 1), (LOST, -1)):
        score, hits = scores(chess.Board(fen), driver=driver)
        assert hits > 0
        assert TB_WIN - 20 < score * sign < TB_WIN, (driver, fen)


@with_tables
def test_helpers_hits_count_too() -> None:
    one, four = (scores(chess.Board(WON), threads=threads)[1] for threads in (1, 4))
    assert one > 0 and four > 0


@with_tables
@pytest.mark.parametrize(
    "options", [{"syzygy_probe_limit": 2}, {"syzygy_probe_depth": 9}, {"skill_level": 3}, {"syzygy_path": ""}]
)
def test_the_search_looks_nothing_up(options: dict[str, Any]) -> None:
    score, hits = scores(chess.Board(WON), **options)
    assert hits == 0 and abs(score) < TB_WIN - 200


@with_tables
def test_mates_are_still_found() -> None:
    """A capture that mates; a mate after a capture into the tables, which say no more than that it wins."""
    player = Player()
    player.move(chess.Board("5b1k/8/6K1/8/8/8/8/5R2 w - - 0 1"), depth=3)
    assert (player.infos[-1].names[0], player.infos[-1].score) == ("f1f8", 31999)
    player.move(chess.Board("7k/8/5K2/8/8/7n/8/7R w - - 0 1"), depth=8)
    assert player.infos[-1].score > 31900, "Rxh3+ Kg8, and mate in two more"


@with_tables
def test_null_windows_hold_what_the_tables_prove() -> None:
    """Whatever is asked: upper bounds are not below a win, lower bounds not above a loss, draws are exact."""
    tables = open_tables(TABLES)
    core_win = 31000 - 1  # as in _fast/types.pxd, at ply 1
    seen = set()
    for name in ("KQvKP", "KRvKB", "KRvKP", "KBvKN", "KRRvK"):
        for board in islice(random_positions(name, random.Random(3)), 60):
            ours = Board.from_chess(board)
            for move in board.legal_moves:
                if not board.is_capture(move) or board.gives_check(move):
                    continue
                child = ours.copy()
                child.push(move.uci())
                if child.is_stalemate or child.is_insufficient_material:
                    continue
                wdl = -(tables.wdl(child) or 0)
                seen.add(wdl)
                for gamma in (-31990, -core_win, -500, 0, 1, 500, core_win, core_win + 1, 31990):
                    worker = Worker(TranspositionTable(1), StopFlag())
                    worker.use_tablebases(tables, 3)
                    worker.set_position(ours, [ours.parse(move.uci())])
                    worker.new_iteration(3)
                    for _ in range(2):  # the second time from the transposition table
                        value = mt(worker, gamma, 3)
                        if wdl == 0:
                            assert value == 0, board.fen()
                        elif wdl > 0:
                            assert value >= min(gamma, core_win), (board.fen(), move, gamma, value)
                        else:
                            assert value < gamma or value <= -core_win, (board.fen(), move, gamma, value)
    assert seen == {-2, 0, 2}
