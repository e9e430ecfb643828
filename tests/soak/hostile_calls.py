"""Misuse of the compiled core: every public class and function, with arguments that make no sense.

    python tests/soak/hostile_calls.py [--calls 20000] [--seed 1] [--threads 3]

What is public is read from the stubs (`_fast/**/*.pyi`). A child process makes the calls; whatever they raise
is right, but the interpreter must live. Some arguments are of the right type, among them objects that were
made without being prepared, and those of earlier calls. With --threads the calls are made by several threads
on the same objects. Exit status 1, and the last call of each thread, if the child dies or hangs.
"""

import argparse
import ast
import copy
import faulthandler
import importlib
import pickle
import random
import subprocess
import sys
import tempfile
import threading
import time
from array import array
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.constants import KIWIPETE, ROOT

HANGS = 300.0  # seconds that a child may take beyond a millisecond a call
KEPT = 12  # objects of each class
HUGE: list[int] = [
    sign * 2**power + more for power in (31, 32, 63, 64, 70) for sign in (1, -1) for more in (-1, 0)
]
NUMBERS = [*HUGE, -129, -1, 0, 1, 2, 7, 31, 63, 64, 127, 128, 255, 256, 32001, 32767, 65535, 65536]
# What costs time or memory: small or impossible.
COSTLY = {"depth", "n", "plies", "walks", "megabytes", "clusters", "capacity", "threads", "width", "slots"}
SMALL = [*HUGE, -1, 0, 1, 2]
FENS = (
    KIWIPETE,
    "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "8/8/8/8/8/4k3/4p3/4K3 w - - 99 80",
    "7k/5K2/6P1/8/8/8/8/8 b - - 0 1",
    "8/P6k/8/8/8/8/p6K/8 w - - 0 1",
    "",
    "8/8/8/8/8/8/8/8 w - - 0 1",
)
WORDS = (
    *FENS,
    "e2e4",
    "e7e8q",
    "e1g1",
    "0000",
    "a1a1",
    "SSS*",
    "PVS",
    "avx2",
    "",
    "KQvK",
    "KvK",
    "KRPvKBN",
    "QQvQ",
    "K" * 300,
    "/dev/null",
    "/",
    str(ROOT),
    "\0",
    "é\udc80",
    "lmr_base_quiet",
    "all",
    "checks",
)


class Call(NamedTuple):
    """A public function, or a class to be made, or a method or property of one."""

    module: str
    owner: str  # its class, or ""
    name: str
    arguments: list[tuple[str, str]]  # name and type
    is_property: bool = False


def public() -> list[Call]:
    """Everything that the stubs declare."""
    found = []
    for stub in sorted((ROOT / "_fast").rglob("*.pyi")):
        module = ".".join(stub.relative_to(ROOT).with_suffix("").parts)
        for node in ast.parse(stub.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef):
                found.append(Call(module, "", node.name, arguments(node, 0)))
            elif isinstance(node, ast.ClassDef):
                methods = [item for item in node.body if isinstance(item, ast.FunctionDef)]
                if not {"__new__", "__init__"} & {method.name for method in methods}:
                    found.append(Call(module, node.name, "__init__", []))
                for method in methods:
                    marks = {ast.unparse(mark) for mark in method.decorator_list}
                    first = 0 if "staticmethod" in marks else 1
                    wanted = arguments(method, first)
                    found.append(Call(module, node.name, method.name, wanted, "property" in marks))
    return found


def arguments(node: ast.FunctionDef, first: int) -> list[tuple[str, str]]:
    """Names and types of a function's arguments."""
    given = [*node.args.posonlyargs, *node.args.args][first:]
    return [(item.arg, ast.unparse(item.annotation) if item.annotation else "") for item in given]


