"""Files of openings and suites as the field writes them: one reader, and one line on what cannot be read."""

import codecs
import gzip
import os
import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import chess
import pytest

from sssnake.engine.analysis import study
from sssnake.engine.commands import book_sources
from sssnake.engine.commands.epd import parse_problem, read_suite
from sssnake.engine.games import opening_files, pgn_cutter
from sssnake.engine.games import openings as match_openings
from sssnake.engine.games.epd_reader import read_epd
from sssnake.engine.games.opening_files import items
from sssnake.engine.games.openings import OpeningOptions, Openings, openings
from sssnake.engine.games.pgn_cutter import cut
from sssnake.engine.games.pgn_reader import board_of_game

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
MATE = "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - -"
FISCHER = '[Variant "Chess960"]\n[FEN "bqnrnkrb/pppppppp/8/8/8/8/PPPPPPPP/BQNRNKRB w KQkq - 0 1"]\n\n'


def write(tmp_path: Path, name: str, text: str | bytes) -> Path:
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def lines(path: Path, plies: int | None = None) -> list[str]:
    """The moves of each opening of a file."""
    boards = [item.board(plies) for item in items(path)]
    return [board.root().variation_san(board.move_stack) for board in boards]


def trouble(path: Path) -> str:
    with pytest.raises(ValueError, match=r".") as error:
        openings(path)
    assert "\n" not in str(error.value) and path.name in str(error.value)
    return str(error.value)


# -- where games begin and end


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('[Event "a"]\n\n1. e4 e5 *\n[Event "b"]\n\n1. d4 d5 *\n[Event "c"]\n\n1. c4 *\n', 3),
        ('[Event "a"]\n1. e4 e5 *\n[Event "b"]\n1. d4 d5\n[Event "c"]\n1. c4', 3),
        ('[Event "a"]\n\n[Round "1"]\n\n\n\n[Site "x"]\n\n1. e4 e5 *\n\n[Event "b"]\n\n1. d4 d5 *\n', 2),
        ('[Event "a"] [Round "1"] 1. e4 e5 *\n  [Event "b"]\n\n 1. d4 *', 2),
        ("1. e4 e5 2. Nf3\n\n1. d4 d5\n\n1. c4\n", 3),
        ("1. e4 e5 *\n1. d4 d5 1/2-1/2\n1. c4 1-0\n", 3),
        ("1. e4 e5 *  1. d4 d5 0-1 1.c4*", 3),
        ("1. e4 e5\n1. d4 d5\n1.c4 c5", 3),
        ("e4 e5 *\nd4 d5 *", 2),
        ('[Event "a"]\n\n1. e4 e5\n\n2. Nf3 Nc6 *\n', 1),
        ('[Event "a"]\n\n1. e4\n\n1... e5 2. Nf3 *\n', 1),
        ('[Event "a"]\n\n1. e4 {[%clk 0:01]\n[Event "no"]\n\n1. d4 * } e5 ; [x * 1-0\n2. Nf3 *\n', 1),
        ('[Event "a"]\n\n{[Event "no"]}\n1. e4 e5 *\n', 1),
        ('[Event "a"]\n\n1. e4 (1. d4 d5 *\n1. c4) 1... e5 1-0 {White won}\n\n[Event "b"]\n\n1. d4 *\n', 2),
        ('% escaped\n[Event "a"]\n% [Event "no"]\n\n1. e4 *\n%\n; 1. e4\n', 1),
        ('\ufeff[Event "a"]\r\n\r\n1. e4 *\r\n\r\n\ufeff[Event "b"]\r\n\r\n1. d4 *\r\n', 2),
        ('[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n[FEN "4k3/8/8/8/8/8/3P4/4K3 w - - 0 1"]\n', 2),
        ('[Event "a"]\n[Event "b"]\n\n1. e4 *\n', 1),
        ('[Event "a"]\n\n[Event "b"]\n\n1. e4 *\n', 1),
        ('[White "Some "X" {"]\n\n1. e4! e5?! $4 2. Nf3 N *\n', 1),
        ("1. e4 e5 1/2 1. d4 d5 ½-½ 1. c4 c5 1–0 1. f4", 4),
        ('[Event "a"]\n{ a comment }\n[White "A"]\n; another\n[Black "B"]\n\n1. e4 e5 *\n', 1),
        ("1. e4 e5 2.\r\r\nNf3 Nc6\r\r\n3. d4 *\r\r\n", 1),
        ("1. e4 e5\r\r\n\r\r\nd4 d5\r\r\n", 2),
        ("\n\n* \n\n", 0),
    ],
)
def test_games_are_told_apart(text: str, found: int, tmp_path: Path) -> None:
    assert len(lines(write(tmp_path, "a.pgn", text))) == found


