"""What the core refuses to set up: the checks that `_fast` relies on instead of checking again."""

import chess

# Impossible checks and over-generous castling or en-passant fields do no harm: they are played or dropped.
REASONS = {
    chess.STATUS_EMPTY: "an empty board",
    chess.STATUS_NO_WHITE_KING: "no white king",
    chess.STATUS_NO_BLACK_KING: "no black king",
    chess.STATUS_TOO_MANY_KINGS: "more than one king of a colour",
    chess.STATUS_TOO_MANY_WHITE_PAWNS: "more than eight white pawns",
    chess.STATUS_TOO_MANY_BLACK_PAWNS: "more than eight black pawns",
    chess.STATUS_TOO_MANY_WHITE_PIECES: "more than sixteen white pieces",
    chess.STATUS_TOO_MANY_BLACK_PIECES: "more than sixteen black pieces",
    chess.STATUS_PAWNS_ON_BACKRANK: "a pawn on the first or last rank",
    chess.STATUS_OPPOSITE_CHECK: "the side to move could take the king",
}
AT_START = {chess.KNIGHT: 2, chess.BISHOP: 2, chess.ROOK: 2, chess.QUEEN: 1}
MAX_HALFMOVES = 10_000
MAX_FULLMOVES = 100_000


def check_playable(board: chess.Board) -> None:
    """Raise ValueError, with the reason in one line, for a position that the core does not play."""
    status = board.status()
    for flag, reason in REASONS.items():
        if status & flag:
            raise ValueError(f"illegal position: {reason}")
    for color in chess.COLORS:
        promoted = sum(
            max(len(board.pieces(piece_type, color)) - n, 0) for piece_type, n in AT_START.items()
        )
        # This keeps every move list far within MAX_MOVES: the longest known has 218 moves (Petrovic, 1964).
        if promoted + len(board.pieces(chess.PAWN, color)) > 8:
            raise ValueError(f"illegal position: too many {chess.COLOR_NAMES[color]} pieces for eight pawns")
    if not 0 <= board.halfmove_clock <= MAX_HALFMOVES:
        raise ValueError(f"illegal position: halfmove clock {board.halfmove_clock} out of range")
    if not 0 <= board.fullmove_number <= MAX_FULLMOVES:
        raise ValueError(f"illegal position: fullmove number {board.fullmove_number} out of range")


def means_chess960(fen: str) -> bool:
    """Whether a FEN's castling rights make sense only by the rules of Chess960. ValueError if garbled."""
    standard, general = (chess.Board(fen, chess960=chess960) for chess960 in (False, True))
    return standard.clean_castling_rights() != general.clean_castling_rights()
