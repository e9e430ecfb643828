"""A chess search in exact mode as an explicit tree, with moves, boards and the log of its leaves."""

from dataclasses import dataclass

from sssnake._fast.values import INFINITE
from sssnake.engine.lab.chess.core import EXACT, Core
from sssnake.engine.lab.chess.tree import ChessTree, Position
from sssnake.engine.lab.searches import mtd
from sssnake.engine.lab.trees.trees import Nested, NestedTree, TreeError

LARGEST = 20_000  # nodes


@dataclass
class ChessTreeData:
    """The tree of a position, its nodes in preorder.

    rules   what the search counts, in words
    moves   in SAN; "" at the root
    boards  the first field of a FEN
    keys    of leaves, equal for those that the transposition table takes for one: small numbers; others -1
    log     the keys of the leaves that the engine's MTD(+inf) evaluated, in order of first evaluation
    passes  the values that its passes returned
    """

    fen: str
    depth: int
    rules: str
    tree: NestedTree
    moves: list[str]
    boards: list[str]
    keys: list[int]
    log: list[int]
    passes: list[int]


def written_out(fen: str, depth: int, chess960: bool = False) -> ChessTreeData:
    """Search a position with the engine in exact mode, and write its tree out; TreeError if too large.

    A Chess960 position stays one: castling is by its own squares, and the FEN names the rooks' files.
    """
    tree = ChessTree(fen, depth, chess960)
    moves: list[str] = []
    boards: list[str] = []
    keys: list[int] = []
    numbers: dict[int, int] = {}
    top: list[Nested] = []
    stack: list[tuple[Position, str, list[Nested]]] = [(tree.root, "", top)]
    while stack:
        node, move, home = stack.pop()
        if len(moves) == LARGEST:
            raise TreeError(f"the tree has more than {LARGEST} nodes; a smaller depth is wanted")
        moves.append(move)
        boards.append(node.board.board_fen())
        children = tree.children(node)
        keys.append(-1 if children else numbers.setdefault(tree.key(node), len(numbers)))
        if not children:
            home.append(tree.value(node))
            continue
        family: list[Nested] = []
        home.append(family)
        for child in reversed(children):
            assert child.move is not None
            stack.append((child, node.board.san(child.move), family))
    core = Core(fen, depth, chess960=chess960)
    _value, passes = mtd.drive(core.test, INFINITE, mtd.from_above)
    log = [numbers[key] for key in core.leaves()]
    start = tree.root.board
    name = start.shredder_fen() if start.chess960 else start.fen()
    return ChessTreeData(name, depth, EXACT, NestedTree(top[0]), moves, boards, keys, log, passes)
