"""Bishop and knight against a lone king, solved: all positions, by retrograde analysis.

    python tests/measure/bishop_knight.py       prints the rows of _fast/evaluation/bishop_knight.py

The lone king's 64 squares are one 64-bit integer, so a step treats all of them at once; numpy does so for all
squares of the other pieces. The bishop stands on dark squares.
"""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from sssnake._fast.evaluation.bishop_knight import DIGITS, KING_ZERO, KNIGHT_ZERO, SQUARES

Squares = npt.NDArray[np.uint64]  # [king][bishop][knight]: a set of the lone king's squares
FILE_A = np.uint64(0x0101010101010101)
FILE_H = np.uint64(0x8080808080808080)
ONE, EIGHT = np.uint64(1), np.uint64(8)
DARK = [square for square in range(64) if (square + square // 8) % 2 == 0]
DIAGONALS = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
KNIGHT = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
KING = [*DIAGONALS, (0, 1), (1, 0), (0, -1), (-1, 0)]


def bit(square: int) -> np.uint64:
    return np.uint64(1 << square)


def step(square: int, by: tuple[int, int]) -> int | None:
    """The square so many files and ranks away, if there is one."""
    file, rank = square % 8 + by[0], square // 8 + by[1]
    return 8 * rank + file if 0 <= file < 8 and 0 <= rank < 8 else None


def steps(square: int, moves: list[tuple[int, int]]) -> list[int]:
    return [to for by in moves if (to := step(square, by)) is not None]


def ray(square: int, by: tuple[int, int]) -> Iterator[int]:
    at = step(square, by)
    while at is not None:
        yield at
        at = step(at, by)


def beside(squares: Squares) -> Squares:
    """The squares that a king reaches from these."""
    row = (squares & ~FILE_H) << ONE | (squares & ~FILE_A) >> ONE
    three = row | squares
    around: Squares = row | three << EIGHT | three >> EIGHT
    return around


class Pieces:
    """The squares of king, bishop and knight, and what they attack through the lone king."""

    def __init__(self) -> None:
        self.king, self.bishop, self.knight = np.ix_(range(64), range(64), range(64))
        shape = (64, 64, 64)
        bits = np.array([bit(square) for square in range(64)])
        own = np.broadcast_to(bits[self.king] | bits[self.bishop] | bits[self.knight], shape)
        near = np.array([sum(1 << to for to in steps(square, KING)) for square in range(64)], np.uint64)
        jumps = np.array([sum(1 << to for to in steps(square, KNIGHT)) for square in range(64)], np.uint64)
        self.attacked = np.broadcast_to(near[self.king] | jumps[self.knight], shape) | self.diagonals()
        apart = (self.king != self.bishop) & (self.king != self.knight) & (self.bishop != self.knight)
        dark = np.isin(self.bishop, DARK)
        self.legal = np.where(apart & dark, ~(own | near[self.king]), np.uint64(0))
        self.free = ~(self.attacked | bits[self.king])  # where the lone king may go, captures included

    def diagonals(self) -> Squares:
        found = np.zeros((64, 64, 64), np.uint64)
        for bishop in DARK:
            for by in DIAGONALS:
                open_ = np.ones((64, 64), bool)
                for to in ray(bishop, by):
                    found[:, bishop, :] |= np.where(open_, bit(to), np.uint64(0))
                    open_[to, :] = open_[:, to] = False
        return found


def before(lost: Squares) -> Squares:
    """Where the strong side, to move, comes to one of the lost positions."""
    won = np.zeros_like(lost)
    for square in range(64):
        for to in steps(square, KING):
            won[square] |= lost[to]
        for to in steps(square, KNIGHT):
            won[:, :, square] |= lost[:, :, to]
    for bishop in DARK:
        for by in DIAGONALS:
            open_ = np.full((64, 64), ~np.uint64(0))  # without the lone king's squares on the way
            for to in ray(bishop, by):
                open_ &= ~bit(to)
                open_[to, :] = open_[:, to] = 0
                won[:, bishop] |= lost[:, to] & open_
    return won


def wins() -> Iterator[tuple[int, Squares]]:
    """(plies to mate, positions with the strong side to move), the shortest first."""
    pieces = Pieces()
    won = np.zeros_like(pieces.legal)
    plies = -1
    while True:
        escapes = beside(pieces.free & ~won)
        stuck = beside(pieces.free) | pieces.attacked  # no stalemate
        now: Squares = before(pieces.legal & ~escapes & stuck) & pieces.legal & ~pieces.attacked
        plies += 2
        new: Squares = now & ~won
        if not new.any():
            return
        yield plies, new
        won |= new


def means() -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Mean plies to mate by the squares of [king][lone king]; what [knight][lone king] adds to it."""
    count = np.zeros((64, 64, 64))  # positions: [king][knight][lone king]
    total = np.zeros((64, 64, 64))
    for plies, squares in wins():
        each = np.unpackbits(squares.view(np.uint8).reshape(64, 64, 64, 8), axis=3, bitorder="little")
        found = each.sum(axis=1, dtype=np.int64)
        count += found
        total += plies * found
    kings = total.sum(axis=1) / np.maximum(1, count.sum(axis=1))
    rest = total - count * kings[:, None, :]
    return kings, rest.sum(axis=0) / np.maximum(1, count.sum(axis=0))


def rows(table: npt.NDArray[np.float64], zero: int) -> list[str]:
    """For each of SQUARES a line of digits, one for each square of the other piece."""
    return ["".join(DIGITS[zero + round(mean)] for mean in table[:, square]) for square in SQUARES]


def main() -> None:
    """Print the tables."""
    kings, knights = means()
    for name, lines in (("KINGS", rows(kings, KING_ZERO)), ("KNIGHTS", rows(knights, KNIGHT_ZERO))):
        print(f"{name} = (")
        for line in lines:
            print(f'    "{line}",')
        print(")")


if __name__ == "__main__":
    main()
