"""Staged move ordering. Moves are returned one at a time: a node that cuts off early never sorts the rest."""

from sssnake._fast.bits cimport largest
from sssnake._fast.board.attacks cimport KNIGHT_ATTACKS, PAWN_ATTACKS, bishop_attacks, rook_attacks
from sssnake._fast.search.history cimport (
    capture_entry, piece_to, prefetch_continuation, threat_index, threats_of,
)
from sssnake._fast.board.movegen cimport (
    generate, generate_checks, generate_quiet, generate_tactical, is_legal,
)
from sssnake._fast.board.position cimport occupied, table_key_after_step
from sssnake._fast.board.see cimport PIECE_VALUES, see_ge
from sssnake._fast.evaluation.endings cimport may_capture_draw
from sssnake._fast.search.tt cimport prefetch_entry
from sssnake._fast.types cimport (
    BISHOP, KING, KNIGHT, NO_MOVE, NO_PIECE_TYPE, PAWN, QUEEN, ROOK, is_capture, is_promotion, is_tactical,
    move_from, move_to, promotion_type, type_of,
)

cdef enum:                              # scores are in history units
    VICTIM_WEIGHT = 16                  # history units a centipawn of the captured piece
    TACTICAL_FIRST = 1 << 20            # among evasions captures come before quiet moves
    QUEENING = 20000                    # a promotion to a queen; minus this for other promotions
    CAPTURE_PARTS = 4                   # a capture's history counts a quarter
    LEAVES_ATTACKED = 2                 # see `threat_index`
    LOWEST = -0x7fffffff - 1            # below every rank
    PLACES = MAX_MOVES                  # a move's rank: its score times this (a power of two), plus its place


cdef inline Move prefetched(const Picker *picker, Move move) noexcept nogil:
    # Returns the move and prefetches the TT entry of its child (wrong for castling, en passant, promotion).
    prefetch_entry(picker.table, table_key_after_step(picker.pos, move))
    return move


cdef inline Move chosen(const Picker *picker, Move move) noexcept nogil:
    # Returns the move; see `bring_forward`. The main search has prefetched it already.
    return prefetched(picker, move) if picker.quiescence else move


cdef void start(Picker *picker, Move tt_move, bint generation_order) noexcept nogil:
    picker.begin = picker.end = picker.bad_begin = picker.bad_end = 0
    picker.refutation = 0
    if generation_order:
        picker.tt_move = NO_MOVE
        picker.stage = STAGE_GENERATION_ORDER
        picker.end = <int> (generate(picker.pos, picker.moves) - picker.moves)
        return
    if picker.quiescence and not picker.pos.checkers and not is_tactical(tt_move):
        tt_move = NO_MOVE
    picker.tt_move = chosen(picker, tt_move) if tt_move and is_legal(picker.pos, tt_move) else NO_MOVE
    picker.stage = STAGE_TT_MOVE


cdef inline int history_score(const Picker *picker, Bitboard threats, Move move) noexcept nogil:
    cdef int index = piece_to(picker.pos, move)
    return (picker.history.quiet[picker.pos.side][threat_index(threats, move)][move & 4095]
            + picker.continuations[0][index] + picker.continuations[1][index]
            + picker.continuations[2][index])


cdef inline int escape_bonus(const Picker *picker, Bitboard threats, Move move) noexcept nogil:
    # For a piece that leaves an attacked square for a safe one, before the histories know of it.
    cdef int piece_type = type_of(picker.pos.board[move_from(move)])
    if threat_index(threats, move) != LEAVES_ATTACKED or piece_type == PAWN or piece_type == KING:
        return 0
    return picker.params.escape_bonus * PIECE_VALUES[piece_type] // PIECE_VALUES[PAWN]


cdef int quiet_score(const Picker *picker, Move move) noexcept nogil:
    # Sum of a quiet move's histories, in history units.
    return history_score(picker, threats_of(picker.pos, picker.threats), move)


cdef inline int tactical_score(const Picker *picker, Move move) noexcept nogil:
    cdef int taken = type_of(picker.pos.board[move_to(move)])
    cdef int score
    if is_capture(move) and taken == NO_PIECE_TYPE:
        taken = PAWN                    # en passant
    score = VICTIM_WEIGHT * PIECE_VALUES[taken]
    if picker.params.capture_history:
        score += capture_entry(picker.history, picker.pos, move)[0] // CAPTURE_PARTS
    if is_promotion(move):
        score += QUEENING if promotion_type(move) == QUEEN else -QUEENING
    return score


