"""The analysed game as PGN: evaluations as lichess writes them, marks, best lines as variations, accuracies.

What the game has is kept: tags, comments, variations, and other people's marks on its moves. Evaluations of
other programs are replaced. Analysing the result again replaces exactly what an earlier analysis said.
"""

import re
from collections.abc import Sequence
from itertools import chain
from textwrap import wrap

import chess
import chess.pgn

from sssnake import __version__
from sssnake.engine.analysis.exporter import Exporter
from sssnake.engine.analysis.judge import JudgedMove, summary
from sssnake.engine.analysis.marks import ERRORS, ONLY
from sssnake.engine.analysis.segments import Evaluation, Line
from sssnake.engine.analysis.study import Study
from sssnake.engine.games.pgn_cutter import GameText
from sssnake.engine.games.pgn_writer import COLUMNS, single_spaced

LINE_PLIES = 10  # of a variation; a mate is shown to its end
SIDES = ((chess.WHITE, "White"), (chess.BLACK, "Black"))
MOVE_MARKS = frozenset(range(1, 7))  # NAGs ! ? !! ?? !? ?!
LINE = "SSSnake:"  # before a variation of ours
LAST_OF_BOOK = "Last book move."
EVAL = re.compile(r"\[%eval\s[^\]]*\]")
OTHER_REMARK = re.compile(  # of lichess and its like: Mistake. Nf3 was best.
    r"\b\S+ (?:was|is) best\.|\b(?:Better:|[Bb]est move (?:was|is)) \S+\."
)
NAMES = "|".join(mark.name for mark in ERRORS)
OWN_END = re.compile(  # of a comment that an earlier analysis has written
    rf"\[%eval [^\]]*\](?: (?P<name>{NAMES})\. Better: (?P<best>[^ .]+)\.| (?P<only>{re.escape(ONLY.name)})\."
    rf"| {re.escape(LAST_OF_BOOK)})?\Z"
)
OWN_SIDE = r"accuracy (?:unknown|\d+\.\d %), \d+ inaccurac(?:y|ies), \d+ mistakes?, \d+ blunders?"
OWN_LIMIT = r"(?:\d+ (?:ms|nodes) a position|depth \d+)(?:, interrupted)?"
OWN_SUMMARY = re.compile(
    rf"Analysed by SSSnake \S+, {OWN_LIMIT} \| White: {OWN_SIDE} \| Black: {OWN_SIDE} \|"
)
OWN_NAME = re.compile(r"SSSnake \d\S*")  # as annotator


def pgn(study: Study, judged: Sequence[JudgedMove], how: str, all_lines: bool) -> str:
    """The annotated game. `how`: the limits of a search, in words. `all_lines`: variations at every move."""
    annotate(study, judged, how, all_lines)
    return written(study.game, study.text)


def written(game: chess.pgn.Game, text: GameText | None) -> str:
    """A game with what its file had besides: comments before the tags, lines for other programs."""
    head, _, moves = game.accept(Exporter(getattr(game, "said", ""))).partition("\n\n")
    before = [_line_comments(line) for line in text.before] if text else []
    escapes = text.escapes if text else []
    return "\n".join([*chain.from_iterable(before), head, "", *escapes, moves, "", ""])


