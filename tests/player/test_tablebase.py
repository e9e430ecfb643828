"""Endgame tablebases: moves that keep the result, wins that are finished, defences that last, files."""

import os
import random
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import chess
import chess.syzygy
import pytest
from tablebases import (
    ALL_DRAWN,
    BLOCKS_MISSING,
    FOLDER,
    NO_FOLDER,
    open_tables,
    random_positions,
    typed_in,
)

from _fast.board.board import Board
from _fast.search.root import mt
from _fast.search.tt import TranspositionTable
from _fast.search.worker import StopFlag, Worker
from engine.player.drivers import DRIVERS
from engine.player.engine import Engine
from engine.player.limits import Limits
from engine.player.options import Options
from engine.player.resources import tablebase
from engine.player.resources.tablebase import TB_WIN, MoveOutcome, Tablebase, best, folders, verdict
from engine.player.result import Info

TABLES = FOLDER or Path()
MEN = {"P": 1, "N": 2, "B": 3, "R": 4, "Q": 5}  # their codes in table files
THREE = ("KPvK", "KNvK", "KBvK", "KRvK", "KQvK")
RECORDS = 6  # positions of each of these tables and of each result

with_tables = pytest.mark.skipif(FOLDER is None, reason=NO_FOLDER)


@dataclass
class Record:
    """A position, and what chess.syzygy knows of it."""

    fen: str
    name: str
    wdl: int
    dtz: int
    keeping: list[str]  # moves that keep the result
    moves: int


@pytest.fixture(scope="module")
def records(oracle: chess.syzygy.Tablebase) -> list[Record]:
    """Some positions of three pieces, of all results."""
    found = []
    for name in THREE:
        left = dict.fromkeys((2, 0, -2), RECORDS)
        for board in islice(random_positions(name, random.Random(1)), 400):
            wdl = oracle.probe_wdl(board)
            if left[wdl] and any(board.legal_moves):
                left[wdl] -= 1
                found.append(record(oracle, board, name, wdl))
    return found


def record(oracle: chess.syzygy.Tablebase, board: chess.Board, name: str, wdl: int) -> Record:
    fen, keeping, moves = board.fen(), [], list(board.legal_moves)
    for move in moves:
        board.push(move)
        after = 0 if board.is_stalemate() else -oracle.probe_wdl(board)
        board.pop()
        if after == wdl:
            keeping.append(move.uci())
    return Record(fen, name, wdl, oracle.probe_dtz(board), keeping, len(moves))


class Player:
    """A engine with tables that keeps what it reports."""

    def __init__(self, **options: str | int | bool):
        options = {"syzygy_path": str(TABLES), "syzygy_probe_limit": 3, "hash_mb": 1, **options}
        self.options = Options(**options)
        self.engine = Engine(self.options)
        self.notes: list[str] = []
        self.engine.on_note = self.notes.append
        self.infos: list[Info] = []

    def move(self, board: chess.Board, **limits: Any) -> str:
        self.infos.clear()
        asked = Limits(**(limits or {"nodes": 300}))
        result = self.engine.play(Board.from_chess(board), asked, self.infos.append)
        assert result.move == [info.pv[0] for info in self.infos if info.multipv == 1][-1]
        return str(result.move)


@pytest.fixture
def player() -> Player:
    return Player()


@pytest.fixture(scope="module")
def oracle() -> Iterator[chess.syzygy.Tablebase]:
    with chess.syzygy.open_tablebase(str(TABLES)) as tables:
        yield tables


# Ranks: no tables needed


def ranked(*outcomes: MoveOutcome, clock: int = 0, strict: bool = False, fifty: bool = True) -> list[int]:
    return [verdict(outcome, clock, strict, fifty).rank for outcome in outcomes]


def test_results_come_first() -> None:
    order = [MoveOutcome(wdl, 120 if abs(wdl) == 1 else 20, False) for wdl in (2, 1, 0, -1, -2)]
    ranks = ranked(*order)
    assert ranks == sorted(ranks, reverse=True) and len(set(ranks)) == 5
    values = [verdict(outcome, 0, False, True).value for outcome in order]
    assert values == [TB_WIN - 20, 1, 0, -1, 20 - TB_WIN]


def test_sure_wins_are_equal_until_the_game_repeats() -> None:
    quick, slow = MoveOutcome(2, 3, False), MoveOutcome(2, 60, False)
    assert len(set(ranked(quick, slow))) == 1
    ranks = ranked(quick, slow, strict=True)
    assert ranks[0] > ranks[1]


