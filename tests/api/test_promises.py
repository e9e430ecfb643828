"""What an engine promises a Python program: limits, errors, callbacks, threads, close, fork, types."""

import asyncio
import copy
import gc
import inspect
import itertools
import os
import pickle
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import chess
import chess.engine
import chess.pgn
import chess.variant
import pytest
from support.sessions import WAIT

import sssnake
from sssnake._fast.values import MATE, MATE_RANGE
from sssnake.engine.player.engine import Engine, Info, Limits, Options, OptionValues, Result, Score, Search
from sssnake.engine.player.options import FIELDS

QUICK = Limits(depth=3)
MATED = chess.Board("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1")


def fail(*_: object) -> None:
    raise ZeroDivisionError


# Limits


@pytest.mark.parametrize("value", [0, -1, float("nan"), float("inf"), "3", 10**30, True, 1.5, b"1"])
@pytest.mark.parametrize("name", ["depth", "nodes", "mate", "movetime", "movestogo"])
def test_a_limit_that_nothing_can_keep_to_is_refused_when_it_is_made(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=rf"^{name} is a whole number from 1 to \d+, not .{{1,60}}$"):
        Limits(**{name: value})
    limits = Limits()
    setattr(limits, name, value)
    with pytest.raises(ValueError, match=f"^{name} is"):  # or made so later
        Engine(hash_mb=1).play(chess.Board(), limits)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"wtime": "9"}, "^wtime is a whole number, not '9'$"),
        ({"winc": -1}, "^winc is"),
        ({"btime": 10**30}, "^btime"),
        ({"infinite": 1}, "^infinite is True or False, not 1$"),
        ({"ponder": None}, "^ponder"),
        ({"searchmoves": "e2e4"}, r"^searchmoves is a list such as \['e2e4'\]"),
        ({"searchmoves": [chess.Move.from_uci("e2e4")]}, "^searchmoves"),
        ({"searchmoves": 4}, "^searchmoves"),
    ],
)
def test_what_else_is_refused_in_limits(values: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Limits(**values)


def test_limits_of_numpy_and_clocks_that_fell() -> None:
    numpy = pytest.importorskip("numpy")
    limits = Limits(nodes=numpy.int64(50), wtime=-40)
    assert type(limits.nodes) is int and limits == Limits(nodes=50, wtime=-40)
    assert Engine(hash_mb=1).play(chess.Board(), Limits(wtime=-40)).move


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        (chess.engine.Limit(time=1.5), Limits(movetime=1500)),
        (chess.engine.Limit(time=1e-6), Limits(movetime=1)),
        (chess.engine.Limit(depth=4, nodes=9, mate=2), Limits(depth=4, nodes=9, mate=2)),
        (
            chess.engine.Limit(white_clock=0, black_clock=2, white_inc=0, black_inc=0.1, remaining_moves=5),
            Limits(wtime=0, btime=2000, winc=0, binc=100, movestogo=5),
        ),
        (chess.engine.Limit(), Limits()),
    ],
)
def test_limits_of_python_chess(theirs: chess.engine.Limit, ours: Limits) -> None:
    assert Limits.from_chess(theirs) == ours


@pytest.mark.parametrize(
    "values",
    [
        {"time": 0},
        {"time": -1},
        {"time": float("nan")},
        {"time": float("inf")},
        {"time": "1"},
        {"time": 1e30},
        {"nodes": 0},
        {"depth": "x"},
        {"white_clock": float("nan")},
        {"white_inc": -1},
    ],
)
def test_wrong_limits_of_python_chess(values: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"^\w+ is a .*, not .+$"):
        Engine(hash_mb=1).play(chess.Board(), chess.engine.Limit(**values))


