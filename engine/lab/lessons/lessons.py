"""`lab lesson`: what each lesson prints. Every number is computed when it is printed."""

from collections.abc import Callable, Iterator

import chess

from sssnake.engine.lab.lessons import hashing, horizon
from sssnake.engine.lab.lessons.exchange import exchange
from sssnake.engine.lab.lessons.frames import Frame, printed
from sssnake.engine.lab.lessons.hashing import CROSS, EMPTY, NOUGHT, SIX_BITS, Keys
from sssnake.engine.lab.lessons.printed import scout
from sssnake.engine.lab.lessons.remedies import TRAPPED, remedies
from sssnake.engine.lab.lessons.repetition import repetition

# A rook takes a protected pawn; a pawn takes it, and the rook stands behind.
UNSUPPORTED = "4k3/2p5/3p4/8/8/8/3R4/4K3 w - - 0 1"
SUPPORTED = "4k3/2p5/3p4/4P3/8/8/3R4/4K3 w - - 0 1"


def zobrist() -> Iterator[str]:
    """Keys of tic-tac-toe, and what they are good for."""
    yield "Zobrist keys. Each piece on each square has a random number, and so has one side to move."
    yield "A position's key is the XOR of the numbers of what is there. Six bits, so that they can be read:"
    yield ""
    yield "square  " + "  ".join(f"{square:>6}" for square in range(1, 10))
    for name, numbers in ((NOUGHT, SIX_BITS.nought), (CROSS, SIX_BITS.cross)):
        yield f"{name:<6}  " + "  ".join(f"{number:06b}" for number in numbers)
    yield f"{CROSS} to move: {SIX_BITS.cross_to_move:06b}"
    board = CROSS + EMPTY * 3 + NOUGHT + EMPTY * 4
    key = SIX_BITS.hash(board, NOUGHT)
    yield ""
    yield from hashing.drawn(board)
    yield f"{NOUGHT} to move: {SIX_BITS.of(CROSS, 1):06b} ^ {SIX_BITS.of(NOUGHT, 5):06b} = {key:06b}"
    moved = board[:8] + NOUGHT
    after = SIX_BITS.after(key, NOUGHT, 9)
    yield ""
    yield f"{NOUGHT} moves to 9. The key is not computed afresh, but by two XORs:"
    yield f"{key:06b} ^ {SIX_BITS.of(NOUGHT, 9):06b} ^ {SIX_BITS.cross_to_move:06b} = {after:06b}"
    yield from hashing.drawn(moved)
    yield f"from the board: {SIX_BITS.hash(moved, CROSS):06b}. The order of the moves leaves no trace in it."
    yield ""
    count = len(hashing.positions())
    yield f"Tic-tac-toe has {count} positions. Positions that share their key with an earlier one:"
    for bits in (6, 16, 24, 32, 64):
        yield f"{bits:>4} bits: {hashing.collisions(Keys.of_bits(bits))}"
    yield "With enough bits there is none: equal keys may be taken for equal positions."


def occupancy() -> Iterator[str]:
    """The 64 bits "is there a piece?", and two positions that they confuse."""
    found = hashing.sharing(3)
    one, other = found.pair
    yield "A hash of 64 bits: 1 for every square with a piece on it, a8 first. The initial position:"
    yield f"{hashing.occupancy(chess.Board()):016X}"
    yield ""
    yield f"Three moves from there lead to {found.lines} lines and {found.positions} positions."
    yield f"occupancy tells {found.by_occupancy} of them apart, Zobrist keys tell {found.by_zobrist}."
    yield "These two have the same occupancy:"
    yield ""
    for left, right in zip(str(one).splitlines(), str(other).splitlines(), strict=True):
        yield f"{left}     {right}"
    yield f"{hashing.occupancy(one):016X}    {hashing.occupancy(other):016X}   occupancy"
    yield f"{hashing.zobrist(one):016X}    {hashing.zobrist(other):016X}   Zobrist"


def found_line(fen: str, depth: int, *remedies: str) -> str:
    """Search, and describe the result."""
    board = chess.Board(fen)
    found = horizon.search(board, depth, remedies)
    return f"{found.value:+d}  {board.variation_san(found.line)}"


def exchanges() -> Iterator[str]:
    """An exchange that the horizon cuts in two."""
    yield "A search of one ply that counts material. Does White take on d6?"
    for fen, what in ((UNSUPPORTED, "only the rook attacks d6"), (SUPPORTED, "the rook supports a pawn")):
        yield ""
        yield f"{fen}   {what}"
        yield from str(chess.Board(fen)).splitlines()
        yield f"  to the horizon and no further  {found_line(fen, 1)}"
        yield f"  until captures are over        {found_line(fen, 1, 'captures')}"
    yield ""
    yield "Without the rest of the exchange both captures look the same. With it they are told apart."


def effect() -> Iterator[str]:
    """A loss that is pushed behind the horizon."""
    yield "Black's bishop is lost. What does a search that counts material think, and what does it play?"
    yield ""
    yield TRAPPED
    yield from str(chess.Board(TRAPPED)).splitlines()
    yield ""
    for depth in (2, 3, 4, 5):
        yield f"{depth} plies  {found_line(TRAPPED, depth)}"
    yield ""
    yield "Up to three plies it gives a pawn away with check: the bishop's loss moves behind the horizon, and"
    yield "what is not seen does not count. Deeper searches see it again, and sell the bishop for a pawn."
    yield "Following captures moves the horizon to a quiet place:"
    yield ""
    for depth in (2, 3, 4):
        yield f"{depth} plies, then captures  {found_line(TRAPPED, depth, 'captures')}"
    yield ""
    yield "At three plies that is the cure. At two it is not: after the sacrifice it is Black's turn, and"
    yield "Black need not capture anything. See the lesson on sacrifices."


def sacrifices() -> Iterator[str]:
    """Pointless sacrifices at the horizon, and the rule that ends them."""
    yield "A sacrifice that only puts a loss off costs two plies, the move and its acceptance, and a pawn:"
    yield ""
    yield TRAPPED
    yield from str(chess.Board(TRAPPED)).splitlines()
    yield ""
    yield f"2 plies                               {found_line(TRAPPED, 2)}"
    yield f"2 plies, then captures                {found_line(TRAPPED, 2, 'captures')}"
    yield f"2 plies, sacrifices not counted       {found_line(TRAPPED, 2, 'captures', 'sacrifices')}"
    yield ""
    yield "The last search gives both plies back when a piece that has just moved without capturing is taken:"
    yield "the horizon moves along, and a sacrifice buys nothing. No rule moves every loss into sight."


# Lessons on positions: printed as all are, and as pages with boards.
FRAMES: dict[str, Callable[[], list[Frame]]] = {
    "exchange": exchange,
    "remedies": remedies,
    "repetition": repetition,
}


def in_print(name: str) -> Callable[[], Iterator[str]]:
    """Return a lesson of frames as lines."""

    def lines() -> Iterator[str]:
        yield str(FRAMES[name].__doc__)
        yield from printed(FRAMES[name]())

    lines.__doc__ = FRAMES[name].__doc__
    return lines


LESSONS: dict[str, Callable[[], Iterator[str]]] = {
    "zobrist": zobrist,
    "occupancy": occupancy,
    "exchanges": exchanges,
    "horizon": effect,
    "sacrifices": sacrifices,
    "scout": scout,
    **{name: in_print(name) for name in FRAMES},
}
