"""A mate that was seen stays seen: positions before it that could not see it, at the edge of a segment.

A segment is searched without the results of the next one. So the position before an edge may miss the mate
that the next segment has found. Where the move leads there by force, or into the mate of the opponent, the
mate is taken over. Moves with a choice inside a segment keep what their own search has said.
"""

from dataclasses import replace

from engine.analysis.segments import PLIES, Evaluation, Line
from engine.analysis.study import Study
from engine.player.result import Score


def settle(study: Study) -> int:
    """Take mates over. The number of positions, from the start, whose evaluations will not change."""
    known = study.evaluations
    for ply in reversed(range(len(study.moves))):
        here, after = known[ply], known[ply + 1]
        if here and after and _looks_ahead(study, ply):
            known[ply] = _with_mate(here, after, study.names[ply], forced=study.forced[ply])
    settled = 0
    for ply in range(len(known)):
        if known[ply] is None:
            break
        if not _looks_ahead(study, ply):
            settled = ply + 1
    return settled


def _looks_ahead(study: Study, ply: int) -> bool:
    """Whether a position may take a mate from the next one."""
    return ply < len(study.moves) and (study.forced[ply] or ply % PLIES == PLIES - 1)


def _with_mate(here: Evaluation, after: Evaluation, name: str, *, forced: bool) -> Evaluation:
    """The evaluation of a position from which the move `name` leads to `after`."""
    if here.ended or here.score.mate is not None or after.score.mate is None or after.best is None:
        return here
    if not forced and after.score > 0:  # another move may be better
        return here
    score = Score(-after.score - (1 if after.score < 0 else -1))  # one ply farther from the mate
    line = Line(score, after.best.depth, (name, *after.best.moves))
    others = tuple(one for one in here.lines if one.moves[0] != name)
    second = here.second if here.best and here.best.moves[0] == name else None
    return replace(here, score=score, lines=(line, *others)[: max(1, len(here.lines))], second=second)
