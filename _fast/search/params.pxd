# The parameters of one searcher, as the search reads them. parameters.py explains them. It also
# writes this file: `python -m sssnake._fast.search.parameters`.

cimport cython


cdef struct Params:
    # Transposition table
    int table_cutoffs
    int pv_cutoffs
    int path_draws
    int etc_depth
    int iir_depth
    # Pruning of whole nodes
    int mate_distance
    int razoring_depth
    int razoring_margin
    int reverse_futility_depth
    int reverse_futility_margin
    int reverse_futility_improving
    int reverse_futility_trust
    int null_move_depth
    int null_move_base
    int null_move_divisor
    int null_move_eval
    int null_move_eval_max
    int null_move_margin
    int null_move_slope
    int null_move_verify
    int null_move_verify_free
    int probcut_depth
    int probcut_margin
    int probcut_improving
    int probcut_reduction
    # Pruning of moves (never the first move of a node)
    int late_move_depth
    int late_move_base
    int futility_depth
    int futility_base
    int futility_margin
    int history_depth
    int history_margin
    int see_depth
    int see_quiet
    int see_capture
    # Extensions
    int singular_depth
    int singular_margin
    int singular_gap
    int singular_divisor
    int singular_double
    int singular_reach
    int recapture_extension
    int check_extension
    int extension_limit
    # Late move reductions (1/1024 ply unless said otherwise)
    int lmr_depth
    int lmr_base_quiet
    int lmr_scale_quiet
    int lmr_base_capture
    int lmr_scale_capture
    int lmr_cut_node
    int lmr_pv
    int lmr_improving
    int lmr_killer
    int lmr_check
    int lmr_tt_capture
    int lmr_history
    int lmr_root_depth
    int lmr_root_moves
    int lmr_root
    # Quiescence search
    int quiesce_margin
    int quiesce_see
    int quiesce_checks
    int quiesce_evasions
    # Static values
    int grain
    int correction_rate
    int correction_pawns
    int correction_pieces
    int correction_minors
    int correction_majors
    int correction_last
    int correction_pair
    int ending_pieces
    # Move ordering and histories
    int killers
    int counter_moves
    int continuation_history
    int capture_history
    int escape_bonus
    int check_bonus
    int history_bonus
    int history_bonus_offset
    int history_bonus_max
    int history_gain
    int history_gain_max
    # Drivers (_fast/drivers/bracket.pyx)
    int driver_margin
    int driver_margin_swing
    int driver_step
    int driver_step_swing
    int driver_least
    int driver_step_max
    int driver_bisect
    int driver_tolerance
    int driver_tolerance_share
    int driver_tolerance_max
    int driver_late
    int driver_best
    int driver_learning_range
    int driver_pv_nodes
    int shared_history
    int aspiration


@cython.final
cdef class Parameters:
    cdef Params values
    cdef readonly int revision