def test_a_play_without_limits_ends() -> None:
    engine = Engine(hash_mb=1)
    for none in (None, Limits(searchmoves=["a2a3"]), chess.engine.Limit()):
        assert engine.play(chess.Board(), none).nodes == 100_000
    for limits in (Limits(infinite=True), Limits(ponder=True, movetime=5), Limits(infinite=True, movetime=5)):
        with pytest.raises(ValueError, match="use start or analysis"):
            engine.play(chess.Board(), limits)
    assert engine.play(chess.Board(), Limits(infinite=True, depth=2)).depth == 2


# Positions


@pytest.mark.parametrize("kind", chess.variant.VARIANTS[2:])
def test_variants_are_refused(kind: type[chess.Board]) -> None:
    engine = Engine(hash_mb=1)
    for call in (engine.play, engine.start, engine.analysis, engine.evaluate, sssnake.analyse):
        with pytest.raises(ValueError, match=r"^\w+ is not played, only chess and chess960$"):
            call(kind())


@pytest.mark.parametrize("board", [chess.STARTING_FEN, None, 7, chess.Board])
def test_what_is_no_board(board: Any) -> None:
    engine = Engine(hash_mb=1)
    for call in (engine.play, engine.start, engine.analysis):
        with pytest.raises(TypeError, match=r"^a position is a chess\.Board, not of type \w+.*$"):
            call(board)
    with pytest.raises(TypeError, match=r"^limits are a Limits"):
        engine.play(chess.Board(), board or "5")  # type: ignore[arg-type]
    assert engine.play(chess.Board(), QUICK).move


# Callbacks


@pytest.mark.parametrize("at", [1, 4, 9])
def test_an_exception_in_a_callback_ends_the_search_and_is_raised(at: int) -> None:
    """However far the search was: what it has found by then is no excuse."""
    engine, count = Engine(hash_mb=1), itertools.count(1)

    def later(_: object) -> None:
        if next(count) == at:
            raise ZeroDivisionError

    calls: list[Callable[[], object]] = [
        lambda: engine.play(chess.Board(), Limits(depth=12), later),
        lambda: engine.play(chess.Board(), Limits(depth=12), None, later),
        lambda: engine.play(chess.Board(), Limits(nodes=20_000), later),
        lambda: engine.start(chess.Board(), None, later).wait(WAIT),
        lambda: engine.start(chess.Board(), None, None, later).wait(WAIT),
        lambda: asyncio.run(engine.aplay(chess.Board(), Limits(depth=12), later)),
    ]
    for call in calls:
        count = itertools.count(1)
        with pytest.raises(ZeroDivisionError):
            call()
        assert engine.play(chess.Board(), QUICK).depth == 3, "and the engine goes on"


def test_an_exception_in_on_done_is_raised_by_every_wait() -> None:
    engine = Engine(hash_mb=1)
    for _ in range(20):
        search = engine.start(chess.Board(), Limits(depth=1), on_done=fail)
        for _ in range(2):
            with pytest.raises(ZeroDivisionError):
                search.wait(WAIT)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickle.dumps])
def test_an_engine_is_not_copied(copied: Callable[[Engine], object]) -> None:
    with pytest.raises(TypeError, match="an engine cannot be copied"):
        copied(Engine(hash_mb=1))


def test_a_timeout_that_has_passed_waits_for_nothing() -> None:
    search = Engine(hash_mb=1).start(chess.Board())
    for timeout in (0, -0.5, -1, -1e300):
        with pytest.raises(TimeoutError):
            search.wait(timeout)
    search.stop()
    assert search.wait(1e300) == search.wait(-1)


def test_an_exception_in_on_note_is_raised() -> None:
    for values in ({"book_file": "nowhere"}, {}):
        engine = Engine(hash_mb=1, own_book=True, on_note=fail, **values)  # type: ignore[arg-type]
        with pytest.raises(ZeroDivisionError):
            engine.play(chess.Board(), QUICK)
        engine.on_note = None
        assert engine.play(chess.Board(), QUICK).move
        if not values:  # a file is complained of once
            engine.on_note = fail
            with pytest.raises(ZeroDivisionError):
                engine.start(chess.Board(), QUICK).wait(WAIT)


