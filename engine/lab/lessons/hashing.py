"""Hash keys of positions: Zobrist's on tic-tac-toe, and why 64 bits of occupancy are not one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import chess
import chess.polyglot

from sssnake.engine.lab.trees.trees import mix

EMPTY, NOUGHT, CROSS = ".", "O", "X"
CORNERED = "789456123"  # the squares as they stand on a number pad
WINS = ("123", "456", "789", "147", "258", "369", "159", "357")


@dataclass(frozen=True)
class Keys:
    """Random numbers, one for each piece on each square 1 to 9, and one for the side to move."""

    nought: Sequence[int]
    cross: Sequence[int]
    cross_to_move: int

    @classmethod
    def of_bits(cls, bits: int, seed: int = 1) -> "Keys":
        """Draw keys of so many bits."""
        draws = [mix(mix(seed) + i) >> (64 - bits) for i in range(19)]
        return cls(draws[:9], draws[9:18], draws[18])

    def of(self, piece: str, square: int) -> int:
        """Return the number of a piece on a square; an empty square has 0."""
        if piece == EMPTY:
            return 0
        return (self.nought if piece == NOUGHT else self.cross)[square - 1]

    def hash(self, board: str, to_move: str) -> int:
        """XOR the numbers of all pieces, `board` being nine characters for the squares 1 to 9."""
        key = self.cross_to_move if to_move == CROSS else 0
        for square, piece in enumerate(board, 1):
            key ^= self.of(piece, square)
        return key

    def after(self, key: int, piece: str, square: int) -> int:
        """Return the key after a move: the new piece, and the other side to move. No board is needed."""
        return key ^ self.of(piece, square) ^ self.cross_to_move


# Six bits, so that they can be read: the table of the lecture.
SIX_BITS = Keys(
    nought=(0b110101, 0b011110, 0b011010, 0b010101, 0b010011, 0b101001, 0b001100, 0b000111, 0b110110),
    cross=(0b011111, 0b000010, 0b101010, 0b101000, 0b100101, 0b011000, 0b010101, 0b001010, 0b100010),
    cross_to_move=0b111111,
)


def is_won(board: str) -> bool:
    """Return whether somebody has three in a row."""
    return any(len(marks := {board[int(s) - 1] for s in line}) == 1 and marks != {EMPTY} for line in WINS)


def positions() -> set[tuple[str, str]]:
    """Return every position of tic-tac-toe: (board, side to move), noughts begin."""
    found: set[tuple[str, str]] = set()
    stack = [(EMPTY * 9, NOUGHT)]
    while stack:
        board, to_move = stack.pop()
        if (board, to_move) in found:
            continue
        found.add((board, to_move))
        if not is_won(board):
            other = CROSS if to_move == NOUGHT else NOUGHT
            stack.extend(
                (board[:i] + to_move + board[i + 1 :], other)
                for i, piece in enumerate(board)
                if piece == EMPTY
            )
    return found


def collisions(keys: Keys) -> int:
    """Return how many positions of tic-tac-toe share their key with an earlier one."""
    every = positions()
    return len(every) - len({keys.hash(board, to_move) for board, to_move in every})


def drawn(board: str) -> list[str]:
    """Return three lines, square 7 at the top left."""
    return [" ".join(board[int(s) - 1] for s in CORNERED[i : i + 3]) for i in (0, 3, 6)]


def occupancy(board: chess.Board) -> int:
    """Return 64 bits, 1 where a piece stands; a8 is the first of them, h1 the last."""
    rows = format(board.occupied, "064b")  # h8 is the first
    return int("".join(rows[i : i + 8][::-1] for i in range(0, 64, 8)), 2)


def zobrist(board: chess.Board) -> int:
    """Return the key of opening books: 64 random bits for every piece on every square, and for the rights."""
    return chess.polyglot.zobrist_hash(board)


def reached(depth: int) -> Iterator[chess.Board]:
    """Yield the positions after every sequence of `depth` moves from the initial one."""

    def below(board: chess.Board, plies: int) -> Iterator[chess.Board]:
        if plies == 0:
            yield board.copy(stack=False)
            return
        for move in list(board.legal_moves):
            board.push(move)
            yield from below(board, plies - 1)
            board.pop()

    return below(chess.Board(), depth)


@dataclass(frozen=True)
class Sharing:
    """How many positions are told apart, by what; and two that have the same occupancy."""

    lines: int
    positions: int
    by_zobrist: int
    by_occupancy: int
    pair: tuple[chess.Board, chess.Board]


def sharing(depth: int) -> Sharing:
    """Count the positions after `depth` moves, their keys and their occupancies."""
    seen: dict[str, chess.Board] = {}
    lines = 0
    for board in reached(depth):
        lines += 1
        seen.setdefault(board.epd(), board)
    first: dict[int, chess.Board] = {}
    pair: tuple[chess.Board, chess.Board] | None = None
    for board in seen.values():
        other = first.setdefault(occupancy(board), board)
        if pair is None and other.board_fen() != board.board_fen():
            pair = other, board
    if pair is None:
        raise ValueError(f"after {depth} moves all positions differ in their occupancy")
    return Sharing(lines, len(seen), len({zobrist(board) for board in seen.values()}), len(first), pair)
