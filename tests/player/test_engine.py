"""The engine as Python sees it: what it takes and gives, one search after the other or in the background."""

import contextlib
import doctest
import gc
import io
import re
import sys
import threading
import weakref
from typing import Any

import chess
import pytest
from support.constants import KIWIPETE, ROOT
from support.sessions import WAIT, new_search

from sssnake._fast.board.board import Board
from sssnake._fast.search.params import Parameters
from sssnake._fast.values import MATE
from sssnake.engine.player import engine as engine_module
from sssnake.engine.player import result as result_module
from sssnake.engine.player.drivers import Pass
from sssnake.engine.player.engine import Engine, Info, Limits, Options, Score, Search

MATED = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"


# The documents


@pytest.mark.parametrize("page", ["python.md", "concurrent.md"])
def test_the_examples_of_the_documents_are_true(page: str) -> None:
    failed, tried = doctest.testfile(
        str(ROOT / "docs" / "play" / page), module_relative=False, encoding="utf-8"
    )
    assert tried > 20 and not failed


@pytest.mark.parametrize("module", [engine_module, result_module])
def test_the_examples_of_the_modules_are_true(module: object) -> None:
    failed, tried = doctest.testmod(module)  # type: ignore[arg-type]
    assert tried and not failed


def test_the_readmes_example_runs_and_is_the_documents_first() -> None:
    readme, api = ((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "docs/play/python.md"))
    found = re.search(r"```python\n(.*?)```", readme, re.DOTALL)
    first = re.search(r"```python\n(.*?)```", api, re.DOTALL)
    assert found and first
    code = [line.split("  #")[0] for line in found[1].splitlines() if line]
    shown = [line[4:].split("  #")[0] for line in first[1].splitlines() if line.startswith(">>> ")]
    assert code == shown
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec("\n".join(code), {})
    assert re.fullmatch(r"[a-h][1-8][a-h][1-8] [+-]\d\.\d\d \d+\n", out.getvalue())


# What is taken and given


def test_a_result_says_what_was_reported_last() -> None:
    infos, passes = list[Info](), list[Pass]()
    engine = Engine(hash_mb=1, multipv=3)
    result = engine.play(chess.Board(KIWIPETE), Limits(nodes=20_000), infos.append, passes.append)
    assert result.lines == sorted(
        (next(info for info in reversed(infos) if info.names == line.names) for line in result.lines),
        key=lambda info: info.multipv,
    )
    assert [line.multipv for line in result.lines] == [1, 2, 3]
    assert len({line.names[0] for line in result.lines}) == 3
    assert (result.move, result.ponder) == (*result.pv[:2],) and result.score == result.lines[0].score
    assert result.wdl == result.lines[0].wdl and sum(result.wdl) == 1000
    assert 0 < result.nodes <= 20_000 and result.passes == len(passes)
    assert result.depth in (result.iterations, result.iterations + 1)


@pytest.mark.parametrize("nodes", [1, 100, 1000, 10_000, 30_000])
@pytest.mark.parametrize("lines", [1, 4])
def test_lines_of_a_result_are_of_different_moves(nodes: int, lines: int) -> None:
    """Also where an iteration was interrupted, after some of its lines: fewer, if it is the first."""
    result = Engine(hash_mb=1, multipv=lines).play(chess.Board(KIWIPETE), Limits(nodes=nodes))
    count = len(result.lines)
    assert count == lines or (count < lines and nodes <= 1000)
    assert [line.multipv for line in result.lines] == list(range(1, count + 1))
    assert len({line.pv[0] for line in result.lines}) == count
    assert result.move == result.pv[0] and not any(line.bound for line in result.lines)
    board = chess.Board(KIWIPETE)
    for move in result.pv:
        board.push(board.parse_uci(move.uci()))


def test_both_kinds_of_board_are_the_same_search() -> None:
    game = chess.Board()
    for name in ("g1f3", "g8f6", "f3g1", "f6g8"):
        game.push_uci(name)
    kept = game.copy()
    one, two = (Engine(hash_mb=1).play(board, Limits(depth=8)) for board in (game, Board.from_chess(game)))
    assert (one.pv, one.score, one.nodes) == (two.pv, two.score, two.nodes) and game == kept


def test_the_boards_moves_are_the_game() -> None:
    """Two positions of the game occur again: Black, far behind, has a draw by repetition."""
    game = chess.Board("6k1/8/8/8/8/8/5q2/7K b - - 10 20")
    for name in ("f2f1", "h1h2", "f1f2", "h2h1", "f2f1", "h1h2", "f1f2", "h2h1"):
        game.push_uci(name)
    engine = Engine(hash_mb=1)
    here = Limits(depth=1, searchmoves=["f2f1"])
    assert engine.play(game, here).score.cp == 0
    game.clear_stack()
    engine.clear_hash()
    assert engine.play(game, here).score > 300