def test_a_callback_cannot_wait_for_its_own_search_nor_use_its_engine() -> None:
    engine, errors, searches = Engine(hash_mb=1), list[Exception](), list[Search]()
    begun = threading.Event()

    def inside(_: Info) -> None:
        begun.wait(WAIT)
        calls: list[Callable[[], object]] = [
            searches[0].wait,
            searches[0].join,
            engine.new_game,
            engine.clear_hash,
            engine.prepare,
            lambda: engine.play(chess.Board()),
            lambda: engine.start(chess.Board()),
            lambda: engine.configure(multipv=2),
            lambda: engine.load_network("<internal>"),
        ]
        for call in calls:
            try:
                call()
            except RuntimeError as error:
                errors.append(error)
        searches[0].stop()

    searches.append(engine.start(chess.Board(), on_info=inside))
    begun.set()
    assert searches[0].wait(WAIT).move and len(errors) >= 9 and engine.options.multipv == 1
    assert all("\n" not in str(error) for error in errors)


# Threads, close, fork


def test_two_threads_on_one_engine_never_get_the_others_move() -> None:
    rng, boards = random.Random(5), list[chess.Board]()
    while len(boards) < 30:
        board = chess.Board()
        for _ in range(rng.randrange(40)):
            if not board.is_game_over():
                board.push(rng.choice(list(board.legal_moves)))
        boards += [] if board.is_game_over() else [board]
    engine, wrong, counts = Engine(hash_mb=1), list[str](), {"played": 0, "refused": 0}
    end, interval = time.monotonic() + 6 * WAIT, sys.getswitchinterval()
    sys.setswitchinterval(1e-5)

    def play(seed: int) -> None:
        mine = random.Random(seed)
        while min(counts.values()) < 200 and not wrong and time.monotonic() < end:
            board = mine.choice(boards)
            try:
                result = engine.play(board, Limits(nodes=30))
            except RuntimeError:
                counts["refused"] += 1
            else:
                counts["played"] += 1
                if result.move not in list(board.legal_moves):
                    wrong.append(f"{board.fen()} {result.move}")

    threads = [threading.Thread(target=play, args=(seed,)) for seed in range(10)]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(7 * WAIT)
    finally:
        sys.setswitchinterval(interval)
    assert not wrong and min(counts.values()) >= 200, counts


def test_options_do_not_change_during_a_search() -> None:
    engine = Engine(hash_mb=1)
    search = engine.start(chess.Board())
    for values in ({"multipv": 2}, {"parameters": {"lmr_depth": 1}}, {"eval_file": "<internal>"}):
        with pytest.raises(RuntimeError, match="not over"):
            engine.configure(**values)
    engine.close()
    assert search.done and engine.options.multipv == 1 and not engine.parameters.changed()
    engine.configure(multipv=2)


def test_close_beside_play_ends_it_with_a_move() -> None:
    for delay in (0.0, 0.001, 0.05, 0.2):
        engine, results = Engine(hash_mb=1), list[Result]()
        thread = threading.Thread(
            target=lambda: results.append(engine.play(chess.Board(), Limits(depth=60)))  # noqa: B023
        )
        thread.start()
        time.sleep(delay)
        while not results:  # it may have come before the search
            engine.close()
            thread.join(0.05)
        thread.join(WAIT)
        assert results[0].move in list(chess.Board().legal_moves)
        assert engine.play(chess.Board(), QUICK).move, "and memory is taken again"


def test_close_inside_a_callback_ends_the_search_after_it() -> None:
    engine = Engine(hash_mb=1, threads=2)
    result = engine.play(
        chess.Board(), Limits(depth=60), lambda info: engine.close() if info.depth > 3 else None
    )
    assert 4 <= result.depth < 60 and engine.pool is None
    search = engine.start(chess.Board(), on_info=lambda _: engine.close())
    assert search.wait(WAIT).move
    over = threading.Event()

    def last(_: Search) -> None:
        engine.close()
        over.set()

    engine.start(chess.Board(), QUICK, on_done=last)
    assert over.wait(WAIT) and engine.pool is None
    assert engine.play(chess.Board(), QUICK).move