def test_the_tags_of_a_game_that_was_not_played_go_to_no_other() -> None:
    text = '[Event "a"]\n[White "A"]\n[Result "1-0"]\n[WhiteElo "2850"]\n\n\n'
    text += '[Event "a"]\n[White "B"]\n\n1. e4 *\n'
    bye, played = cut(text.splitlines(keepends=True))
    assert len(bye.tags) == 4 and not bye.body.strip()
    assert played.tags == ['[Event "a"]', '[White "B"]'] and played.line == 7


def test_a_variation_without_an_end_takes_no_other_game_along() -> None:
    text = "1. e4 e5 (1... c5 *\n\n1. d4 d5 1-0\n\n1. c4 (1. f4\n1. b4) c5 0-1\n"
    bad, *good = cut(text.splitlines(keepends=True))
    with pytest.raises(ValueError, match="a variation without an end"):
        board_of_game(bad)
    assert [board_of_game(game).board.ply() for game in good] == [2, 2]


def test_a_variation_behind_the_result_is_no_game() -> None:
    (game,) = cut(["1. f3 e5 2. g4 0-1\n", "(2. e4 Nf6)\n", "\n"], raw=True)
    assert game.raw == "1. f3 e5 2. g4 0-1\n(2. e4 Nf6)\n\n"


def test_no_game_of_a_file_is_lost_or_made_up(tmp_path: Path) -> None:
    path = write(tmp_path, "a.pgn", "1. e4 e5 *\n1. d4 (1. c4 *) d5 {x} 2. c4 *\n\n1. c4")
    assert lines(path) == ["1. e4 e5", "1. d4 d5 2. c4", "1. c4"]
    assert lines(path, 1) == ["1. e4", "1. d4", "1. c4"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16"])
def test_encodings(encoding: str, tmp_path: Path) -> None:
    text = '[White "Müller"]\n\n1. e4 {é} e5 *\n'
    (item,) = items(write(tmp_path, "a.pgn", text.encode(encoding)))
    assert item.game and "Müller" in item.game.text and item.board().ply() == 2


def test_quotation_marks_and_dashes_of_windows(tmp_path: Path) -> None:
    path = write(tmp_path, "a.pgn", b"1. e4 {\x93quoted\x94 \x97 \xe9 \x81} e5 *\n")
    for raw in (False, True):
        (item,) = items(path, raw=raw)
        assert item.game and "“quoted” — é \x81" in item.game.body


@pytest.mark.parametrize("name", ["a.txt", "a.TXT", "book"])
def test_the_kind_of_a_file_without_a_telling_name(name: str, tmp_path: Path) -> None:
    assert lines(write(tmp_path, name, "\n1. e4 *\n")) == ["1. e4"]
    assert len(lines(write(tmp_path, name, f"{START} w KQkq -\n"))) == 1


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_a_pipe_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.pgn"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_text, args=("1. e4 *\n1. d4 *",))
    writer.start()
    assert len(lines(path)) == 2
    writer.join()


# -- what cannot be played


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[Event "a"]\n\n1. e4 -- 2. d4 *', "a null move"),
        ("1. e4 Z0 *", "a null move"),
        ("1. e4 e4 *", "illegal move 'e4'"),
        ("1. e4 Qz9 2. a3 *", "'Qz9' is not a move"),
        ("hello *", "'hello' is not a move"),
        ('[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n*', "illegal position"),
        ('[FEN "nonsense"]\n\n*', "game 3 (line 5)"),
        ("[FEN 4k3/8/8/8/8/8/8/4K2R w - - 0 1]\n\n*", "not a tag"),
        ('[Variant "Atomic"]\n\n1. e4 *', "variant 'Atomic'"),
        ('[Variant "Mao"]\n\n1. e4 *', "variant 'Mao' is not supported"),
        ('[Event "torn"]\n[Whi', "tags without a game"),
        ("1. e4 {no end\n\n1. d4 *", "a comment without an end"),
        ("1. f3 e5 2. g4 Qh4# 0-1", "checkmate"),
        ('[FEN "k7/2Q5/8/8/8/8/8/K7 b - - 0 1"]\n\n*', "stalemate"),
        ('[FEN "4k3/8/8/8/8/8/8/R3K3 w Q - 100 90"]\n\n*', "fifty moves"),
        ('[FEN "4k3/8/8/8/8/8/8/4K1N1 w - - 0 1"]\n\n*', "insufficient material"),
        ("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 *", "threefold repetition"),
    ],
)
def test_a_bad_game_is_named_before_the_first_is_played(text: str, said: str, tmp_path: Path) -> None:
    path = write(tmp_path, "a.pgn", f'1. e4 *\n[Event "?"]\n\n1. d4 *\n{text}\n')
    message = trouble(path)
    assert said in message and "a.pgn, game 3 (line 5)" in message
    good = Openings(path, OpeningOptions(skip_bad=True))
    good.check(None)
    assert good.remark().startswith("1 of 3 openings left out, the first: ")
    assert {len(next(good).move_stack) for _ in range(5)} == {1}


