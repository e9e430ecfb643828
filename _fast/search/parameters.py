"""The list of the search's parameters: name, default, minimum, maximum, step, off value, meaning.

Everything else derives from it: the C struct (`params.pxd`, written by `python -m
sssnake._fast.search.parameters`), docs/develop/parameters.md and driver-parameters.md, UCI's undeclared
options, OpenBench's inputs, tuning and ablation. Depths are plies.
"""

from pathlib import Path
from typing import NamedTuple

STRUCT = Path(__file__).with_name("params.pxd")


class Param(NamedTuple):
    """One tunable integer."""

    name: str
    default: int
    minimum: int
    maximum: int
    step: int  # a tuner's first change
    off: int | None  # the value that switches its rule off; None: no value does
    meaning: str


# fmt: off
_ROWS: dict[str, tuple[tuple[str, int, int, int, int, int | None, str], ...]] = {
    "Transposition table": (
        ("table_cutoffs", 1, 0, 1, 1, 0,
         "1: a bound that is deep enough and decides the window cuts off"),
        ("pv_cutoffs", 1, 0, 1, 1, 0,
         "1: PV nodes in null windows too are cut off by bounds that PV nodes proved"),
        ("path_draws", 1, 0, 1, 1, 0,
         "1: a draw score that rests on a repetition of the current path is not stored"),
        ("etc_depth", 8, 0, 20, 1, 0,
         "enhanced transposition cutoffs: from this depth on, cut nodes probe every child first"),
        ("iir_depth", 7, 0, 12, 1, 0,
         "internal iterative reduction: from this depth on, a PV or cut node without TT move loses a "
         "ply"),
    ),
    "Pruning of whole nodes": (
        ("mate_distance", 1, 0, 1, 1, 0,
         "1: mate distance pruning: no search for a mate longer than one already found"),
        ("razoring_depth", 4, 0, 10, 1, 0,
         "up to this depth, quiescence decides where estimate + razoring_margin * depth <= alpha (estimate: "
             "the static value, sharpened by TT bounds)"),
        ("razoring_margin", 130, 50, 600, 20, None,
         "centipawns a ply of depth"),
        ("reverse_futility_depth", 9, 0, 16, 1, 0,
         "up to this depth, an estimate of at least beta + margin cuts off"),
        ("reverse_futility_margin", 62, 20, 300, 8, None,
         "centipawns a ply of depth"),
        ("reverse_futility_improving", 48, 0, 200, 8, None,
         "centipawns less margin where the static value is above that of two plies ago"),
        ("reverse_futility_trust", 3, 1, 16, 1, None,
         "the value returned is beta + (estimate - beta) / this"),
        ("null_move_depth", 3, 0, 10, 1, 0,
         "from this depth on, a null move is tried where estimate >= beta"),
        ("null_move_base", 5, 1, 8, 1, None,
         "plies of reduction ..."),
        ("null_move_divisor", 5, 2, 12, 1, None,
         "... plus depth / this ..."),
        ("null_move_eval", 200, 50, 600, 20, None,
         "... plus (estimate - beta) / this (centipawns) ..."),
        ("null_move_eval_max", 3, 0, 8, 1, None,
         "... at most so many plies"),
        ("null_move_margin", 137, 0, 600, 10, None,
         "the static value must be at least beta + this (centipawns) ..."),
        ("null_move_slope", 22, 0, 60, 4, None,
         "... less this (centipawns) a ply of depth"),
        ("null_move_verify", 14, 6, 64, 1, 64,
         "from this depth on, a cutoff by null move is verified by a search without null moves"),
        ("null_move_verify_free", 3, 0, 4, 1, None,
         "... in the first (this / 4) of its plies"),
        ("probcut_depth", 5, 0, 12, 1, 0,
         "from this depth on, a capture that reaches beta + margin at less depth cuts off"),
        ("probcut_margin", 222, 50, 500, 20, None,
         "centipawns above beta"),
        ("probcut_improving", 60, 0, 200, 8, None,
         "centipawns less margin where the static value is above that of two plies ago"),
        ("probcut_reduction", 4, 2, 8, 1, None,
         "plies"),
    ),
    "Pruning of moves (never the first move of a node)": (
        ("late_move_depth", 8, 0, 20, 1, 0,
         "up to this depth, no quiet moves after the first (late_move_base + depth^2)"),
        ("late_move_base", 5, 1, 20, 1, None,
         "moves; half of the sum where the static value is not above that of two plies ago"),
        ("futility_depth", 7, 0, 20, 1, 0,
         "up to this reduced depth, quiet moves fail low where static value + margin <= alpha"),
        ("futility_base", 24, 0, 400, 10, None,
         "margin at reduced depth 0, centipawns ..."),
        ("futility_margin", 105, 20, 300, 8, None,
         "... plus this a ply of reduced depth"),
        ("history_depth", 5, 0, 10, 1, 0,
         "up to this reduced depth, no quiet moves whose history is below -history_margin * depth"),
        ("history_margin", 3200, 500, 10000, 250, None,
         "history units a ply of depth"),
        ("see_depth", 10, 0, 20, 1, 0,
         "up to this depth, no moves that lose more material than the margins (static exchange "
         "evaluation)"),
        ("see_quiet", 9, 5, 100, 3, None,
         "quiet moves: centipawns times the square of the reduced depth"),
        ("see_capture", 67, 20, 300, 8, None,
         "captures and promotions: centipawns a ply of depth"),
    ),
    "Extensions": (
        ("singular_depth", 6, 0, 20, 1, 0,
         "from this depth on, a singular TT move is extended by a ply"),
        ("singular_margin", 34, 4, 80, 4, None,
         "it is singular if all others are below its bound - depth * this / 16 (centipawns)"),
        ("singular_gap", 3, 1, 8, 1, None,
         "plies that its bound in the TT may be shallower than the node"),
        ("singular_divisor", 2, 1, 4, 1, None,
         "the other moves are searched to (depth - 1) / this"),
        ("singular_double", 11, 0, 100, 4, None,
         "others more than this (centipawns) below that, not at PV nodes: two plies"),
        ("singular_reach", 90, 0, 64000, 20, None,
         "not tried where its bound is more than this (centipawns) below beta"),
        ("recapture_extension", 1, 0, 1, 1, 0,
         "plies for a TT move at a PV node that takes back what has just taken"),
        ("check_extension", 0, 0, 1, 1, None,
         "plies for a check that loses no material; 0 off"),
        ("extension_limit", 2, 1, 4, 1, None,
         "no extension from ply (this * the iteration's depth) on"),
    ),
    "Late move reductions (1/1024 ply unless said otherwise)": (
        ("lmr_depth", 2, 0, 6, 1, 0,
         "moves after the first (after the second at PV nodes) are reduced from this depth (plies) on"),
        ("lmr_base_quiet", 771, 0, 2048, 64, None,
         "quiet moves: this ..."),
        ("lmr_scale_quiet", 495, 100, 1200, 32, None,
         "... plus this * ln(depth) * ln(move number)"),
        ("lmr_base_capture", 5, -1024, 2048, 64, None,
         "captures and promotions: this ..."),
        ("lmr_scale_capture", 325, 0, 1200, 32, None,
         "... plus this * ln(depth) * ln(move number)"),
        ("lmr_cut_node", 740, 0, 3072, 128, 0,
         "more at cut nodes"),
        ("lmr_pv", 1400, 0, 3072, 128, 0,
         "less at PV nodes"),
        ("lmr_improving", 742, 0, 3072, 128, 0,
         "less where the static value is above that of two plies ago"),
        ("lmr_killer", 857, 0, 3072, 128, 0,
         "less for killer moves"),
        ("lmr_check", 1000, 0, 3072, 128, 0,
         "less for checks"),
        ("lmr_tt_capture", 246, 0, 3072, 128, 0,
         "more for quiet moves where the TT move is a capture or promotion"),
        ("lmr_history", 9500, 1000, 100_000_000, 500, 100_000_000,
         "history units of a quiet move that reduce it by a ply less"),
        ("lmr_root_depth", 3, 3, 10, 1, None,
         "at the root, quiet moves are reduced from this depth (plies) on ..."),
        ("lmr_root_moves", 2, 1, 20, 1, None,
         "... after this many moves ..."),
        ("lmr_root", 420, 0, 3072, 128, None,
         "... and by this much less than elsewhere"),
    ),
    "Quiescence search": (
        ("quiesce_margin", 390, -1, 600, 20, -1,
         "delta pruning: captures whose victim + this (centipawns) leave the static value <= alpha"),
        ("quiesce_see", 20, 0, 300, 10, None,
         "captures that lose more than this (centipawns) are not tried"),
        ("quiesce_checks", 1, 0, 8, 1, 0,
         "quiet checks are tried in this many plies below the horizon"),
        ("quiesce_evasions", 3, 0, 20, 1, 20,
         "in check: quiet moves tried, once one move is not mated"),
    ),
    "Static values": (
        ("grain", 1, 1, 64, 1, None,
         "static values are multiples of this, centipawns"),
        ("correction_rate", 7, 0, 64, 1, 0,
         "units of 1/16384 that the correction histories learn for each centipawn of error and ply of depth"),
        ("correction_pawns", 48, 0, 128, 4, None,
         "centipawns that the static value is corrected by at most: by pawns ..."),
        ("correction_pieces", 32, 0, 128, 4, None,
         "... by White's pieces without pawns, and by Black's ..."),
        ("correction_minors", 32, 0, 128, 4, None,
         "... by knights and bishops ..."),
        ("correction_majors", 24, 0, 128, 4, None,
         "... by rooks, queens and kings ..."),
        ("correction_last", 16, 0, 128, 4, None,
         "... by the last move ..."),
        ("correction_pair", 24, 0, 128, 4, None,
         "... by the last two moves"),
        ("ending_pieces", 7, 0, 32, 1, 0,
         "up to so many pieces on the board, a win that depends on one pawn is not pruned by its "
         "static value"),
    ),
    "Move ordering and histories": (
        ("killers", 1, 0, 1, 1, 0,
         "1: killer moves: quiet moves that cut off at the same ply come before other quiet moves"),
        ("counter_moves", 1, 0, 1, 1, 0,
         "1: counter moves: so does the quiet move that cut off after the opponent's last move"),
        ("continuation_history", 1, 0, 1, 1, 0,
         "1: quiet moves are ordered by history with the moves 1, 2 and 4 plies before, too"),
        ("capture_history", 1, 0, 1, 1, 0,
         "1: captures are ordered by their history, too"),
        ("escape_bonus", 1000, 0, 4000, 100, 0,
         "a pawn's worth of a piece that leaves an attacked square"),
        ("check_bonus", 11000, 0, 16000, 500, 0,
         "history units for a quiet move that gives check with the piece moved and loses no material"),
        ("history_bonus", 250, 20, 500, 16, None,
         "history units a ply of depth for a move that cuts off (malus: for those tried before it) ..."),
        ("history_bonus_offset", 50, 0, 400, 10, None,
         "... less this many units ..."),
        ("history_bonus_max", 1600, 200, 6000, 100, None,
         "... at most this many units"),
        ("history_gain", 4, 0, 32, 1, 0,
         "history units for each centipawn of static value that a quiet move gains at a new position"),
        ("history_gain_max", 1600, 0, 8000, 200, None,
         "... at most this many units"),
    ),
    "Drivers (_fast/drivers/bracket.pyx)": (
        ("driver_margin", 11, 0, 200, 5, 0,
         "SSS*: gamma of the second pass is the last value + this (DUAL*: minus), centipawns; 0: no "
         "such pass"),
        ("driver_margin_swing", 60, 0, 1000, 10, None,
         "the margin is at most this % of the swing (mean change of the value between iterations)"),
        ("driver_step", 11, 0, 400, 4, 0,
         "SSS*, DUAL*, MTD(f): first step of gamma beyond the bound just proved, centipawns; then "
         "doubled"),
        ("driver_step_swing", 100, 0, 1000, 10, None,
         "the first step is at most this % of the swing"),
        ("driver_least", 3, 0, 50, 1, 50,
         "the swing makes margin and first step no smaller than this, centipawns"),
        ("driver_step_max", 400, 1, 2000, 50, None,
         "steps are doubled up to this, centipawns"),
        ("driver_bisect", 1, 0, 1, 1, 0,
         "1: once both bounds are known, no step passes the middle between them"),
        ("driver_tolerance", 3, 0, 50, 1, 0,
         "an iteration ends where upper - lower <= this, centipawns ..."),
        ("driver_tolerance_share", 3, 0, 64, 1, 0,
         "... plus |lower - last value| / this (0: nothing) ..."),
        ("driver_tolerance_max", 30, 0, 100, 5, 0,
         "... at most this, centipawns"),
        ("driver_late", 25, 0, 200, 5, None,
         "under a clock, the last iteration ends where upper - lower <= this (centipawns) or lower >= "
         "last value; 0 off"),
        ("driver_best", 1, 0, 1, 1, 0,
         "1: an iteration ends where no other root move's upper bound is above the best one's lower "
         "bound"),
        ("driver_learning_range", 200, 0, 2000, 50, 0,
         "passes with gamma further than this (centipawns) from the last value and both bounds change "
         "no histories, store no moves and have no PV nodes; 0: none"),
        ("driver_pv_nodes", 1, 0, 1, 1, 0,
         "1: null-window passes have PV nodes, too"),
        ("shared_history", 4, 0, 1024, 1, None,
         "from so many threads on, they share one set of histories; 0: each always has its own"),
        ("aspiration", 16, 1, 200, 2, None,
         "PVS: half width of the first window around the last value, centipawns"),
    ),
}
# fmt: on
GROUPS = {title: tuple(Param(*row) for row in rows) for title, rows in _ROWS.items()}
TABLE = tuple(row for rows in GROUPS.values() for row in rows)
BY_NAME = {row.name: row for row in TABLE}
OFF = {row.name: row.off for row in TABLE if row.off is not None}  # every rule, switched off


def find(name: str) -> Param:
    """The row of a parameter; KeyError if there is none of that name."""
    return BY_NAME[name]


def struct_source() -> str:
    """The text of params.pxd."""
    lines = [
        "# The parameters of one searcher, as the search reads them. parameters.py explains them. It also",
        "# writes this file: `python -m sssnake._fast.search.parameters`.",
        "",
        "cimport cython",
        "",
        "",
        "cdef struct Params:",
    ]
    for title, rows in GROUPS.items():
        lines.append(f"    # {title}")
        lines += [f"    int {row.name}" for row in rows]
    lines += ["", "", "@cython.final", "cdef class Parameters:", "    cdef Params values"]
    lines += ["    cdef readonly int revision", ""]
    return "\n".join(lines)


if __name__ == "__main__":
    STRUCT.write_text(struct_source(), encoding="utf-8")
