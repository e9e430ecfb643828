"""The games of a match as PGN: tag values escaped as the standard says, lines below 80 columns.

A game is written whole or not at all. It begins after an empty line, even if the file was cut off before.
"""

import os
import time
from collections.abc import Sequence
from pathlib import Path

import chess.pgn

from sssnake.engine.common.files import append, appending
from sssnake.engine.common.messages import printable
from sssnake.engine.games.pgn_reader import FISCHER_RANDOM
from sssnake.engine.games.pgn_writer import PgnWriter
from sssnake.engine.match.client import InfoLine
from sssnake.engine.match.game import Played
from sssnake.engine.match.processes import EngineConfig
from sssnake.engine.match.runner import Task

TAIL_BYTES = 1 << 16  # at the end of a file, where a cut-off game is looked for
TERMINATIONS = {  # terms of the PGN standard for ends that are not "normal"
    "adjudicated win": "adjudication",
    "adjudicated draw": "adjudication",
    "length": "adjudication",
    "time": "time forfeit",
    "illegal": "rules infraction",
    "crash": "abandoned",
    "stall": "abandoned",
}


class _Writer(PgnWriter):
    """A writer that also escapes the values of tags."""

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        """One tag."""
        super().visit_header(tagname, escaped(tagvalue))


def escaped(value: str) -> str:
    """The value of a tag, as it stands between quotation marks."""
    return printable(value).replace("\\", "\\\\").replace('"', '\\"')


def append_pgn(path: Path, task: Task, game: Played, players: Sequence[EngineConfig]) -> None:
    """Append a game. Comments are {score/depth seconds}, with the mover's score in pawns.

    The last comment also has the reason of the result. OSError if the game cannot be written; the file is
    then unchanged.
    """
    data = f"{_record(task, game, players).accept(_Writer())}\n\n".encode()
    with appending(path) as file:
        regular = file.seekable()  # not a pipe or a device
        append(file, _gap(path, os.fstat(file.fileno()).st_size) + data if regular else data)


def _gap(path: Path, size: int) -> bytes:
    """What must stand between the end of a file and the next game."""
    if not size:
        return b""
    with path.open("rb") as file:
        file.seek(max(0, size - TAIL_BYTES))
        tail = file.read()
    last = tail[tail.rfind(b"\n[") + 1 :].rpartition(b'"]')[2]  # the moves of the last game
    end = b" }" if last.rfind(b"{") > last.rfind(b"}") else b""
    if not end and tail.endswith(b"\n\n"):
        return b""
    return end + (b"\n" if not end and tail.endswith(b"\n") else b"\n\n")


def _record(task: Task, game: Played, players: Sequence[EngineConfig]) -> chess.pgn.Game:
    record = chess.pgn.Game.from_board(game.board)
    record.headers.update(
        {
            "Event": "sssnake match",
            "Site": "?",
            "Date": time.strftime("%Y.%m.%d"),
            "Round": f"{task.pair + 1}.{task.number % 2 + 1}",
            "White": printable(players[task.white].name),
            "Black": printable(players[task.black].name),
            "Result": game.result,
            "Termination": TERMINATIONS.get(game.reason, "normal"),
            "PlyCount": str(len(game.board.move_stack)),
            **({"Variant": FISCHER_RANDOM} if game.board.chess960 else {}),
            **_tags("TimeControl", players[task.white].control.tag, players[task.black].control.tag),
            **_tags("Limit", players[task.white].control.fixed, players[task.black].control.fixed),
        }
    )
    opening = len(game.start.move_stack)
    for ply, node in enumerate(record.mainline()):
        node.comment = _comment(*game.plies[ply - opening][1:]) if ply >= opening else "book"
    last = record.end()
    last.comment = printable(", ".join(filter(None, (last.comment, game.reason, game.detail))))
    return record


def _tags(name: str, white: str, black: str) -> dict[str, str]:
    """A tag for both sides, or one for each side if they differ; none without a value."""
    if white == black:
        return {name: white} if white else {}
    return {side + name: value for side, value in (("White", white), ("Black", black)) if value}


def _comment(seconds: float, info: InfoLine) -> str:
    if info.mate is not None:
        score = f"{'+' if info.mate > 0 else '-'}M{abs(info.mate)}"
    elif info.cp is not None:
        score = f"{info.cp / 100:+.2f}"
    else:
        return f"{seconds:.3f}s"
    return f"{score}/{info.depth or 0} {seconds:.3f}s"