def test_what_lies_behind_the_cut_does_not_matter(tmp_path: Path) -> None:
    assert lines(write(tmp_path, "a.pgn", "1. e4 e5 2. -- Nc6 *"), 2) == ["1. e4 e5"]


@pytest.mark.parametrize("line", ["nonsense", "8/8/8/8/8/8/8/8 w - -", f"{START} w KQkq - 0 99999"])
def test_a_bad_line_is_named(line: str, tmp_path: Path) -> None:
    path = write(tmp_path, "a.epd", f"# comment\n{START} w KQkq -\n{line}\n")
    assert "a.epd, line 3: " in trouble(path)


def test_of_a_large_book_those_are_checked_that_will_be_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_openings, "CHECKED", 3)
    path = write(tmp_path, "a.epd", f"{START} w KQkq -\n" * 5 + "4k3/8/8/8/8/8/8/R3K3 w Q - 100 90\n")
    assert next(openings(path, OpeningOptions(shuffle=False), count=5)).fen().startswith(START)
    with pytest.raises(ValueError, match="line 6: the game is over before it begins"):
        openings(path, OpeningOptions(shuffle=False), count=6)
    seeds = [seed for seed in range(50) if _refused(path, seed)]
    assert 0 < len(seeds) < 50, "one of two openings is the sixth for a third of the seeds"
    for seed in set(range(50)) - set(seeds):
        played = openings(path, OpeningOptions(seed=seed), count=2)
        assert [next(played).halfmove_clock for _ in range(2)] == [0, 0]


def _refused(path: Path, seed: int) -> bool:
    try:
        openings(path, OpeningOptions(seed=seed), count=2)
    except ValueError:
        return True
    return False


# -- archives


def packed(tmp_path: Path, **members: str) -> Path:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in members.items():
            archive.writestr(name.replace("_", "."), text)
        archive.writestr("__MACOSX/._a.pgn", b"\0\5\26")
    return path


def test_all_members_are_read(tmp_path: Path) -> None:
    path = packed(tmp_path, a_pgn="1. e4 *", b_epd=f"{START} w KQkq -", c_txt="no book")
    assert lines(path) == ["1. e4", ""]
    path = packed(tmp_path, a_pgn="1. e4 *", b_pgn="1. d4 * 1. e5 *")
    assert "a.zip, b.pgn, game 2 (line 1)" in trouble(path)
    assert "a.zip, game 2 (line 1)" in trouble(packed(tmp_path, a_pgn="1. d4 * 1. e5 *")), "there is but one"


def test_damaged_archives_are_one_line(tmp_path: Path) -> None:
    assert "no EPD or PGN file inside" in trouble(packed(tmp_path, a_md="x"))
    whole = packed(tmp_path, a_pgn="1. e4 e5 *" * 50).read_bytes()
    at = whole.index(b"1. e4") + 30
    trouble(write(tmp_path, "a.zip", whole[:at] + b"?" + whole[at + 1 :]))
    trouble(write(tmp_path, "a.zip", whole[:200]))
    encrypted = bytearray(whole)
    for mark, flags in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        encrypted[whole.index(mark) + flags] |= 1
    assert "encrypted" in trouble(write(tmp_path, "a.zip", bytes(encrypted)))
    method = bytearray(whole)
    for mark, place in ((b"PK\3\4", 8), (b"PK\1\2", 10)):
        method[whole.index(mark) + place] = 77
    trouble(write(tmp_path, "a.zip", bytes(method)))
    trouble(write(tmp_path, "b.zip", b"PK"))


