"""The game of a tab: python-chess holds it and writes it. The page names its moves by numbers.

What a game was read with is kept: tags, comments, marks, clocks, variations, lines for other programs. 0 is
the number of the start. ValueError, in one line: what cannot be done.
"""

import datetime
import re
from collections.abc import Iterator, Sequence
from typing import Any

import chess
import chess.pgn

from sssnake.engine.analysis.annotate import written
from sssnake.engine.analysis.marks import expected, material
from sssnake.engine.analysis.study import unescaped
from sssnake.engine.common.messages import printable
from sssnake.engine.games.movetext import BRACE
from sssnake.engine.games.outcome import RESULTS, outcome_with_history
from sssnake.engine.games.pgn_cutter import GameText
from sssnake.engine.games.pgn_reader import FISCHER_RANDOM
from sssnake.engine.games.pgn_writer import single_spaced
from sssnake.engine.serve.rules import LARGEST_TEXT, LONGEST_GAME, read_move

LARGEST_TREE = 30_000  # moves
LONGEST_COMMENT = 20_000  # characters
LONGEST_TAG, MOST_TAGS = 255, 200
COMMAND = re.compile(r"\[%[^\]]*\]")  # in a comment: [%clk 0:01:02]
TAG_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,39}")
MOVE_MARKS = frozenset(range(1, 7))  # ! ? !! ?? !? ?!
UNKNOWN = (*RESULTS, "*")


