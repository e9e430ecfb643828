"""Which positions can be set up. `_fast` relies on these checks and does not repeat them."""

import chess

# Impossible checks and material are allowed. Impossible castling rights and en-passant squares are dropped.
REASONS = {
    chess.STATUS_EMPTY: "an empty board",
    chess.STATUS_NO_WHITE_KING: "no white king",
    chess.STATUS_NO_BLACK_KING: "no black king",
    chess.STATUS_TOO_MANY_KINGS: "more than one king of a colour",
    chess.STATUS_PAWNS_ON_BACKRANK: "a pawn on the first or last rank",
    chess.STATUS_OPPOSITE_CHECK: "the side to move could take the king",
}
# Of both colours together. The network's sums do not overflow, and the moves do not exceed MAX_MOVES: on a
# line of n squares k sliders have at most 2 * (n - k) moves, one has n - 1. Sixteen queens have at most 324
# moves on all lines, each further one at most 8. So the maximum is a king (10), 16 queens (324), 8 pawns that
# promote (12 each) and 6 knights (8 each): 478.
MAX_PIECES = 32
MAX_HALFMOVES = 10_000
MAX_FULLMOVES = 100_000


def check_playable(board: chess.Board) -> None:
    """Raise ValueError, with the reason in one line, for a position that cannot be set up."""
    status = board.status()
    for flag, reason in REASONS.items():
        if status & flag:
            raise ValueError(f"illegal position: {reason}")
    if chess.popcount(board.occupied) > MAX_PIECES:
        raise ValueError(f"illegal position: more than {MAX_PIECES} pieces")
    if not 0 <= board.halfmove_clock <= MAX_HALFMOVES:
        raise ValueError(f"illegal position: halfmove clock {board.halfmove_clock} out of range")
    if not 0 <= board.fullmove_number <= MAX_FULLMOVES:
        raise ValueError(f"illegal position: fullmove number {board.fullmove_number} out of range")


def means_chess960(fen: str) -> bool:
    """Whether a FEN's castling rights make sense only by the rules of Chess960. ValueError if garbled."""
    standard, general = (chess.Board(fen, chess960=chess960) for chess960 in (False, True))
    return standard.clean_castling_rights() != general.clean_castling_rights()