def test_wins_that_may_come_too_late_rank_below_sure_ones() -> None:
    quick, slow, late = (MoveOutcome(2, plies, False) for plies in (59, 60, 70))
    ranks = ranked(quick, slow, late, clock=40)
    assert ranks[0] > ranks[1] > ranks[2] > ranked(MoveOutcome(1, 101, False))[0]
    assert verdict(late, 40, False, True).value == 1
    assert ranked(MoveOutcome(2, 1, True), clock=99) == ranked(quick), (
        "a capture is in time if it can be played"
    )
    assert verdict(late, 40, False, False).value == TB_WIN - 70


def test_lost_positions_last() -> None:
    short, long, drawn_soon = (MoveOutcome(-2, plies, False) for plies in (10, 20, 45))
    ranks = ranked(short, long, drawn_soon, clock=60)
    assert ranks[0] < ranks[1] < ranks[2]
    assert verdict(drawn_soon, 60, False, True).value == -1, "the 50-move rule will come first"
    assert verdict(drawn_soon, 60, False, False).value == 45 - TB_WIN


def test_without_the_fifty_move_rule_cursed_wins_are_wins() -> None:
    cursed, blessed = MoveOutcome(1, 130, False), MoveOutcome(-1, 130, False)
    assert verdict(cursed, 0, False, False).value == TB_WIN - 130
    assert verdict(blessed, 0, False, False).value == 130 - TB_WIN
    ranks = ranked(MoveOutcome(2, 30, False), cursed, MoveOutcome(0, 0, False), blessed, fifty=False)
    assert ranks == sorted(ranks, reverse=True) and len(set(ranks)) == 4


def test_best_takes_the_highest_rank_and_as_many_as_lines_are_wanted() -> None:
    verdicts = {
        name: verdict(outcome, 0, False, True)
        for name, outcome in {
            "a": MoveOutcome(0, 0, False),
            "b": MoveOutcome(2, 9, False),
            "c": MoveOutcome(-2, 9, False),
            "d": MoveOutcome(2, 3, False),
            "e": MoveOutcome(-2, 30, False),
        }.items()
    }
    assert set(best(verdicts, 1)) == {"b", "d"}
    assert best(verdicts, 3) == ["d", "b", "a"]
    assert best(verdicts, 4) == ["d", "b", "a", "e"]
    assert best(verdicts, 218) == ["d", "b", "a", "e", "c"]


# Play with the 3-man tables


@with_tables
def test_every_move_keeps_the_result(player: Player, records: list[Record]) -> None:
    assert len(records) > 40
    for row in records:
        assert player.move(chess.Board(row.fen)) in row.keeping, row
        value = player.infos[-1].score
        assert (value > 10000, value < -10000) == (row.wdl > 0, row.wdl < 0), row
        assert player.infos[-1].tbhits > 0


@with_tables
@pytest.mark.parametrize("fifty", [True, False])
def test_wins_are_won_in_time(
    player: Player, oracle: chess.syzygy.Tablebase, records: list[Record], fifty: bool
) -> None:
    """Against the longest defence, from clocks that leave hardly a ply to spare, every win ends in mate."""
    player.options.syzygy_50_move_rule = fifty
    won = [row for row in records if row.wdl == 2]
    assert len(won) >= 10
    for row in won if fifty else won[::4]:
        board = chess.Board(row.fen)
        if fifty:
            board.halfmove_clock = 99 - row.dtz
        while not (board.is_game_over() or board.is_fifty_moves() or board.is_repetition(3)):
            board.push_uci(player.move(board))
            if any(board.legal_moves):
                board.push(longest(oracle, board))
        assert board.is_checkmate(), (row, board.fen())


@with_tables
def test_lost_positions_last_as_long_as_they_can(
    player: Player, oracle: chess.syzygy.Tablebase, records: list[Record]
) -> None:
    lost = [row for row in records if row.wdl == -2 and row.name in ("KQvK", "KRvK")]
    assert lost
    for row in lost[::2]:  # no capture and no pawn move: distance to zeroing is distance to mate
        board = chess.Board(row.fen)
        plies = 0
        while any(board.legal_moves):
            board.push_uci(player.move(board))
            board.push(shortest(oracle, board))
            plies += 2
        assert board.is_checkmate() and abs(plies + row.dtz) <= 1, row


