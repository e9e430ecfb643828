"""Static evaluation: by a network, or by hand-made terms, fitted to the results of the engine's own games.

Each term is `count * W[index]`; with a `Trace` the same code counts instead of only adding, which is what the
tuner fits. Functions take `us` as a constant, so the compiler writes each of them twice, once a colour.
"""

cimport cython
from libc.stdint cimport int32_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from _fast.attacks cimport (
    KING_ATTACKS, KNIGHT_ATTACKS, bishop_attacks, capture_east, capture_west, push, queen_attacks,
    rook_attacks,
)
from _fast.bits cimport clz, lsb, pop, popcount, several
from _fast.board cimport Board
from _fast.endings cimport ending_scale, lone_king
from _fast.nnue cimport Network, Recording, attach, detach, net_value
from _fast.params cimport params
from _fast.pawns cimport AHEAD, DISTANCE, PawnEntry, pawn_entry
from _fast.position cimport Position, occupied, pieces
from _fast.terms cimport (
    Trace, N_WEIGHTS, W_BEHIND_PAWN, W_BISHOP_MOBILITY, W_BISHOP_PAIR, W_BISHOP_PAWNS, W_HANGING,
    W_KING_ATTACKS_PAWN, W_KING_DANGER, W_KNIGHT_MOBILITY, W_OUTPOST, W_PASSED, W_PASSED_ENEMY_KING,
    W_PASSED_FREE, W_PASSED_OWN_KING, W_PASSED_SUPPORTED, W_PSQT, W_PUSH_THREAT, W_QUEEN_MOBILITY,
    W_ROOK_MOBILITY, W_ROOK_OPEN, W_SAFE_CHECK, W_SHELTER, W_SPACE, W_STORM, W_TEMPO, W_THREAT_BY_MINOR,
    W_THREAT_BY_PAWN, W_THREAT_BY_ROOK, ending, middle_game, term,
)
from _fast.types cimport (
    BISHOP, BLACK, Bitboard, KING, KNIGHT, PAWN, QUEEN, ROOK, Value, WHITE, bit, file_of, rank_of,
    relative_square, type_of,
)

cdef enum:
    FULL_PHASE = 24
    SCALE_NORMAL = 64                   # of ending_scale()
    DANGER_MAX = 31
    DANGER_QUEENLESS = 4                # danger units an attack without a queen is less

cdef Bitboard FILE_A = 0x0101010101010101
cdef Bitboard DARK_SQUARES = 0xaa55aa55aa55aa55
cdef Bitboard CENTRE_FILES = 0x3c3c3c3c3c3c3c3c
cdef int ATTACK_UNITS[6]                # danger units of a piece that attacks the king's ring


cdef struct Scene:                      # what the terms of one position share
    const Position *pos
    Trace *trace                        # NULL in play
    Bitboard occ
    Bitboard pawn_attacks[2]
    Bitboard attacks[2][6]              # by piece type
    Bitboard all_attacks[2]
    Bitboard twice[2]                   # attacked at least twice
    Bitboard ring[2]                    # the king's surroundings
    int danger[2]                       # danger units against each king
    int attackers[2]


cdef inline int32_t passed_pawns(const Scene *scene, const PawnEntry *entry, int us) noexcept nogil:
    cdef const Position *pos = scene.pos
    cdef int them = us ^ 1
    cdef Bitboard todo = entry.passed[us]
    cdef int sq, rank, next_sq
    cdef int32_t score = 0
    while todo:
        sq = pop(&todo)
        rank = rank_of(relative_square(us, sq))
        next_sq = sq + 8 if us == WHITE else sq - 8
        score += term(scene.trace, us, W_PASSED + rank, 1)
        if not (bit(next_sq) & (scene.occ | scene.all_attacks[them])):
            score += term(scene.trace, us, W_PASSED_FREE + rank, 1)
        if (AHEAD[them][sq] & pieces(pos, us, ROOK)
                or KING_ATTACKS[sq] & pieces(pos, us, PAWN) & ~AHEAD[us][sq]):
            score += term(scene.trace, us, W_PASSED_SUPPORTED + rank, 1)
        if rank >= 3:
            score += term(scene.trace, us, W_PASSED_OWN_KING + DISTANCE[pos.king[us]][next_sq], rank - 2)
            score += term(scene.trace, us, W_PASSED_ENEMY_KING + DISTANCE[pos.king[them]][next_sq], rank - 2)
    return score


