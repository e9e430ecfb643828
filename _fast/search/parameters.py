"""THE table of the search's parameters: name, default, minimum, maximum, step, off value, meaning.

Everything else derives from it: the C struct (`params.pxd`, written by `python -m _fast.search.parameters`),
UCI's undeclared options, OpenBench's inputs, tuning and ablation. Depths are plies, margins centipawns,
history values units of the history tables, unless the meaning says otherwise.
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
    step: int  # what a tuner moves it by at first
    off: int | None  # the value that switches its rule off; None: it is no rule's switch
    meaning: str


GROUPS: dict[str, tuple[Param, ...]] = {
    title: tuple(Param(*row) for row in rows)
    for title, rows in {
        "What a node knows before it looks at its moves": (
            ("mate_distance", 1, 0, 1, 1, 0, "1: a mate already found bounds what is worth searching"),
            ("table_cutoffs", 1, 0, 1, 1, 0, "1: a transposition table bound that is deep enough cuts off"),
        ),
        "Pruning of whole nodes": (
            ("razoring_depth", 4, 0, 10, 1, 0, "up to this depth far below alpha: quiescence decides"),
            ("razoring_margin", 163, 50, 600, 20, None, "a ply"),
            ("reverse_futility_depth", 9, 0, 16, 1, 0, "up to this depth a value far above beta cuts off"),
            ("reverse_futility_margin", 65, 20, 300, 8, None, "a ply"),
            ("reverse_futility_improving", 66, 0, 200, 8, None, "less margin when the static value rises"),
            ("reverse_futility_trust", 3, 1, 16, 1, None, "one part in this many of the excess is returned"),
            ("null_move_depth", 3, 0, 10, 1, 0, "from this depth on a null move is tried"),
            ("null_move_base", 5, 1, 8, 1, None, "its reduction, plies"),
            ("null_move_divisor", 5, 2, 12, 1, None, "one more ply of reduction for that much depth"),
            ("null_move_eval", 200, 50, 600, 20, None, "one more ply of reduction for that much above beta"),
            ("null_move_eval_max", 3, 0, 8, 1, None, "plies, the most for standing above beta"),
            ("null_move_margin", 142, 0, 600, 10, None, "how far above beta the static value must stand ..."),
            ("null_move_slope", 22, 0, 60, 4, None, "... less this much a ply of depth"),
            ("null_move_verify", 14, 6, 64, 1, 64, "from this depth on a null move's cutoff is verified"),
            ("null_move_verify_free", 3, 0, 4, 1, None, "quarters of the verification without null moves"),
            ("probcut_depth", 5, 0, 12, 1, 0, "from this depth on a good capture may prove beta + margin"),
            ("probcut_margin", 200, 50, 500, 20, None, "above beta"),
            ("probcut_improving", 60, 0, 200, 8, None, "less margin when the static value rises"),
            ("probcut_reduction", 4, 2, 8, 1, None, "plies"),
            ("etc_depth", 8, 0, 20, 1, 0, "from this depth on the table is probed for every child first"),
            ("path_draws", 1, 0, 1, 1, 0, "1: a draw that comes from the path is kept out of the table"),
            ("pv_cutoffs", 1, 0, 1, 1, 0, "1: PV nodes take bounds that PV nodes proved, in null windows"),
            ("iir_depth", 6, 0, 12, 1, 0, "from this depth on a missing table move costs a ply"),
        ),
        "Pruning of moves": (
            ("late_move_depth", 8, 0, 20, 1, 0, "late move pruning up to this depth"),
            ("late_move_base", 3, 1, 20, 1, None, "quiet moves that are always searched"),
            ("futility_depth", 7, 0, 20, 1, 0, "futility pruning up to this reduced depth"),
            ("futility_base", 82, 0, 400, 10, None, "margin at depth 0"),
            ("futility_margin", 94, 20, 300, 8, None, "a ply"),
            ("history_depth", 5, 0, 10, 1, 0, "quiet moves of bad history: up to this reduced depth"),
            ("history_margin", 3522, 500, 10000, 250, None, "history units a ply"),
            ("root_futility", 2000, 0, 30000, 500, 0, "a pass this far above the root's value fails low"),
            ("see_depth", 10, 0, 20, 1, 0, "moves that lose material are pruned up to this depth"),
            ("see_quiet", 11, 5, 100, 3, None, "a squared ply"),
            ("see_capture", 62, 20, 300, 8, None, "a ply"),
        ),
        "Extensions": (
            ("singular_depth", 8, 0, 20, 1, 0, "from this depth on a singular table move is extended"),
            ("singular_margin", 22, 4, 80, 4, None, "sixteenths of a centipawn a ply"),
            ("singular_gap", 3, 1, 8, 1, None, "plies that the table's bound may be shallower than the node"),
            ("singular_divisor", 2, 1, 4, 1, None, "the other moves are searched to this part of the depth"),
            ("singular_double", 15, 0, 100, 4, None, "below the singular bound: two plies"),
            ("singular_reach", 90, 0, 64000, 20, None, "a table bound further below beta is not tried"),
            ("check_extension", 0, 0, 1, 1, None, "plies for a check that loses no material; 0 off"),
            ("extension_limit", 2, 1, 4, 1, None, "none beyond this many times the iteration's depth"),
        ),
        "Late move reductions, in 1/1024 ply": (
            ("lmr_depth", 2, 0, 6, 1, 0, "from this depth on"),
            ("lmr_base_quiet", 1023, 0, 2048, 64, None, "every late quiet move is reduced by this ..."),
            ("lmr_scale_quiet", 532, 100, 1200, 32, None, "... and this times ln(depth) * ln(move number)"),
            ("lmr_base_capture", 186, -1024, 2048, 64, None, "likewise for late captures and promotions"),
            ("lmr_scale_capture", 295, 0, 1200, 32, None, "likewise"),
            ("lmr_cut_node", 1168, 0, 3072, 128, 0, "more at expected cut nodes"),
            ("lmr_pv", 750, 0, 3072, 128, 0, "less at PV nodes"),
            ("lmr_improving", 619, 0, 3072, 128, 0, "less when the static value rises"),
            ("lmr_killer", 1092, 0, 3072, 128, 0, "less for killer moves"),
            ("lmr_check", 828, 0, 3072, 128, 0, "less for checks"),
            ("lmr_tt_capture", 595, 0, 3072, 128, 0, "more when the table move captures"),
            ("lmr_history", 8500, 1000, 100_000_000, 500, 100_000_000, "history units worth one ply"),
            ("lmr_root_depth", 3, 3, 10, 1, None, "the root reduces from this depth on ..."),
            ("lmr_root_moves", 4, 1, 20, 1, None, "... after this many moves ..."),
            ("lmr_root", 1024, 0, 3072, 128, None, "... and by this much less"),
        ),
        "Quiescence": (
            ("quiesce_margin", 180, -1, 600, 20, -1, "delta pruning: added to the captured piece's value"),
            ("quiesce_see", 12, 0, 300, 10, None, "captures that lose more than this are not tried"),
            ("quiesce_checks", 1, 0, 8, 1, 0, "plies for which quiet checks are tried too"),
            ("quiesce_evasions", 3, 0, 20, 1, 20, "in check: quiet moves tried after the first"),
        ),
        "Endings": (
            ("ending_pieces", 7, 0, 32, 1, 0, "a win that hangs on a pawn is searched up to this count"),
        ),
        "Histories": (
            ("killers", 1, 0, 1, 1, 0, "1: quiet moves that cut off at the same ply are tried early"),
            ("counter_moves", 1, 0, 1, 1, 0, "1: so is the quiet move that refuted the opponent's last one"),
            ("continuation_history", 1, 0, 1, 1, 0, "1: the moves before order quiet moves too"),
            ("capture_history", 1, 0, 1, 1, 0, "1: the success of such captures orders captures too"),
            ("history_bonus", 200, 20, 500, 16, None, "a ply ..."),
            ("history_bonus_offset", 50, 0, 400, 10, None, "... less this much ..."),
            ("history_bonus_max", 1600, 200, 6000, 100, None, "... and no more than this"),
            ("history_gain", 4, 0, 32, 1, 0, "units for a centipawn of static value that a quiet move gains"),
            ("history_gain_max", 1600, 0, 8000, 200, None, "the most for one gain"),
            ("correction_rate", 16, 0, 128, 4, None, "correction history: 1/256 a ply of depth; 0 off"),
            ("correction_weight", 235, 0, 512, 16, 0, "1/256 of the mean error"),
        ),
        "Drivers (engine/player/drivers.py)": (
            ("driver_margin", 9, 0, 200, 5, 0, "SSS*'s second pass asks this far above the last value"),
            ("driver_margin_swing", 60, 0, 1000, 10, None, "at most this % of the value's recent swing"),
            ("driver_step", 14, 0, 400, 4, 0, "the first blind step down; 0: to the bound itself"),
            ("driver_step_swing", 100, 0, 1000, 10, None, "at most this % of the value's recent swing"),
            ("driver_least", 3, 0, 50, 1, 50, "margin and step are never smaller than this"),
            ("driver_step_max", 400, 1, 2000, 50, None, "where the doubling of steps ends"),
            ("driver_bisect", 1, 0, 1, 1, 0, "1: bisect once both bounds are known"),
            ("driver_tolerance", 3, 0, 50, 1, 0, "a bracket this wide counts as closed ..."),
            ("driver_tolerance_share", 3, 0, 64, 1, 0, "... wider by 1 in this many of the value's move"),
            ("driver_tolerance_max", 30, 0, 100, 5, 0, "... but no wider than this"),
            ("driver_late", 25, 0, 200, 5, None, "tolerance of the last iteration under a clock; 0 off"),
            ("driver_best", 1, 0, 1, 1, 0, "1: stop as MTD(best) does, when no other root move can catch up"),
            ("driver_learning_range", 200, 0, 2000, 50, 0, "passes further from what is known teach nothing"),
            ("driver_pv_nodes", 1, 0, 1, 1, 0, "1: null-window passes have PV nodes too"),
            ("aspiration", 16, 1, 200, 2, None, "PVS: half width of the first window"),
            ("grain", 1, 1, 64, 1, None, "static values are multiples of this"),
        ),
    }.items()
}
TABLE = tuple(row for rows in GROUPS.values() for row in rows)
BY_NAME = {row.name: row for row in TABLE}
OFF = {row.name: row.off for row in TABLE if row.off is not None}  # every rule, switched off
FORMER_NAMES = {  # of version 0.1.0, still understood
    "flagged_cutoffs": "pv_cutoffs",
    "lmr_flagged": "lmr_pv",
    "driver_far": "driver_learning_range",
    "driver_flag": "driver_pv_nodes",
}


def find(name: str) -> Param:
    """The row of a parameter, by its name or the one it had before; KeyError if there is none."""
    return BY_NAME[FORMER_NAMES.get(name, name)]


def struct_source() -> str:
    """The text of params.pxd."""
    lines = [
        "# The parameters of one searcher, as the search reads them. Change them in parameters.py: this is",
        "# written by `python -m _fast.search.parameters`.",
        "",
        "cimport cython",
        "",
        "",
        "cdef struct Params:",
    ]
    for title, rows in GROUPS.items():
        lines.append(f"    # {title}")
        lines += [f"    int {row.name:<27} # {row.meaning}" for row in rows]
    lines += ["", "", "@cython.final", "cdef class Parameters:", "    cdef Params values"]
    lines += ["    cdef readonly int revision", ""]
    return "\n".join(lines)


if __name__ == "__main__":
    STRUCT.write_text(struct_source(), encoding="utf-8")