def distances(tables: chess.syzygy.Tablebase, board: chess.Board) -> dict[chess.Move, tuple[bool, int]]:
    """(mate, DTZ for the opponent) after each legal move."""
    found = {}
    for move in board.legal_moves:
        board.push(move)
        found[move] = board.is_checkmate(), tables.probe_dtz(board)
        board.pop()
    return found


def longest(tables: chess.syzygy.Tablebase, board: chess.Board) -> chess.Move:
    """The defence that draws if one does, else lasts longest."""
    found = distances(tables, board)
    return max(found, key=lambda move: (found[move][1] <= 0, found[move][1]))


def shortest(tables: chess.syzygy.Tablebase, board: chess.Board) -> chess.Move:
    """The quickest win."""
    found = distances(tables, board)
    return max(found, key=lambda move: (found[move][0], found[move][1] < 0, found[move][1]))


@with_tables
def test_a_game_that_repeats_goes_straight_on(player: Player, oracle: chess.syzygy.Tablebase) -> None:
    board = chess.Board("8/8/8/8/3k4/8/8/K6R w - - 0 1")
    for name in ("h1h2", "d4d5", "h2h1", "d5d4"):
        board.push_uci(name)
    found = player.engine.tablebase.judge(Board.from_chess(board), [m.uci() for m in board.legal_moves])
    far = {move.uci(): dtz for move, (_, dtz) in distances(oracle, board).items()}
    fastest = {name for name in far if far[name] == max(dtz for dtz in far.values() if dtz < 0)}
    assert set(best(found, 1)) == fastest != set(far)


@with_tables
def test_a_third_occurrence_is_a_draw(player: Player) -> None:
    board = chess.Board("8/8/8/8/3k4/8/8/K6R w - - 0 1")
    for name in 2 * ("h1h2", "d4d5", "h2h1", "d5d4"):
        board.push_uci(name)
    found = player.engine.tablebase.judge(Board.from_chess(board), ["h1h2", "h1h3"])
    assert (found["h1h2"].value, found["h1h3"].value > 1000) == (0, True)


@with_tables
def test_lines_come_in_the_order_of_the_tables(records: list[Record]) -> None:
    """MultiPV: won moves, drawn ones, lost ones, each with its own value, whatever the search thinks."""
    player = Player(multipv=218)
    mixed = (row for row in records if row.wdl == 2 and len(row.keeping) < row.moves)
    board = chess.Board(next(mixed).fen)
    row = {move.uci() for move in board.legal_moves}
    player.move(board, depth=5)
    last = player.infos[-len(row) :]
    assert [info.multipv for info in last] == list(range(1, len(row) + 1))
    assert {info.names[0] for info in last} == row
    scores = [info.score for info in last]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] > 10000 and scores[-1] == 0


@with_tables
def test_searchmoves_are_ranked_among_themselves(player: Player) -> None:
    board = chess.Board("8/8/8/1P6/8/4K3/2k5/8 w - - 0 1")
    allowed = ["e3d4", "e3d2", "b5b6"]
    legal = [name for name in allowed if chess.Move.from_uci(name) in board.legal_moves]
    assert player.move(board, nodes=300, searchmoves=legal[:1]) == legal[0]
    assert player.infos[-1].tbhits == 1


@with_tables
def test_a_mate_is_a_mate(player: Player) -> None:
    assert player.move(chess.Board("7k/8/6K1/8/8/8/8/R7 w - - 0 1"), depth=4) == "a1a8"
    assert player.infos[-1].score == 31999
    player.move(chess.Board("8/8/8/3k4/8/8/8/KQ6 w - - 0 1"), depth=2)
    assert 10000 < player.infos[-1].score <= TB_WIN


@with_tables
def test_what_the_limit_and_castling_rights_shut_out(player: Player) -> None:
    board = Board("8/8/8/1P6/8/4K3/2k5/8 w - - 0 1")
    names = board.legal_moves()
    assert player.engine.tablebase.judge(board, names)
    player.options.syzygy_probe_limit = 2
    assert not player.engine.tablebase.judge(board, names)
    player.options.syzygy_probe_limit = 3
    castling = Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    assert not player.engine.tablebase.judge(castling, castling.legal_moves())
    more = Board("8/8/8/1P6/8/4K3/2k3p1/8 w - - 0 1")
    assert not player.engine.tablebase.judge(more, more.legal_moves())


@with_tables
def test_shallow_searches_do_not_ask(player: Player) -> None:
    board = chess.Board("8/8/8/1P6/8/4K3/2k5/8 w - - 0 1")
    player.options.syzygy_probe_depth = 4
    for limits, hits in (({"depth": 3}, 0), ({"depth": 4}, 7), ({"nodes": 300}, 7)):
        player.move(board, **limits)
        assert player.infos[-1].tbhits == hits


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


