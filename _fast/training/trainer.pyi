from typing import Any, NamedTuple, TypeAlias

_Buffer: TypeAlias = Any  # a contiguous array of the wanted numbers

class Objective(NamedTuple):
    result_weight: float
    score_scale: float
    share: float

class Step(NamedTuple):
    number: int
    rate: float
    decay: float

def size(hidden: int, buckets: int = 1) -> int: ...
def gradient(
    parameters: _Buffer,
    samples: _Buffer,
    order: _Buffer,
    out: _Buffer,
    network: tuple[int, int],
    objective: Objective,
) -> float: ...
def values(parameters: _Buffer, samples: _Buffer, out: _Buffer, hidden: int, buckets: int) -> None: ...
def adamw(
    parameters: _Buffer,
    mean: _Buffer,
    square: _Buffer,
    gradients: _Buffer,
    step: Step,
) -> None: ...
