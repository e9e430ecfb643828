"""What compatibility.py asks: for each question its text, how a program is asked, what SSSnake does."""

import re
import struct
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import chess
import chess.polyglot

from measure import programs
from measure.programs import Engine, Runner

PINNED_PAWN = "8/8/8/8/k3p2Q/8/3P4/3K4 w - - 0 1"
ROUNDABOUT = ["d2d4", *["a4b5", "d1d2", "b5a4", "d2d1"] * 2]
STALEMATE = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
TAGS = "".join(
    f'[{name} "{value}"]\n'
    for name, value in (
        ("Event", "?"),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", "?"),
        ("White", "A"),
        ("Black", "B"),
        ("Result", "*"),
    )
)
NO_ANSWER = "—"
Ask = Callable[[Any], str | None]


@dataclass(frozen=True)
class Question:
    """A question: its heading, what is asked and why, what a program answers, what SSSnake does."""

    title: str
    text: str
    ask: Ask
    ours: str  # typed in; tests/project/test_compatibility.py holds SSSnake to it


def answer_of(reply: dict[str, Any], shown: Callable[[Any], str]) -> str | None:
    """A reply as a cell of the table; None if the program has nothing of the kind."""
    if "error" in reply:
        return "refused"
    return None if reply.get("answer") is None else shown(reply["answer"])


def field(number: int, fen: str, *moves: str, chess960: bool = False) -> Ask:
    """A question for a field of the FEN that a program writes after moves."""

    def ask(program: Any) -> str | None:
        reply = program.ask({"ask": "fen", "fen": fen, "moves": list(moves), "chess960": chess960})
        return answer_of(reply, lambda found: f"`{found.split()[number]}`")

    return ask


def repeated(program: Any) -> str | None:
    """A question for the third occurrence."""
    reply = program.ask({"ask": "repeated", "fen": PINNED_PAWN, "moves": ROUNDABOUT})
    return answer_of(reply, lambda found: "yes" if found else "no")


