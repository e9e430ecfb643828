"""The evaluation's weights: their groups, and how they are installed. The values stand in weights.py."""

from _fast import weights
from _fast.psqt cimport PSQT
from _fast.types cimport BLACK, KING, PAWN, WHITE, piece_of


GROUPS = (
    ("psqt", W_PSQT), ("knight_mobility", W_KNIGHT_MOBILITY), ("bishop_mobility", W_BISHOP_MOBILITY),
    ("rook_mobility", W_ROOK_MOBILITY), ("queen_mobility", W_QUEEN_MOBILITY), ("passed", W_PASSED),
    ("passed_free", W_PASSED_FREE), ("passed_own_king", W_PASSED_OWN_KING),
    ("passed_enemy_king", W_PASSED_ENEMY_KING), ("passed_supported", W_PASSED_SUPPORTED),
    ("isolated", W_ISOLATED), ("doubled", W_DOUBLED), ("backward", W_BACKWARD), ("phalanx", W_PHALANX),
    ("protected", W_PROTECTED), ("shelter", W_SHELTER), ("storm", W_STORM), ("king_danger", W_KING_DANGER),
    ("safe_check", W_SAFE_CHECK), ("threat_by_pawn", W_THREAT_BY_PAWN),
    ("threat_by_minor", W_THREAT_BY_MINOR), ("threat_by_rook", W_THREAT_BY_ROOK), ("hanging", W_HANGING),
    ("push_threat", W_PUSH_THREAT), ("bishop_pair", W_BISHOP_PAIR), ("rook_open", W_ROOK_OPEN),
    ("outpost", W_OUTPOST), ("behind_pawn", W_BEHIND_PAWN), ("bishop_pawns", W_BISHOP_PAWNS),
    ("king_attacks_pawn", W_KING_ATTACKS_PAWN), ("space", W_SPACE), ("tempo", W_TEMPO),
)


def group_sizes():
    """Name -> (offset, number of weights) of each group of the evaluation, in table order."""
    ends = [offset for _, offset in GROUPS[1:]] + [N_WEIGHTS]
    return {name: (offset, end - offset) for (name, offset), end in zip(GROUPS, ends)}


def load(dict groups):
    """Install weights: group -> list of (middle game, ending). ValueError if one is missing or misshapen."""
    cdef int i
    for name, (offset, size) in group_sizes().items():
        pairs = groups.get(name, ())
        if len(pairs) != size:
            raise ValueError(f"weights.{name}: {size} pairs expected, {len(pairs)} found")
        for i in range(size):
            W[offset + i] = pairs[i][0] + pairs[i][1] * 65536
    fill_piece_squares()


cdef void fill_piece_squares() noexcept:
    # White's view: the tables of `psqt`, signed by colour.
    cdef int piece_type, sq
    for piece_type in range(PAWN, KING + 1):
        for sq in range(64):
            PSQT[piece_of(piece_type, WHITE)][sq] = W[W_PSQT + 64 * piece_type + sq]
            PSQT[piece_of(piece_type, BLACK)][sq] = -W[W_PSQT + 64 * piece_type + (sq ^ 56)]


load(weights.WEIGHTS)