@pytest.mark.parametrize(
    ("fen", "score", "text"), [(MATED, -MATE, "#-0"), ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0, "+0.00")]
)
def test_a_game_that_is_over_has_no_move(fen: str, score: int, text: str) -> None:
    infos: list[Info] = []
    result = Engine(hash_mb=1).play(chess.Board(fen), Limits(depth=3), infos.append)
    assert (result.move, result.ponder, result.pv, result.depth) == (None, None, [], 0)
    assert (result.score, str(result.score)) == (score, text) and infos == result.lines


def test_a_stop_before_the_search_has_begun_leaves_one_iteration() -> None:
    search = new_search(Engine(hash_mb=1), Board(KIWIPETE), Limits(depth=9))
    search.stop()
    search.run()
    assert search.wait().iterations == search.wait().depth == 1


@pytest.mark.parametrize(
    ("value", "cp", "mate", "text"),
    [
        (0, 0, None, "+0.00"),
        (-7, -7, None, "-0.07"),
        (20_000, 20_000, None, "+200.00"),
        (MATE - 1, None, 1, "#1"),
        (MATE - 4, None, 2, "#2"),
        (2 - MATE, None, -1, "#-1"),
        (4 - MATE, None, -2, "#-2"),
    ],
)
def test_scores(value: int, cp: int | None, mate: int | None, text: str) -> None:
    score = Score(value)
    assert (score.value, score.cp, score.mate, str(score)) == (value, cp, mate, text)
    assert score == value and f"{score:d}" == str(value) and repr(score) == f"Score({value})"


# In the background


def test_a_search_in_the_background_keeps_its_own_board() -> None:
    engine, board, seen = Engine(hash_mb=1), Board(), threading.Event()
    search = engine.start(board, on_info=lambda info: seen.set())
    board.push("e2e4")
    assert seen.wait(WAIT) and not search.done
    search.stop()
    assert chess.Board().is_legal(search.wait(WAIT).move or chess.Move.null())


def test_on_done_is_told_when_all_is_over() -> None:
    """The next search may begin there."""
    engine, results = Engine(hash_mb=1), list[Score]()
    again = threading.Event()

    def over(search: Search) -> None:
        results.append(search.wait(0).score)
        if len(results) < 3:
            engine.start(chess.Board(), Limits(depth=3), on_done=over)
        else:
            again.set()

    engine.start(chess.Board(), Limits(depth=3), on_done=over)
    assert again.wait(WAIT) and len(results) == 3


def test_one_search_at_a_time() -> None:
    engine = Engine(hash_mb=1)
    search = engine.start(chess.Board())
    busy = (
        lambda: engine.play(chess.Board(), Limits(depth=1)),
        lambda: engine.start(chess.Board()),
        engine.prepare,
        engine.new_game,
        engine.clear_hash,
        lambda: engine.load_network("<internal>"),
    )
    for call in busy:
        with pytest.raises(RuntimeError, match="not over"):
            call()
    search.stop()
    search.wait(WAIT)
    assert engine.play(chess.Board(), Limits(depth=1)).move


def test_the_stop_of_a_search_that_is_over_stops_no_other() -> None:
    engine = Engine(hash_mb=1)
    old = engine.start(chess.Board(), Limits(depth=1))
    old.wait(WAIT)
    search = engine.start(chess.Board(), Limits(depth=6))
    old.stop()
    old.ponderhit()
    assert search.wait(WAIT).iterations == 6


def test_a_ponderhit_starts_the_clock() -> None:
    engine = Engine(hash_mb=1, move_overhead=0)
    search = engine.start(chess.Board(), Limits(movetime=50, ponder=True))
    with pytest.raises(TimeoutError):
        search.wait(0.2)
    search.ponderhit()
    assert search.wait(WAIT).move


def test_what_a_callback_raises_comes_out_of_wait() -> None:
    def fail(info: Info) -> None:
        raise ZeroDivisionError

    engine, over = Engine(hash_mb=1), threading.Event()
    search = engine.start(
        chess.Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), Limits(depth=3), fail, on_done=lambda _: over.set()
    )
    assert over.wait(WAIT)
    with pytest.raises(ZeroDivisionError):
        search.wait()
    with pytest.raises(ZeroDivisionError):
        engine.play(chess.Board(MATED), Limits(depth=3), fail)
    assert engine.play(chess.Board(), Limits(depth=3)).move


