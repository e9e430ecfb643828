"""`lab solve`: run any of the algorithms on given trees, one JSON object a line."""

import json
from collections.abc import Callable, Iterator

from sssnake.engine.lab.searches import best, classic, gsearch, informed, mtd, printed, scout, stockman
from sssnake.engine.lab.searches.log import Result
from sssnake.engine.lab.trees.bounded import BoundedTree
from sssnake.engine.lab.trees.deep import deeply
from sssnake.engine.lab.trees.reading import Record
from sssnake.engine.lab.trees.trees import NestedTree, TreeError

ALGORITHMS: dict[str, Callable[[NestedTree], Result]] = {
    "minimax": classic.minimax,
    "alphabeta": classic.alpha_beta,
    "scout": scout.scout,
    "negascout": scout.negascout,
    "sss": stockman.sss,
    "dual": stockman.dual,
    "gsearch-alphabeta": gsearch.gsearch_alpha_beta,
    "gsearch-sss": gsearch.gsearch_sss,
    "gsearch-dual": gsearch.gsearch_dual,
    "mtd+inf": mtd.mtd_plus_inf,
    "mtd-inf": mtd.mtd_minus_inf,
    "mtdf": mtd.mtd_f,
    "mtd-bi": mtd.mtd_bi,
    "mtd-step": mtd.mtd_step,
    "mtd-best": best.mtd_best,
}

# As two sources print them: not among "all", since one of them finds wrong values.
PRINTED: dict[str, Callable[[NestedTree], Result]] = {
    "scout-printed": printed.scout_printed,
    "alphabeta-printed": printed.alpha_beta_printed,
}

INFORMED: dict[str, Callable[[BoundedTree], Result]] = {
    "bstar": informed.bstar,
    "hstar": informed.hstar,
}


def chosen(names: str, record: Record) -> list[str]:
    """Return the algorithms named, in their order; "all" leaves out PRINTED, and those that lack bounds."""
    if names == "all":
        return [*ALGORITHMS, *(INFORMED if record.informed else ())]
    wanted = [name.strip() for name in names.split(",")]
    for name in wanted:
        if name not in {**ALGORITHMS, **PRINTED, **INFORMED}:
            known = ", ".join([*ALGORITHMS, *PRINTED, *INFORMED])
            raise TreeError(f"unknown algorithm {name!r}; known: {known}, all")
        if name in INFORMED and not record.informed:
            raise TreeError(f"{name} needs trees with bounds")
    return wanted


def solve(record: Record, algorithm: str, named: bool = False) -> dict[str, object]:
    """Search one tree. The fields are those of `lab solve`; `leaves` are numbered from left to right.

    named: also give the leaves' names, as in traces.
    """
    if algorithm in INFORMED:
        assert record.informed is not None
        tree = record.informed
        result = deeply(lambda: INFORMED[algorithm](tree))
    else:
        result = deeply(lambda: (ALGORITHMS | PRINTED)[algorithm](record.tree))
    numbers = record.tree.leaf_number
    names = record.tree.names() if named else []
    return {
        "id": record.name,
        "algorithm": algorithm,
        "value": result.value,
        "leaves": [numbers[leaf] for leaf in result.leaves if isinstance(leaf, int)],
        "evaluations": result.evaluations,
        "passes": result.passes,
        "open_max": result.open_max,
        "nodes": result.nodes,
    } | ({"names": [names[leaf] for leaf in result.leaves if isinstance(leaf, int)]} if named else {})


def lines(records: list[Record], names: str, named: bool = False) -> Iterator[str]:
    """Yield one JSON object for every tree and algorithm named; TreeError before the first one, if at all."""
    work = [(record, algorithm) for record in records for algorithm in chosen(names, record)]
    for record, algorithm in work:
        yield json.dumps(solve(record, algorithm, named), ensure_ascii=False)
