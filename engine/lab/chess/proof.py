"""`lab chess`: the equivalence of SSS* and MTD(+inf) on chess positions, with the engine's own search.

`sssnake._fast.search.root` in exact mode against the textbook searches on the same tree, built with
python-chess.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from sssnake._fast.board.perft import perft
from sssnake._fast.values import INFINITE
from sssnake.engine.lab.chess.core import DRIVERS, Core
from sssnake.engine.lab.chess.tree import ChessTree
from sssnake.engine.lab.proofs.verify import is_subsequence
from sssnake.engine.lab.searches import classic, mtd, stockman

MINIMAX_DEPTH, MINIMAX_LEAVES = 4, 60_000  # what plain minimax over python-chess still visits

POSITIONS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
    "8/8/8/8/4k3/8/2K1P3/8 b - - 0 1",
    "7k/5Q2/8/8/8/8/8/K7 w - - 0 1",
)


@dataclass
class Evidence:
    """The results of all searches of one position to one depth; `violations` is empty if all agree."""

    fen: str
    depth: int
    value: int
    leaves: int
    passes: int
    saved: int  # leaves of SSS* that transpositions save MTD
    oracle: bool  # plain minimax was run, too
    small: str
    moving: str
    violations: list[str] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        """Yield the evidence for people."""
        oracle = "minimax over python-chess" if self.oracle else "the textbook MTD(+inf)"
        yield f"{self.fen}  depth {self.depth}"
        yield f"  {', '.join(DRIVERS)} and {oracle}: {self.value}"
        saved = f", but for {self.saved} saved by transpositions" if self.saved else ""
        counts = f"{self.leaves} leaves, {self.passes} passes"
        yield f"  MTD(+inf): {counts}; the leaves of Stockman's SSS*, in order{saved}"
        yield f"  with a table of one cluster: {self.small}"
        yield f"  with an order that moves between passes: {self.moving}"
        for violation in self.violations:
            yield f"  VIOLATED: {violation}"


def difference(core: Core, value: int, true_value: int, true_leaves: list[int]) -> str:
    """Describe how MTD(+inf) with a small table or a changing order differs from the true one."""
    leaves, evaluations = core.leaves(), len(core.worker.leaves())
    order = "same order" if leaves == true_leaves else "another order"
    extra = len(set(leaves) - set(true_leaves))
    correct = "same value" if value == true_value else f"WRONG value {value}"
    return f"{correct}, {order}, {extra} other leaves, {evaluations - len(leaves)} repeated"


def prove(fen: str, depth: int) -> Evidence:
    """Search one position to one depth with everything, and compare. TreeError on a bad FEN."""
    tree = ChessTree(fen, depth)
    core = Core(fen, depth)
    value, passes = mtd.drive(core.test, INFINITE, mtd.from_above)
    leaves = core.leaves()

    found = {name: driver(Core(fen, depth), 0) for name, driver in DRIVERS.items()}
    oracle = depth <= MINIMAX_DEPTH and perft(tree.root.fast, depth) <= MINIMAX_LEAVES
    if oracle:
        found["minimax over python-chess"] = classic.minimax(tree).value
    textbook, unfolded = mtd.mtd_plus_inf(tree), stockman.sss(tree)
    found |= {"the textbook MTD(+inf)": textbook.value, "Stockman's SSS*": unfolded.value}
    small, moving = Core(fen, depth, clusters=1), Core(fen, depth)
    found["a table of one cluster"] = mtd.drive(small.test, INFINITE, mtd.from_above)[0]
    found["a moving order"] = mtd.drive(moving.shuffled, INFINITE, mtd.from_above)[0]

    violations = [f"{name}: {other}" for name, other in found.items() if other != value]
    if textbook.passes != passes:
        violations.append(f"passes {passes}, of the textbook MTD(+inf) {textbook.passes}")
    if textbook.leaves != leaves:
        violations.append("other leaves, or in another order, than those of the textbook MTD(+inf)")
    if not is_subsequence(leaves, unfolded.leaves):
        violations.append("leaves that are not those of Stockman's SSS*, in order")
    return Evidence(
        fen,
        depth,
        value,
        len(leaves),
        len(passes),
        len(unfolded.leaves) - len(leaves),
        oracle,
        difference(small, found["a table of one cluster"], value, leaves),
        difference(moving, found["a moving order"], value, leaves),
        violations,
    )