@pytest.mark.parametrize("name", ["a.pgn.gz", "a.epd.gz", "a.pgn", "a.epd"])
def test_what_is_no_text_is_said_in_a_line(name: str, tmp_path: Path) -> None:
    said = trouble(write(tmp_path, name, gzip.compress(b"1. e4 e5 *")))
    assert said == f"{tmp_path / name}: no text, so neither EPD nor PGN (of archives, .zip is read)"


# -- EPD


@pytest.mark.parametrize(
    "operations",
    [
        "bm Qd1+;",
        "bm Qd1",
        "0 1; bm Qd1+;",
        "0 1 bm Qd1+;",
        "0; bm Qd1+",
        "bm Qd1+!; ",
        "bm Qd1!?",
        "bm d6d1;",
        "bm 1... Qd1+;",
        "bm Qd6d1, ;",
        'zz text without marks; bm Qd1; acd 12/14; c0 "it\'s; so"',
        ' ; bm Qd1+;; id "a"',
        "- bm Qd1+; hmvc 3; fmvn 7;",
    ],
)
def test_moves_of_a_suite_as_people_write_them(operations: str) -> None:
    assert parse_problem(f"{MATE} {operations}", "x").best == {"d6d1"}


@pytest.mark.parametrize("castling", ["O-O", "0-0", "o-o", "e1g1", "O-O!", "0-0+"])
def test_castling_in_a_suite(castling: str) -> None:
    assert parse_problem(f"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - bm {castling};", "x").best == {"e1g1"}


def test_more_moves_than_one() -> None:
    problem = parse_problem(f"{MATE} bm Qd1+,Qd2+ ; am Qd3, Qd4?; dm 2", "x")
    assert problem.best == {"d6d1", "d6d2"} and problem.avoid == {"d6d3", "d6d4"}
    _, found = read_epd(f'{MATE} pv 1... Qd1+ 2. Kxd1 Bg4+; foo bar baz; sm Qd1; n 12; "; x 1e3')
    assert [move.uci() for move in found["pv"]] == ["d6d1", "c1d1", "d7g4"]  # type: ignore[union-attr]
    assert (found["foo"], found["sm"], found["n"]) == ("bar baz", chess.Move.from_uci("d6d1"), 12)
    assert parse_problem("8/P6k/8/8/8/8/8/K7 w - - bm a8(Q);", "x").best == {"a7a8q"}


@pytest.mark.parametrize("operations", ["bm Qz9;", "bm Qd9", "bm 0000", "bm e2e4", "hmvc x;", "fmvn -3;"])
def test_what_is_no_move_is_refused(operations: str, tmp_path: Path) -> None:
    path = write(tmp_path, "a.epd", f"{MATE} bm Qd1+;\n\n{MATE} {operations}\n")
    with pytest.raises(ValueError, match=r"a\.epd, line 3: "):
        read_suite(path)
    left_out: list[str] = []
    assert len(read_suite(path, left_out=left_out)) == len(left_out) == 1


def test_a_suite_with_a_mark_in_an_archive(tmp_path: Path) -> None:
    text = codecs.BOM_UTF8 + f'{MATE} bm Qd1+; id "bom";\n'.encode()
    assert [problem.name for problem in read_suite(write(tmp_path, "a.epd", text))] == ["bom"]
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("a.epd", text)
    assert [problem.name for problem in read_suite(tmp_path / "a.zip")] == ["bom"]


def test_clocks_of_openings(tmp_path: Path) -> None:
    place = "8/8/8/8/8/2k5/1r6/K7 b - -"
    texts = [f"{place} hmvc 90; fmvn 60;", f"{place} 91 61", f"{place} 92 62; id 1;", place]
    path = write(tmp_path, "a.epd", "\n".join(texts))
    boards = [item.board() for item in items(path)]
    assert [(b.halfmove_clock, b.fullmove_number) for b in boards] == [(90, 60), (91, 61), (92, 62), (0, 1)]