FORK = """
import os, sys, threading, time
import chess
from sssnake import Engine, Limits
engine = Engine(hash_mb=1, threads=int(sys.argv[1]))
engine.play(chess.Board(), Limits(depth=4))
search = engine.start(chess.Board()) if sys.argv[2] == "busy" else None
time.sleep(0.1)
child = os.fork()
if not child:
    if search:
        try:
            search.wait()
        except RuntimeError as error:
            print(error, flush=True)
    search = engine.start(chess.Board(), Limits(depth=3))
    print(search.wait(9).depth, engine.play(chess.Board(), Limits(depth=4)).depth)
    engine.new_game()
    engine.close()
    sys.exit(7)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
if search:
    search.stop()
    print(search.wait(9).depth > 4)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.parametrize("threads", ["1", "3"])
@pytest.mark.parametrize("state", ["idle", "busy"])
def test_an_engine_in_a_forked_process_is_as_good_as_new(threads: str, state: str) -> None:
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FORK, threads, state],
        capture_output=True,
        text=True,
        timeout=60,
    )
    busy = ["the search runs in the process that this one was forked from"] if state == "busy" else []
    assert run.stdout.splitlines() == [*busy, "3 4", "7", *["True"] * len(busy)], run.stderr


ITERATE = """
import asyncio, os, signal, sys
import chess
from sssnake import Engine
analysis = Engine(hash_mb=1).analysis(chess.Board())
next(iter(analysis))

async def collected():
    return [info async for info in analysis]

child = os.fork()
if not child:
    signal.alarm(20)
    if sys.argv[1] == "stopped":
        analysis.stop()
    for read in (lambda: list(analysis), lambda: asyncio.run(collected())):
        try:
            read()
        except RuntimeError as error:
            print(error, flush=True)
    os._exit(7)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
analysis.stop()
list(analysis)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.parametrize("state", ["running", "stopped"])
def test_the_iteration_of_an_analysis_ends_with_an_error_in_a_forked_process(state: str) -> None:
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", ITERATE, state], capture_output=True, text=True, timeout=60
    )
    elsewhere = "the search runs in the process that this one was forked from"
    assert run.stdout.splitlines() == [elsewhere, elsewhere, "7"], run.stderr


@pytest.mark.skipif(os.name == "nt", reason="no such signal")
def test_ctrl_c_ends_a_long_play() -> None:
    engine = Engine(hash_mb=1)
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        engine.play(chess.Board(), Limits(depth=100))
    assert engine.play(chess.Board(), QUICK).move
    timer.join()


# Iterating


def test_an_analysis_is_iterated_over_and_stopped() -> None:
    engine = Engine(hash_mb=1, multipv=2)
    infos = list(engine.analysis(chess.Board(), Limits(depth=4)))
    assert [(info.depth, info.multipv) for info in infos] == [(d, n) for d in range(1, 5) for n in (1, 2)]
    with engine.analysis(chess.Board()) as analysis:
        for info in analysis:
            if info.depth == 6:
                analysis.stop()
    assert analysis.done and analysis.wait().depth >= 6 and list(analysis) == []
    with engine.analysis(chess.Board()) as analysis:
        assert next(analysis).depth == 1
    assert analysis.done, "stopped at the end of the block"
    for info in engine.analysis(chess.Board()):
        if info.depth == 5:
            break
    assert engine.play(chess.Board(), QUICK).move, "one that is dropped is stopped"
    analysis = engine.analysis(chess.Board())
    engine.close()
    assert [info.depth for info in analysis][-1:] and analysis.wait().move
    assert next(engine.analysis(MATED)).score == -MATE


def test_what_ends_an_analysis_is_raised_by_the_iterator(monkeypatch: pytest.MonkeyPatch) -> None:
    from sssnake.engine.player.deepening import Deepening

    monkeypatch.setattr(Deepening, "_close", fail)
    with pytest.raises(ZeroDivisionError):
        list(Engine(hash_mb=1).analysis(chess.Board(), QUICK))


