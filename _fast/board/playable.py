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


def read_fen(text: str, chess960: bool = False) -> tuple[chess.Board, str]:
    """A position that can be played, and what was dropped of it, in one line ("": nothing).

    Castling rights without king and rook in their places, and an en-passant square without a pawn that has
    just passed it, are dropped. chess960, or castling rights that all exist but not all in standard chess,
    make a Chess960 board. ValueError, with the text as it was given: anything else that is wrong.
    """
    given = " ".join(text.split())
    fields = given.split(" ")
    if len(fields) > 2:
        fields[2] = "".join(sorted(fields[2], key=str.islower))  # K and Q may be mixed with k and q
    try:
        board = chess.Board(" ".join(fields), chess960=chess960)
        general = chess.Board(" ".join(fields), chess960=True)
    except ValueError as error:
        raise ValueError(f"not a FEN: {given[:90]!a} ({_reason(error)})") from None
    claimed = [letter for letter in (fields[2] if len(fields) > 2 else "") if letter != "-"]
    exist = chess.popcount(general.clean_castling_rights()) == len(claimed)
    if any(letter not in "KQkq" for letter in claimed) or (exist and not _are_standard(board)):
        board = general
    remarks = []
    board.castling_rights = board.clean_castling_rights()
    if len(claimed) > chess.popcount(board.castling_rights):
        kept = board.castling_xfen()
        remarks.append(f"castling rights {fields[2]}: kept are {kept if kept != '-' else 'none'}")
    if board.ep_square is not None and board.status() & chess.STATUS_INVALID_EP_SQUARE:
        remarks.append(f"en-passant square {chess.square_name(board.ep_square)}: dropped")
        board.ep_square = None
    try:
        check_playable(board)
    except ValueError as error:
        raise ValueError(f"{error}: {given[:90]!a}") from None
    return board, "; ".join(remarks)


def _are_standard(board: chess.Board) -> bool:
    """Whether standard chess knows all castling rights of a position."""
    return board.castling_rights == board.clean_castling_rights()


def _reason(error: ValueError) -> str:
    """python-chess's message without its copy of the FEN."""
    return str(error).partition(": ")[0][:60]
