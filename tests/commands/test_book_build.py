"""Building books: what is read, what the search lets pass, and that every rebuild gives the same bytes."""

import zipfile
from pathlib import Path

import chess
import chess.polyglot
import pytest
from support.commands import leave, status_of
from support.suites import needed

from sssnake.engine.commands import book
from sssnake.engine.commands.book_sources import Choice, Graph, Node, encode, gather

LINES = """eco\tname\tpgn
C20\tKing's Pawn\t1. e4 e5
C50\tItalian Game\t1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6
A00\tBarnes, Fool's Mate\t1. f3 e5 2. g4 Qh4#
B02\tAlekhine\t1. e4 Nf6 2. e5 Nd5
D00\tA queen given away\t1. d4 d5 2. Qd3 Nf6 3. Qxh7 Rxh7
"""
GAMES = """[Event "a"]
[Result "*"]

1. d4 d5 2. c4 e6 *

[Event "b"]
[Result "*"]

1. d4 Nf6 2. c4 e6 *
"""
CASTLING = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R"
PASSING = "7k/8/8/3pP3/8/8/8/4K3 w - d6"
EPD = f"""{CASTLING} w KQkq - bm O-O; id "short";
{CASTLING} b KQkq - bm O-O-O; id "long";
8/P6k/8/8/8/8/7K/8 w - - id "own choice";
{PASSING} bm exd6; id "the capture in passing wins";
"""
FAST = ("--nodes", "500", "--least", "1")


def build(tmp_path: Path, *arguments: str) -> Path:
    """A book from the given command line."""
    target = tmp_path / "book.bin"
    if status := status_of(book.main, ["build", *arguments, "-o", str(target)]):
        raise SystemExit(status)
    return target


def moves(path: Path, board: chess.Board) -> dict[str, int]:
    """What a book says in a position."""
    with chess.polyglot.open_reader(path) as reader:
        return {entry.move.uci(): entry.weight for entry in reader.find_all(board)}


def after(*names: str) -> chess.Board:
    board = chess.Board()
    for name in names:
        board.push_uci(name)
    return board


@pytest.fixture
def tsv(tmp_path: Path) -> Path:
    path = tmp_path / "lines.tsv"
    path.write_text(LINES, encoding="utf-8")
    return path


def test_a_book_of_all_kinds_of_sources(tmp_path: Path, tsv: Path) -> None:
    games, epd = tmp_path / "games.zip", tmp_path / "some.epd"
    with zipfile.ZipFile(games, "w") as archive:
        archive.writestr("games.pgn", GAMES)
    epd.write_text(EPD)
    path = build(tmp_path, str(tsv), str(games), str(epd), *FAST, "--nodes", "5000", "--margin", "200")
    with chess.polyglot.open_reader(path) as reader:
        rows = [(entry.key, -entry.weight) for entry in reader]
        assert rows == sorted(rows) and all(entry.weight for entry in reader)
        raw = {entry.raw_move for entry in reader}
    assert "c2c4" in moves(path, after("d2d4", "d7d5"))
    assert moves(path, after("e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5")) == {"e1g1": 1000}
    assert chess.E1 << 6 | chess.H1 in raw, "castling is written king takes rook"
    assert moves(path, chess.Board(f"{CASTLING} b KQkq - 0 1")) == {"e8c8": 1000}
    assert moves(path, chess.Board("8/P6k/8/8/8/8/7K/8 w - - 0 1")) == {"a7a8q": 1000}
    assert moves(path, chess.Board(f"{PASSING} 0 1")) == {"e5d6": 1000}
    assert moves(path, after("f2f3", "e7e5", "g2g4")) == {"d8h4": 1000}


def test_no_blunder_passes(tmp_path: Path, tsv: Path) -> None:
    path = build(tmp_path, str(tsv), *FAST)
    assert not moves(path, after("f2f3", "e7e5")), "2. g4 is mate next move"
    assert not moves(path, after("d2d4", "d7d5", "d1d3", "g8f6"))
    assert moves(path, chess.Board())


def test_every_rebuild_is_the_same(tmp_path: Path, tsv: Path) -> None:
    once = build(tmp_path, str(tsv), *FAST).read_bytes()
    assert build(tmp_path, str(tsv), *FAST, "--concurrency", "3").read_bytes() == once
    assert once


def test_rare_moves_of_games_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(GAMES)
    graph, *_ = gather([path], plies=30)
    graph.trim(least=2)
    kept = {move.uci() for node in graph.nodes.values() for move in node.choices}
    assert kept == {"d2d4"}
    assert len(graph.nodes) == 2
    assert all(len(node.choices) <= 2 for node in gather([path], plies=1)[0].nodes.values())


