"""`sssnake demo`: two engines play a short game over UCI, drawn move by move, and analyse one position.

All that is shown (clock, depth, score, variation) comes from UCI, as in a GUI. On a terminal the board is
redrawn in place; in a pipe one board follows the other.
"""

import os
import random
import shutil
import sys
import time
from collections.abc import Callable

import chess
import chess.engine
import chess.pgn

from sssnake.engine.common.arguments import Parser
from sssnake.engine.common.messages import ToolError
from sssnake.engine.common.process import this_engine
from sssnake.engine.games.adjudication import Adjudication
from sssnake.engine.games.outcome import RESULTS, outcome_with_history
from sssnake.engine.player.result import score_text

OPENINGS = {
    "King's Gambit": "e4 e5 f4",
    "Evans Gambit": "e4 e5 Nf3 Nc6 Bc4 Bc5 b4",
    "Scotch Gambit": "e4 e5 Nf3 Nc6 d4 exd4 Bc4",
    "Sicilian, Dragon": "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 g6",
    "Sicilian, Najdorf": "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6",
    "French, Winawer": "e4 e6 d4 d5 Nc3 Bb4",
    "King's Indian, Four Pawns": "d4 Nf6 c4 g6 Nc3 Bg7 e4 d6 f4",
    "Benko Gambit": "d4 Nf6 c4 c5 d5 b5",
}
SECONDS, INCREMENT, ANALYSIS = 2.0, 0.1, 2.0
LONGEST_GAME = 200  # plies; with this clock no demonstration takes longer than half a minute
ADJUDICATION = Adjudication(win_score=1000, win_plies=8, draw_score=15, draw_plies=8, draw_from=80)
MATE_SCORE = 10_000  # centipawns that stand for a mate there

# Fine, Basic Chess Endings (1941), no. 70: one move wins, by a line of some twenty plies. Searches with a
# transposition table find it, and so SSS* does.
FAMOUS = "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1"
FAMOUS_MOVE = "Kb1"

LIGHT, DARK, MARKED, WHITE_PAINT, BLACK_PAINT = 180, 137, 107, 231, 16  # colours of the 256-colour terminal
BOARD_WIDTH = 32


class Screen:
    """Draws a board with text beside it; on a terminal over the last drawing."""

    def __init__(self) -> None:
        self.terminal = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
        self.unicode = sys.stdout.encoding.lower().startswith("utf")
        self.columns = shutil.get_terminal_size().columns
        self.over = 0  # lines of the last drawing

    def draw(self, board: chess.Board, beside: list[str]) -> None:
        """Show `board` from White's side with at most nine lines of text at its right."""
        squares = self.paint if self.terminal else self.plain
        rows = [[squares(board, chess.square(file, rank)) for file in range(8)] for rank in range(8)]
        ranks = [f" {rank + 1} " + "".join(rows[rank]) for rank in range(7, -1, -1)]
        ranks.append("    " + "  ".join("abcdefgh"))
        width = max(self.columns - BOARD_WIDTH - 1, 0) if self.terminal else None
        beside = [text[:width] for text in beside] + [""] * (len(ranks) - len(beside))
        if self.over:
            print(f"\x1b[{self.over}A", end="")
        clear = "\x1b[K" if self.terminal else ""
        for rank, text in zip(ranks, beside, strict=True):
            print(f"{rank}     {text}".rstrip() + clear)
        if self.terminal:
            self.over = len(ranks)
        else:
            print()
        sys.stdout.flush()

    def plain(self, board: chess.Board, square: int) -> str:
        """A square as text: the piece, or a dot."""
        piece = board.piece_at(square)
        if piece is None:
            return " \u00b7 " if self.unicode else " . "
        return f" {piece.unicode_symbol() if self.unicode else piece.symbol()} "

    def paint(self, board: chess.Board, square: int) -> str:
        """A square in colours; the last move's two squares are marked."""
        last = board.peek() if board.move_stack else None
        light = (chess.square_file(square) + chess.square_rank(square)) % 2
        ground = MARKED if last and square in (last.from_square, last.to_square) else LIGHT if light else DARK
        piece = board.piece_at(square)
        if piece is None:
            return f"\x1b[48;5;{ground}m   \x1b[0m"
        shape = piece.symbol()
        if self.unicode:  # solid shapes for both sides: the colour distinguishes them
            shape = chess.UNICODE_PIECE_SYMBOLS[shape.lower()]
        paint = WHITE_PAINT if piece.color else BLACK_PAINT
        return f"\x1b[48;5;{ground};38;5;{paint}m {shape} \x1b[0m"


def start() -> chess.engine.SimpleEngine:
    """An engine process that is ready: its memory is allocated before a clock runs."""
    engine = chess.engine.SimpleEngine.popen_uci(this_engine(), timeout=20)
    engine.configure({"Move Overhead": 100})  # ms; a demonstration may run on a busy machine
    engine.ping()
    return engine


def think(
    engine: chess.engine.SimpleEngine,
    board: chess.Board,
    limit: chess.engine.Limit,
    show: Callable[[chess.engine.InfoDict], None],
) -> tuple[chess.Move, chess.engine.InfoDict]:
    """The engine's move and its last info line. Each info line with a score is passed to `show`."""
    last: chess.engine.InfoDict = {}
    with engine.analysis(board, limit) as analysis:
        for info in analysis:
            if "score" in info and "pv" in info:
                last = info.copy()
                show(last)
        move = analysis.wait().move
    if move is None:
        raise chess.engine.EngineError(f"no move in {board.fen()}")
    return move, last


