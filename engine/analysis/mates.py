"""A mate that was seen stays seen: at the edges of segments, and along the line that leads to it.

A segment is searched without the results of the next one. So the position before an edge may miss the mate
that the next segment has found, and the next segment one that was seen before the edge. Where a move leads
by force to a mate, or into that of the opponent, the position before it has it too. Where the move of a line
to mate is played, the position after it has the rest. Other positions keep what their own search has said.
"""

from dataclasses import replace

from sssnake.engine.analysis.segments import PLIES, Evaluation, Line
from sssnake.engine.analysis.study import Study
from sssnake.engine.player.result import Score


def settle(study: Study) -> int:
    """Take mates over. The number of positions, from the start, whose evaluations will not change."""
    known, names = study.evaluations, study.names
    for ply, name in enumerate(names):
        here, after = known[ply], known[ply + 1]
        if here and after:
            known[ply + 1] = _rest_of_mate(here, after, name)
    for ply in reversed(range(len(names))):
        here, after = known[ply], known[ply + 1]
        if here and after and _looks_ahead(study, ply):
            known[ply] = _with_mate(here, after, names[ply], forced=study.forced[ply])
    settled = 0
    while settled < len(known) and known[settled]:
        settled += 1
    while settled and _looks_ahead(study, settled - 1):
        settled -= 1
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


def _rest_of_mate(here: Evaluation, after: Evaluation, name: str) -> Evaluation:
    """The evaluation of the position to which the move `name` leads from `here`."""
    line = here.best
    if after.ended or after.score.mate is not None or here.score.mate is None:
        return after
    if line is None or line.moves[0] != name or len(line.moves) == 1:
        return after
    score = Score(-here.score - (1 if here.score > 0 else -1))  # one ply nearer
    rest = Line(score, line.depth, line.moves[1:])
    others = tuple(one for one in after.lines if one.moves[0] != rest.moves[0])
    return replace(after, score=score, lines=(rest, *others)[: len(after.lines)], second=None)
