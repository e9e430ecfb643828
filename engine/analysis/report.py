"""The analysis as one HTML page that asks nothing of the network: graph, critical moments, moves.

Boards are images in the page (SVG of python-chess), the graph is SVG. Everything that comes from a game is
escaped, and the page forbids scripts and requests.
"""

import base64
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from string import Template

import chess
import chess.svg

from sssnake import __version__
from sssnake.engine.analysis.judge import JudgedMove, View, hundredths, san_line, summary, views
from sssnake.engine.analysis.marks import BLUNDER, INACCURACY, MISTAKE, ONLY
from sssnake.engine.analysis.segments import Line
from sssnake.engine.analysis.study import Study

MOST_BOARDS = 8  # of a game
LINE_PLIES = 8
WIDTH, HEIGHT = 1000, 200  # units of the graph, which is stretched to the page
SPLIT = "$sections"
CLASSES = {BLUNDER: "blunder", MISTAKE: "mistake", INACCURACY: "inaccuracy", ONLY: "only"}
BEST, PLAYED = "#2e7d32cc", "#c62828cc"  # colours of arrows


def head_and_tail(title: str, how: str) -> tuple[str, str]:
    """What stands before and after the games."""
    template = files(__package__).joinpath("report.html").read_text(encoding="utf-8")
    values = {"title": escape(title), "how": escape(f"SSSnake {__version__}, {how}")}
    head, tail = (Template(part).substitute(values) for part in template.split(SPLIT))
    return head, tail


def section(study: Study, judged: Sequence[JudgedMove], alone: bool) -> str:
    """One game or position; `alone`: open at first, where others can be opened."""
    body = _game(study, judged) if judged else _position(study)
    facts = f'<p class="soft">{escape(study.facts)}</p>' if study.facts else ""
    heading = f"<summary><h2>{escape(study.title)}</h2></summary>"
    return f"<section><details{' open' if alone else ''}>{heading}{facts}{body}</details></section>\n"


def _game(study: Study, judged: Sequence[JudgedMove]) -> str:
    shown = critical(judged)
    boards = "".join(_moment(study, move) for move in shown)
    moments = f'<h3>Critical moments</h3><div class="critical">{boards}</div>' if boards else ""
    return _sides(judged) + _graph(study, judged, shown) + moments + _moves(study, judged, shown)


def _sides(judged: Sequence[JudgedMove]) -> str:
    """Accuracy and marks of both sides."""
    sides = summary(judged, chess.WHITE), summary(judged, chess.BLACK)
    rows = [("Accuracy", ["–" if one.accuracy is None else f"{one.accuracy:.1f} %" for one in sides])]
    rows += [(f"{mark.name} {mark.sign}", [str(one.marks[mark.sign]) for one in sides]) for mark in CLASSES]
    body = "".join(f'<tr><th scope="row">{head}</th><td>{a}</td><td>{b}</td></tr>' for head, (a, b) in rows)
    head = '<tr><td></td><th scope="col">White</th><th scope="col">Black</th></tr>'
    return f'<table class="sides"><thead>{head}</thead><tbody>{body}</tbody></table>'


def critical(judged: Sequence[JudgedMove]) -> list[JudgedMove]:
    """The moves that get a board, in their order: those that lost most, and only moves."""
    marked = [move for move in judged if move.mark]
    grave = [move for move in marked if move.mark is not INACCURACY] or marked
    heaviest = sorted(grave, key=lambda move: -max(move.loss or 0.0, move.margin))[:MOST_BOARDS]
    return sorted(heaviest, key=lambda move: move.ply)


def _graph(study: Study, judged: Sequence[JudgedMove], shown: Sequence[JudgedMove]) -> str:
    """White's expected score after every move."""
    seen = views(study)
    points = {ply: (WIDTH * ply / len(judged), HEIGHT * (1 - view.expected)) for ply, view in seen.items()}
    if len(points) < 2:
        return ""
    path = " L".join(f"{x:.1f} {y:.1f}" for x, y in points.values())
    first, last = min(points), max(points)
    area = f"M{points[first][0]:.1f} {HEIGHT} L{path} L{points[last][0]:.1f} {HEIGHT} Z"
    marked = [move for move in judged if move.mark and move.ply + 1 in points]
    dots = "".join(_dot(study, move, points[move.ply + 1], move in shown) for move in marked)
    ends = f"{100 * seen[first].expected:.0f} % at the start, {100 * seen[last].expected:.0f} % at the end"
    worst = max(judged, key=lambda move: move.loss or 0.0)
    loss = f"; the greatest loss is {hundredths(worst.loss or 0.0)} by {name(worst)}" if worst.loss else ""
    label = f"White's expected score: {ends}{loss}."
    return (
        f'<figure class="graph"><svg viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="none" role="img" '
        f'aria-label="{escape(label)}"><path class="area" d="{area}"/>'
        f'<path class="half" d="M0 {HEIGHT // 2} H{WIDTH}"/><path class="curve" d="M{path}"/>{dots}</svg>'
        f'<figcaption class="soft">{escape(label)} Top: White wins; bottom: Black wins.</figcaption></figure>'
    )