cdef inline int ranked(int score, int place) noexcept nogil:
    return score * PLACES + PLACES - 1 - place


cdef inline int place_of(int rank) noexcept nogil:
    return PLACES - 1 - (rank & PLACES - 1)


cdef void score_tactical(Picker *picker) noexcept nogil:
    cdef int i
    for i in range(picker.begin, picker.end):
        picker.ranks[i] = ranked(tactical_score(picker, picker.moves[i]), i)


cdef void prefer_checks(Picker *picker) noexcept nogil:
    # Raises the ranks of the moves that give check with the piece moved and lose no material.
    cdef int king = picker.pos.king[picker.pos.side ^ 1]
    cdef Bitboard[6] checking           # the squares from which a piece of that type gives check
    cdef int i
    cdef Move move
    checking[PAWN] = PAWN_ATTACKS[picker.pos.side ^ 1][king]
    checking[KNIGHT] = KNIGHT_ATTACKS[king]
    checking[BISHOP] = bishop_attacks(king, occupied(picker.pos))
    checking[ROOK] = rook_attacks(king, occupied(picker.pos))
    checking[QUEEN] = checking[BISHOP] | checking[ROOK]
    checking[KING] = 0
    for i in range(picker.begin, picker.end):
        move = picker.moves[i]
        if (checking[type_of(picker.pos.board[move_from(move)])] >> move_to(move) & 1
                and see_ge(picker.pos, move, 0)):
            picker.ranks[i] += picker.params.check_bonus * PLACES


cdef void score_quiet(Picker *picker) noexcept nogil:
    cdef Bitboard threats = threats_of(picker.pos, picker.threats)
    cdef int i
    for i in range(picker.begin, picker.end):
        picker.ranks[i] = ranked(history_score(picker, threats, picker.moves[i])
                                 + escape_bonus(picker, threats, picker.moves[i]), i)
    if picker.params.check_bonus:
        prefer_checks(picker)


cdef void score_checks(Picker *picker) noexcept nogil:
    # There are few checks: they stay in generation order.
    cdef int i
    for i in range(picker.begin, picker.end):
        picker.ranks[i] = ranked(0, i)


cdef void score_all(Picker *picker) noexcept nogil:
    cdef int i
    cdef int score
    cdef Move move
    for i in range(picker.begin, picker.end):
        move = picker.moves[i]
        if is_tactical(move):
            score = TACTICAL_FIRST + tactical_score(picker, move)
        else:
            score = quiet_score(picker, move)
        picker.ranks[i] = ranked(score, i)


cdef inline void bring_forward(Picker *picker) noexcept nogil:
    # Swaps the best remaining move to the front, and prefetches the TT entry of its child; in quiescence
    # `chosen` does, for many moves are dropped there, and a child is evaluated before its entry is read.
    cdef int first = picker.begin
    cdef int best
    cdef Move move
    if first >= picker.end:
        return
    best = place_of(largest(picker.ranks + first, picker.ranks + picker.end))
    move = picker.moves[best]
    picker.moves[best] = picker.moves[first]
    picker.ranks[best] = picker.ranks[first] + first - best
    picker.moves[first] = move
    if not picker.quiescence:
        prefetched(picker, move)


cdef inline Move take_best(Picker *picker) noexcept nogil:
    # Returns the move at the front, the best of those that remain.
    cdef Move move = picker.moves[picker.begin]
    picker.begin += 1
    bring_forward(picker)
    return move


cdef inline bint is_refutation(const Picker *picker, Move move) noexcept nogil:
    return move == picker.refutations[0] or move == picker.refutations[1] or move == picker.refutations[2]


cdef Move next_tactical(Picker *picker) noexcept nogil:
    # Returns the next capture or promotion with SEE >= -see_margin. Losing ones are set aside at the front of
    # the list; in quiescence they are dropped, unless they may save a draw.
    cdef Move move
    while picker.begin < picker.end:
        move = take_best(picker)
        if move == picker.tt_move:
            continue
        if not see_ge(picker.pos, move, -picker.see_margin):
            if picker.quiescence and may_capture_draw(picker.pos, move, picker.params.ending_pieces):
                return chosen(picker, move)
            if not picker.quiescence:
                picker.moves[picker.bad_end] = move
                picker.bad_end += 1
            continue
        return chosen(picker, move)
    return NO_MOVE