# ------------------------------------------------------------------------------------------------------------
# Pieces


cdef inline int32_t squares_of(const Scene *scene, int us) noexcept nogil:
    # Only when tracing: in play the piece-square sum is kept by make().
    cdef Bitboard todo = scene.pos.by_color[us]
    cdef int sq
    cdef int32_t score = 0
    while todo:
        sq = pop(&todo)
        score += term(scene.trace, us,
                      W_PSQT + 64 * type_of(scene.pos.board[sq]) + relative_square(us, sq), 1)
    return score


cdef inline void note_attacks(Scene *scene, int us, int piece_type, Bitboard attacks) noexcept nogil:
    cdef Bitboard ring = attacks & scene.ring[us ^ 1]
    scene.twice[us] |= scene.all_attacks[us] & attacks
    scene.all_attacks[us] |= attacks
    scene.attacks[us][piece_type] |= attacks
    if ring:
        scene.attackers[us ^ 1] += 1
        scene.danger[us ^ 1] += ATTACK_UNITS[piece_type] + popcount(ring)


cdef inline int32_t mobility(Scene *scene, int us, int piece_type, int sq, Bitboard attacks, Bitboard area,
                             int offset) noexcept nogil:
    note_attacks(scene, us, piece_type, attacks)
    return term(scene.trace, us, offset + popcount(attacks & area), 1)


cdef inline int32_t minor_extras(const Scene *scene, const PawnEntry *entry, int us, int sq,
                                 int is_bishop) noexcept nogil:
    cdef int rank = rank_of(relative_square(us, sq))
    cdef int32_t score = 0
    if rank >= 3 and rank <= 5 and bit(sq) & scene.pawn_attacks[us] & ~entry.attack_span[us ^ 1]:
        score += term(scene.trace, us, W_OUTPOST + is_bishop, 1)
    if rank < 6 and bit(sq + 8 if us == WHITE else sq - 8) & scene.pos.by_type[PAWN]:
        score += term(scene.trace, us, W_BEHIND_PAWN, 1)
    return score


cdef inline int32_t pieces_of(Scene *scene, const PawnEntry *entry, int us) noexcept nogil:
    cdef const Position *pos = scene.pos
    cdef int them = us ^ 1
    cdef Bitboard own_pawns = pieces(pos, us, PAWN)
    cdef Bitboard blocked = own_pawns & push(scene.occ, them)
    cdef Bitboard area = ~(scene.pawn_attacks[them] | blocked | bit(pos.king[us]))
    cdef Bitboard todo
    cdef int sq
    cdef int32_t score = 0
    todo = pieces(pos, us, KNIGHT)
    while todo:
        sq = pop(&todo)
        score += mobility(scene, us, KNIGHT, sq, KNIGHT_ATTACKS[sq], area, W_KNIGHT_MOBILITY)
        score += minor_extras(scene, entry, us, sq, 0)
    todo = pieces(pos, us, BISHOP)
    if several(todo):
        score += term(scene.trace, us, W_BISHOP_PAIR, 1)
    while todo:
        sq = pop(&todo)
        score += mobility(scene, us, BISHOP, sq, bishop_attacks(sq, scene.occ ^ pieces(pos, us, QUEEN)), area,
                          W_BISHOP_MOBILITY)
        score += minor_extras(scene, entry, us, sq, 1)
        score += term(scene.trace, us, W_BISHOP_PAWNS,
                      popcount(own_pawns & (DARK_SQUARES if bit(sq) & DARK_SQUARES else ~DARK_SQUARES)))
    todo = pieces(pos, us, ROOK)
    while todo:
        sq = pop(&todo)
        score += mobility(scene, us, ROOK, sq,
                          rook_attacks(sq, scene.occ ^ pieces(pos, us, QUEEN) ^ pieces(pos, us, ROOK)), area,
                          W_ROOK_MOBILITY)
        if not (own_pawns & FILE_A << file_of(sq)):
            score += term(scene.trace, us, W_ROOK_OPEN + (not (pos.by_type[PAWN] & FILE_A << file_of(sq))), 1)
    todo = pieces(pos, us, QUEEN)
    while todo:
        sq = pop(&todo)
        score += mobility(scene, us, QUEEN, sq, queen_attacks(sq, scene.occ), area, W_QUEEN_MOBILITY)
    return score