def _line_comments(line: str) -> list[str]:
    """A line of a comment before the tags. Many programs take one in braces there for a game."""
    if line.startswith(";") and len(line) <= COLUMNS:
        return [line]
    text = line[1:] if line.startswith(";") else line.replace("{", "").replace("}", "")
    return wrap(
        text.strip(),
        COLUMNS,
        initial_indent="; ",
        subsequent_indent="; ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def annotate(study: Study, judged: Sequence[JudgedMove], how: str, all_lines: bool) -> None:
    """Write the analysis into the game."""
    game = study.game
    game.comment = single_spaced(game.comment)
    if OWN_SUMMARY.search(game.comment):
        forget(game)
    if "Annotator" not in game.headers or OWN_NAME.fullmatch(game.headers["Annotator"]):
        game.headers["Annotator"] = f"SSSnake {__version__}"
    node: chess.pgn.GameNode = game
    for number, (move, child) in enumerate(zip(judged, list(game.mainline()), strict=True)):
        add_marks(child, move, last_of_book=move.book and not any(m.book for m in judged[number + 1 :]))
        if move.before and wanted(move, all_lines):
            add_lines(node, move.before, move.board, skip=move.move)
        node = child
    if judged:
        add_summary(game, judged, how, study.done)
    elif study.evaluations[0]:
        set_eval(game, study.evaluations[0], study.start.turn)
        if not study.from_game:
            add_lines(game, study.evaluations[0], study.start)


def forget(game: chess.pgn.Game) -> None:
    """Remove what an earlier analysis said: its summary, evaluations, remarks, marks and lines.

    Ours ends a comment, in exactly one form, since the first analysis has put what was there before it. A
    remark that names a mark is ours only with that mark and with the line that it speaks of.
    """
    game.comment = single_spaced(OWN_SUMMARY.sub("", game.comment))
    node: chess.pgn.GameNode = game
    while (child := node.next()) is not None:
        _forget_remark(node, child)
        for line in node.variations[1:]:
            if is_own_line(line):
                node.remove_variation(line)
        node = child


def _forget_remark(node: chess.pgn.GameNode, child: chess.pgn.ChildNode) -> None:
    comment = single_spaced(child.comment)
    found = OWN_END.search(comment)
    if found is None:
        return
    mark = next((mark for mark in (*ERRORS, ONLY) if mark.name in (found["name"], found["only"])), None)
    if mark is not None:
        board = node.board()
        lines = [board.san(line.move) for line in node.variations if line is not child]
        if mark.nag not in child.nags or (mark is not ONLY and found["best"] not in lines):
            return
        child.nags.remove(mark.nag)
    child.comment = comment[: found.start()].rstrip()


def is_own_line(line: chess.pgn.ChildNode) -> bool:
    """Whether a variation is exactly as we write one: our name, an evaluation, and moves without a word."""
    found = line.eval()
    if line.starting_comment.strip() != LINE or not found or not EVAL.fullmatch(line.comment.strip()):
        return False
    rest = [line, *line.mainline()]
    if len(rest) > LINE_PLIES and not found.is_mate():
        return False
    said = any(node.comment or node.starting_comment for node in rest[1:])
    branches = any(len(node.variations) > 1 for node in rest)
    return not (said or branches or any(node.nags for node in rest))


def wanted(move: JudgedMove, all_lines: bool) -> bool:
    """Whether a move gets variations."""
    return move.mark in ERRORS or (all_lines and not move.is_best)


def add_marks(node: chess.pgn.ChildNode, move: JudgedMove, last_of_book: bool = False) -> None:
    """Evaluation, mark and remark of a move. Where another has put a mark or such a remark, that stays."""
    if move.after is not None:
        set_eval(node, move.after, not move.board.turn)
    said = LAST_OF_BOOK if last_of_book and node.eval() else ""
    judged_by_others = node.nags & MOVE_MARKS or OTHER_REMARK.search(node.comment)
    if move.mark and not judged_by_others:
        node.nags.add(move.mark.nag)
        said = remark(move)
    node.comment = " ".join(filter(None, (node.comment, said)))


def set_eval(node: chess.pgn.GameNode, found: Evaluation, turn: chess.Color) -> None:
    """Write the evaluation behind the comment, in the place of all others."""
    node.comment = single_spaced(EVAL.sub(" ", node.comment))
    node.set_eval(found.score.pov(turn))


def remark(move: JudgedMove) -> str:
    """The mark in words, and what was better."""
    if move.mark is None:
        return ""
    if move.mark is ONLY or move.best is None:
        return f"{move.mark.name}."
    best = move.board.san(chess.Move.from_uci(move.best.moves[0]))
    return f"{move.mark.name}. Better: {best}."


def add_lines(
    node: chess.pgn.GameNode, found: Evaluation, board: chess.Board, skip: chess.Move | None = None
) -> None:
    """The lines of a position as variations; a first move that is there already is not doubled."""
    for line in found.lines:
        moves = kept_moves(line)
        if moves[0] != skip and not node.has_variation(moves[0]):
            child = node.add_variation(moves[0], starting_comment=LINE)
            child.set_eval(line.score.pov(board.turn))
            child.add_line(moves[1:])


def kept_moves(line: Line) -> list[chess.Move]:
    """The moves of a line that are worth showing."""
    names = line.moves if line.score.mate is not None else line.moves[:LINE_PLIES]
    return [chess.Move.from_uci(name) for name in names]


def add_summary(game: chess.pgn.Game, judged: Sequence[JudgedMove], how: str, done: bool) -> None:
    """Accuracy and marks of both sides, in the comment before the first move; if complete, also in tags."""
    told, how = [], how if done else f"{how}, interrupted"
    for color, name in SIDES:
        side = summary(judged, color)
        told.append(f"{name}: {side}")
        if side.accuracy is not None and done:
            game.headers[f"{name}Accuracy"] = f"{side.accuracy:.1f}"
        else:
            game.headers.pop(f"{name}Accuracy", None)  # of an earlier analysis
    text = f"Analysed by SSSnake {__version__}, {how} | {told[0]} | {told[1]} |"
    game.comment = " ".join(filter(None, (game.comment, text)))