class Caller:
    """Makes calls with random arguments. Several threads may share `objects`."""

    def __init__(self, seed: str, objects: dict[str, list[Any]], log: Path) -> None:
        self.rng = random.Random(seed)
        self.objects = objects
        self.log = log.open("wb", buffering=0)
        self.calls = public()
        self.makers: dict[str, Callable[[], Any]] = {
            "int": self.number,
            "float": lambda: self.rng.choice((0.0, 0.5, -1.0, 1e300, float("nan"), 1)),
            "str": lambda: self.rng.choice(WORDS),
            "bool": lambda: self.rng.random() < 0.5,
            "_Buffer": self.buffer,
            "list[int]": self.moves,
            "Net": self.net,
            "chess.Board": self.chess_board,
            "dict[str, list[tuple[int, int]]]": self.weights,
        }

    def number(self, name: str = "") -> int:
        """A number; a small or an impossible one where others cost too much."""
        if self.rng.random() < 0.7:
            return self.rng.choice([1, 2] if name in COSTLY else [0, 1, 2, 3, 16, 32])
        return self.rng.choice(SMALL if name in COSTLY else NUMBERS)

    def moves(self) -> list[Any]:
        """Sixteen-bit moves, mostly."""
        return [
            self.rng.choice((0, 796, 1804, 65535, -1, 2**40, "e2e4", None))
            for _ in range(self.rng.choice((0, 1, 3, 200)))
        ]

    def buffer(self) -> Any:
        """Numbers of some kind and length."""
        from sssnake._fast.training.trainer import size

        length = self.rng.choice((0, 1, 2, 32, 64, *[size(16, buckets) for buckets in (1, 1, 1, 2)]))
        kind = self.rng.choice("ffffhHBqd")
        data = array(kind, bytes(array(kind).itemsize * length))
        for _ in range(min(length, 40)):
            data[self.rng.randrange(length)] = self.rng.choice((0, 1, 1, 2, 127))
        return self.rng.choice(
            (
                data,
                data,
                memoryview(data),
                data.tobytes(),
                self.rng.randbytes(32 * self.rng.randint(0, 5)),
                memoryview(bytes(data)),
                self.rows(length),
            )
        )

    def rows(self, length: int) -> Any:
        """Two rows of floats."""
        return memoryview(bytes(8 * length or 8)).cast("B").cast("f", (2, length or 1))

    def net(self) -> Any:
        """A network, right or wrong."""
        from sssnake._fast.evaluation.netfile import INPUTS, Net

        hidden, buckets = self.rng.choice((16, 32, 0, -16, 10**9)), self.rng.choice((1, 2, 0, 100))
        made = Net(hidden, buckets)
        if self.rng.random() < 0.7 and 0 < hidden < 100:
            made.weights = array("h", [1] * (INPUTS * hidden))
            made.bias = array("h", [1] * hidden)
            made.out = array("h", [1] * (2 * buckets * hidden))
            made.out_bias = array("i", [1] * buckets)
        return made

    def chess_board(self) -> Any:
        """A chess.Board whose parts need not fit each other."""
        import chess

        board = chess.Board()
        for _ in range(self.rng.choice((0, 0, 1, 3))):
            name = self.rng.choice(
                (
                    "pawns",
                    "kings",
                    "queens",
                    "occupied",
                    "promoted",
                    "castling_rights",
                    "turn",
                    "ep_square",
                    "halfmove_clock",
                    "fullmove_number",
                )
            )
            setattr(
                board, name, self.rng.choice((0, 1, 2**64 - 1, -1, 2**70, None, self.rng.getrandbits(64)))
            )
        return board

    def weights(self) -> Any:
        """Weights of the linear evaluation, right or wrong."""
        from sssnake._fast.evaluation import pst

        value = self.rng.choice(((0, 0), (1,), (2**40, 0), None))
        return {name: [value] * size for name, (_, size) in pst.group_sizes().items()}

    def anything(self) -> Any:
        """A value of any type."""
        kind = self.rng.choice([*self.makers, *self.objects, "None", "object", "type"])
        if kind in self.makers:
            return self.makers[kind]()
        fixed = {"None": None, "object": object(), "type": int}
        return fixed[kind] if kind in fixed else self.one_of(kind)

    def one_of(self, kind: str) -> Any:
        """An object of a class of the core, or None before there is one."""
        held = self.objects.get(kind)
        return self.rng.choice(held) if held else None

    def value(self, name: str, kind: str) -> Any:
        """An argument: as a rule of the right type."""
        if self.rng.random() < 0.08:
            return self.rng.choice((None, self.anything()))
        kinds = [part for part in kind.split(" | ") if part != "None"]
        kind = self.rng.choice(kinds) if kinds else ""
        if kind == "int":
            return self.number(name)
        if kind in self.makers:
            return self.makers[kind]()
        return self.one_of(kind) if kind in self.objects else self.anything()

    def step(self) -> None:
        """One call."""
        call = self.rng.choice(self.calls)
        values = [self.value(*argument) for argument in call.arguments]
        if values and self.rng.random() < 0.1:
            values = values[: self.rng.randrange(len(values))]
        self.log.seek(0)
        self.log.truncate()
        shown = [
            value if isinstance(value, int | str | bytes | None) else type(value).__name__ for value in values
        ]
        self.log.write(f"{call.module} {call.owner}.{call.name}{shown!r:.900}\n".encode("utf-8", "replace"))
        with suppress(Exception):
            self.make(call, values)

    def make(self, call: Call, values: list[Any]) -> None:
        """Call it, and keep what a class returns."""
        module = importlib.import_module(call.module)
        if not call.owner:
            getattr(module, call.name)(*values)
            return
        owner = getattr(module, call.owner)
        if call.name in ("__new__", "__init__"):
            raw = self.rng.random() < 0.2
            made = (
                owner.__new__(owner, *(() if call.name == "__init__" else values)) if raw else owner(*values)
            )
            held = self.objects.setdefault(call.owner, [])
            held.append(made)
            del held[: len(held) - KEPT]
            return
        target = self.one_of(call.owner)
        if target is None:
            return
        if self.rng.random() < 0.05:
            self.handle(target, values)
        elif call.is_property:
            getattr(target, call.name)
        else:
            getattr(target, call.name)(*values)

    def handle(self, target: Any, values: list[Any]) -> None:
        """What Python can do with any object."""
        what: tuple[Callable[[], Any], ...] = (
            lambda: copy.copy(target),
            lambda: copy.deepcopy(target),
            lambda: pickle.loads(pickle.dumps(target)),
            lambda: repr(target),
            lambda: hash(target),
            lambda: len(target),
            lambda: list(target),
            lambda: target == self.anything(),
            lambda: target.__init__(*values),
            lambda: vars(target),
            lambda: setattr(target, self.rng.choice(dir(target)), self.anything()),
            lambda: target.__setstate_cython__(self.anything()),
            lambda: target[self.anything()],
        )
        self.rng.choice(what)()