def test_asyncio() -> None:
    async def main() -> None:
        one, two = Engine(hash_mb=1), Engine(hash_mb=1)
        results = await asyncio.gather(one.aplay(chess.Board(), QUICK), two.aplay(MATED))
        assert [result.depth for result in results] == [3, 0]
        with pytest.raises(ValueError, match="depth"):
            await one.aplay(chess.Board(), chess.engine.Limit(depth=0))
        with pytest.raises(ValueError, match="start or analysis"):
            await one.aplay(chess.Board(), Limits(infinite=True))
        depths = [info.depth async for info in one.analysis(chess.Board(), Limits(depth=6))]
        assert depths == [1, 2, 3, 4, 5, 6]
        async with one.analysis(chess.Board()) as analysis:
            async for info in analysis:
                if info.depth == 6:
                    break
            with pytest.raises(RuntimeError, match="not over"):
                await one.aplay(chess.Board(), QUICK)
        assert (await analysis.result()).depth >= 6
        task = asyncio.create_task(one.aplay(chess.Board(), Limits(depth=100)))
        ticks = 0
        while ticks < 20:  # the loop is free meanwhile
            await asyncio.sleep(0.01)
            ticks += 1
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (await one.aplay(chess.Board(), QUICK)).move, "free at once"

    asyncio.run(main())


def test_an_analysis_outlives_its_event_loop() -> None:
    engine = Engine(hash_mb=1)

    async def begin() -> Any:
        analysis = engine.analysis(chess.Board())
        await anext(analysis)
        return analysis

    analysis = asyncio.run(begin())
    time.sleep(0.05)
    analysis.stop()
    assert analysis.wait(WAIT).move


# Scores


@pytest.mark.parametrize(
    "value",
    [
        0,
        35,
        -120,
        20_000,
        -20_000,
        MATE_RANGE - 1,
        MATE,
        -MATE,
        MATE - 1,
        2 - MATE,
        MATE - 255,
        MATE_RANGE,
        -MATE_RANGE,
    ],
)
@pytest.mark.parametrize("turn", chess.COLORS)
def test_scores_there_and_back(value: int, turn: chess.Color) -> None:
    score = Score(value)
    theirs = score.pov(turn)
    assert (
        theirs.turn == turn
        and theirs.relative.score() == score.cp
        and theirs.relative.mate() == (score.mate if value != MATE else 0)
    )
    back = Score.from_pov(theirs)
    assert back.pov(turn) == theirs and (back == score or (abs(back - score) == 1 and score.mate))
    other = Score.from_pov(chess.engine.PovScore(theirs.pov(not turn), not turn))
    assert other == -score if score.mate is None else abs(other + score) <= 1


def test_scores_beyond_all_that_the_engine_knows() -> None:
    def read(relative: chess.engine.Score) -> Score:
        return Score.from_pov(chess.engine.PovScore(relative, chess.WHITE))

    assert (
        read(chess.engine.Cp(10**6)) == MATE_RANGE - 1 and read(chess.engine.Cp(-(10**6))) == 1 - MATE_RANGE
    )
    assert read(chess.engine.Mate(500)) == MATE_RANGE and read(chess.engine.Mate(-500)) == -MATE_RANGE
    assert read(chess.engine.MateGiven) == MATE and read(chess.engine.Mate(-0)) == -MATE


