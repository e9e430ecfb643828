"""Many positions, searched one by one or side by side: for people who label data.

>>> rows = list(analyse_many(["8/8/8/8/8/5k2/5q2/7K b - - 0 1", "no position"], Limits(depth=3), hash_mb=1))
>>> [(str(row.result.score), row.error) for row in rows if row.result]
[('#1', '')]
>>> rows[1].error
"not a FEN: 'no position' (expected 'w' or 'b' for turn part of fen)"
"""

from collections.abc import Iterable, Iterator, Sized
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple, Unpack

import chess

from sssnake._fast.board.board import Board
from sssnake.engine.analysis.api.workers import Workers
from sssnake.engine.common.progress import Progress
from sssnake.engine.player.engine import Engine, Limits, OptionValues, Result, native
from sssnake.engine.player.limits import ending, limits_of

if TYPE_CHECKING:
    import chess.engine

Position = chess.Board | Board | str


class Analysed(NamedTuple):
    """A row of `analyse_many`. Either `result` or `error` says what became of the position."""

    position: Position  # as it was given
    result: Result | None
    error: str = ""  # why there is none


def analyse_many(
    positions: Iterable[Position],
    limits: "Limits | chess.engine.Limit | None" = None,
    *,
    workers: int = 1,
    **options: Unpack[OptionValues],
) -> Iterator[Analysed]:
    """Search each position; rows in order, as they are done, with a progress bar on a terminal.

    positions: boards, with their games, or FENs; any iterable, drawn as it is needed. limits: of each, None:
    those of `Engine.play`. workers: engines that search at a time, each in a thread of its own. options: of
    each engine. No search knows of another, so with nodes or depth the rows are the same for any number of
    workers. A position that cannot be searched is a row with the error.

    ValueError, TypeError: limits, workers or options, before the first position.
    """
    return _rows(positions, ending(limits_of(limits)), Workers(workers, **options))


def _rows(positions: Iterable[Position], limits: Limits, workers: Workers) -> Iterator[Analysed]:
    def search(engine: Engine, position: Position) -> Analysed:
        try:
            return Analysed(position, engine.play(native(position, fen=True), limits))
        except (ValueError, TypeError) as error:
            return Analysed(position, None, str(error))

    total = len(positions) if isinstance(positions, Sized) else None
    with workers, Progress(total, "positions") as bar, closing(workers.in_order(search, positions)) as rows:
        for row in rows:
            bar.advance()
            yield row