# ------------------------------------------------------------------------------------------------------------
# Kings


cdef inline int32_t shelter(const Scene *scene, int us) noexcept nogil:
    # Pawns before the own king, and enemy pawns that run at it, on the king's file and its neighbours.
    cdef const Position *pos = scene.pos
    cdef int king = pos.king[us]
    cdef int centre = min(max(file_of(king), 1), 6)
    cdef Bitboard in_front = (~((<Bitboard> 1 << (king & 56)) - 1) if us == WHITE
                              else (<Bitboard> 2 << (king | 7)) - 1)
    cdef Bitboard own, enemy
    cdef int file, edge, rank
    cdef int32_t score = 0
    for file in range(centre - 1, centre + 2):
        edge = min(file, 7 - file)
        own = pieces(pos, us, PAWN) & in_front & FILE_A << file
        rank = nearest_rank(own, us)
        score += term(scene.trace, us, W_SHELTER + 8 * edge + rank, 1)
        enemy = pieces(pos, us ^ 1, PAWN) & in_front & FILE_A << file
        rank = nearest_rank(enemy, us)
        score += term(scene.trace, us, W_STORM + 8 * edge + rank, 1)
    return score


cdef inline int nearest_rank(Bitboard pawns, int us) noexcept nogil:
    # Rank, seen by us, of the pawn nearest to our side; 0 if there is none.
    if not pawns:
        return 0
    return lsb(pawns) >> 3 if us == WHITE else 7 - (63 - clz(pawns) >> 3)


cdef inline int32_t king_safety(Scene *scene, int us) noexcept nogil:
    # Attacks on our king's ring, counted in units, and the checks the enemy could give for nothing.
    cdef const Position *pos = scene.pos
    cdef int them = us ^ 1
    cdef int king = pos.king[us]
    cdef Bitboard weak = ~scene.all_attacks[us] | (scene.attacks[us][KING] & ~scene.twice[us]
                                                   & scene.twice[them])
    cdef Bitboard safe = weak & ~pos.by_color[them]
    cdef Bitboard straight = rook_attacks(king, scene.occ) & safe
    cdef Bitboard diagonal = bishop_attacks(king, scene.occ) & safe
    cdef int32_t score = 0
    cdef int units
    if KNIGHT_ATTACKS[king] & safe & scene.attacks[them][KNIGHT]:
        score += term(scene.trace, us, W_SAFE_CHECK, 1)
    if diagonal & scene.attacks[them][BISHOP]:
        score += term(scene.trace, us, W_SAFE_CHECK + 1, 1)
    if straight & scene.attacks[them][ROOK]:
        score += term(scene.trace, us, W_SAFE_CHECK + 2, 1)
    if (straight | diagonal) & scene.attacks[them][QUEEN]:
        score += term(scene.trace, us, W_SAFE_CHECK + 3, 1)
    if scene.attackers[us] > 1 or (scene.attackers[us] and pieces(pos, them, QUEEN)):
        units = scene.danger[us] + 2 * popcount(scene.ring[us] & weak & scene.all_attacks[them])
        if not pieces(pos, them, QUEEN):
            units -= DANGER_QUEENLESS
        score += term(scene.trace, us, W_KING_DANGER + min(max(units, 0), DANGER_MAX), 1)
    if KING_ATTACKS[king] & pieces(pos, them, PAWN) & ~scene.all_attacks[them]:
        score += term(scene.trace, us, W_KING_ATTACKS_PAWN, 1)
    return score


# ------------------------------------------------------------------------------------------------------------
# Threats and space