class Record:
    """A game and the numbers of its moves."""

    def __init__(
        self, game: chess.pgn.Game, text: GameText | None = None, remark: str = "", own: bool = False
    ):
        self.game = game
        self.remark = remark  # on what was not read
        self._text = text
        self._own = own or text is None  # begun here, so its result follows from its moves
        given = game.headers.get("Result", "*")
        self._given = given if own and given in RESULTS else None  # by resignation, time or agreement
        self._last = (
            game.end() if self._given else None
        )  # where it ended or is played; None: where the moves end
        self.start_score: dict[str, object] = {}  # of a review; PGN has no place for it
        self._next = 0
        self._nodes: dict[int, chess.pgn.GameNode] = {}
        self._numbers: dict[chess.pgn.GameNode, int] = {}
        self.renumber()

    @classmethod
    def new(cls, board: chess.Board, tags: dict[str, str] | None = None) -> "Record":
        """A game from a board, with the moves that were made on it."""
        game = chess.pgn.Game.from_board(board)
        game.headers["Event"] = "SSSnake"
        game.headers["Date"] = datetime.date.today().strftime("%Y.%m.%d")
        if board.chess960:
            game.headers["Variant"] = FISCHER_RANDOM
        record = cls(game)
        for name, value in (tags or {}).items():
            record.tag(name, value)
        record._update_result()
        return record

    def renumber(self) -> None:
        """Number the moves that have no number yet, main lines first; forget those that are gone."""
        nodes = list(_all_nodes(self.game))
        for gone in self._numbers.keys() - set(nodes):
            del self._nodes[self._numbers.pop(gone)]
        for node in nodes:
            if node not in self._numbers:
                self._enter(node)
        if len(self._nodes) > LARGEST_TREE:
            raise ValueError(f"a game and its variations have at most {LARGEST_TREE} moves")

    def _enter(self, node: chess.pgn.GameNode) -> int:
        number, self._next = self._next, self._next + 1
        self._nodes[number], self._numbers[node] = node, number
        return number

    # Moves.

    def node(self, number: int | None) -> chess.pgn.GameNode:
        """The move with a number; None: the last one of the main line."""
        if number is None:
            return self.game.end()
        if number not in self._nodes:
            raise ValueError(f"the game has no move {number}")
        return self._nodes[number]

    def board(self, number: int | None) -> chess.Board:
        """The position after a move, with the game before it."""
        return self.node(number).board()

    def push(self, number: int | None, text: str, clock: float | None = None) -> int:
        """Make a move after another one, or find it there; its number."""
        node = self.node(number)
        board = node.board()
        move = read_move(board, text)
        if node.has_variation(move):
            return self._numbers[node.variation(move)]
        if len(self._nodes) > LARGEST_TREE or node.ply() - self.game.ply() >= LONGEST_GAME:
            raise ValueError(f"a game has at most {LONGEST_GAME} plies")
        child = node.add_variation(move)
        if clock is not None:
            child.set_clock(max(0.0, clock))
        number = self._enter(child)
        if self._own:
            self._update_result()
        return number

    def play(self, number: int) -> bool:
        """Go on with a game begun here: its main line leads to this move. Whether it led elsewhere."""
        node = self.node(number)
        if not self._own:
            return False
        aside = not node.is_mainline()
        self._given, self._last = None, node
        self.promote(number)
        return aside

    def cut(self, number: int) -> None:
        """Remove a move and all that follows it."""
        node = self.node(number)
        if node.parent is None:
            raise ValueError("the start cannot be removed")
        played = self._last is None or self._last in _all_nodes(node)
        node.parent.remove_variation(node)  # itself, for another one may begin with the same move
        for each in _all_nodes(node):
            del self._nodes[self._numbers.pop(each)]
        if self._own and played:
            self._given = self._last = None
            self._update_result()

    def promote(self, number: int) -> None:
        """Make the line that leads to a move the main line."""
        node = self.node(number)
        while node.parent is not None:
            node.parent.promote_to_main(node)
            node = node.parent
        if self._own:
            self._update_result()

    def comment(self, number: int, text: str) -> None:
        """Write a comment on a move; clocks and evaluations in it are kept."""
        if len(text) > LONGEST_COMMENT:
            raise ValueError(f"a comment has at most {LONGEST_COMMENT} characters")
        node = self.node(number)
        if sum(len(each.comment) for each in self._nodes.values()) + len(text) > LARGEST_TEXT:
            raise ValueError(f"the comments of a game have at most {LARGEST_TEXT} characters")
        kept = COMMAND.findall(node.comment)
        said = single_spaced(COMMAND.sub("", printable(text)).replace("}", BRACE))
        node.comment = " ".join(filter(None, (said, *kept)))

    def mark(self, number: int, nag: int) -> None:
        """Put a mark (! ? !! ?? !? ?!, 1 to 6) in the place of another, or take it away (0)."""
        node = self.node(number)
        if node.parent is None or nag not in MOVE_MARKS | {0}:
            raise ValueError("a mark is a number from 0 to 6, for a move")
        node.nags = (node.nags - MOVE_MARKS) | ({nag} if nag else set())

    # The game as a whole.

    def tag(self, name: str, value: str) -> None:
        """Set a tag; "" removes one that need not be there."""
        if not TAG_NAME.fullmatch(name) or name in ("FEN", "SetUp", "Variant", "Result"):
            raise ValueError(f"the tag {name[:40]!a} cannot be changed here")
        value = single_spaced(printable(value))[:LONGEST_TAG].replace("\\", "\\\\").replace('"', '\\"')
        more = name not in self.game.headers and name != "Termination"  # that has room in any case
        if more and len(self.game.headers) >= MOST_TAGS:
            raise ValueError(f"a game has at most {MOST_TAGS} tags")
        if value or name in chess.pgn.TAG_ROSTER:
            self.game.headers[name] = value or "?"
        else:
            self.game.headers.pop(name, None)

    def end(self, number: int | None, score: str, reason: str, played: bool = False) -> None:
        """The result of a game that ended otherwise than by the rules; in a variation as a comment there.

        played: the main line was played up to this move, what follows in it was only looked at.
        """
        if score not in UNKNOWN:
            raise ValueError(f"{score[:10]!a} is no result")
        node = self.node(number)
        if not self._own or not (node is self.game.end() or (played and node.is_mainline())):
            self.comment(self._numbers[node], f"{score}: {reason[:100]}")
            return
        self._given, self._last = score, node
        self._update_result()
        self.tag("Termination", reason[:100])

    def _update_result(self) -> None:
        ended = outcome_with_history(searched(self._last or self.game.end()))
        self.game.headers["Result"] = ended[0] if ended else self._given or "*"
        if not ended and self._given is None:
            self.game.headers.pop("Termination", None)

    def pgn(self) -> str:
        """The game as PGN."""
        return written(self.game, self._text)

    # What the page is told.

    @property
    def size(self) -> int:
        """How many moves it has, variations counted."""
        return len(self._nodes) - 1

    def tags(self) -> dict[str, str]:
        """The tags as a person reads them."""
        return {name: unescaped(value) for name, value in self.game.headers.items()}

    def state(self) -> dict[str, object]:
        """Tags, and the tree: every move with the number of the one before it."""
        root = self.game.board()
        return {
            "tags": self.tags(),
            "tree": list(self._entries()),
            "comment": shown_comment(self.game.comment),
            "first": {"number": root.fullmove_number, "black": not root.turn},
            "chess960": root.chess960,
            "remark": self.remark,
            **({"start": self.start_score} if self.start_score else {}),
        }

    def entry(self, number: int) -> dict[str, Any]:
        """What the page shows of a move."""
        node = self.node(number)
        assert isinstance(node, chess.pgn.ChildNode)
        return self._entry(node, node.parent.board())

    def _entries(self) -> Iterator[dict[str, Any]]:
        """All moves but the start, main lines first. (`node.board` replays the game each time.)"""
        rest: list[tuple[chess.pgn.GameNode, chess.Board]] = [(self.game, self.game.board())]
        while rest:
            node, before = rest.pop()
            after = before
            if isinstance(node, chess.pgn.ChildNode):
                yield self._entry(node, before)
                after = before.copy(stack=False)
                after.push(node.move)
            rest += [(child, after) for child in reversed(node.variations)]

    def _entry(self, node: chess.pgn.ChildNode, before: chess.Board) -> dict[str, Any]:
        entry: dict[str, Any] = {
            "id": self._numbers[node],
            "parent": self._numbers[node.parent],
            "move": before.uci(node.move),
            "san": before.san(node.move),
        }
        after = before.copy(stack=False)
        after.push(node.move)
        more = {
            "nags": sorted(node.nags),
            "comment": shown_comment(node.comment),
            "before": shown_comment(node.starting_comment),
            "clock": node.clock(),
            **score_of(node, after),
        }
        return entry | {name: value for name, value in more.items() if value not in (None, "", [])}


