"""Tabs without work give the memory of their engines back."""

import asyncio
from typing import Any

import pytest

from sssnake.engine.serve import tab as tab_module
from sssnake.engine.serve.machine import MOST_RESTING, Machine
from sssnake.engine.serve.tab import Tab

SOON = 0.05  # seconds
PATIENCE = 30.0
OPTIONS = {"hash_mb": 1, "show_wdl": True}


class Events(asyncio.Queue[dict[str, Any]]):
    """What a tab tells."""

    async def until(self, event: str) -> None:
        """Wait for an event."""
        while (await asyncio.wait_for(self.get(), PATIENCE))["event"] != event:
            pass

    def forget(self) -> None:
        """Leave out what was told and not yet read."""
        while not self.empty():
            self.get_nowait()


def has_memory(tab: Tab) -> bool:
    """Whether its engine has a table."""
    made = tab._worker._made
    return made is not None and made.pool is not None


async def given_back(tab: Tab) -> bool:
    """Whether it has none after a while."""
    for _ in range(100):
        if not has_memory(tab):
            return True
        await asyncio.sleep(SOON)
    return False


@pytest.mark.parametrize("ending", ["stop", "done"])
def test_a_tab_at_rest_has_no_table(ending: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tab_module, "REST", 10 * SOON)

    async def scenario() -> None:
        events = Events()
        tab = Tab(Machine(1), OPTIONS, events.put_nowait)
        for number in (1, 10):  # a second time as well
            events.forget()  # lines of the first time
            await tab.handle({"id": number, "do": "analyse", "hint": ending == "done"})
            await events.until("line")
            assert has_memory(tab)
            if ending == "stop":
                await tab.handle({"id": number + 1, "do": "stop"})
            else:
                await events.until("done")
            assert await given_back(tab)
        await tab.close()

    asyncio.run(scenario())


def test_work_that_never_began_leaves_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two messages that come together: the second one stops the work of the first before it runs."""
    monkeypatch.setattr(tab_module, "REST", 10 * SOON)

    async def scenario() -> None:
        events = Events()
        tab = Tab(Machine(1), OPTIONS, events.put_nowait)
        await tab.handle({"id": 1, "do": "analyse"})
        await events.until("line")
        await tab.handle({"id": 2, "do": "analyse"})
        await tab.handle({"id": 3, "do": "stop"})
        assert has_memory(tab)
        assert await given_back(tab)
        await tab.close()

    asyncio.run(scenario())


def test_a_tab_that_is_closed_while_it_stops_leaves_nothing() -> None:
    async def scenario() -> None:
        events, machine = Events(), Machine(1)
        tab = Tab(machine, OPTIONS, events.put_nowait)
        await tab.handle({"id": 1, "do": "analyse"})
        await events.until("line")
        stopping = asyncio.create_task(tab.handle({"id": 2, "do": "stop"}))
        await asyncio.sleep(0)
        stopping.cancel()
        await tab.close()
        assert not has_memory(tab) and not machine.searching
        await asyncio.sleep(SOON)
        assert not machine._resting

    asyncio.run(scenario())


def test_work_keeps_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tab_module, "REST", SOON)

    async def scenario() -> None:
        events = Events()
        tab = Tab(Machine(1), OPTIONS, events.put_nowait)
        for number in range(3):  # the end of one piece of work does not end the next
            await tab.handle({"id": number, "do": "analyse"})
            await events.until("line")
        pool = tab._worker._made and tab._worker._made.pool
        await asyncio.sleep(10 * SOON)
        assert pool is not None and tab._worker._made and tab._worker._made.pool is pool
        await tab.close()
        assert not has_memory(tab)

    asyncio.run(scenario())


def test_few_tabs_keep_a_table_without_work() -> None:
    async def scenario() -> None:
        machine = Machine(2)
        events = [Events() for _ in range(MOST_RESTING + 3)]
        tabs = [Tab(machine, OPTIONS, told.put_nowait) for told in events]
        for tab, told in zip(tabs, events, strict=True):
            await tab.handle({"id": 1, "do": "analyse", "hint": True})
            await told.until("done")
        assert [await given_back(tab) for tab in tabs[:3]] == [True] * 3
        assert all(map(has_memory, tabs[3:]))
        await tabs[3].handle({"id": 2, "do": "analyse"})  # who works does not rest
        await tabs[0].handle({"id": 2, "do": "analyse"})
        await events[0].until("line")
        await tabs[0].stop()
        assert all(map(has_memory, [tabs[0], *tabs[3:]]))
        for tab in tabs:
            await tab.close()
        assert not machine._resting

    asyncio.run(scenario())