cdef inline int32_t threats_on(const Scene *scene, int us, Bitboard targets, int offset) noexcept nogil:
    cdef int32_t score = 0
    cdef int piece_type
    for piece_type in range(PAWN, KING):
        if targets & scene.pos.by_type[piece_type]:
            score += term(scene.trace, us, offset + piece_type,
                          popcount(targets & scene.pos.by_type[piece_type]))
    return score


cdef inline int32_t threats(const Scene *scene, int us) noexcept nogil:
    cdef const Position *pos = scene.pos
    cdef int them = us ^ 1
    cdef Bitboard enemy = pos.by_color[them]
    cdef Bitboard unprotected = enemy & ~scene.pawn_attacks[them]
    cdef Bitboard pushes = push(pieces(pos, us, PAWN), us) & ~scene.occ
    cdef int32_t score = 0
    pushes |= push(pushes & <Bitboard> (0xff0000 if us == WHITE else 0xff0000000000), us) & ~scene.occ
    pushes &= ~scene.pawn_attacks[them] & (scene.all_attacks[us] | ~scene.all_attacks[them])
    score += threats_on(scene, us, enemy & ~pos.by_type[PAWN] & scene.pawn_attacks[us], W_THREAT_BY_PAWN)
    score += threats_on(scene, us, (unprotected | (enemy & (pos.by_type[ROOK] | pos.by_type[QUEEN])))
                        & (scene.attacks[us][KNIGHT] | scene.attacks[us][BISHOP]), W_THREAT_BY_MINOR)
    score += threats_on(scene, us, (unprotected | (enemy & pos.by_type[QUEEN])) & scene.attacks[us][ROOK],
                        W_THREAT_BY_ROOK)
    score += term(scene.trace, us, W_HANGING,
                  popcount(enemy & scene.all_attacks[us] & ~scene.all_attacks[them] & ~pos.by_type[KING]))
    score += term(scene.trace, us, W_PUSH_THREAT,
                  popcount((capture_east(pushes, us) | capture_west(pushes, us)) & enemy
                           & ~pos.by_type[PAWN]))
    return score