def test_chess960_is_recognised(tmp_path: Path) -> None:
    shredder = "4rkr1/4p1p1/8/8/8/8/8/5K1R w H - bm O-O;"
    assert parse_problem(shredder, "x").best == {"f1h1"} and parse_problem(shredder, "x").chess960
    assert read_epd(f"{START} w HAha -")[0].chess960
    assert read_epd("4rkr1/4p1p1/8/8/8/8/8/5K1R w K -")[0].chess960
    assert not read_epd(f"{START} w KQkq -")[0].chess960
    assert read_epd(f"{START} w KQkq -", chess960=True)[0].chess960
    both = parse_problem("4k3/8/8/8/8/8/8/4K2R w H - bm O-O;", "x")
    assert both.best == {"e1h1", "e1g1"}, "engines write either"
    path = write(tmp_path, "a.pgn", f"{FISCHER}1. b3 c5 2. Nf3 d5 3. d4 b6 4. O-O *\n")
    board = next(openings(path))
    assert board.chess960 and board.peek() == chess.Move.from_uci("f1g1")


@pytest.fixture
def endless() -> Iterator[Callable[[str], Path]]:
    """Makes a pipe in which a text comes again and again."""
    writers = []

    def pipe(text: str) -> Path:
        writers.append(subprocess.Popen(["yes", text], stdout=subprocess.PIPE))
        assert writers[-1].stdout is not None
        return Path(f"/dev/fd/{writers[-1].stdout.fileno()}")

    yield pipe
    for writer in writers:
        writer.kill()
        writer.communicate()


GAME = '[Event "x"]\n\n1. e4 e5 *\n'
PROBLEM = "4k3/8/8/8/8/8/8/R3K3 w - - bm Ra8+;"


@pytest.mark.skipif(sys.platform != "linux", reason="needs yes and /dev/fd")
def test_text_without_end_is_refused(endless: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening_files, "LARGEST", 1 << 20)
    for text in (PROBLEM, GAME):
        with pytest.raises(
            ValueError, match=r"^/dev/fd/\d+: too large: its first \d+ lines or games fill 1 MB$"
        ):
            openings(endless(text))
    with pytest.raises(ValueError, match="too large: its first 3"):
        read_suite(endless(PROBLEM))
    monkeypatch.setattr(book_sources, "MOST_POSITIONS", 1000)
    for skip_bad, text in ((True, "no position"), (True, '[Event "x"]\n\n1. e5 *\n')):
        with pytest.raises(ValueError, match="too large: over 1000 positions so far"):
            book_sources.gather([endless(text)], 10, skip_bad)
    monkeypatch.setattr(study, "MOST_BAD", 100)
    with pytest.raises(ValueError, match="line 101: given up, the last 100 cannot be read either"):
        list(study.studies([str(endless("no position"))]))


@pytest.mark.skipif(sys.platform != "linux", reason="needs yes and /dev/fd")
@pytest.mark.parametrize("text", ['[A "b"]', "1. e4 {", "2. Nf3", "2. Nf3 ("])
def test_a_game_without_end_is_refused(
    text: str, endless: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pgn_cutter, "LONGEST_GAME", 50_000)
    with (
        endless(f"{text}\n").open("rb") as file,
        pytest.raises(ValueError, match=r": the game of line \d+ has over 50000 characters$"),
    ):
        for item in opening_files.stream_items("here.pgn", file):
            assert item.game and len(item.game.text) < 1000


@pytest.mark.filterwarnings("error::ResourceWarning", "error::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("name", ["a.epd", "a.pgn", "a.tsv", "a.zip"])
def test_a_file_is_closed_by_its_owner(name: str, tmp_path: Path) -> None:
    """Whether it is read to its end or not; none is left to the garbage collector."""
    text = {"epd": PROBLEM, "pgn": "1. e4 *\n\n" * 3, "tsv": "pgn\n1. e4\n1. d4\n"}.get(name[2:], "")
    path = write(tmp_path, name, text)
    if name == "a.zip":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("b.pgn", "1. e4 *\n\n" * 3)
    assert list(book_sources.read(path))
    begun = book_sources.read(path)
    next(begun)
    del begun
    with path.open("rb") as file:
        for _ in range(2):
            file.seek(0)
            next(opening_files.lines_of(file, "here"), None)
    assert file.closed
