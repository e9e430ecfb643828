"""Endgame tablebases at the root: moves that keep the result, wins that are finished, defences that last."""

import random
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import chess
import chess.syzygy
import pytest
from support.tablebases import random_positions
from support.tables import TABLES, THREE, Player, with_tables

from sssnake._fast.board.board import Board
from sssnake.engine.player.engine import Engine
from sssnake.engine.player.resources import tablebase
from sssnake.engine.player.resources.tablebase import TB_WIN, MoveOutcome, best, distant, verdict

RECORDS = 6  # positions of each table and of each result


@dataclass
class Record:
    """A position, and what chess.syzygy knows of it."""

    fen: str
    name: str
    wdl: int
    dtz: int
    keeping: list[str]  # moves that keep the result
    moves: int


def record(oracle: chess.syzygy.Tablebase, board: chess.Board, name: str, wdl: int) -> Record:
    fen, keeping, moves = board.fen(), [], list(board.legal_moves)
    for move in moves:
        board.push(move)
        after = 0 if board.is_stalemate() else -oracle.probe_wdl(board)
        board.pop()
        if after == wdl:
            keeping.append(move.uci())
    return Record(fen, name, wdl, oracle.probe_dtz(board), keeping, len(moves))


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


@pytest.mark.parametrize(
    ("reached", "dtz", "outcome"),
    [
        (MoveOutcome(2, 1, False), -9, MoveOutcome(2, 10, False)),  # the move, and what the opponent has left
        (MoveOutcome(2, 1, False), -1, MoveOutcome(2, 2, False)),
        (MoveOutcome(-2, 1, False), 30, MoveOutcome(-2, 31, False)),
        (MoveOutcome(1, 1, False), -104, MoveOutcome(1, 105, False)),
        (MoveOutcome(2, 1, True), -40, MoveOutcome(2, 1, True)),  # a capture begins the count again
        (MoveOutcome(1, 1, True), -120, MoveOutcome(1, 101, True)),
        (MoveOutcome(-2, 1, True), 12, MoveOutcome(-2, 13, True)),
    ],
)
def test_the_distance_of_a_move_is_one_more_than_what_comes_after(
    reached: MoveOutcome, dtz: int, outcome: MoveOutcome
) -> None:
    assert distant(reached, dtz) == outcome


class Prober:
    """Stands for tables in which the rook's side wins, in ten plies and one for each rank of the rook."""

    largest = 3

    def wdl(self, board: Board) -> int:
        return 2 if board.turn else -2

    def dtz(self, board: Board) -> int:
        (rook,) = board.to_chess().pieces(chess.ROOK, chess.WHITE)
        return -(10 + chess.square_rank(rook))

    def damaged(self) -> list[str]:
        return []


@pytest.mark.parametrize(
    ("clock", "values", "first"),
    [
        (
            0,
            [TB_WIN - 12, TB_WIN - 13, TB_WIN - 14],
            {"h1h2", "h1h3", "h1h4"},
        ),  # all are sure: DTZ is rounded
        (85, [TB_WIN - 12, TB_WIN - 13, TB_WIN - 14], {"h1h2", "h1h3", "h1h4"}),
        (86, [TB_WIN - 12, TB_WIN - 13, TB_WIN - 14], {"h1h2", "h1h3"}),  # 100 may be 101
        (87, [TB_WIN - 12, TB_WIN - 13, 1], {"h1h2"}),
        (88, [TB_WIN - 12, 1, 1], {"h1h2"}),
        (89, [1, 1, 1], {"h1h2"}),
    ],
)
def test_wins_are_sure_up_to_the_ply_before_the_fiftieth_move(
    clock: int, values: list[int], first: set[str]
) -> None:
    """The move, twelve plies or more in all, and the clock: no ply fewer is counted, and none more."""
    judge = Engine(hash_mb=1).tablebase
    judge._tables = Prober()  # type: ignore[assignment]
    names = ["h1h2", "h1h3", "h1h4"]
    found = judge.judge(Board(f"8/8/8/8/3k4/8/8/K6R w - - {clock} 1"), names)
    assert [found[name].value for name in names] == values and judge.exact
    assert set(best(found, 1)) == first


@with_tables
def test_values_are_the_distances_of_the_tables(
    player: Player, oracle: chess.syzygy.Tablebase, records: list[Record]
) -> None:
    """Of the moves that keep the result, unless they capture or move a pawn: those begin the count again."""
    compared = 0
    for row in records:
        board = chess.Board(row.fen)
        found = player.engine.tablebase.judge(Board.from_chess(board), [m.uci() for m in board.legal_moves])
        for move, (mates, dtz) in distances(oracle, board).items():
            if row.wdl and move.uci() in row.keeping and not (mates or board.is_zeroing(move)):
                sign = 1 if row.wdl > 0 else -1
                assert found[move.uci()].value == sign * (TB_WIN - 1 - abs(dtz)), (row, move)
                compared += 1
    assert compared > 100


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