def describe(board: chess.Board, info: chess.engine.InfoDict) -> list[str]:
    """Depth, score (White's view), speed and variation of an info line."""
    if "score" not in info:
        return []
    depth = f"depth {info.get('depth', 0)}/{info.get('seldepth', 0)}"
    speed = f"{info.get('nodes', 0):,} nodes, {info.get('nps', 0):,} a second"
    return [f"{depth}   {score(info)}   {speed}", board.variation_san(info["pv"][:12])]


def score(info: chess.engine.InfoDict) -> str:
    """A score as text, from White's view."""
    white = info["score"].white()
    return score_text(white.score(), white.mate())


def play(screen: Screen, opening: str) -> chess.pgn.Game:
    """Play and draw one game from `opening`. The clocks are outside the engines."""
    board = chess.Board()
    for san in OPENINGS[opening].split():
        board.push_san(san)
    clocks = {chess.WHITE: SECONDS, chess.BLACK: SECONDS}
    comments: list[str] = []
    scores: list[int] = []  # White's view

    def draw(headline: str, text: list[str]) -> None:
        black, white = f"Black {clocks[chess.BLACK]:6.2f} s", f"White {clocks[chess.WHITE]:6.2f} s"
        screen.draw(board, [black, "", opening, "", headline, *(text or ["", ""]), "", white])

    with start() as white, start() as black:
        while not over(board, scores) and board.ply() < LONGEST_GAME and min(clocks.values()) > 0:
            limit = chess.engine.Limit(
                white_clock=clocks[chess.WHITE],
                black_clock=clocks[chess.BLACK],
                white_inc=INCREMENT,
                black_inc=INCREMENT,
            )
            before = board.copy(stack=1)
            began = time.monotonic()

            def live(info: chess.engine.InfoDict, before: chess.Board = before) -> None:
                if screen.terminal:
                    draw(number(before) + " ...", describe(before, info))

            move, info = think(white if board.turn else black, board, limit, live)
            clocks[board.turn] += INCREMENT - (time.monotonic() - began)
            comments.append(f"{score(info)}/{info.get('depth', 0)}" if "score" in info else "")
            scores += [info["score"].white().score(mate_score=MATE_SCORE)] if "score" in info else []
            board.push(move)
            draw(f"{number(before)} {before.san(move)}", describe(before, info))
    return record(board, opening, clocks, comments, over(board, scores))


def over(board: chess.Board, scores: list[int]) -> tuple[str, str] | None:
    """Result and termination (as PGN names it) if the game is over, by the rules or by both sides' scores."""
    ended = outcome_with_history(board)
    if ended:
        return ended[0], "normal"
    result = ADJUDICATION.result(scores, board.ply())
    return None if result is None else (RESULTS[result], "adjudication")


def number(board: chess.Board) -> str:
    """The number of the next move, as in PGN."""
    return f"{board.fullmove_number}{'.' if board.turn else '...'}"


def record(
    board: chess.Board,
    opening: str,
    clocks: dict[chess.Color, float],
    comments: list[str],
    ending: tuple[str, str] | None,
) -> chess.pgn.Game:
    """The finished game with scores and depths. A side that has overstepped the time has lost."""
    game = chess.pgn.Game.from_board(board)
    out_of_time = next((color for color in chess.COLORS if clocks[color] <= 0), None)
    if out_of_time is not None:
        ending = "0-1" if out_of_time else "1-0", "time forfeit"
    result, reason = ending or ("*", "unterminated")
    game.headers.update(
        Event="SSSnake demonstration",
        Site="?",
        Date=time.strftime("%Y.%m.%d"),
        White="SSSnake",
        Black="SSSnake",
        Result=result,
        Termination=reason,
        Opening=opening,
        TimeControl=f"{SECONDS:g}+{INCREMENT:g}",
    )
    nodes = list(game.mainline())
    for node, comment in zip(nodes[len(nodes) - len(comments) :], comments, strict=True):
        node.comment = comment
    return game


def analyse(screen: Screen, seconds: float) -> None:
    """Analyse the famous position: a line for every depth, and whether the winning move was found."""
    board = chess.Board(FAMOUS)
    print(f"Fine, Basic Chess Endings, no. 70: White to move, only {FAMOUS_MOVE} wins.\n")
    screen.draw(board, [])
    with start() as engine:
        move, _ = think(
            engine,
            board,
            chess.engine.Limit(time=seconds),
            lambda info: print("   ".join(describe(board, info)), flush=True),
        )
    verdict = "the winning move" if board.san(move) == FAMOUS_MOVE else f"but {FAMOUS_MOVE} wins"
    print(f"\nSSSnake plays {board.san(move)}: {verdict}.")


def main(argv: list[str]) -> int:
    """Play, print the game as PGN, analyse. ToolError if the engine fails."""
    parser = Parser("sssnake demo", description="A game of the engine against itself, and an analysis.")
    parser.add_argument("--seed", type=int, help="chooses the opening (default: a random one)")
    parser.add_argument("--opening", choices=OPENINGS, help="the opening by its name")
    arguments = parser.parse_args(argv)
    opening = arguments.opening or random.Random(arguments.seed).choice(list(OPENINGS))
    screen = Screen()
    print(f"SSSnake against SSSnake, {SECONDS:g} s + {INCREMENT:g} s a move, {opening}\n")
    try:
        game = play(screen, opening)
        print(f"\n{game}\n")
        screen.over = 0
        analyse(screen, ANALYSIS)
    except (chess.engine.EngineError, TimeoutError) as error:
        raise ToolError(str(error) or type(error).__name__) from None
    return 0