def test_bad_games_are_refused_or_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.pgn"
    path.write_text("1. d4 d5 *\n1. e4 -- 2. d4 *\n1. d4 Nf6 *\n")
    with pytest.raises(SystemExit):
        build(tmp_path, str(path), *FAST, "--least", "2")
    errors = capsys.readouterr().err
    assert errors.count("\n") == 1 and "games.pgn, game 2 (line 2): line 2: a null move" in errors
    made = build(tmp_path, str(path), *FAST, "--least", "2", "--margin", "100", "--skip-bad")
    assert "1 left out, the first: " in capsys.readouterr().err
    assert moves(made, chess.Board()) == {"d2d4": 1000}


def test_a_book_of_nothing_leaves_the_old_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games, target = tmp_path / "games.pgn", tmp_path / "book.bin"
    games.write_text(GAMES)
    target.write_bytes(b"old")
    with pytest.raises(SystemExit) as left:
        leave(book.main, ["build", str(games), "-o", str(target), "--nodes", "500"])
    assert left.value.code == 2 and target.read_bytes() == b"old"
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "--least 1" in said


def test_values_are_backed_up_through_the_graph() -> None:
    """A line that looks good at once but is refuted later loses; the search's own move is a way out."""
    first, second = chess.Move.from_uci("e2e4"), chess.Move.from_uci("d2d4")
    root = Node("", {first: Choice(1, 1, 1), second: Choice(2, 2, 1)}, best="e2e4", value=30)
    bad = Node("", {chess.Move.from_uci("e7e5"): Choice(3, 3, 1)}, best="e7e5", value=-50)
    graph = Graph()
    graph.nodes = {0: root, 1: bad, 2: Node("", value=-10, best="x"), 3: Node("", value=-90, best="x")}
    values = book.backed_up(graph, plies=4)
    assert (values[3], values[1], values[2]) == (-90, 20, -10)
    assert values[0] == 20, "half 30 and half 10, for the first move leads to 20 for the opponent"
    assert dict(book.recommended(root, values, margin=40)) == {1: 71, 2: 1000}
    assert dict(book.recommended(root, values, margin=20)) == {2: 1000}
    root.best = "c2c4"
    assert book.best(root, values) == 30, "the search's own way out"


def test_a_circle_of_moves_ends() -> None:
    move = chess.Move.from_uci("g1f3")
    graph = Graph()
    graph.nodes = {
        0: Node("", {move: Choice(1, 1, 1)}, best="g1f3", value=5),
        1: Node("", {move: Choice(0, 1, 1)}, best="g1f3", value=5),
    }
    assert all(0 < value <= 5 for value in book.backed_up(graph, plies=30).values())


@pytest.mark.parametrize(
    ("fen", "move", "raw"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1c1", chess.E1 << 6 | chess.A1),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8g8", chess.E8 << 6 | chess.H8),
        ("1n5k/P7/8/8/8/8/8/K7 w - - 0 1", "a7b8n", 1 << 12 | chess.A7 << 6 | chess.B8),
        ("1n5k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8q", 4 << 12 | chess.A7 << 6 | chess.A8),
    ],
)
def test_moves_are_written_as_polyglot_does(fen: str, move: str, raw: int) -> None:
    assert encode(chess.Board(fen), chess.Move.from_uci(move)) == raw


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.tsv", "eco\tname\n"),
        ("a.tsv", "eco\tname\tpgn\nA00\tx\t1. e5\n"),
        ("a.pgn", ""),
        ("a.pgn", "1. e4 e4 *"),
        ("a.pgn", '[Variant "Atomic"]\n\n1. e4 *'),
        ("a.epd", "8/8/8/8/8/8/8/8 w - -"),
        ("a.epd", "not a position"),
        ("a.zip", "not a zip"),
        ("missing.pgn", None),
    ],
)
def test_bad_sources_are_one_line(
    name: str, text: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    if text is not None:
        path.write_text(text)
    with pytest.raises(SystemExit) as leaving:
        leave(book.main, ["build", str(path), "-o", str(tmp_path / "book.bin")])
    assert leaving.value.code == 2
    errors = capsys.readouterr().err
    assert errors.startswith("sssnake book: ") and name in errors and errors.count("\n") == 1
    assert not (tmp_path / "book.bin").exists()


@pytest.mark.parametrize("arguments", [[], ["eat"], ["build"], ["build", "x.pgn", "-o", "/none/b.bin"]])
def test_bad_arguments_are_one_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as leaving:
        leave(book.main, arguments)
    assert leaving.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_the_collection_of_named_openings_is_read() -> None:
    graph, *_ = gather([needed(f"{letter}.tsv") for letter in "ab"], plies=40)
    assert len(graph.nodes) > 2000
    start = graph.nodes[chess.polyglot.zobrist_hash(chess.Board())]
    assert len(start.choices) == 20
