"""Writes games, books and positions with SSSnake, and reads them with other programs, move by move.

    python tests/measure/round_trip.py [--folder DIR] [--only WORD]

Games of `analyse`, of `match` and of the page of `serve` (loaded, played move by move, reviewed), a book of
`book build`, positions of `genfens`. Prints a line for each reader and output; exit status 1 if one that
should read a game reads another, or none. What a reader cannot do
(Chess960, null moves) stands in UNABLE and MATCHES_ONLY. Needs what compatibility.py needs.
"""

import argparse
import io
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import chess.polyglot

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.constants import ENGINE, FAKE, ROOT
from support.web import Served, ServedTab

from measure import programs
from measure.programs import Library, PgnProgram, Runner, Scid
from sssnake.engine.match.match import main as match

LONG = " ".join(f"word{number}" for number in range(60))
START_960 = "qbrkbnrn/pppppppp/8/8/8/8/PPPPPPPP/QBRKBNRN w KQkq - 0 1"
SOURCES = {
    "marks, clocks, long comments": f"""1. e4 $1 {{ [%clk 0:05:00] {LONG} }} e5 $10 {{ [%clk 0:04:59.5] }}
2. Nf3! Nc6?! 3. Bb5 (3. Bc4 Bc5 (3... Nf6 4. Ng5 {{ sharp }}) 4. c3) 3... a6 4. O-O Nf6 *""",
    "mate": "1. f3 e5 2. g4 Qh4# 0-1",
    "promotion, en passant": "1. e4 d5 2. e5 f5 3. exf6 d4 4. c4 dxc3 5. fxg7 cxb2 6. gxh8=N bxa1=Q *",
    "a null move in a variation": "1. d4 d5 2. c4 e6 (2... -- 3. cxd5) 3. Nc3 Nf6 1/2-1/2",
    "Black begins at move 24": """[SetUp "1"]
[FEN "4k3/pp6/8/8/8/8/6PP/4K2R b K - 3 24"]

24... Kd7 25. O-O a5 26. Rf7+ *""",
    "Chess960": f"""[Variant "fischerandom"]
[SetUp "1"]
[FEN "{START_960}"]

1. a4 O-O-O 2. f4 g6 3. Bg3 e6 4. O-O-O d5 *""",
    "stalemate": """1. e3 a5 2. Qh5 Ra6 3. Qxa5 h5 4. h4 Rah6 5. Qxc7 f6 6. Qxd7+ Kf7 7. Qxb7 Qd3
8. Qxb8 Qh7 9. Qxc8 Kg6 10. Qe6 1/2-1/2""",
    "file and rank of one of three queens": """[SetUp "1"]
[FEN "8/8/8/Q7/6k1/8/8/Q3Q1K1 w - - 0 1"]

1. Qa1e5 Kh3 2. Q1g3# 1-0""",
    "underpromotions": """[SetUp "1"]
[FEN "1n2k3/P1P5/8/8/8/8/p6p/4K1N1 w - - 0 1"]

1. axb8=R+ Kd7 2. c8=B+ Kd6 3. Kf2 hxg1=N 4. Kxg1 a1=Q+ *""",
    "Black mates at move 40": """[SetUp "1"]
[FEN "6k1/8/8/8/8/8/r6P/1r3R1K b - - 12 40"]

40... Rxf1# 0-1""",
    "remarks everywhere": """{ before } 1. e4 { a } { b } ({ c } 1. d4 { d } d5 { e } (1... Nf6
(1... f5 2. g4 { f }) 2. c4) 2. c4) 1... e5 ; the rest of a line
2. Nf3 (2. f4) (2. Nc3) Nc6 { the end } (2... d6 $6) *""",
    "commands, lists, signs in remarks": f"""[Termination "time forfeit"]

1. d4 {{ [%clk 1:30:00] [%emt 0:00:03] }} d5 {{ [%csl Rd5][%cal Gd4c4,Rd5c4] }}
2. c4 $14 $220 {{ "gambit"; (not [so] new) $1 1. e4 100 % -- *x* 1-0 }} dxc4?? {{ {LONG}
[%clk 1:29:00] {LONG} }} 3. e4!? {{ [%eval 0.5] [%clk 0:00:00] }} 0-1""",
    "Chess960, a king that stays": """[Variant "fischerandom"]
[SetUp "1"]
[FEN "r5kr/pppppppp/8/8/8/8/PPPPPPPP/R5KR w KQkq - 0 1"]

1. O-O O-O-O 2. e4 e5 3. Rae1 Rhe8 *""",
    "Chess960, the inner rook castles": """[Variant "fischerandom"]
[SetUp "1"]
[FEN "rr2k3/8/8/8/8/8/8/RR2K3 w Bb - 0 1"]

1. O-O-O Ke7 2. Ra5 Rb5 *""",
}
# Who cannot read what, as he says himself: Chess960; variations with null moves.
CLASSICAL = ("chess.js", "bulletchess", "@jackstenglein/chess", "@mliebelt/pgn-reader")
NOT_ASKED = ("cozy-chess-py", "pyffish", "polyglot", *programs.ENGINES)  # they read no games
NO_NULL_MOVES = ("esca", "chess.js", "cm-chess", "@mliebelt/pgn-reader")
# bulletchess 0.4.0 reads neither variations nor Chess960; fastchess 1.8.2 takes a comment before the first
# move for a move.
MATCHES_ONLY = ("bulletchess", "fastchess")
UNABLE = {  # by a word of the output's name
    "Chess960": CLASSICAL,
    "a null move": NO_NULL_MOVES,
    "quotation marks": ("chess.js",),
    "the inner rook": (
        "scid",
        "pgn-extract",
        "cm-chess",
    ),  # the letter of its file, X-FEN's only way to say it
    "Black begins": ("bulletchess",),
    "positions": ("bulletchess",),  # its games begin at move 1 with White
}
POSITIONS = (  # openings of a match: Black to move; a capture in passing and castling
    "4k2r/pp4pp/8/8/8/8/PP4PP/R3K2R b KQk - hmvc 3; fmvn 24;",
    "r3k2r/ppp2ppp/8/3pP3/8/8/PPP2PPP/R3K2R w KQkq d6 0 12",
)
PLAYED = {  # on the page: start, moves, White's name, result
    "played": (chess.STARTING_FEN, ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"], "Żółw \\ D", ""),
    "played, quotation marks": (chess.STARTING_FEN, ["e2e4", "e7e5"], 'Robert "Bobby" T', "0-1"),
    "played, Chess960": (
        START_960,
        ["a2a4", "d8c8", "f2f4", "g7g6", "e1g3", "e7e6", "d1c1", "d7d5"],
        "A",
        "",
    ),
}


def text_of(source: str) -> str:
    """A source as a game."""
    tags, gap, moves = source.rpartition("\n\n")
    result = moves.split()[-1]
    names = {
        "Event": "e",
        "Site": "?",
        "Date": "????.??.??",
        "Round": "?",
        "White": "A",
        "Black": "D",
    }
    head = "".join(f'[{name} "{value}"]\n' for name, value in {**names, "Result": result}.items())
    return f"{head}{tags}{gap and chr(10)}\n{moves}\n\n"


def boards_of(text: str) -> list[list[str]]:
    """The boards of each game of a text, by python-chess."""
    file, found = io.StringIO(text), []
    while (game := chess.pgn.read_game(file)) is not None:
        assert not game.errors, game.errors
        found.append([node.board().board_fen() for node in (game, *game.mainline())])
    return found


def analysed(folder: Path, text: str) -> str:
    """What `analyse` makes of a game."""
    (folder / "source.pgn").write_text(text, encoding="utf-8")
    made = folder / "made.pgn"
    words = ["analyse", str(folder / "source.pgn"), "--nodes", "300", "--all-lines", "-o", str(made)]
    subprocess.run([*ENGINE, *words], check=True, cwd=ROOT, stdout=subprocess.DEVNULL)
    return made.read_text(encoding="utf-8")


def played(folder: Path, *more: str, engine: str = " ".join(ENGINE)) -> str:
    """Games of `match`: between two drivers of ours, or between our engine and another one."""
    path = folder / "games.pgn"
    engines = [engine, "--option-a", "Driver=SSS*", "--option-b", "Driver=PVS"]
    if engine.startswith(FAKE):
        engines = [" ".join(ENGINE), engine]
    limits = ["--games", "2", "--max-moves", "60", "--pgn", str(path)]
    assert match([*engines, *limits, *(() if "--tc" in more else ("--nodes", "200")), *more]) == 0
    text = path.read_text(encoding="utf-8")
    path.unlink()
    return text


def matches(folder: Path) -> Iterator[tuple[str, str]]:
    """(name, games) of `match`: those that are over by the rules, and those that are not."""
    positions = folder / "positions.epd"
    positions.write_text("\n".join(POSITIONS) + "\n", encoding="utf-8")
    yield "match", played(folder)
    yield "match, Chess960", played(folder, "--chess960")
    yield "match, clocks", played(folder, "--tc", "5/1+0.01", "--tc-b", "2")
    yield "match, positions", played(folder, "--openings", str(positions), "--order", "sequential")
    yield (
        "match, quotation marks",
        played(folder, "--name-a", 'Robert "Bobby" \\ Żółw', "--draw", "1", "1", "900"),
    )
    for mode in ("illegal", "crash"):
        yield f"match, {mode}", played(folder, engine=f"{FAKE} {mode}")
    yield "match, time", played(folder, "--tc", "0.3+0.1", engine=f"{FAKE} time")


def from_page(tab: ServedTab, text: str) -> Iterator[tuple[str, str]]:
    """(what was done, the PGN that the page copies and saves): a loaded game, the same one reviewed."""
    loaded = tab.ask("load", text=text)
    assert "error" not in loaded, loaded
    yield "page", str(tab.ask("pgn")["pgn"])
    assert tab.events("review", nodes=300)[-1]["event"] == "done"
    yield "page, reviewed", str(tab.ask("pgn")["pgn"])


def on_the_page(tab: ServedTab, start: str, moves: Sequence[str], white: str, result: str) -> str:
    """A game that was played on the page, with clocks, a comment, a mark and a name; perhaps given up."""
    tab.ask("new", start=start)
    node = 0
    for number, move in enumerate(moves):
        made = tab.ask("move", node=node, text=move, seconds=300 - number)
        assert "error" not in made, made
        node = made["entry"]["id"]
    changes: list[tuple[str, dict[str, object]]] = [
        ("comment", {"node": 1, "text": LONG}),
        ("mark", {"node": 2, "nag": 6}),
        ("tag", {"tags": {"White": white}}),
        ("end", {"node": node, "score": result, "reason": "White resigns"}),
    ]
    for do, fields in changes if result else changes[:-1]:
        done = tab.ask(do, **fields)
        assert "error" not in done, done
    return str(tab.ask("pgn")["pgn"])


def pages() -> Iterator[tuple[str, str, list[list[str]]]]:
    """(name, our text, the boards that it should have) of what the page copies and saves."""
    with Served() as server:
        tab = server.tab()
        for name, source in SOURCES.items():
            text = text_of(source)
            for what, made in from_page(tab, text):
                yield f"{what}: {name}", f"{made.rstrip()}\n\n", boards_of(text)
        for name, (start, moves, white, result) in PLAYED.items():
            board = chess.Board(start, chess960="Chess960" in name)
            right = [board.board_fen()]
            for move in moves:
                board.push_uci(move)
                right.append(board.board_fen())
            made = on_the_page(tab, start, moves, white, result)
            yield f"page: {name}", f"{made.rstrip()}\n\n", [right]


def games(folder: Path) -> Iterator[tuple[str, str, list[list[str]]]]:
    """(name, our text, the boards that it should have) of each output."""
    for name, source in SOURCES.items():
        text = text_of(source)
        yield name, analysed(folder, text), boards_of(text)
    for name, text in matches(folder):
        yield name, text, boards_of(text)
    yield from pages()


def read(program: Any, text: str) -> list[list[str]] | str:
    """The boards that a program reads, game by game, or what it says."""
    found: list[list[str]] = []
    whole = isinstance(program, PgnProgram) or program.name in programs.PYTHON
    for part in [text] if whole else re.split(r"\n\n(?=\[Event )", text):
        reply = program.ask({"ask": "read", "pgn": f"{part.rstrip()}\n\n"})
        if "answer" not in reply:
            return str(reply.get("error"))
        if reply["answer"] is None:
            return ""
        found += [game["boards"] for game in reply["answer"]]
    return found


def openings(program: Runner, text: str) -> list[list[str]] | str:
    """The boards of the first game, which a match runner plays as an opening."""
    first = re.split(r"\n\n(?=\[Event )", text)[0]
    with tempfile.TemporaryDirectory() as folder:
        variant = "-variant fischerandom" if '[Variant "' in first else ""
        said = program.match(Path(folder), f"{first.rstrip()}\n\n", [], more=variant, games=1)
        log = Path(folder, "a.log").read_text(encoding="utf-8")
    board, fen = chess.Board(), None
    lines = [line.split() for line in log.splitlines() if line.startswith("position")]
    if not lines:
        return " ".join(said.split())[:80]
    words = max(lines, key=len)
    if words[1] == "fen":
        fen = " ".join(words[2:8])
        board = chess.Board(fen, chess960=bool(variant))
    found = [board.board_fen()]
    for move in words[words.index("moves") + 1 :] if "moves" in words else []:
        try:
            board.push_uci(move)
        except ValueError:
            return f"it tells engines the move {move}"
        found.append(board.board_fen())
    return [found]


def verdict(program: Any, text: str, right: list[list[str]]) -> str:
    """ "" if the games are those that were written, else what is wrong."""
    if isinstance(program, Runner):
        if text.split()[-1] != "*" and not text.startswith('[Event "sssnake match"'):
            return ""  # a game that is over is no opening
        found = openings(program, text)
        plies = len(right[0]) - 1  # a runner leaves out the move that ends the game, and plays on
        if not isinstance(found, str) and found[0][:plies] != right[0][:plies]:
            return f"another opening: {len(found[0])} boards, {len(right[0])} expected"
        return found if isinstance(found, str) else ""
    found = read(program, text)
    if isinstance(found, str):
        return found
    return "" if found == right else f"another game: {[len(game) for game in found]}"


def book(folder: Path, everything: list[Any]) -> Iterator[str]:
    """Lines about a book: each position's best move as other readers give it."""
    path = folder / "book.bin"
    (folder / "lines.pgn").write_text(text_of(SOURCES["marks, clocks, long comments"]), encoding="utf-8")
    words = ["book", "build", str(folder / "lines.pgn"), "-o", str(path), "--least", "1", "--margin", "300"]
    subprocess.run([*ENGINE, *words], check=True, cwd=ROOT, stdout=subprocess.DEVNULL)
    board = chess.Board()
    with chess.polyglot.open_reader(path) as reader:
        lines = {board.fen(): reader.find(board).move.uci()}
        for move in ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"):  # then castling
            board.push_uci(move)
            if (entry := reader.get(board)) is not None:
                lines[board.fen()] = entry.move.uci()
    for program in everything:
        if isinstance(program, Scid):
            wrong = [fen for fen in lines if not program.from_book(path, fen)]
        elif isinstance(program, Library) and program.name in ("python-chess", "esca"):
            answers = {
                fen: program.ask({"ask": "pick", "path": str(path), "fen": fen})["answer"] for fen in lines
            }
            wrong = [fen for fen, move in answers.items() if move.replace("e1h1", "e1g1") != lines[fen]]
        else:
            continue
        kind = "ok" if not wrong else "FAULT"
        yield f"{kind}  book build, {len(lines)} positions: {program.name} {wrong[:1]}"


def positions(everything: list[Any]) -> Iterator[str]:
    """Lines about positions of `genfens`, Chess960 too."""
    words = ["genfens", "20", "seed", "1"]
    done = programs.run([*ENGINE, *words], cwd=ROOT)
    fens = [line.partition("genfens ")[2] or line for line in done.stdout.splitlines() if "/" in line]
    for program in everything:
        if isinstance(program, Library | programs.Engine):
            replies = [program.ask({"ask": "fen", "fen": fen, "moves": []}) for fen in fens]
            if any(reply.get("answer") is None and "error" not in reply for reply in replies):
                continue
            wrong = [
                fen
                for fen, reply in zip(fens, replies, strict=True)
                if str(reply.get("answer")).split()[:3] != fen.split()[:3]
            ]
            kind = "ok" if not wrong else "FAULT"
            yield f"{kind}  genfens, {len(fens)} positions: {program.name} {wrong[:1]}"


def main() -> int:
    """Write and read everything; 1 if something is read wrongly."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir(), "sssnake-compatibility"))
    parser.add_argument("--only", default="", help="outputs whose name has this word")
    args = parser.parse_args()
    everything = programs.install(args.folder)
    faults = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for output, text, right in games(folder):
            if args.only not in output:
                continue
            for program in everything:
                variations = not output.startswith("match")
                no_960 = MATCHES_ONLY[:1] if "Chess960" in output else ()
                if program.name in NOT_ASKED or program.name in (MATCHES_ONLY if variations else no_960):
                    continue
                said = verdict(program, text, right)
                known = any(word in output and program.name in names for word, names in UNABLE.items())
                faults += bool(said) and not known
                kind = "ok" if not said else "unable" if known else "FAULT"
                print(f"{kind}  {output}: {program.name} {said}", flush=True)
        for line in () if args.only else (*book(folder, everything), *positions(everything)):
            faults += line.startswith("FAULT")
            print(line, flush=True)
    print(f"{faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
