"""THE table of tunable numbers of the search: name, default, minimum, maximum, step.

Tuning, UCI's hidden options and OpenBench's inputs derive from `TABLE`; the meaning of each name stands in
params.pxd.
"""

from typing import NamedTuple


class Param(NamedTuple):
    """One tunable integer; `step` is what a tuner moves it by at first."""

    name: str
    default: int
    minimum: int
    maximum: int
    step: int


TABLE = tuple(
    Param(*row)
    for row in (
        ("mate_distance", 1, 0, 1, 1),
        ("table_cutoffs", 1, 0, 1, 1),
        ("razoring_depth", 4, 0, 10, 1),
        ("razoring_margin", 163, 50, 600, 20),
        ("reverse_futility_depth", 9, 0, 16, 1),
        ("reverse_futility_margin", 65, 20, 300, 8),
        ("reverse_futility_improving", 66, 0, 200, 8),
        ("reverse_futility_trust", 3, 1, 16, 1),
        ("null_move_depth", 3, 0, 10, 1),
        ("null_move_base", 5, 1, 8, 1),
        ("null_move_divisor", 5, 2, 12, 1),
        ("null_move_eval", 200, 50, 600, 20),
        ("null_move_eval_max", 3, 0, 8, 1),
        ("null_move_margin", 142, 0, 600, 10),
        ("null_move_slope", 22, 0, 60, 4),
        ("null_move_verify", 14, 6, 64, 1),
        ("null_move_verify_free", 3, 0, 4, 1),
        ("probcut_depth", 5, 0, 12, 1),
        ("probcut_margin", 200, 50, 500, 20),
        ("probcut_improving", 60, 0, 200, 8),
        ("probcut_reduction", 4, 2, 8, 1),
        ("etc_depth", 8, 0, 20, 1),
        ("path_draws", 1, 0, 1, 1),
        ("flagged_cutoffs", 1, 0, 1, 1),
        ("iir_depth", 6, 0, 12, 1),
        ("late_move_depth", 8, 0, 20, 1),
        ("late_move_base", 3, 1, 20, 1),
        ("futility_depth", 7, 0, 20, 1),
        ("futility_base", 82, 0, 400, 10),
        ("futility_margin", 94, 20, 300, 8),
        ("history_depth", 5, 0, 10, 1),
        ("history_margin", 3522, 500, 10000, 250),
        ("root_futility", 2000, 0, 30000, 500),
        ("see_depth", 10, 0, 20, 1),
        ("see_quiet", 11, 5, 100, 3),
        ("see_capture", 62, 20, 300, 8),
        ("singular_depth", 8, 0, 20, 1),
        ("singular_margin", 22, 4, 80, 4),
        ("singular_gap", 3, 1, 8, 1),
        ("singular_divisor", 2, 1, 4, 1),
        ("singular_double", 15, 0, 100, 4),
        ("singular_reach", 90, 0, 64000, 20),
        ("check_extension", 0, 0, 1, 1),
        ("extension_limit", 2, 1, 4, 1),
        ("lmr_depth", 2, 0, 6, 1),
        ("lmr_base_quiet", 1023, 0, 2048, 64),
        ("lmr_scale_quiet", 532, 100, 1200, 32),
        ("lmr_base_capture", 186, -1024, 2048, 64),
        ("lmr_scale_capture", 295, 0, 1200, 32),
        ("lmr_cut_node", 1168, 0, 3072, 128),
        ("lmr_flagged", 750, 0, 3072, 128),
        ("lmr_improving", 619, 0, 3072, 128),
        ("lmr_killer", 1092, 0, 3072, 128),
        ("lmr_check", 828, 0, 3072, 128),
        ("lmr_tt_capture", 595, 0, 3072, 128),
        ("lmr_history", 8500, 1000, 100_000_000, 500),
        ("lmr_root_depth", 3, 3, 10, 1),
        ("lmr_root_moves", 4, 1, 20, 1),
        ("lmr_root", 1024, 0, 3072, 128),
        ("quiesce_margin", 180, -1, 600, 20),
        ("quiesce_see", 12, 0, 300, 10),
        ("quiesce_checks", 1, 0, 8, 1),
        ("quiesce_evasions", 3, 0, 20, 1),
        ("ending_men", 7, 0, 32, 1),
        ("killers", 1, 0, 1, 1),
        ("counter_moves", 1, 0, 1, 1),
        ("continuation_history", 1, 0, 1, 1),
        ("capture_history", 1, 0, 1, 1),
        ("history_bonus", 200, 20, 500, 16),
        ("history_bonus_offset", 50, 0, 400, 10),
        ("history_bonus_max", 1600, 200, 6000, 100),
        ("history_gain", 4, 0, 32, 1),
        ("history_gain_max", 1600, 0, 8000, 200),
        ("correction_rate", 16, 0, 128, 4),
        ("correction_weight", 235, 0, 512, 16),
        ("driver_margin", 9, 0, 200, 5),
        ("driver_margin_swing", 60, 0, 1000, 10),
        ("driver_step", 14, 0, 400, 4),
        ("driver_step_swing", 100, 0, 1000, 10),
        ("driver_least", 3, 0, 50, 1),
        ("driver_step_max", 400, 1, 2000, 50),
        ("driver_bisect", 1, 0, 1, 1),
        ("driver_tolerance", 3, 0, 50, 1),
        ("driver_tolerance_share", 3, 0, 64, 1),
        ("driver_tolerance_max", 30, 0, 100, 5),
        ("driver_late", 25, 0, 200, 5),
        ("driver_best", 1, 0, 1, 1),
        ("driver_far", 200, 0, 2000, 50),
        ("driver_flag", 1, 0, 1, 1),
        ("aspiration", 16, 1, 200, 2),
        ("grain", 1, 1, 64, 1),
    )
)

_BY_NAME = {param.name: index for index, param in enumerate(TABLE)}
_revision = 0


cdef int *_field(int index) noexcept nogil:
    # The table's rows stand in the order of the struct's fields (checked below).
    return <int *> &params + index


def get(str name):
    """The present value of the parameter `name`; KeyError if there is none."""
    return _field(_BY_NAME[name])[0]


def put(str name, int value):
    """Set the parameter `name`; KeyError if there is none, ValueError outside its range."""
    global _revision
    cdef int index = _BY_NAME[name]
    row = TABLE[index]
    if not row.minimum <= value <= row.maximum:
        raise ValueError(f"{name} must lie in {row.minimum}..{row.maximum}, not {value}")
    _field(index)[0] = value
    _revision += 1


def reset():
    """Every parameter back to its default."""
    for row in TABLE:
        put(row.name, row.default)


def revision():
    """A number that grows with every change: who keeps something derived from parameters compares it."""
    return _revision


def field_names():
    """The struct's field names in memory order, for the test that compares them with TABLE."""
    return list((<object> params).keys())


if len(TABLE) * sizeof(int) != sizeof(Params):
    raise SystemError("params.pxd and params.pyx disagree about the number of parameters")
reset()
