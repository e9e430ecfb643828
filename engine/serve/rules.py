"""The rules of chess for the page, all from python-chess: positions, legal moves, results, FEN and PGN.

A game is a start (FEN, or None for the usual one) and moves in UCI notation. The page sends both with every
request, so the server keeps no games. A tree of variations is a list of moves, each with the number of the
move before it (0: the start), main lines first. ValueError, in one line: what cannot be read or played.
"""

import datetime
import re
from collections.abc import Sequence

import chess
import chess.pgn

from sssnake._fast.board.playable import read_fen
from sssnake.engine.games import pgn_reader
from sssnake.engine.games.outcome import outcome_with_history
from sssnake.engine.games.pgn_cutter import cut
from sssnake.engine.serve import opening_names

LONGEST_GAME = 1200  # plies
LONGEST_FEN = 120  # characters
LARGEST_TEXT = 64 * 1024  # characters of a PGN
LONGEST_NAME = 60
LARGEST_TREE = 10_000  # moves
SIDES = {"white": chess.WHITE, "black": chess.BLACK}
FEN = re.compile(r"\s*(?:[1-8pnbrqkPNBRQK]+/){7}[1-8pnbrqkPNBRQK]+(?:\s|$)")


def read_start(start: str | None) -> chess.Board:
    """The board at the start of a game; of Chess960, if only that knows the castling rights."""
    if start is None:
        return chess.Board()
    if len(start) > LONGEST_FEN:
        raise ValueError(f"a FEN has at most {LONGEST_FEN} characters")
    return read_fen(start)[0]


def read_game(start: str | None, moves: list[str]) -> chess.Board:
    """The board after the moves of a game."""
    if len(moves) > LONGEST_GAME:
        raise ValueError(f"a game has at most {LONGEST_GAME} plies")
    board = read_start(start)
    for name in moves:
        board.push(read_move(board, name))
    return board


def read_move(board: chess.Board, text: str) -> chess.Move:
    """A legal move in UCI notation or in SAN."""
    text = text.strip()[:12]
    for read in (board.parse_uci, board.parse_san):
        try:
            move = read(text)
        except ValueError:
            continue
        if move:
            return move
    raise ValueError(f"{text!a} is not a legal move here")


def describe(board: chess.Board, ply: int | None = None) -> dict[str, object]:
    """A position with all that the page shows of it; after `ply` moves of the game (None: all)."""
    moves = board.move_stack
    shown, sans, opening = len(moves) if ply is None else max(0, min(ply, len(moves))), [], ""
    replay = board.root()
    here = replay.copy()
    for number, move in enumerate(moves, 1):
        sans.append(replay.san(move))
        replay.push(move)
        if number <= shown:
            opening = opening_names.name_of(replay) or opening
            here.push(move)
    ended = outcome_with_history(here)
    return {
        "fen": here.fen(),
        "ply": shown,
        "turn": "white" if here.turn else "black",
        "check": here.is_check(),
        "legal": {} if ended else {move.uci(): here.san(move) for move in here.legal_moves},
        "last": here.peek().uci() if shown else None,
        "sans": sans,
        "opening": opening,
        "result": ended and {"score": ended[0], "reason": ended[1]},
        "bare": {name: here.has_insufficient_material(side) for name, side in SIDES.items()},
        "first": {"number": board.root().fullmove_number, "black": not board.root().turn},
    }


def load(text: str, number: int = 1) -> dict[str, object]:
    """A game from a FEN or a PGN: start, moves, variations, players; game `number` of a file."""
    if len(text) > LARGEST_TEXT:
        raise ValueError(f"refused: {len(text)} characters, and at most {LARGEST_TEXT} are read")
    if not text.strip():
        raise ValueError("nothing to read: paste a FEN or a PGN")
    if FEN.match(text):
        return {"start": read_start(" ".join(text.split())).fen(), "moves": [], "players": {}, "games": 1}
    games = list(cut(text.splitlines()))
    if not 1 <= number <= len(games):
        raise ValueError(f"there is no game {number}" if games else "no game found")
    game, _ = pgn_reader.game_of(games[number - 1])
    board = game.end().board()
    if not board.move_stack and "[" not in text:
        raise ValueError("no moves found")
    if len(board.move_stack) > LONGEST_GAME:
        raise ValueError(f"a game has at most {LONGEST_GAME} plies")
    root = board.root()
    usual = root.fen() == chess.STARTING_FEN and not board.chess960
    tags = {name: game.headers[name] for name in ("White", "Black") if game.headers.get(name, "?") != "?"}
    return {
        "start": None if usual else root.fen(),
        "moves": [move.uci() for move in board.move_stack],
        "tree": _flat(game),
        "players": {side: tags[side][:LONGEST_NAME] for side in ("White", "Black") if side in tags},
        "games": len(games),
    }


def _flat(game: chess.pgn.Game) -> list[tuple[int, str, str]]:
    """The tree of a game: the number of the move before, the move, and its SAN."""
    found: list[tuple[int, str, str]] = []
    boards = [game.board()]
    rest = [(0, node) for node in reversed(game.variations)]
    while rest:
        before, node = rest.pop()
        found.append((before, node.move.uci(), boards[before].san(node.move)))
        after = boards[before].copy(stack=False)
        after.push(node.move)
        boards.append(after)
        rest += [(len(found), child) for child in reversed(node.variations)]
    return found


def _grow(game: chess.pgn.Game, tree: Sequence[object]) -> None:
    """Add the moves of a tree to a game without any."""
    if len(tree) > LARGEST_TREE:
        raise ValueError(f"a game and its variations have at most {LARGEST_TREE} moves")
    nodes: list[chess.pgn.GameNode] = [game]
    boards = [game.board()]
    for entry in tree:
        match entry:
            case [int(before), str(move)] if 0 <= before < len(nodes):
                after = boards[before].copy(stack=False)
                made = read_move(after, move)
                after.push(made)
                nodes.append(nodes[before].add_variation(made))
                boards.append(after)
            case _:
                raise ValueError('"tree" is a list of moves, each with the number of the one before it')


def write_pgn(
    board: chess.Board,
    white: str,
    black: str,
    result: str | None = None,
    tree: Sequence[object] | None = None,
) -> str:
    """The game as PGN. result: of one that ended by time or resignation. tree: the game with variations."""
    game = chess.pgn.Game.from_board(board)
    if tree is not None:
        game.variations.clear()
        _grow(game, tree)
    ended = outcome_with_history(board)
    game.headers["Event"] = "SSSnake"
    game.headers["Date"] = datetime.date.today().strftime("%Y.%m.%d")
    game.headers["White"], game.headers["Black"] = white[:LONGEST_NAME], black[:LONGEST_NAME]
    game.headers["Result"] = ended[0] if ended else result or "*"
    return str(game)