def _dot(study: Study, move: JudgedMove, at: tuple[float, float], has_board: bool) -> str:
    assert move.mark
    kind, tip = CLASSES[move.mark], escape(f"{name(move)}{move.mark.sign} {move.view}")
    dot = f'<path class="dot {kind}" d="M{at[0]:.1f} {at[1]:.1f} h.01"><title>{tip}</title></path>'
    return f'<a href="#{_anchor(study, move)}">{dot}</a>' if has_board else dot


def _anchor(study: Study, move: JudgedMove) -> str:
    return f"g{study.number}p{move.ply + 1}"


def name(move: JudgedMove) -> str:
    """12. Nf3 or 12... Nf6."""
    return f"{move.number} {move.san}"


def _moment(study: Study, move: JudgedMove) -> str:
    """A board before a move, with an arrow for it and one for the best, and what they are worth."""
    assert move.mark and move.best and move.before
    best = chess.Move.from_uci(move.best.moves[0])
    arrows = [_arrow(best, BEST)] + ([] if move.is_best else [_arrow(move.move, PLAYED)])
    kind = CLASSES[move.mark]
    said = f'<b class="{kind}">{escape(name(move))}{move.mark.sign}</b> {move.mark.name.lower()}'
    scores = f"{View(move.board, move.before)} → {move.view}"
    line = san_line(move.board, move.best.moves, LINE_PLIES)
    if move.is_best:
        text = f"{said}: the next best move loses {hundredths(move.margin)} of a point. <br>{escape(line)}"
    else:
        lost = hundredths(move.loss or 0.0)
        text = f"{said}: {lost} of a point lost ({escape(scores)}).<br>Better: {escape(line)}"
    image = _image(move.board, arrows, f"Position before {name(move)}")
    return f'<figure id="{_anchor(study, move)}">{image}<figcaption>{text}</figcaption></figure>'


def _arrow(move: chess.Move, color: str) -> chess.svg.Arrow:
    return chess.svg.Arrow(move.from_square, move.to_square, color=color)


def _image(board: chess.Board, arrows: Sequence[chess.svg.Arrow], what: str) -> str:
    """A board from the side to move as an image, with the pieces in its alternative text."""
    last = board.move_stack[-1] if board.move_stack else None
    check = board.king(board.turn) if board.is_check() else None
    svg = chess.svg.board(board, orientation=board.turn, lastmove=last, check=check, arrows=arrows)
    data = base64.b64encode(svg.encode()).decode()
    return f'<img alt="{escape(f"{what}. {pieces(board)}")}" src="data:image/svg+xml;base64,{data}">'


def pieces(board: chess.Board) -> str:
    """The position in words: White: king g1, pawns a2, b2. Black: king g8. White to move."""
    sides = []
    for color, side in ((chess.WHITE, "White"), (chess.BLACK, "Black")):
        kinds = []
        for kind in reversed(chess.PIECE_TYPES):
            squares = [chess.square_name(square) for square in board.pieces(kind, color)]
            if squares:
                kinds.append(f"{chess.piece_name(kind)}{'s' * (len(squares) > 1)} {', '.join(squares)}")
        sides.append(f"{side}: {', '.join(kinds)}.")
    return f"{' '.join(sides)} {'White' if board.turn else 'Black'} to move."


def _moves(study: Study, judged: Sequence[JudgedMove], shown: Sequence[JudgedMove]) -> str:
    """The move list, two plies a row."""
    rows: dict[int, list[str]] = {}
    for move in judged:
        row = rows.setdefault(move.board.fullmove_number, [] if move.board.turn else ["<td>…</td>"])
        row.append(f"<td>{_cell(study, move, move in shown)}</td>")
    lines = "".join(
        f'<tr><th scope="row">{number}.</th>{"".join(cells)}</tr>' for number, cells in rows.items()
    )
    head = '<tr><th scope="col">#</th><th scope="col">White</th><th scope="col">Black</th></tr>'
    return f'<h3>Moves</h3><table class="moves"><thead>{head}</thead><tbody>{lines}</tbody></table>'


def _cell(study: Study, move: JudgedMove, has_board: bool) -> str:
    text = escape(move.san)
    if move.mark:
        kind = CLASSES[move.mark]
        text = f'<b class="{kind}">{text}{move.mark.sign}</b>'
        if has_board:
            text = f'<a class="{kind}" href="#{_anchor(study, move)}">{text}</a>'
    aside = "book" if move.book else escape(str(move.view)) if move.view else ""
    return f"{text} <small>{aside}</small>"


def _position(study: Study) -> str:
    board, found = study.start, study.evaluations[0]
    lines: Sequence[Line] = found.lines if found else ()
    arrows = [_arrow(chess.Move.from_uci(line.moves[0]), BEST) for line in lines[:1]]
    image = f'<div class="single">{_image(board, arrows, study.title)}</div>'
    fen = f'<p class="soft">{escape(board.fen())}</p>'
    if found is None or not lines:
        return image + fen + (f"<p>{escape(found.ended)}</p>" if found else "")
    heads = "".join(f'<th scope="col">{head}</th>' for head in ("Score", "Expected", "Depth", "Line"))
    rows = ""
    for line in lines:
        view, text = View(board, found.of(line)), san_line(board, line.moves, LINE_PLIES)
        cells = (str(view), f"{100 * view.expected:.0f} %", str(line.depth), text)
        rows += f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>"
    return f'{image}{fen}<table class="lines"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>'
