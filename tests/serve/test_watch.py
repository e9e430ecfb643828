"""Watching the drivers: what passes say, and that they take turns."""

import asyncio
import contextlib
import itertools
import threading
import time
from typing import Any

import chess
import pytest

from sssnake.engine.player.engine import Engine, Limits
from sssnake.engine.serve import machine as machine_module
from sssnake.engine.serve.machine import Machine
from sssnake.engine.serve.watch import Passes, Turns, watch

BOARD = chess.Board("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3")


def seen(nodes: int = 20_000) -> dict[str, list[dict[str, Any]]]:
    """The passes of each driver."""
    found: dict[str, list[dict[str, Any]]] = {"literal": [], "default": [], "pvs": []}

    def tell(event: dict[str, Any]) -> None:
        found[event["driver"]].append(event)

    asyncio.run(asyncio.wait_for(watch(Machine(1), BOARD, nodes, tell), 60))
    return found


@pytest.fixture(scope="module")
def watched() -> dict[str, list[dict[str, Any]]]:
    return seen()


def test_literal_sss_star_asks_for_its_last_answer(watched: dict[str, list[dict[str, Any]]]) -> None:
    last = max(event["depth"] for event in watched["literal"])
    for depth in range(2, last):
        bracket = [event for event in watched["literal"] if event["depth"] == depth]
        assert bracket[0]["gamma"] >= 30_000, "it begins at the top"
        falls = [event for event in bracket if event["kind"] == "upper"]
        for before, after in itertools.pairwise(bracket):
            if before["kind"] == "upper" and before in falls and after["gamma"] <= before["gamma"]:
                assert after["gamma"] == before["value"]
        final = bracket[-1]
        assert final["kind"] == "lower" and final["lower"] == final["value"], "only the last one fails high"
        assert final["upper"] in (final["value"], None), "None: it contradicts the pass before"


def test_bounds_and_nodes_are_those_of_the_search(watched: dict[str, list[dict[str, Any]]]) -> None:
    legal = {move.uci() for move in BOARD.legal_moves}
    for driver, events in watched.items():
        assert events, driver
        assert 10_000 < sum(event["nodes"] for event in events) <= 20_000
        for event in events:
            assert {move for move, *_ in event["roots"]} <= legal
            if event["lower"] is not None and event["upper"] is not None:
                assert event["lower"] <= event["upper"]
            if event["kind"] == "upper":
                assert event["upper"] is not None and event["value"] < event["gamma"]
            if event["kind"] == "lower":
                assert event["lower"] is not None and event["value"] >= event["gamma"]
    last = next(event for event in reversed(watched["literal"]) if event["lower"] == event["upper"])
    bounds: dict[str, Any] = {}
    for event in watched["literal"]:
        if event["depth"] == last["depth"] and event["pass"] <= last["pass"]:
            bounds |= {move: (lower, upper) for move, lower, upper in event["roots"]}
    assert set(bounds) == legal
    assert any(lower == last["value"] for lower, _ in bounds.values()), "the best move has proved it"
    assert all(upper <= last["value"] for lower, upper in bounds.values() if lower is None)


def test_a_watched_search_is_the_usual_one(watched: dict[str, list[dict[str, Any]]]) -> None:
    with Engine(hash_mb=16, driver="SSS*-literal") as engine:
        reader, found = Passes(engine, BOARD), []
        engine.play(BOARD, Limits(nodes=20_000), on_pass=lambda done: found.append(reader.message(done)))
    assert [{"event": "pass", "driver": "literal", **event} for event in found] == watched["literal"]


def test_turns_go_to_the_one_that_has_used_least() -> None:
    turns, order = Turns(["a", "b"]), []

    def work(name: str, cost: int) -> None:
        for step in range(1, 6):
            order.append((step * cost, name))
            turns.hand_over(name, step * cost)
        turns.leave(name)

    threads = [threading.Thread(target=work, args=item) for item in (("a", 10), ("b", 7))]
    turns._used["b"] = -1  # b begins: a's first step waits for it
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
        assert not thread.is_alive()
    used = {"a": 0, "b": 0}
    for total, name in order[2:]:
        other = "b" if name == "a" else "a"
        assert used[name] <= used[other] or used[other] >= 28, order
        used[name] = total


def test_a_cancelled_watch_ends_its_searches() -> None:
    async def cancelled() -> int:
        machine = Machine(1)
        events: list[dict[str, Any]] = []
        task = asyncio.create_task(watch(machine, BOARD, 2_000_000, events.append))
        while not events:
            await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.wait([task], timeout=10)
        assert task.cancelled() and machine.searching == 0
        end = time.monotonic() + 10
        while (left := searching()) > before and time.monotonic() < end:
            await asyncio.sleep(0.01)  # a thread in its last instants
        return left

    def searching() -> int:
        return sum(not thread.name.startswith("asyncio_") for thread in threading.enumerate())

    before = searching()
    assert asyncio.run(cancelled()) == before


def test_a_long_watch_lets_others_have_their_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine_module, "SLICE", 0.1)

    async def both() -> list[str]:
        machine = Machine(1)
        told: list[tuple[str, int]] = []
        ended: list[str] = []

        async def run(name: str, nodes: int) -> None:
            await watch(machine, BOARD, nodes, lambda event: told.append((name, machine.searching)))
            ended.append(name)

        long = asyncio.create_task(run("long", 2_000_000))
        while not told:
            await asyncio.sleep(0.01)
        await asyncio.gather(long, asyncio.create_task(run("short", 10_000)))
        names = [name for name, _ in told]
        assert names.index("short") < len(names) - 1 - names[::-1].index("long"), (
            "the long one went on after it"
        )
        assert {searching for _, searching in told} <= {0, 1}
        return ended

    assert asyncio.run(asyncio.wait_for(both(), 60)) == ["short", "long"]


def test_an_analysis_gives_way_only_when_somebody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine_module, "SLICE", 0.05)
    monkeypatch.setattr(machine_module, "TICK", 0.01)
    starts: list[str] = []

    async def search(machine: Machine, name: str, seconds: float) -> None:
        engine = Engine()
        try:
            search = machine.search(
                engine, BOARD, Limits(infinite=True), on_start=lambda: starts.append(name)
            )
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(search, seconds)
        finally:
            engine.close()

    async def alone() -> None:
        await search(Machine(1), "alone", 0.6)

    async def two() -> None:
        machine = Machine(1)
        await asyncio.gather(search(machine, "one", 0.8), search(machine, "two", 0.8))

    asyncio.run(alone())
    assert starts == ["alone"], "nobody waited: one search, without a break"
    starts.clear()
    asyncio.run(two())
    assert starts.count("one") > 1 and starts.count("two") > 1, starts
    assert not Machine(1).is_over(0.0)