def test_every_line_has_its_expectation() -> None:
    result = Engine(hash_mb=1, multipv=3).play(chess.Board(), Limits(nodes=3000))
    assert all(sum(line.wdl) == 1000 for line in result.lines) and result.wdl == result.lines[0].wdl
    assert Engine(hash_mb=1).play(MATED).wdl == (0, 0, 1000)
    assert Engine(hash_mb=1).play(chess.Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")).wdl == (0, 1000, 0)


@pytest.mark.parametrize("level", [0, 10, 20])
def test_lines_are_best_first(level: int) -> None:
    """Also where the search was cut off, and where a weaker player chooses another move than the best."""
    chosen = set()
    for nodes in (50, 400, 3000):
        for seed in range(6):
            engine = Engine(hash_mb=1, multipv=4, skill_level=level, skill_seed=seed + 1)
            result = engine.play(chess.Board(), Limits(nodes=nodes))
            scores = [line.score for line in result.lines]
            assert scores == sorted(scores, reverse=True)
            assert [line.multipv for line in result.lines] == list(range(1, len(scores) + 1))
            chosen.add(result.move)
    assert level == 20 or len(chosen) > 1


@pytest.mark.parametrize("driver", ["SSS*", "MTD(f)", "PVS"])
def test_a_search_that_nobody_watches_is_the_same(driver: str) -> None:
    for limits in (Limits(nodes=1), Limits(nodes=100), Limits(nodes=3000), Limits(depth=7), Limits(mate=2)):
        for values in ({}, {"multipv": 3}, {"skill_level": 5, "skill_seed": 1}):
            results = []
            for listener in (None, lambda _: None):
                engine = Engine(hash_mb=1, driver=driver, **values)  # type: ignore[arg-type]
                results.append(engine.play(chess.Board(), limits, listener))
            one, two = results
            for name in (
                "move",
                "ponder",
                "nodes",
                "passes",
                "iterations",
                "failed_high",
                "crossings",
                "first_searched",
                "first_nodes",
                "score",
                "depth",
                "pv",
                "wdl",
            ):
                assert getattr(one, name) == getattr(two, name), name
            assert [line.names for line in one.lines] == [line.names for line in two.lines]


# Types and names


def test_the_typed_options_are_all_options() -> None:
    assert OptionValues.__annotations__ == Options.__annotations__
    assert {name: type(option.default) for name, option in FIELDS.items()} == Options.__annotations__


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("hash_size", "hash_mb"),
        ("Hash", "hash_mb"),
        ("thread", "threads"),
        ("uci_elo", "elo"),
        ("UCI_Chess960", "chess960"),
        ("MoveOverhead", "move_overhead"),
        ("Debug Log File", "log_file"),
        ("multi_pv", "multipv"),
        ("syzygy", "syzygy_path"),
        ("skill", "skill_level"),
        ("contempt", None),
    ],
)
def test_did_you_mean(name: str, field: str | None) -> None:
    end = f"; did you mean {field}[?]" if field else ""
    calls: list[Callable[..., object]] = [Engine, Options, Engine().configure]
    for call in calls:
        with pytest.raises(ValueError, match=f"^no option '{name}'{end}$"):
            call(**{name: 1})


def test_every_public_name_says_what_it_is() -> None:
    for name in sssnake.__all__:
        assert inspect.getdoc(getattr(sssnake, name)), name
    with pytest.raises(AttributeError):
        sssnake.no_such_name  # noqa: B018
    assert set(sssnake.__all__) <= set(dir(sssnake))


def test_without_pythons_lock_the_import_says_no() -> None:
    code = "import sys; sys._is_gil_enabled = lambda: False\nimport sssnake"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.returncode == 1 and run.stderr.splitlines()[-1].startswith("ImportError: SSSnake needs")


# Memory


def test_many_calls_leave_nothing_behind() -> None:
    engine = Engine(hash_mb=1)
    for _ in range(50):
        engine.play(chess.Board(), Limits(nodes=20), lambda _: None)
    gc.collect()
    before = len(gc.get_objects())
    for _ in range(300):
        engine.play(chess.Board(), Limits(nodes=20), lambda _: None)
        list(engine.analysis(chess.Board(), Limits(nodes=20)))
        with pytest.raises(ZeroDivisionError):
            engine.play(chess.Board(), Limits(nodes=20), fail)
    gc.collect()
    assert len(gc.get_objects()) - before < 200
