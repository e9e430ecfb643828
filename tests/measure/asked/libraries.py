"""Asks one Python library. Run by compatibility.py and round_trip.py where the libraries are installed.

    python libraries.py LIBRARY     requests and answers are JSON, one a line

Requests: {"ask": "fen", "fen", "moves"}, {"ask": "san", "fen", "moves"} of the last move, {"ask": "repeated",
"fen", "moves"}, {"ask": "read", "pgn"}. A game that was read is {"boards", "marks"}: the placement before the
first and after each move, and the number of marks ($1). {"ask": "eval", "comment"}: the evaluation in a
comment. {"ask": "build", "path", "fen"}: weights of the moves of a position in a book made of a PGN file.
{"ask": "pick", "path", "fen"}: a move of a book for play.
"""

import io
import json
import sys
import tempfile
from typing import Any

Request = dict[str, Any]


class Unknown(Exception):  # noqa: N818  # no error: the library has no such thing
    """The library has nothing that answers this."""


class PythonChess:
    """chess 1.x by Niklas Fiekas."""

    def __init__(self, request: Request) -> None:
        import chess
        import chess.pgn

        self.chess, self.pgn, self.request = chess, chess.pgn, request

    def board(self, last: bool = True) -> Any:
        board = self.chess.Board(self.request["fen"], chess960=self.request.get("chess960", False))
        moves = self.request["moves"]
        for move in moves if last else moves[:-1]:
            board.push_uci(move)
        return board

    def fen(self) -> str:
        return str(self.board().fen())

    def san(self) -> str:
        board = self.board(last=False)
        return str(board.san(self.chess.Move.from_uci(self.request["moves"][-1])))

    def repeated(self) -> bool:
        return bool(self.board().is_repetition(3))

    def eval(self) -> str:
        game = self.pgn.Game()
        game.comment = self.request["comment"]
        return repr(game.eval())

    def pick(self) -> str | None:
        import chess.polyglot

        with chess.polyglot.open_reader(self.request["path"]) as reader:
            found = reader.get(self.chess.Board(self.request["fen"]))
        return found.move.uci() if found else "none"

    def read(self) -> list[Any]:
        text, games = io.StringIO(self.request["pgn"]), []
        while (game := self.pgn.read_game(text)) is not None:
            if game.errors:
                raise ValueError(game.errors[0])
            nodes = list(game.mainline())
            boards = [node.board().board_fen() for node in (game, *nodes)]
            games.append({"boards": boards, "marks": sum(len(node.nags) for node in nodes)})
        return games


class Esca:
    """esca 0.x."""

    def __init__(self, request: Request) -> None:
        import esca

        self.esca, self.request = esca, request

    def game(self, last: bool = True) -> Any:
        chess960 = self.request.get("chess960", False)
        variant = self.esca.CHESS960 if chess960 else self.esca.CLASSIC
        game = self.esca.Game.from_fen(self.request["fen"], variant=variant)
        moves = self.request["moves"]
        for move in moves if last else moves[:-1]:
            game.play(move)
        return game

    def fen(self) -> str:
        return str(self.game().position.fen)

    def san(self) -> str:
        position = self.game(last=False).position
        return str(position.san(position.parse_uci(self.request["moves"][-1])))

    def repeated(self) -> bool:
        return bool(self.game().repetitions() >= 3)

    def build(self) -> dict[str, int]:
        builder = self.esca.polyglot.Builder()
        builder.add_pgn(self.request["path"])
        key = self.esca.Position.from_fen(self.request["fen"]).polyglot_key
        return {entry.uci: entry.weight for entry in builder.entries() if entry.key == key}

    def pick(self) -> str | None:
        book = self.esca.polyglot.Book(self.request["path"])
        found = book.pick(self.esca.Position.from_fen(self.request["fen"]), 1)
        return found.move.uci() if found else "none"

    def read(self) -> list[Any]:
        games = []
        for game in self.esca.pgn.read_string(self.request["pgn"]):
            positions = [game.start_position, *_later(game)]
            marks = sum(len(node.nags) for node in game.mainline())
            games.append({"boards": [one.fen.split()[0] for one in positions], "marks": marks})
        return games


def _later(game: Any) -> list[Any]:
    position, found = game.start_position, []
    for node in game.mainline():
        position = position.play(node.move, variant=game.variant)
        found.append(position)
    return found


class Bulletchess:
    """bulletchess 0.x."""

    def __init__(self, request: Request) -> None:
        import bulletchess
        import bulletchess.pgn

        self.it, self.request = bulletchess, request

    def board(self, last: bool = True) -> Any:
        board = self.it.Board.from_fen(self.request["fen"])
        moves = self.request["moves"]
        for move in moves if last else moves[:-1]:
            board.apply(self.it.Move.from_uci(move))
        return board

    def fen(self) -> str:
        return str(self.board().fen())

    def san(self) -> str:
        return str(self.it.Move.from_uci(self.request["moves"][-1]).san(self.board(last=False)))

    def repeated(self) -> bool:
        return self.board() in self.it.THREEFOLD_REPETITION

    def read(self) -> list[Any]:
        games = []
        with tempfile.NamedTemporaryFile("w", suffix=".pgn", encoding="utf-8") as file:
            file.write(self.request["pgn"])
            file.flush()
            with self.it.pgn.PGNFile.open(file.name) as pgn:
                while (game := pgn.next_game()) is not None:
                    board = game.starting_board
                    boards = [board.fen().split()[0]]
                    for move in game.moves:
                        board.apply(move)
                        boards.append(board.fen().split()[0])
                    games.append({"boards": boards})
        return games


class CozyChess:
    """cozy-chess-py 0.x."""

    def __init__(self, request: Request) -> None:
        import cozy_chess

        self.it, self.request = cozy_chess, request

    def board(self) -> Any:
        board = self.it.Board.from_fen(self.request["fen"], self.request.get("chess960", False))
        for move in self.request["moves"]:
            board.play(self.it.Move.from_str(move))
        return board

    def fen(self) -> str:
        board = self.board()
        return str(board.shredder_fen() if self.request.get("chess960") else board.fen())

    def san(self) -> str:
        raise Unknown

    repeated = read = san


class Pyffish:
    """pyffish: Fairy-Stockfish as a library."""

    def __init__(self, request: Request) -> None:
        import pyffish

        self.it, self.request = pyffish, request

    def fen(self) -> str:
        chess960 = self.request.get("chess960", False)
        return str(self.it.get_fen("chess", self.request["fen"], self.request["moves"], chess960))

    def san(self) -> str:
        fen = self.it.get_fen("chess", self.request["fen"], self.request["moves"][:-1])
        return str(self.it.get_san("chess", fen, self.request["moves"][-1]))

    def repeated(self) -> bool:
        over, _value = self.it.is_optional_game_end("chess", self.request["fen"], self.request["moves"])
        return bool(over)

    def read(self) -> list[Any]:
        raise Unknown


LIBRARIES = {
    "python-chess": PythonChess,
    "esca": Esca,
    "bulletchess": Bulletchess,
    "cozy-chess-py": CozyChess,
    "pyffish": Pyffish,
}


def main() -> None:
    """Answer all requests."""
    for line in sys.stdin:
        request = json.loads(line)
        try:
            asked = getattr(LIBRARIES[sys.argv[1]](request), request["ask"], None)
            answer = {"answer": asked() if asked else None}
        except Unknown:
            answer = {"answer": None}
        except Exception as error:  # whatever the library raises is its answer
            answer = {"error": f"{type(error).__name__}: {' '.join(str(error).split())[:100]}"}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