def pinned_twin(program: Any) -> str | None:
    """A question for a move's name."""
    reply = program.ask({"ask": "san", "fen": "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "moves": ["g1e2"]})
    return answer_of(reply, lambda found: f"`{found}`")


def read(moves: str, right: list[str], marks: int | None = None, opening: bool = False) -> Ask:
    """A question for a movetext, with the moves that it means. opening: match runners are asked, too."""
    boards = [chess.Board()]
    for move in right:
        boards.append(boards[-1].copy())
        boards[-1].push_uci(move)
    wanted = [board.board_fen() for board in boards]

    def ask(program: Any) -> str | None:
        if isinstance(program, Runner) and not opening:
            return None
        reply = program.ask({"ask": "read", "pgn": f"{TAGS}\n{moves}\n\n"})
        if isinstance(program, Runner):
            return as_opening(reply.get("positions", [""]), right)
        return answer_of(reply, shown)

    def shown(games: list[dict[str, Any]]) -> str:
        found = games[0]["boards"]
        if found == wanted:
            given = games[0].get("marks")
            return "read" if marks is None or given is None or given == marks else "read, without the mark"
        if found == wanted[: len(found)]:
            return f"stops after {len(found) - 1} plies"
        return "another move is read"

    return ask


def as_opening(positions: list[str], right: list[str]) -> str:
    """What a match runner has told engines of an opening."""
    told = max(positions, key=len).partition(" moves ")[2].split()
    same = next((at for at, move in enumerate(right) if told[at : at + 1] != [move]), len(right))
    if same == len(right):
        return "read"
    return (
        "tells engines the move a1a1"
        if "a1a1" in told
        else f"stops after {same} pl{'y' if same == 1 else 'ies'}"
    )


def stalemate(program: Any) -> str | None:
    """A question for a move where there is none."""
    if not isinstance(program, Engine):
        return None
    said = program.dialogue([f"position fen {STALEMATE}", "go depth 5"], 2)
    return next((f"`{line.strip()}`" for line in said if line.startswith("bestmove")), "no answer")


def empty_clock(program: Any) -> str | None:
    """A question for the time of a move."""
    if not isinstance(program, Engine):
        return None
    said = program.dialogue(["position startpos", "go wtime 0 btime 0 movetime 1000"], 2.5)
    times = [int(found[1]) for line in said if (found := re.search(r"\btime (\d+)", line))]
    if not any(line.startswith("bestmove") for line in said):
        return "no move"
    return "about a second" if times and times[-1] > 300 else "at once"


MATE_IN_3 = "4Q3/1k6/8/2K5/8/8/8/8 w - -"  # 5 plies
MATE_IN_9 = "8/8/8/8/3k4/8/7Q/7K w - -"  # 17 plies, by the tablebase


def queen_against_king(position: str, clocks: tuple[int, int], limit: str) -> Ask:
    """A question for a mate with so many plies on the clock, the second time one too many."""

    def ask(program: Any) -> str | None:
        if not isinstance(program, Engine):
            return None
        cells = []
        for clock in clocks:
            said = program.dialogue([f"position fen {position} {clock} 100", limit], 5)
            scores = [found[1] for line in said if (found := re.search(r"score ((?:cp|mate) -?\d+)", line))]
            cells.append(_kind(scores[-1] if scores else ""))
        return f"{cells[0]}; {cells[1]}"

    return ask


def _kind(score: str) -> str:
    kind, _, value = score.partition(" ")
    if kind == "mate":
        return f"mate in {value}"
    return NO_ANSWER if not kind else "draw" if abs(int(value)) < 20 else "winning, no mate"


def evaluation(program: Any) -> str | None:
    """A question for a comment's evaluation."""
    if not isinstance(program, programs.Library):
        return None
    return answer_of(program.ask({"ask": "eval", "comment": "[%eval #0]"}), lambda found: f"`{found}`")


RESULTS = (("1-0", "e4 e5"), ("1/2-1/2", "d4 d5"), ("*", "c4 c5"), ("0-1", "Nf3 Nf6"))


def book_of_games(program: Any) -> str | None:
    """A question for the weights of a book that is made of a win, a draw, an unfinished game and a loss."""
    text = "".join(f"{TAGS.replace('*', result)}\n1. {moves} {result}\n\n" for result, moves in RESULTS)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "games.pgn").write_text(text, encoding="utf-8")
        if isinstance(program, programs.Polyglot):
            weights = program.weights(folder)
        else:
            request = {"ask": "build", "path": str(folder / "games.pgn"), "fen": chess.STARTING_FEN}
            found = program.ask(request) if isinstance(program, programs.Library) else {}
            weights = found.get("answer") or {}
    if not weights:
        return None
    return ", ".join(str(weights.get(move, "left out")) for move in ("e2e4", "d2d4", "c2c4", "g1f3"))


def _coded(move: str) -> int:
    """A move as Polyglot writes it: promotions count from the knight, 1."""
    promotion = " nbrq".index(move[4]) if len(move) > 4 else 0
    return promotion << 12 | chess.parse_square(move[:2]) << 6 | chess.parse_square(move[2:4])


def written(folder: Path, board: chess.Board, moves: dict[str, int]) -> Path:
    """A book of one position, with moves as their two squares."""
    key = chess.polyglot.zobrist_hash(board)
    entries = [struct.pack(">QHHI", key, _coded(move), weight, 0) for move, weight in moves.items()]
    path = folder / "asked.bin"
    path.write_bytes(b"".join(entries))
    return path


def from_book(fen: str, moves: dict[str, int]) -> Ask:
    """A question for the move that is played from a book."""

    def ask(program: Any) -> str | None:
        with tempfile.TemporaryDirectory() as folder:
            path = written(Path(folder), chess.Board(fen), moves)
            if isinstance(program, programs.Scid):
                return f"`{program.from_book(path, fen)}`".replace("``", "no move")
            if not isinstance(program, programs.Library):
                return None
            reply = program.ask({"ask": "pick", "path": str(path), "fen": fen})
            return answer_of(reply, lambda found: "no move" if found == "none" else f"`{found}`")

    return ask


CASTLES = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"
OPENING = ["e2e4", "e7e5", "g1f3", "b8c6"]
GAMES = [
    Question(
        "The castling letter of an inner rook",
        "`RR2K3 w B`, rooks on a1 and b1, castling with the inner one (Chess960). X-FEN and "
        "Shredder-FEN: `B`.",
        field(2, "4k3/8/8/8/8/8/8/RR2K3 w B - 0 1", chess960=True),
        "`B`",
    ),
    Question(
        "The same where standard chess is set",
        "The position again, without `UCI_Chess960` or the library's word for it.",
        field(2, "4k3/8/8/8/8/8/8/RR2K3 w B - 0 1"),
        "`B`",
    ),
    Question(
        "The en-passant square that nobody can use",
        "The FEN after 1. e4. The FEN of the PGN standard has `e3`; most programs write `-` by now.",
        field(3, chess.STARTING_FEN, "e2e4"),
        "`-`",
    ),
    Question(
        "The en-passant square of a pinned pawn",
        f"`{PINNED_PAWN}` after d2d4: the capture would uncover the queen on the rank.",
        field(3, PINNED_PAWN, "d2d4"),
        "`-`",
    ),
    Question(
        "Threefold repetition behind such a pawn",
        "The same position occurs three times, first with the right to capture that nobody can use. "
        "By the laws of chess "
        "the positions are the same: yes.",
        repeated,
        "yes",
    ),
    Question(
        "A move beside a pinned twin",
        "Knights on c3 (pinned by the bishop on b4) and g1, the latter goes to e2. The PGN standard: `Ne2`.",
        pinned_twin,
        "`Ne2`",
    ),
    Question(
        "A mark behind a comment",
        "`1. e4 {c} $1 e5 2. Nf3 Nc6 *`.",
        read("1. e4 {c} $1 e5 2. Nf3 Nc6 *", OPENING, marks=1),
        "read",
    ),
    Question(
        "A comment before the first move",
        "`{ c } 1. e4 e5 2. Nf3 Nc6 *`; match runners: as an opening.",
        read("{ c } 1. e4 e5 2. Nf3 Nc6 *", OPENING, opening=True),
        "read",
    ),
    Question(
        "A line that begins with a comment",
        "`1. e4`, end of the line, `{ c } 1... e5 2. Nf3 Nc6 *`.",
        read("1. e4\n{ c } 1... e5 2. Nf3 Nc6 *", OPENING, opening=True),
        "read",
    ),
    Question(
        "Moves as two squares",
        "`1. e2e4 e7e5 2. g1f3 b8c6 *`.",
        read("1. e2e4 e7e5 2. g1f3 b8c6 *", OPENING),
        "read",
    ),
    Question(
        "Long moves",
        "`1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6 *`.",
        read("1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6 *", OPENING),
        "read",
    ),
    Question(
        "Figurines",
        "`1. e4 e5 2. ♘f3 ♞c6 *`. Who passes over what he does not know reads 2. f3 c6.",
        read("1. e4 e5 2. ♘f3 ♞c6 *", OPENING),
        "read",
    ),
    Question(
        "`[%eval #0]`",
        "An evaluation of a mate that is on the board: it does not say whose. SSSnake writes none there.",
        evaluation,
        "none written",
    ),
]
BOOKS = [
    Question(
        "Weights of a book made of games",
        "Of games with 1. e4 (won), 1. d4 (drawn), 1. c4 (unfinished), 1. Nf3 (lost): the weights, "
        "in this order. "
        "SSSnake's come from its own search, whatever the results were.",
        book_of_games,
        "from searches",
    ),
    Question(
        "Book moves of weight 0",
        "A book with 1. d4 and 1. e4, both of weight 0: what is played?",
        from_book(chess.STARTING_FEN, {"d2d4": 0, "e2e4": 0}),
        "no move",
    ),
    Question(
        "Castling in a book as e1g1",
        "Polyglot writes king takes rook, `e1h1`; some books have `e1g1`.",
        from_book(CASTLES, {"e1g1": 5}),
        "`e1g1`",
    ),
    Question(
        "A promotion in a book",
        "Polyglot counts the knight as 1: `b7b8n`.",
        from_book("8/1P5k/8/8/8/8/8/K7 w - - 0 1", {"b7b8n": 5}),
        "`b7b8n`",
    ),
]
ENGINES = [
    Question(
        "`bestmove` at a stalemate",
        f"`position fen {STALEMATE}`, `go depth 5`.",
        stalemate,
        "`bestmove (none)`",
    ),
    Question(
        "An empty clock beside a movetime",
        "`go wtime 0 btime 0 movetime 1000`.",
        empty_clock,
        "about a second",
    ),
    Question(
        "KQvK at 95 and at 96 plies without a capture",
        "A mate in 5 plies, `go depth 12`, no tablebases: with 95 plies on the clock the hundredth ply "
        "mates, with 96 it is a draw.",
        queen_against_king(MATE_IN_3, (95, 96), "go depth 12"),
        "mate in 3; winning, no mate",
    ),
    Question(
        "KQvK at 83 and at 84 plies without a capture",
        f"`{MATE_IN_9}`, a mate in 17 plies, `go movetime 4000` on a busy machine, no tablebases: with 83 "
        "plies on the clock it is in time, with 84 it is not. Stockfish sees it after 2.2 million nodes.",
        queen_against_king(MATE_IN_9, (83, 84), "go movetime 4000"),
        "mate in 9; winning, no mate",
    ),
]
