"""Long games and long texts: bounded, read in time that grows with their length, and no other tab waits."""

import asyncio
import gc
import time
from collections.abc import Callable
from typing import Any

import chess
import pytest

from sssnake.engine.games.pgn_reader import readable_part
from sssnake.engine.serve.games import reading, record
from sssnake.engine.serve.games.reading import read_text
from sssnake.engine.serve.games.record import Record
from sssnake.engine.serve.machine import MOST_LARGE, Machine
from sssnake.engine.serve.tab import Tab, cost

MANY = (
    "1. e4 " + " ".join(f"(1. {first} {second})" for first in ("d4", "c4") for second in ("d5", "e5")) * 1500
)
TRAPS: dict[
    str, Callable[[int], str]
] = {  # whose time grows with the square of their length if the rest is copied at every step
    "a word": lambda size: "x" * size,
    "numbers": lambda size: "1. e4 " + "1." * (size // 2),
    "marks": lambda size: "1. e4" + "!?" * (size // 2),
    "tags": lambda size: '[A "x"]' * (size // 7),
    "games on a line": lambda size: "1. e4 1-0 " * (size // 10),
    "games": lambda size: "a *\n" * (size // 4),
    "comments": lambda size: "1. e4 " + "{a} " * (size // 4),
    "moves": lambda size: "1. " + "Nf3 Nf6 Ng1 Ng8 " * (size // 16),
    "variations": lambda size: "1. e4 " + "(1. d4) " * (size // 8),
    "depth": lambda size: "1. e4 " + "(1. d4 " * (size // 7),
    "parentheses": lambda size: "1. e4 " + "(" * size,
    "an open comment": lambda size: "1. e4 {" + "{ " * (size // 2),
    "an open tag": lambda size: '[White "' + "\\" * size,
    "blanks": lambda size: "1. e4 " + " " * size,
    "lines": lambda size: "1. e4 " + "\n" * size,
}


def seconds(text: str) -> float:
    """Processor time to read a text and its first game, or to refuse it."""
    gc.freeze()  # or what other tests have left is searched for garbage, again and again
    began = time.process_time()
    try:
        read_text(text).record().state()
    except ValueError as error:
        assert "\n" not in str(error) and len(str(error)) < 200
    finally:
        gc.unfreeze()
    return time.process_time() - began


@pytest.mark.parametrize("trap", TRAPS)
def test_the_time_to_read_grows_with_the_length(trap: str) -> None:
    """A square would be found in every one of three trials; what else the machine does, in one at most."""
    make, found = TRAPS[trap], []
    for _ in range(3):
        short, long = (seconds(make(size)) for size in (100_000, 400_000))
        if long < 0.3 or long < 9 * short:
            return
        found.append(f"{short:.2f} s, {long:.2f} s")
    pytest.fail("; ".join(found))


def test_a_text_has_only_so_many_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MOST_GAMES", 3)
    text = read_text("1. e4 *\n\n1. d4 *\n\n1. c4 *\n\n1. b4 *\n")
    assert len(text.games) == len(text.titles()) == 3
    assert text.record(2).state()["remark"] == "only the first 3 games were read"
    assert read_text("1. e4 *\n\n1. d4 *\n\n1. c4 *\n").record(3).state()["remark"] == ""


def test_a_game_has_only_so_many_moves() -> None:
    (game,) = read_text("1. e4 (1. d4 d5) (1. c4) e5 *").games
    assert readable_part(game, 5)[0].end().ply() == 2
    with pytest.raises(ValueError, match="at most 4 moves"):
        readable_part(game, 4)
    (game,) = read_text("1. e4 " + "{ a } " * 30 + "e5 *").games
    with pytest.raises(ValueError, match="at most 2 moves"):
        readable_part(game, 2)


def test_tags_and_comments_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Record.new(chess.Board())
    with pytest.raises(ValueError, match=f"at most {record.MOST_TAGS} tags"):
        for number in range(record.MOST_TAGS):
            game.tag(f"Tag{number}", "x")
    assert len(game.tags()) == record.MOST_TAGS
    game.tag("White", "may be changed")
    monkeypatch.setattr(record, "LARGEST_TEXT", 100)
    game.push(None, "e4")
    game.comment(0, "x" * 60)
    with pytest.raises(ValueError, match="at most 100 characters"):
        game.comment(1, "x" * 50)
    game.comment(0, "")
    game.comment(1, "x" * 50)


@pytest.mark.parametrize("message", [{"do": "mark", "node": 1, "nag": 1}, {"do": "pgn"}])
def test_a_change_of_a_long_game_leaves_the_others_their_turn(message: dict[str, Any]) -> None:
    async def count() -> int:
        tab = Tab(Machine(1), {"hash_mb": 1}, lambda _: None)
        loaded = await tab.handle({"id": 1, "do": "load", "text": MANY})
        assert "error" not in loaded and len(loaded["tree"]) == 12_001
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                await asyncio.sleep(0.005)
                ticks += 1

        ticking = asyncio.create_task(tick())
        await asyncio.sleep(0)
        assert "error" not in await tab.handle({"id": 2, **message})
        ticking.cancel()
        await tab.close()
        return ticks

    assert asyncio.run(count()) >= 3


def test_a_change_of_a_long_game_costs_more() -> None:
    mark = {"do": "mark"}
    assert cost(mark, 30_000) > 10 * cost(mark, 100) > cost({"do": "position"}, 30_000) == 0


def test_only_so_much_large_work_has_begun() -> None:
    async def most() -> tuple[int, list[bool]]:
        machine, inside, largest = Machine(1), 0, 0
        told: list[bool] = []

        async def work() -> None:
            nonlocal inside, largest
            async with machine.large(told.append):
                inside += 1
                largest = max(largest, inside)
                await asyncio.sleep(0.01)
                inside -= 1

        tasks = [asyncio.create_task(work()) for _ in range(MOST_LARGE + 2)]
        await asyncio.sleep(0)
        tasks[-2].cancel()  # it waits, and leaves
        await asyncio.gather(*tasks, return_exceptions=True)
        return largest, told

    assert asyncio.run(most()) == (MOST_LARGE, [True, True, False])
