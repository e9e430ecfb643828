"""The analysis as text: a table for people, and a JSON object a line for programs."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

import chess

from sssnake.engine.analysis.judge import JudgedMove, View, hundredths, san_line, summary
from sssnake.engine.analysis.study import Study, unescaped
from sssnake.engine.player.result import Score

LINE_PLIES = 10  # of a line, before it is cut to the width
MOVE_WIDTH = 16
HEADS = 2  # lines before the first move
HEAD = f"{'move':<{MOVE_WIDTH}} {'score':>7} {'win/draw/loss':>13} {'lost':>6} {'depth':>5}  best line"


def text(study: Study, judged: Sequence[JudgedMove], width: int | None) -> Iterator[str]:
    """The lines of the table, cut to `width` columns. Scores are White's."""
    rows = _game(study, judged) if judged else _position(study)
    for row in rows:
        yield row.rstrip() if width is None else row[:width].rstrip()


def _game(study: Study, judged: Sequence[JudgedMove]) -> Iterator[str]:
    yield ", ".join(filter(None, (study.title, study.facts)))
    yield HEAD
    for move in judged:
        mark = "book" if move.book else move.mark.sign if move.mark else ""
        shown = f"{move.number} {move.san} {mark}"
        lost = hundredths(move.loss) if move.loss and move.loss >= 0.01 else ""
        line = san_line(move.board, move.best.moves, LINE_PLIES) if move.best else ""
        depth = str(move.best.depth) if move.best else ""
        yield f"{shown:<{MOVE_WIDTH}} {_score(move.view)} {lost:>6} {depth:>5}  {line}"
    yield ""
    for color, side in ((chess.WHITE, "White"), (chess.BLACK, "Black")):
        yield f"{side}: {summary(judged, color)}"


def _score(view: View | None) -> str:
    if view is None:
        return " " * 21
    win, loss = round(view.wdl[0] / 10), round(view.wdl[2] / 10)
    return f"{view!s:>7} {f'{win}/{100 - win - loss}/{loss}':>13}"


def _position(study: Study) -> Iterator[str]:
    board, found = study.start, study.evaluations[0]
    yield ", ".join(filter(None, (study.title, study.facts)))
    yield board.fen()
    if found is None:
        return
    if found.ended:
        yield f"{found.ended}: {_result(found.score, board.turn)}"
        return
    yield f"{'score':>7} {'win/draw/loss':>13} {'depth':>5}  line"
    for line in found.lines:
        view = View(board, found.of(line))
        yield f"{_score(view)} {line.depth:>5}  {san_line(board, line.moves, LINE_PLIES)}"
    yield from _solution(study)


def _result(score: Score, turn: chess.Color) -> str:
    return "1/2-1/2" if not score else "0-1" if turn else "1-0"


def _solution(study: Study) -> Iterator[str]:
    """For a line of a test suite: whether the best move is the one that it names."""
    found = study.evaluations[0]
    if found is None or found.best is None:
        return
    for code, good in (("bm", True), ("am", False)):
        moves = study.operations.get(code)
        if isinstance(moves, list) and moves:
            hit = (chess.Move.from_uci(found.best.moves[0]) in moves) == good
            names = ", ".join(map(study.start.san, moves))
            yield f"{'best' if good else 'to avoid'}: {names}; {'solved' if hit else 'not solved'}"


def as_json(study: Study, judged: Sequence[JudgedMove]) -> str:
    """One line of JSON: a game with its moves, or a position with its lines. Scores are White's."""
    found: dict[str, Any] = {"number": study.number, "title": study.title}
    if study.from_game:
        found["headers"] = {name: unescaped(value) for name, value in study.game.headers.items()}
    found["fen"] = study.start.fen()
    first = study.evaluations[0]
    if first is not None:
        found["start"] = _numbers(View(study.start, first))
        found["lines"] = [_line(study.start, View(study.start, first.of(line))) for line in first.lines]
    if judged:
        found["moves"] = [_move(move) for move in judged]
        for color, side in ((chess.WHITE, "white"), (chess.BLACK, "black")):
            one = summary(judged, color)
            share = None if one.accuracy is None else round(one.accuracy, 1)
            found[side] = {"accuracy": share, "marks": dict(sorted(one.marks.items()))}
    return json.dumps(found, ensure_ascii=False)


def _move(move: JudgedMove) -> dict[str, Any]:
    found: dict[str, Any] = {"san": move.san, "uci": move.board.uci(move.move)}
    if move.view is not None:
        found |= _numbers(move.view)
    found |= {"lost": move.loss, "mark": move.mark.sign if move.mark else None}
    found |= {"book": move.book, "forced": move.forced}
    if move.before is not None:
        found["lines"] = [
            _line(move.board, View(move.board, move.before.of(line))) for line in move.before.lines
        ]
    return found


def _numbers(view: View) -> dict[str, Any]:
    found: dict[str, Any] = {"cp": view.cp} if view.mate is None else {"mate": view.mate}
    found["wdl"] = list(view.wdl)
    if view.evaluation.ended:
        found["ended"] = view.evaluation.ended
    return found


def _line(board: chess.Board, view: View) -> dict[str, Any]:
    line = view.evaluation.lines[0]
    after, sans = board.copy(stack=False), []
    for name in line.moves:
        move = chess.Move.from_uci(name)
        sans.append(after.san(move))
        after.push(move)
    return {**_numbers(view), "depth": line.depth, "moves": sans}