# Paths and files


def test_paths_are_split_at_all_separators(tmp_path: Path) -> None:
    a, b = tmp_path / "a", tmp_path / "b c"
    for separator in ";:":
        assert list(folders(f"{a}{separator}{b}")) == [str(a), str(b)]
        assert list(folders(f"{separator}{a}{separator}{separator} {b} ")) == [str(a), str(b)]
    odd = tmp_path / "odd;name"
    odd.mkdir()
    assert list(folders(str(odd))) == [str(odd)], "a folder that exists is taken as it is"


def opened(path: str) -> tuple[Tablebase, list[str]]:
    notes: list[str] = []
    tables = Tablebase(Options(syzygy_path=path), notes.append)
    board = Board("8/8/8/1P6/8/4K3/2k5/8 w - - 0 1")
    for _ in range(3):
        tables.judge(board, board.legal_moves())
    return tables, notes


NO_FOLDERS = ("/none", "a\0b", "~nobody-by-that-name", __file__, ";;", "/dev/null", 5000 * "x", "\udcff")


@pytest.mark.parametrize("path", NO_FOLDERS)
def test_folders_that_are_none(path: str) -> None:
    _, notes = opened(path)
    assert len(notes) == 1 and notes[0].startswith("SyzygyPath: 0 files") and len(notes[0]) < 200


def test_folders_that_may_not_be_looked_at(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A name too long, one with a null character, a folder without permission: a remark, and a search."""
    closed = tmp_path / "closed"
    closed.mkdir()
    listdir, stat = os.listdir, os.stat

    def refuse(real: Any) -> Any:
        def call(path: Any, *arguments: Any, **names: Any) -> Any:
            if str(path).startswith(str(closed)):  # root may enter everything
                raise PermissionError(13, "Permission denied", str(path))
            return real(path, *arguments, **names)

        return call

    monkeypatch.setattr(os, "listdir", refuse(listdir))
    monkeypatch.setattr(os, "stat", refuse(stat))
    for bad in (f"{tmp_path}/{'x' * 300}", f"{closed}/inside", str(closed), "a\0b"):
        for path in (bad, f"{bad};{tmp_path}"):
            player = Player(syzygy_path=path)
            assert player.move(chess.Board(), depth=3)
            assert player.infos[-1].depth == 3
            assert len(player.notes) == 1 and player.notes[0].startswith("SyzygyPath: 0 files")


def test_folders_that_may_not_be_entered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Path.is_dir raises there; the other folders are used."""
    closed, good = tmp_path / "closed", tmp_path / "good"
    good.mkdir()
    (good / "KNvK.rtbw").write_bytes(ALL_DRAWN)
    real = os.stat

    def stat(path: Any, *rest: Any, **named: Any) -> os.stat_result:
        if str(path).startswith(str(closed)):
            raise PermissionError(13, "Permission denied", str(path))
        return real(path, *rest, **named)

    monkeypatch.setattr(os, "stat", stat)
    _, notes = opened(f"{closed};{good}")
    assert notes == [f"SyzygyPath: 1 files, up to 3 pieces; {closed}: No such file or directory"]


def test_things_in_a_folder_that_are_no_files(tmp_path: Path) -> None:
    """Nothing blocks on a pipe without a writer."""
    (tmp_path / "KPvK.rtbw").mkdir()
    os.mkfifo(tmp_path / "KPvK.rtbz")
    (tmp_path / "KQvK.rtbw").symlink_to(tmp_path / "nowhere")
    _, notes = opened(str(tmp_path))
    assert notes[0].endswith("left out as unreadable: KPvK.rtbw, KPvK.rtbz, KQvK.rtbw")


def test_an_empty_path_says_nothing() -> None:
    assert opened("")[1] == []


def test_damaged_files_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "KPvK.rtbw").write_bytes(b"x" * 100)
    (tmp_path / "KPvK.rtbz").write_bytes(b"")
    (tmp_path / "notes.txt").write_bytes(b"x")
    _, notes = opened(str(tmp_path))
    assert notes == ["SyzygyPath: 0 files, up to 0 pieces; left out as damaged: KPvK.rtbw, KPvK.rtbz"]


