"""The analysed game as PGN: evaluations as lichess writes them, marks, best lines as variations, accuracies.

What the game has is kept: tags, comments, variations, and other people's marks on its moves. Analysing the
result again replaces what an earlier analysis said.
"""

import re
from collections.abc import Sequence

import chess
import chess.engine
import chess.pgn

from engine import __version__
from engine.analysis.judge import Judged, summary
from engine.analysis.marks import ERRORS, ONLY
from engine.analysis.segments import Evaluation, Line
from engine.analysis.study import Study
from engine.player.result import Score

COLUMNS = 79  # the standard prohibits lines of 80 characters and more
LINE_PLIES = 10  # of a variation; a mate is shown to its end
SIDES = ((chess.WHITE, "White"), (chess.BLACK, "Black"))
MOVE_MARKS = frozenset(range(1, 7))  # NAGs ! ? !! ?? !? ?!
NAMES = "|".join(mark.name for mark in (*ERRORS, ONLY))
OWN_REMARK = re.compile(rf"\s*(?:({NAMES})\.(?: Better: \S+\.)?|Last book move\.)\Z")
OWN_SUMMARY = re.compile(r"\s*Analysed by SSSnake\b[^|]*\|[^|]*\|[^|]*\|")


def pgn(study: Study, judged: Sequence[Judged], how: str, all_lines: bool) -> str:
    """The annotated game. `how`: the limits of a search, in words. `all_lines`: variations at every move."""
    annotate(study, judged, how, all_lines)
    head, _, moves = study.game.accept(chess.pgn.StringExporter(columns=COLUMNS)).partition("\n\n")
    before = [_line_comment(line) for line in study.text.before] if study.text else []
    escapes = study.text.escapes if study.text else []
    return "\n".join([*before, head, "", *escapes, moves, "", ""])


def _line_comment(line: str) -> str:
    """A line of a comment before the tags. Many programs take one in braces there for a game."""
    return line if line.startswith(";") else f"; {line.replace('{', '').replace('}', '').strip()}"


def unchanged(raw: str) -> bytes:
    """A game as it was read, to the byte, and the empty line that parts it from the next one."""
    blank = "" if re.search(r"\n\r?\n\Z", raw) else "\n" if raw.endswith("\n") else "\n\n"
    return (raw + blank).encode("utf-8", "surrogateescape")


def annotate(study: Study, judged: Sequence[Judged], how: str, all_lines: bool) -> None:
    """Write the analysis into the game."""
    game = study.game
    if OWN_SUMMARY.search(game.comment):
        forget(game)
    game.headers.setdefault("Annotator", f"SSSnake {__version__}")
    node: chess.pgn.GameNode = game
    for number, (move, child) in enumerate(zip(judged, list(game.mainline()), strict=True)):
        add_marks(child, move, last_of_book=move.book and not any(m.book for m in judged[number + 1 :]))
        if move.before and wanted(move, all_lines):
            add_lines(node, move.before, move.board, skip=move.move)
        node = child
    if judged:
        add_summary(game, judged, how, study.done)
    elif study.evaluations[0]:
        game.set_eval(pov_score(study.evaluations[0].score, study.start.turn))
        if not study.from_game:
            add_lines(game, study.evaluations[0], study.start)


def forget(game: chess.pgn.Game) -> None:
    """Remove what an earlier analysis said: its summary, remarks and marks. Lines remain."""
    game.comment = OWN_SUMMARY.sub("", game.comment).strip()
    for node in game.mainline():
        found = OWN_REMARK.search(node.comment)
        if found:
            node.comment = node.comment[: found.start()]
            node.nags -= {mark.nag for mark in (*ERRORS, ONLY) if mark.name == found[1]}


def wanted(move: Judged, all_lines: bool) -> bool:
    """Whether a move gets variations."""
    return move.mark in ERRORS or (all_lines and not move.is_best)


def add_marks(node: chess.pgn.ChildNode, move: Judged, last_of_book: bool = False) -> None:
    """Evaluation, mark and remark of a move."""
    if move.after is not None:
        node.set_eval(pov_score(move.after.score, not move.board.turn))
    if move.mark and not node.nags & MOVE_MARKS:
        node.nags.add(move.mark.nag)
    said = remark(move) or ("Last book move." if last_of_book else "")
    node.comment = " ".join(filter(None, (node.comment, said)))


def remark(move: Judged) -> str:
    """The mark in words, and what was better."""
    if move.mark is None:
        return ""
    if move.mark is ONLY or move.best is None:
        return f"{move.mark.name}."
    best = move.board.san(chess.Move.from_uci(move.best.moves[0]))
    return f"{move.mark.name}. Better: {best}."


def pov_score(score: Score, turn: chess.Color) -> chess.engine.PovScore:
    """The score for python-chess."""
    mate = score.mate
    relative = chess.engine.Cp(score.value) if mate is None else chess.engine.Mate(mate)
    return chess.engine.PovScore(relative, turn)


def add_lines(
    node: chess.pgn.GameNode, found: Evaluation, board: chess.Board, skip: chess.Move | None = None
) -> None:
    """The lines of a position as variations; a first move that is there already is not doubled."""
    for line in found.lines:
        moves = kept_moves(line)
        if moves[0] != skip and not node.has_variation(moves[0]):
            child = node.add_variation(moves[0])
            child.set_eval(pov_score(line.score, board.turn))
            child.add_line(moves[1:])


def kept_moves(line: Line) -> list[chess.Move]:
    """The moves of a line that are worth showing."""
    names = line.moves if line.score.mate is not None else line.moves[:LINE_PLIES]
    return [chess.Move.from_uci(name) for name in names]


def add_summary(game: chess.pgn.Game, judged: Sequence[Judged], how: str, done: bool) -> None:
    """Accuracy and marks of both sides, in the comment before the first move; if complete, also in tags."""
    told, how = [], how if done else f"{how}, interrupted"
    for color, name in SIDES:
        side = summary(judged, color)
        told.append(f"{name}: {side}")
        if side.accuracy is not None and done:
            game.headers[f"{name}Accuracy"] = f"{side.accuracy:.1f}"
    text = f"Analysed by SSSnake {__version__}, {how} | {told[0]} | {told[1]} |"
    game.comment = " ".join(filter(None, (game.comment, text)))
