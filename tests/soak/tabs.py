"""The page's server under many tabs: memory, how soon a click is answered, how soon a move is made.

    python tests/soak/tabs.py [--searching 50] [--idle 200] [--seconds 600] [--warm-up 60]

Some tabs analyse without end, the others do nothing but click now and then and ask for a move, which is
searched for: the book does not know the position. A tab's engine is made with its first search, and only so
many tabs without work keep their tables. So memory is looked at when each analysis has told something, each
other tab has clicked or moved once, and after a while; and between two moves, for during one there may be a
table more, 21 MB. Prints it ten times, and quantiles of the waits; exit status 1 when it has grown by more
than 8 MB at any time, or one click in a hundred waits for more than 100 ms, or a move for more than 3 s.
"""

import argparse
import asyncio
import itertools
import json
import random
import re
import sys
import time
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.web import Served

GROWTH = 8_000  # kB
SETTLE = 1.0  # seconds after a move, in which tables are given back
LATE, LATE_MOVE = 0.1, 3.0  # seconds; a move without a clock is thought about for one
EVERY, EVERY_MOVE = 0.1, 2.0


async def open_tab(server: Served) -> ClientConnection:
    """A websocket of our own page."""
    headers = {"Cookie": server.cookie}
    address = f"ws://{server.host}:{server.port}/socket"
    return await connect(
        address, origin=Origin(server.origin), additional_headers=headers, proxy=None, max_size=None
    )


async def ask(tab: ClientConnection, number: int, last: str, **fields: Any) -> float:
    """Seconds until the answer, or until the event `last` of the work."""
    began = time.monotonic()
    await tab.send(json.dumps({"id": number, **fields}))
    while True:
        for message in json.loads(await tab.recv()):
            if message.get("event") == last if last else message.get("id") == number:
                return time.monotonic() - began


async def listen(tab: ClientConnection, searched: asyncio.Event) -> None:
    """Take what an analysis tells; its first line says that it has a table."""
    async for messages in tab:
        if any(message.get("event") == "line" for message in json.loads(messages)):
            searched.set()


class Clicks:
    """Asks the same of one tab after the other: of each once, without a pause, then of any."""

    def __init__(self, tabs: list[ClientConnection], last: str, every: float, **fields: Any):
        self._tabs, self._last, self._every, self._fields = tabs, last, every, fields
        self.waits: list[float] = []  # seconds
        self.all_asked = asyncio.Event()
        self.between = asyncio.Lock()  # nothing is asked by who holds it

    async def go_on(self) -> None:
        """Until it is cancelled."""
        for number in itertools.count():
            first = number < len(self._tabs)
            tab = self._tabs[number] if first else random.choice(self._tabs)
            async with self.between:
                self.waits.append(await ask(tab, number, self._last, **self._fields))
            if not first:
                self.all_asked.set()
            await asyncio.sleep(0 if first else self._every)

    def wait(self, share: float) -> float:
        """What so large a share of the waits is below, seconds."""
        return sorted(self.waits)[int(share * (len(self.waits) - 1))]


async def measure(server: Served, args: argparse.Namespace) -> bool:
    """Whether all was within bounds."""
    busy = [await open_tab(server) for _ in range(args.searching)]
    quiet = [await open_tab(server) for _ in range(args.idle)]
    for tab in busy:
        await tab.send(json.dumps({"id": 1, "do": "analyse", "moves": ["e2e4"], "lines": 3}))
    half = len(quiet) // 2
    fields = {"do": "play", "moves": ["h2h4", "a7a5", "h4h5", "a5a4"], "level": "full strength"}
    clicks = Clicks(quiet[:half], "", EVERY, do="position")
    moves = Clicks(quiet[half:], "move", EVERY_MOVE, **fields)
    searched = [asyncio.Event() for _ in busy]
    work = [asyncio.create_task(listen(tab, told)) for tab, told in zip(busy, searched, strict=True)] + [
        asyncio.create_task(asked.go_on()) for asked in (clicks, moves)
    ]
    for told in (*searched, clicks.all_asked, moves.all_asked):
        await told.wait()
    await asyncio.sleep(args.warm_up)
    memory = []
    for _ in range(10):
        await asyncio.sleep(args.seconds / 10)
        async with moves.between:
            await asyncio.sleep(SETTLE)
            memory.append(resident(server))
        print(f"{memory[-1]} kB, {len(clicks.waits)} clicks, {len(moves.waits)} moves", flush=True)
    for task in work:
        task.cancel()
    late, late_move = clicks.wait(0.99), moves.wait(1)
    print(f"click: median {clicks.wait(0.5) * 1000:.1f} ms, p99 {late * 1000:.1f} ms")
    print(f"move: median {moves.wait(0.5):.2f} s, longest {late_move:.2f} s")
    print(f"memory grown by {memory[-1] - memory[0]} kB, at most {max(memory) - memory[0]} kB")
    return max(memory) - memory[0] <= GROWTH and late <= LATE and late_move <= LATE_MOVE


def resident(server: Served) -> int:
    """Kilobytes in memory."""
    status = Path(f"/proc/{server.process.pid}/status").read_text(encoding="ascii")
    return int(re.findall(r"VmRSS:\s+(\d+) kB", status)[0])


def main() -> int:
    """Exit status 0: within bounds."""
    verbatim = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=verbatim)
    parser.add_argument("--searching", type=int, default=50)
    parser.add_argument("--idle", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--warm-up", type=float, default=60, help="seconds until memory is looked at")
    args = parser.parse_args()
    with Served() as server:
        return 0 if asyncio.run(measure(server, args)) else 1


if __name__ == "__main__":
    sys.exit(main())