cdef inline int32_t space(const Scene *scene, int us) noexcept nogil:
    cdef const Position *pos = scene.pos
    cdef Bitboard own = pieces(pos, us, PAWN)
    cdef Bitboard behind = push(own, us ^ 1)
    cdef Bitboard home = CENTRE_FILES & <Bitboard> (0xffffff00 if us == WHITE else 0x00ffffff00000000)
    behind |= push(behind, us ^ 1)
    cdef Bitboard safe = home & ~own & ~scene.pawn_attacks[us ^ 1]
    cdef int count = popcount(safe) + popcount(behind & safe & ~scene.all_attacks[us ^ 1])
    return term(scene.trace, us, W_SPACE, count * popcount(pos.by_color[us]) // 8)


# ------------------------------------------------------------------------------------------------------------
# The whole


cdef inline void set_the_scene(Scene *scene, const Position *pos, Trace *trace, int us) noexcept nogil:
    cdef Bitboard own = pieces(pos, us, PAWN)
    cdef Bitboard east = capture_east(own, us)
    cdef Bitboard west = capture_west(own, us)
    cdef Bitboard king = KING_ATTACKS[pos.king[us]]
    cdef int i
    scene.pawn_attacks[us] = east | west
    scene.twice[us] = (east & west) | (king & (east | west))
    scene.all_attacks[us] = east | west | king
    for i in range(PAWN, KING):
        scene.attacks[us][i] = 0
    scene.attacks[us][PAWN] = east | west
    scene.attacks[us][KING] = king
    scene.ring[us] = (king | bit(pos.king[us]) | push(king, us))
    scene.danger[us] = 0
    scene.attackers[us] = 0


cdef inline int32_t all_terms(const Position *pos, Trace *trace, EvalMemory *memory) noexcept nogil:
    # Packed sum of everything but tempo, white's view.
    cdef Scene scene
    cdef const PawnEntry *entry = pawn_entry(pos, trace, memory.pawns)
    cdef int32_t score = entry.score
    scene.pos = pos
    scene.trace = trace
    scene.occ = occupied(pos)
    set_the_scene(&scene, pos, trace, WHITE)
    set_the_scene(&scene, pos, trace, BLACK)
    if trace != NULL:
        score += squares_of(&scene, WHITE) + squares_of(&scene, BLACK)
    else:
        score += pos.score
    score += pieces_of(&scene, entry, WHITE) + pieces_of(&scene, entry, BLACK)
    score += shelter(&scene, WHITE) + shelter(&scene, BLACK)
    score += king_safety(&scene, WHITE) + king_safety(&scene, BLACK)
    score += threats(&scene, WHITE) + threats(&scene, BLACK)
    score += passed_pawns(&scene, entry, WHITE) + passed_pawns(&scene, entry, BLACK)
    return score + space(&scene, WHITE) + space(&scene, BLACK)


cdef inline Value tapered(const Position *pos, int middle, int end) noexcept nogil:
    # White's view, centipawns. Endings that are hard to win are scaled down.
    cdef int phase = min(<int> pos.phase, FULL_PHASE)
    cdef int scale = ending_scale(pos, WHITE if end > 0 else BLACK)
    return ((middle * phase * SCALE_NORMAL + end * (FULL_PHASE - phase) * scale)
            // (FULL_PHASE * SCALE_NORMAL))


cdef inline Value by_terms(const Position *pos, Trace *trace, EvalMemory *memory) noexcept nogil:
    cdef int32_t score = all_terms(pos, trace, memory)
    cdef Value value = tapered(pos, middle_game(score), ending(score))
    cdef int tempo = term(trace, pos.side, W_TEMPO, 1)
    return (value if pos.side == WHITE else -value) + abs(middle_game(tempo))


cdef Value by_network(const Position *pos, EvalMemory *memory) noexcept nogil:
    cdef Value value = net_value(pos, &memory.accumulators)
    return tapered(pos, value, value) if pos.side == WHITE else -tapered(pos, -value, -value)


cdef Value evaluate(const Position *pos, EvalMemory *memory) noexcept nogil:
    cdef Value value = 0
    if lone_king(pos, &value):
        return value
    if memory.accumulators.net != NULL:
        value = by_network(pos, memory)
    else:
        value = by_terms(pos, NULL, memory)
    return value // params.grain * params.grain


# ------------------------------------------------------------------------------------------------------------
# The Python face


@cython.final
cdef class Evaluator:
    """The evaluation with its own scratch memory, for Python: tests, `eval`, and the tuner.

    network: evaluates in place of the hand-made terms. recording: takes down what the network is asked.
    """

    cdef EvalMemory *memory
    cdef readonly Network network
    cdef Recording recording

    def __cinit__(self, Network network=None, Recording recording=None):
        self.memory = <EvalMemory *> calloc(1, sizeof(EvalMemory))
        if self.memory == NULL:
            raise MemoryError("no memory for the evaluation")
        self.network = network
        self.recording = recording
        attach(&self.memory.accumulators, network, recording)

    def __dealloc__(self):
        if self.memory != NULL:
            detach(&self.memory.accumulators)
        free(self.memory)

    def evaluate(self, Board board):
        """Centipawns for the side to move."""
        return evaluate(&board.pos, self.memory)

    def trace(self, Board board):
        """(counts, phase, scale) of the hand-made terms: the sparse list of (weight index, white count minus
        black count), material phase 0..24 and ending scale 0..64; None for an ending judged by rule."""
        cdef Trace trace
        cdef Value value = 0
        cdef int32_t score
        cdef int i
        if lone_king(&board.pos, &value):
            return None
        memset(&trace, 0, sizeof(Trace))
        score = all_terms(&board.pos, &trace, self.memory)
        term(&trace, board.pos.side, W_TEMPO, 1)
        counts = []
        for i in range(N_WEIGHTS):
            if trace.count[i]:
                counts.append((i, trace.count[i]))
        return (counts, min(<int> board.pos.phase, FULL_PHASE),
                ending_scale(&board.pos, WHITE if ending(score) > 0 else BLACK))


ATTACK_UNITS[:] = [0, 2, 2, 3, 4, 0]