def score_of(node: chess.pgn.GameNode, board: chess.Board) -> dict[str, object]:
    """The evaluation in the comment of a move, and White's expected score by it."""
    if board.is_checkmate():  # python-chess does not read it
        return {"score": "#", "expected": 0.0 if board.turn else 1.0}
    found = node.eval()
    if found is None:
        return {}
    white = found.white()
    mate = white.mate()
    if mate is not None:
        return {"score": f"#{mate}", "expected": 1.0 if mate > 0 else 0.0}
    score = white.score(mate_score=0)
    return {"score": f"{score / 100:+.2f}", "expected": round(expected(score, material(board)), 3)}


def shown_comment(text: str) -> str:
    """A comment as a person reads it."""
    return single_spaced(COMMAND.sub(" ", text).replace(BRACE, "}"))


def searched(node: chess.pgn.GameNode) -> chess.Board:
    """The position after a move as it is searched: its past begins behind the last null move."""
    board = node.board()
    moves: Sequence[chess.Move] = board.move_stack
    nulls = [ply for ply, move in enumerate(moves, 1) if not move]
    if not nulls:
        return board
    begin = board.copy()
    for _ in range(len(moves) - nulls[-1]):
        begin.pop()
    begin = begin.copy(stack=False)
    for move in moves[nulls[-1] :]:
        begin.push(move)
    return begin


def _all_nodes(node: chess.pgn.GameNode) -> Iterator[chess.pgn.GameNode]:
    """A move and all that follow it, main lines first."""
    rest = [node]
    while rest:
        one = rest.pop()
        yield one
        rest += reversed(one.variations)
