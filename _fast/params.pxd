# THE table of tunable numbers of the search. The fields stand here with their meaning; defaults, ranges and
# steps in params.pyx. A rule's depth limit of 0 switches it off.

cdef struct Params:
    # What a node knows before it looks at its moves
    int mate_distance               # 1: a mate already found bounds what is worth searching
    int table_cutoffs               # 1: either bound of the table answers if it is deep enough
    # Whole-node rules: one look at the static value decides
    int razoring_depth              # up to this depth a hopeless node drops into quiescence; 0 off
    int razoring_margin             # centipawns a ply
    int reverse_futility_depth      # up to this depth a static value far above beta is believed; 0 off
    int reverse_futility_margin     # centipawns a ply
    int reverse_futility_improving  # centipawns taken off when the static value rises
    int reverse_futility_trust      # of what stands above beta, one part in this many is returned
    int null_move_depth             # from this depth on passing the move is tried; 0 off
    int null_move_base              # its reduction in plies
    int null_move_divisor           # one more ply of reduction for that much depth
    int null_move_eval              # one more ply of reduction for that many centipawns above beta
    int null_move_eval_max          # plies; no more than this for standing above beta
    int null_move_margin            # centipawns the static value must stand above beta ...
    int null_move_slope             # ... less this many a ply of depth
    int null_move_verify            # from this depth on a null move's cut is verified
    int null_move_verify_free       # quarters of the verification's depth that try no null move
    int probcut_depth               # from this depth on a good capture may prove beta + margin; 0 off
    int probcut_margin              # centipawns
    int probcut_improving           # centipawns taken off when the static value rises
    int probcut_reduction           # plies
    int etc_depth                   # from this depth on the table is asked for every child first; 0 off
    int path_draws                  # 1: a draw that came from the path is kept out of the table
    int flagged_cutoffs             # 1: principal nodes take bounds of principal visits, in null windows
    int iir_depth                   # no table move costs a ply from this depth on (internal reduction); 0 off
    # Move rules: this move is not worth a search
    int late_move_depth             # late move pruning up to this depth; 0 off
    int late_move_base              # quiet moves always searched
    int futility_depth              # futility pruning up to this (reduced) depth; 0 off
    int futility_base               # centipawns
    int futility_margin             # centipawns a ply
    int history_depth               # quiet moves of bad history are dropped up to this (reduced) depth; 0 off
    int history_margin              # history units a ply
    int root_futility               # centipawns: a far pass so far above the root's static value fails; 0 off
    int see_depth                   # moves that lose material are dropped up to this depth; 0 off
    int see_quiet                   # centipawns a squared ply
    int see_capture                 # centipawns a ply
    # Extensions
    int singular_depth              # from this depth on a table move that stands alone is extended; 0 off
    int singular_margin             # centipawns a ply, in sixteenths
    int singular_gap                # plies the table bound may be shallower than the node
    int singular_divisor            # the others are searched to this part of the depth
    int singular_double             # centipawns below the singular bound for two plies
    int singular_reach              # centipawns: a table bound further below beta says nothing here
    int check_extension             # plies for a check that loses nothing; 0 off
    int extension_limit             # no extension beyond this many times the iteration's depth
    # Late move reductions, in 1/1024 ply
    int lmr_depth                   # from this depth on; 0 off
    int lmr_base_quiet              # every late quiet move is reduced by this ...
    int lmr_scale_quiet             # ... and this times ln(depth) * ln(move count)
    int lmr_base_capture            # likewise for late captures and promotions
    int lmr_scale_capture
    int lmr_cut_node                # more at expected cut nodes
    int lmr_flagged                 # less at flagged (principal) nodes
    int lmr_improving               # less when the static value rises
    int lmr_killer                  # less for killer moves
    int lmr_check                   # less for checks
    int lmr_tt_capture              # more when the table move takes
    int lmr_history                 # history units for one ply; 100 million off
    int lmr_root_depth              # the root reduces from this depth on (below 3 there is no ply to take),
    int lmr_root_moves              # after this many moves,
    int lmr_root                    # and less by this
    # Quiescence
    int quiesce_margin              # delta pruning: centipawns beside the captured piece; negative off
    int quiesce_see                 # captures that lose more than this are not tried, centipawns
    int quiesce_checks              # for so many plies quiet checks are tried too; 0 off
    int quiesce_evasions            # in check: quiet moves tried once one legal move is known safe
    # Endings
    int ending_men                  # up to so many men, wins that hang on a pawn are not believed without a
    # search, and sacrifices for the last of them are tried; 0 off
    # History
    int killers                     # 1: quiet moves that cut at the same ply of late are tried early
    int counter_moves               # 1: so is the quiet move that refuted the opponent's last one
    int continuation_history        # 1: quiet moves are ordered by the moves before them, too
    int capture_history             # 1: captures are ordered by what such captures achieved, too
    int history_bonus               # units a ply ...
    int history_bonus_offset        # ... less this many
    int history_bonus_max           # units; no depth teaches more at once
    int history_gain                # units a centipawn that a quiet move gains by static values; 0 off
    int history_gain_max            # units; no gain teaches more at once
    int correction_rate             # correction history: share in 1/256 a ply of depth; 0 off
    int correction_weight           # of the mean error, in 1/256
    # Drivers (read by engine/drivers.py)
    int driver_margin               # centipawns above the last value: SSS*'s second pass; 0 literal
    int driver_margin_swing         # ... but no more than this per cent of what the value moves by of late
    int driver_step                 # centipawns of the first blind step down; 0 literal
    int driver_step_swing           # ... but no more than this per cent of what the value moves by of late
    int driver_least                # centipawns of margin and step in the calmest search
    int driver_step_max             # where the doubling of steps ends
    int driver_bisect               # 1: bisect once both bounds are known
    int driver_tolerance            # centipawns of bracket that count as closed ...
    int driver_tolerance_share      # ... and one part in this many of the way from the last value; 0 none
    int driver_tolerance_max        # ... and no more than this
    int driver_late                 # centipawns of bracket that will do when the clock ends the search; 0 off
    int driver_best                 # 1: stop as MTD(best) does, when no other root move can catch up
    int driver_far                  # centipawns from all that is known; beyond, a pass is far; 0: none is
    int driver_flag                 # 1: principal nodes are flagged in null windows too
    int aspiration                  # PVS: half width of the first window, centipawns
    int grain                       # static values are multiples of this, centipawns


cdef Params params
