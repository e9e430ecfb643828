# The parameters of one searcher, as the search reads them. Change them in parameters.py: this is
# written by `python -m _fast.search.parameters`.

cimport cython


cdef struct Params:
    # What a node knows before it looks at its moves
    int mate_distance               # 1: a mate already found bounds what is worth searching
    int table_cutoffs               # 1: a transposition table bound that is deep enough cuts off
    # Pruning of whole nodes
    int razoring_depth              # up to this depth far below alpha: quiescence decides
    int razoring_margin             # a ply
    int reverse_futility_depth      # up to this depth a value far above beta cuts off
    int reverse_futility_margin     # a ply
    int reverse_futility_improving  # less margin when the static value rises
    int reverse_futility_trust      # one part in this many of the excess is returned
    int null_move_depth             # from this depth on a null move is tried
    int null_move_base              # its reduction, plies
    int null_move_divisor           # one more ply of reduction for that much depth
    int null_move_eval              # one more ply of reduction for that much above beta
    int null_move_eval_max          # plies, the most for standing above beta
    int null_move_margin            # how far above beta the static value must stand ...
    int null_move_slope             # ... less this much a ply of depth
    int null_move_verify            # from this depth on a null move's cutoff is verified
    int null_move_verify_free       # quarters of the verification without null moves
    int probcut_depth               # from this depth on a good capture may prove beta + margin
    int probcut_margin              # above beta
    int probcut_improving           # less margin when the static value rises
    int probcut_reduction           # plies
    int etc_depth                   # from this depth on the table is probed for every child first
    int path_draws                  # 1: a draw that comes from the path is kept out of the table
    int pv_cutoffs                  # 1: PV nodes take bounds that PV nodes proved, in null windows
    int iir_depth                   # from this depth on a missing table move costs a ply
    # Pruning of moves
    int late_move_depth             # late move pruning up to this depth
    int late_move_base              # quiet moves that are always searched
    int futility_depth              # futility pruning up to this reduced depth
    int futility_base               # margin at depth 0
    int futility_margin             # a ply
    int history_depth               # quiet moves of bad history: up to this reduced depth
    int history_margin              # history units a ply
    int root_futility               # a pass this far above the root's value fails low
    int see_depth                   # moves that lose material are pruned up to this depth
    int see_quiet                   # a squared ply
    int see_capture                 # a ply
    # Extensions
    int singular_depth              # from this depth on a singular table move is extended
    int singular_margin             # sixteenths of a centipawn a ply
    int singular_gap                # plies that the table's bound may be shallower than the node
    int singular_divisor            # the other moves are searched to this part of the depth
    int singular_double             # below the singular bound: two plies
    int singular_reach              # a table bound further below beta is not tried
    int check_extension             # plies for a check that loses no material; 0 off
    int extension_limit             # none beyond this many times the iteration's depth
    # Late move reductions, in 1/1024 ply
    int lmr_depth                   # from this depth on
    int lmr_base_quiet              # every late quiet move is reduced by this ...
    int lmr_scale_quiet             # ... and this times ln(depth) * ln(move number)
    int lmr_base_capture            # likewise for late captures and promotions
    int lmr_scale_capture           # likewise
    int lmr_cut_node                # more at expected cut nodes
    int lmr_pv                      # less at PV nodes
    int lmr_improving               # less when the static value rises
    int lmr_killer                  # less for killer moves
    int lmr_check                   # less for checks
    int lmr_tt_capture              # more when the table move captures
    int lmr_history                 # history units worth one ply
    int lmr_root_depth              # the root reduces from this depth on ...
    int lmr_root_moves              # ... after this many moves ...
    int lmr_root                    # ... and by this much less
    # Quiescence
    int quiesce_margin              # delta pruning: added to the captured piece's value
    int quiesce_see                 # captures that lose more than this are not tried
    int quiesce_checks              # plies for which quiet checks are tried too
    int quiesce_evasions            # in check: quiet moves tried after the first
    # Endings
    int ending_pieces               # a win that hangs on a pawn is searched up to this count
    # Histories
    int killers                     # 1: quiet moves that cut off at the same ply are tried early
    int counter_moves               # 1: so is the quiet move that refuted the opponent's last one
    int continuation_history        # 1: the moves before order quiet moves too
    int capture_history             # 1: the success of such captures orders captures too
    int history_bonus               # a ply ...
    int history_bonus_offset        # ... less this much ...
    int history_bonus_max           # ... and no more than this
    int history_gain                # units for a centipawn of static value that a quiet move gains
    int history_gain_max            # the most for one gain
    int correction_rate             # correction history: 1/256 a ply of depth; 0 off
    int correction_weight           # 1/256 of the mean error
    # Drivers (engine/player/drivers.py)
    int driver_margin               # SSS*'s second pass asks this far above the last value
    int driver_margin_swing         # at most this % of the value's recent swing
    int driver_step                 # the first blind step down; 0: to the bound itself
    int driver_step_swing           # at most this % of the value's recent swing
    int driver_least                # margin and step are never smaller than this
    int driver_step_max             # where the doubling of steps ends
    int driver_bisect               # 1: bisect once both bounds are known
    int driver_tolerance            # a bracket this wide counts as closed ...
    int driver_tolerance_share      # ... wider by 1 in this many of the value's move
    int driver_tolerance_max        # ... but no wider than this
    int driver_late                 # tolerance of the last iteration under a clock; 0 off
    int driver_best                 # 1: stop as MTD(best) does, when no other root move can catch up
    int driver_learning_range       # passes further from what is known teach nothing
    int driver_pv_nodes             # 1: null-window passes have PV nodes too
    int aspiration                  # PVS: half width of the first window
    int grain                       # static values are multiples of this


@cython.final
cdef class Parameters:
    cdef Params values
    cdef readonly int revision