def test_closing_stops_the_search_and_gives_the_memory_back() -> None:
    with Engine(hash_mb=1) as engine:
        search = engine.start(chess.Board())
    assert search.done and engine.pool is None
    assert engine.play(chess.Board(), Limits(depth=2)).move, "and it takes it again"


@pytest.mark.parametrize("threads", [1, 3])
def test_an_engine_that_is_dropped_takes_its_memory_along(threads: int) -> None:
    """Even if the search's thread has not ended, and the caller keeps the search."""
    engine, hold = Engine(hash_mb=1, threads=threads), threading.Event()

    def linger(search: Search) -> None:
        hold.wait(WAIT)

    gc.disable()
    try:
        search = engine.start(chess.Board(), Limits(depth=6), on_done=linger)
        search.join()
        assert engine.pool
        pool, table = weakref.ref(engine.pool), engine.pool.table
        del engine
        assert pool() is None and sys.getrefcount(table) == 2, "held by this test alone"
    finally:
        gc.enable()
        hold.set()


def test_a_search_that_is_over_however_it_ended_may_be_told_to_stop() -> None:
    class Refuse(Limits):
        def clock(self, color: bool) -> tuple[int, int] | None:
            raise KeyboardInterrupt

    engine = Engine(hash_mb=1)
    for limits in (Limits(depth=1), Refuse(depth=1)):
        search = new_search(engine, Board(), limits)
        search.run()
        search.stop()
        search.ponderhit()
        assert search.done and not engine.prepare().stop_flag.is_set()


# Options and parameters


def test_options_by_name() -> None:
    engine = Engine(hash_mb=2, threads=2)
    assert engine.prepare().table.megabytes == 2 and len(engine.prepare().workers) == 2
    engine.configure(hash_mb=3, threads=1, multipv=2)
    assert engine.prepare().table.megabytes == 3 and len(engine.prepare().workers) == 1
    assert len(engine.play(chess.Board(), Limits(depth=2)).lines) == 2
    shared = Options(multipv=4)
    engine = Engine(shared, hash_mb=1)
    shared.multipv = 3
    assert engine.options is shared and len(engine.play(chess.Board(), Limits(depth=2)).lines) == 3


@pytest.mark.parametrize(
    "values",
    [
        {"hash_mb": 0},
        {"no_such": 1},
        {"driver": "x"},
        {"eval_file": "nowhere"},
        {"parameters": {"no_such": 1}},
        {"parameters": {"lmr_depth": 1000}},
    ],
)
def test_what_is_refused_changes_nothing(values: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        Engine(**values)  # type: ignore[arg-type]
    engine = Engine(hash_mb=1, parameters={"lmr_depth": 4})
    before = dict(vars(engine.options)), engine.parameters.changed(), engine.network
    with pytest.raises(ValueError, match=r"\w"):
        engine.configure(**{"multipv": 2, **values})  # type: ignore[arg-type]
    assert before == (vars(engine.options), engine.parameters.changed(), engine.network)


@pytest.mark.parametrize("options", [5, {}, "hash_mb", {"hash_mb": 2}])
def test_options_that_are_none_are_refused(options: Any) -> None:
    with pytest.raises(TypeError, match="an Options object, not"):
        Engine(options)


def test_a_parameters_object_is_shared() -> None:
    parameters = Parameters(lmr_depth=4)
    engine = Engine(hash_mb=1, parameters=parameters)
    assert engine.parameters is parameters and engine.prepare().parameters is parameters


def test_engines_of_one_process_search_at_the_same_time_as_each_does_alone() -> None:
    changes: list[dict[str, int]] = [{}, {"lmr_depth": 0}, {"null_move_depth": 0}]
    engines = [Engine(hash_mb=1, parameters=values) for values in changes]
    searches = [engine.start(chess.Board(KIWIPETE), Limits(depth=7)) for engine in engines]
    together = [search.wait(60).nodes for search in searches]
    alone = [
        Engine(hash_mb=1, parameters=values).play(chess.Board(KIWIPETE), Limits(depth=7)).nodes
        for values in changes
    ]
    assert together == alone and len(set(alone)) == 3


def test_positions_that_cannot_be_played_are_refused() -> None:
    engine = Engine(hash_mb=1)
    for board in (
        chess.Board(None),
        chess.Board("8/8/8/8/8/8/8/K6Q w - - 0 1"),
        chess.Board("R5k1/8/8/8/8/8/8/K7 w - - 0 1"),
    ):
        for call in (engine.play, engine.start):
            with pytest.raises(ValueError, match="illegal position"):
                call(board, Limits(depth=1))
    assert engine.play(chess.Board(), Limits(depth=1)).move