def test_files_of_a_good_size_that_hold_rubbish(tmp_path: Path) -> None:
    for seed in range(20):
        rng = random.Random(seed)
        for man, code in MEN.items():
            blocks = 4 if man == "P" else 1
            for end, magic in (("rtbw", b"\x71\xe8\x23\x5d"), ("rtbz", b"\xd7\x66\x0c\xa5")):
                head = magic + rng.randbytes(1) + bytes([0, 17 * code, 0x66, 0xEE]) * blocks
                size = 64 * rng.randrange(1, 40) + 16
                (tmp_path / f"K{man}vK.{end}").write_bytes(head + rng.randbytes(size - len(head)))
        _, notes = opened(str(tmp_path))
        assert 1 <= len(notes) <= 2 and "left out as damaged: " in notes[0]


def test_tables_of_other_pieces_than_their_name_says(tmp_path: Path) -> None:
    """Such a file makes chess.syzygy look for ever for pieces that are not there."""
    head = b"\x71\xe8\x23\x5d\x03" + bytes([0, 17 * MEN["Q"], 0x66, 0xEE]) * 4
    (tmp_path / "KPvK.rtbw").write_bytes(head.ljust(80, b"\0"))
    assert opened(str(tmp_path))[1] == ["SyzygyPath: 0 files, up to 0 pieces; left out as damaged: KPvK.rtbw"]


@with_tables
def test_cut_off_and_damaged_tables(tmp_path: Path) -> None:
    board = Board("8/8/8/1P6/8/4K3/2k5/8 w - - 0 1")
    rng = random.Random(1)
    for _ in range(40):
        for name in THREE:
            for end in ("rtbw", "rtbz"):
                shutil.copyfile(TABLES / f"{name}.{end}", tmp_path / f"{name}.{end}")
        for name in ("KPvK.rtbw", "KPvK.rtbz"):
            data = bytearray((TABLES / name).read_bytes())
            for _ in range(rng.randrange(1, 30)):
                data[rng.randrange(len(data))] = rng.randrange(256)
            (tmp_path / name).write_bytes(data[: 16 + 64 * rng.randrange(1, len(data) // 64 + 1)])
        tables, notes = opened(str(tmp_path))
        assert 1 <= len(notes) <= 2
        assert set(tables.judge(board, board.legal_moves())) <= set(board.legal_moves())


@with_tables
def test_results_alone_where_distances_are_missing(tmp_path: Path, records: list[Record]) -> None:
    for name in THREE:
        shutil.copyfile(TABLES / f"{name}.rtbw", tmp_path / f"{name}.rtbw")
    player = Player(syzygy_path=str(tmp_path))
    for row in records[::3]:
        assert player.move(chess.Board(row.fen)) in row.keeping
    assert player.notes == ["SyzygyPath: 5 files, up to 3 pieces"]


@with_tables
def test_results_alone_when_time_is_short(player: Player) -> None:
    board = Board("8/8/8/8/3k4/8/8/K6R w - - 0 1")
    names = board.legal_moves()
    exact, short = (player.engine.tablebase.judge(board, names, until) for until in (None, 0.0))
    assert {verdict.value for verdict in short.values()} == {TB_WIN - 1} != {v.value for v in exact.values()}
    assert player.engine.tablebase.judge(board, []) == {}
    stops = iter([False] * (len(names) - 1) + [True])
    assert player.engine.tablebase.judge(board, names, stopped=lambda: next(stops)) == {}


@with_tables
def test_a_missing_table_leaves_the_move_to_the_search(tmp_path: Path) -> None:
    for name in ("KPvK.rtbw", "KPvK.rtbz"):
        shutil.copyfile(TABLES / name, tmp_path / name)
    player = Player(syzygy_path=str(tmp_path))
    player.move(chess.Board("8/1P6/8/8/8/4K3/2k5/8 w - - 0 1"))
    assert player.infos[-1].score > 500
    assert player.infos[-1].tbhits <= 8, "moves of the king, the pawn's become other men"
    assert player.notes == ["SyzygyPath: 2 files, up to 3 pieces"]


def test_repetitions_are_seen_in_the_history() -> None:
    board = chess.Board("8/8/8/8/3k4/8/8/K6R w - - 0 1")
    assert not tablebase.repeated(board)
    for name in ("h1h2", "d4d5", "h2h1", "d5d4"):
        assert not tablebase.repeated(board)
        board.push_uci(name)
    assert tablebase.repeated(board)
    board.push_uci("h1h5")
    assert tablebase.repeated(board), "until the next capture or pawn move"
    assert len(board.move_stack) == 5, "the game is left as it is"