def child(seed: int, calls: int, threads: int, folder: Path) -> None:
    """Make the calls."""
    faulthandler.enable()
    objects: dict[str, list[Any]] = {call.owner: [] for call in public() if call.owner}
    ended = threading.Event()

    def work(number: int) -> None:
        caller = Caller(f"{seed}/{number}", objects, folder / str(number))
        for _ in range(calls // threads):
            caller.step()

    def stop() -> None:  # searches that would not end
        while not ended.wait(0.05):
            for flag in list(objects["StopFlag"]):
                flag.set()

    watch = threading.Thread(target=stop)
    workers = [threading.Thread(target=work, args=(number,)) for number in range(threads)]
    for thread in (watch, *workers):
        thread.start()
    for thread in workers:
        thread.join()
    ended.set()
    watch.join()


def run(seed: int, calls: int, threads: int = 1) -> str:
    """Run a child; return what became of it: "" if it lived."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["--child", folder, "--seed", str(seed), "--calls", str(calls), "--threads", str(threads)]
        try:
            done = subprocess.run(
                [sys.executable, __file__, *words],
                capture_output=True,
                text=True,
                errors="replace",
                timeout=HANGS + calls / 1000,
                cwd=folder,
            )
            fate = f"exit status {done.returncode}" if done.returncode else ""
            said = done.stderr
        except subprocess.TimeoutExpired as error:
            fate, said = "no end", str(error.stderr or "")
        last = [
            path.read_text("utf-8", "replace").splitlines()[:1]
            for path in sorted(Path(folder).glob("[0-9]*"))
        ]
    return f"seed {seed}, {threads} threads: {fate}; last calls {last}\n{said[:1500]}" if fate else ""


def main() -> int:
    """Run it; exit status 0 if the interpreter lives."""
    plain = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=plain)
    parser.add_argument("--calls", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.child:
        child(args.seed, args.calls, args.threads, args.child)
        return 0
    start = time.monotonic()
    fate = run(args.seed, args.calls, args.threads)
    print(
        fate
        or f"{args.calls} calls, seed {args.seed}: the interpreter lives ({time.monotonic() - start:.0f} s)"
    )
    return 1 if fate else 0


if __name__ == "__main__":
    sys.exit(main())