cdef Move next_refutation(Picker *picker) noexcept nogil:
    cdef Move move
    cdef int i = picker.refutation
    while i < 3:
        move = picker.refutations[i]
        i += 1
        picker.refutation = i
        if (move == NO_MOVE or move == picker.tt_move or is_tactical(move)
                or (i > 1 and move == picker.refutations[0]) or (i > 2 and move == picker.refutations[1])
                or not is_legal(picker.pos, move)):
            picker.refutations[i - 1] = NO_MOVE
            continue
        return prefetched(picker, move)
    return NO_MOVE


cdef Move next_quiet(Picker *picker) noexcept nogil:
    cdef Move move
    while picker.begin < picker.end:
        move = take_best(picker)
        if move != picker.tt_move and not is_refutation(picker, move):
            return move
    return NO_MOVE


cdef Move next_evasion(Picker *picker) noexcept nogil:
    cdef Move move
    while picker.begin < picker.end:
        move = take_best(picker)
        if move != picker.tt_move:
            return chosen(picker, move)
    return NO_MOVE


cdef void make_list(Picker *picker) noexcept nogil:
    # Generates and ranks the moves of the stage that begins.
    cdef int i
    if picker.stage == STAGE_MAKE_TACTICAL:
        picker.begin = 0
        picker.end = <int> (generate_tactical(picker.pos, picker.moves) - picker.moves)
        score_tactical(picker)
    elif picker.stage == STAGE_MAKE_QUIET:
        for i in range(CONTINUATIONS):         # fetched while the moves are generated
            prefetch_continuation(picker.continuations[i], picker.pos.side)
        picker.begin = picker.bad_end
        picker.end = <int> (generate_quiet(picker.pos, picker.moves + picker.begin) - picker.moves)
        score_quiet(picker)
    elif picker.stage == STAGE_MAKE_CHECKS:
        picker.begin = 0
        picker.end = <int> (generate_checks(picker.pos, picker.moves) - picker.moves)
        score_checks(picker)
    else:
        picker.begin = 0
        picker.end = <int> (generate(picker.pos, picker.moves) - picker.moves)
        score_all(picker)
    for i in range(picker.end, picker.end + BEYOND):
        picker.ranks[i] = LOWEST
    picker.stage += 1
    bring_forward(picker)


cdef Move next_move(Picker *picker, bint skip_quiet) noexcept nogil:
    # Returns the next move, NO_MOVE at the end. skip_quiet: ALL_MOVES, or NO_QUIET from here on.
    cdef Move move = NO_MOVE
    picker.good_capture = False
    while True:
        if picker.stage == STAGE_TT_MOVE:
            picker.stage = STAGE_MAKE_ALL if picker.pos.checkers else STAGE_MAKE_TACTICAL
            move = picker.tt_move
        elif picker.stage in (STAGE_MAKE_TACTICAL, STAGE_MAKE_CHECKS, STAGE_MAKE_ALL):
            make_list(picker)
        elif picker.stage == STAGE_TACTICAL:
            move = next_tactical(picker)
            picker.good_capture = move != NO_MOVE
            if move == NO_MOVE:
                picker.stage = (STAGE_REFUTATIONS if not picker.quiescence
                                else STAGE_MAKE_CHECKS if picker.checks else STAGE_END)
        elif picker.stage == STAGE_REFUTATIONS:
            move = NO_MOVE if skip_quiet else next_refutation(picker)
            if move == NO_MOVE:
                picker.stage = STAGE_MAKE_QUIET
        elif picker.stage == STAGE_MAKE_QUIET:
            if skip_quiet:
                picker.stage = STAGE_BAD_TACTICAL
            else:
                make_list(picker)
        elif picker.stage == STAGE_QUIET:
            move = NO_MOVE if skip_quiet else next_quiet(picker)
            if move == NO_MOVE:
                picker.stage = STAGE_BAD_TACTICAL
        elif picker.stage == STAGE_BAD_TACTICAL:
            if picker.bad_begin < picker.bad_end:
                move = picker.moves[picker.bad_begin]
                picker.bad_begin += 1
            else:
                picker.stage = STAGE_END
        elif picker.stage == STAGE_ALL or picker.stage == STAGE_CHECKS:
            move = next_evasion(picker)
            if move == NO_MOVE:
                picker.stage = STAGE_END
        elif picker.stage == STAGE_GENERATION_ORDER:
            if picker.begin == picker.end:
                picker.stage = STAGE_END
            else:
                picker.begin += 1
                return picker.moves[picker.begin - 1]
        else:
            return NO_MOVE
        if move != NO_MOVE:
            return move
