"""What the author wrote comes back: comments, marks, lines of other programs, games that cannot be read."""

import io
import re
import sys
from dataclasses import replace
from pathlib import Path

import chess.pgn
import pytest
from support.commands import leave
from support.studies import found, run_here, study

from sssnake import __version__
from sssnake._fast.values import MATE
from sssnake.engine.analysis import analyse, annotate
from sssnake.engine.analysis.exporter import Exporter
from sssnake.engine.analysis.judge import judge
from sssnake.engine.analysis.segments import Evaluation
from sssnake.engine.analysis.study import Study
from sssnake.engine.player.result import Score

QUICK = ["--nodes", "300", "--hash", "1"]
REMARKS = """[Event "Remarks that end like ours"]
[Result "1-0"]

1. e4 e5 { [%eval 0.3] } 2. Nf3 { [%eval 0.25] An obvious move. } Nc6 3. Bc4 { [%eval 0.2] Mistake. } Nd4
4. Nxe5 { [%eval -1.0] Everybody knows that this is a Blunder. } Qg5 $2 5. Nxf7 { Blunder. Better: Bxf7+. }
Qxg2 { Inaccuracy. d6 was best. } 6. Rf1 $1 { Only move. } Qxe4+ { Last book move. } 7. Be2
{ [%clk 0:01:00] Only move. } Nf3# { Blunder. } 1-0
"""
WORDS = {
    "Nf3": "An obvious move.",
    "Bc4": "Mistake.",
    "Nxe5": "Everybody knows that this is a Blunder.",
    "Nxf7": "Blunder. Better: Bxf7+.",
    "Qxg2": "Inaccuracy. d6 was best.",
    "Rf1": "Only move.",
    "Qxe4+": "Last book move.",
    "Be2": "[%clk 0:01:00] Only move.",
    "Nf3#": "Blunder.",
}


def analysed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: bytes | str, *options: str) -> bytes:
    """What `analyse -o` writes of a file."""
    run_here(monkeypatch)
    path, out = tmp_path / "in.pgn", tmp_path / "out.pgn"
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    assert analyse.main([str(path), *(options or QUICK), "-o", str(out)]) == 0
    return out.read_bytes()


def game_of(text: bytes | str) -> chess.pgn.Game:
    game = chess.pgn.read_game(io.StringIO(text if isinstance(text, str) else text.decode()))
    assert game is not None and not game.errors
    return game


@pytest.mark.parametrize(
    ("tags", "result"),
    [
        ('[Result "White wins"]', "1-0"),
        ('[Result "1-0"]', "0-1"),
        ('[Result "1-0"]', "1-0"),
        ('[Site "Bob "the cat" club"]\n[Result "*"]', "*"),
    ],
)
def test_tags_and_the_result_behind_the_moves(
    tags: str,
    result: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = analysed(tmp_path, monkeypatch, f"{tags}\n\n1. e4 e5 {result}\n").decode()
    assert text.split()[-1] == result and all(line in text for line in tags.split("\n"))
    differ = "the tag Result says 1-0, and behind the moves stands 0-1"
    assert (differ in capsys.readouterr().err) == (result == "0-1")


@pytest.mark.parametrize("tags", ["[Event Club match]", '[White "Bob]', '[White "a"]\n[White "b"]'])
def test_tags_that_would_be_lost_are_named_and_stay(
    tags: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = f"{tags}\n\n1. e4 e5 *\n\n1. d4 *\n"
    assert text.split("1. d4")[0].strip() in analysed(tmp_path, monkeypatch, text).decode()
    assert "not a tag: " in (said := capsys.readouterr().err) or "two tags White" in said


def test_every_variation_that_is_cut_short_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    analysed(tmp_path, monkeypatch, "1. e4 (1. Ke5) e5 (1... Ke3) 2. Nf3 *\n")
    assert re.findall(r"cut short: illegal san: '(\w+)'", capsys.readouterr().err) == ["Ke5", "Ke3"]


def test_words_and_marks_of_the_author(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    once = analysed(tmp_path, monkeypatch, REMARKS)
    other = analysed(tmp_path, monkeypatch, once, "--depth", "2", "--all-lines")
    assert other != once
    assert analysed(tmp_path, monkeypatch, once) == once == analysed(tmp_path, monkeypatch, other)
    for text in (once, other):
        nodes = {node.san(): node for node in game_of(text).mainline()}
        for san, words in WORDS.items():
            comment = " ".join(nodes[san].comment.split())
            assert comment.startswith(words) and comment.count("[%eval") <= 1
            assert comment.removeprefix(words).startswith(" [%eval") or san == "Nf3#"
        assert nodes["Qg5"].nags == {2} and nodes["Rf1"].nags == {1} and not nodes["Qxg2"].nags
        assert "Better" not in nodes["Qg5"].comment and "Better" not in nodes["Qxg2"].comment


def searched(text: str, first: int, second: int) -> str:
    """A game of two moves, 1. e4 e5, annotated: the scores after them, White's; the best is 90 for both."""
    one = study(text)
    one.evaluations = [found(90, "d2d4"), found(-first, "c7c5"), found(second, "g1f3")]
    return annotate.pgn(one, judge(one), "1000 nodes a position", all_lines=False)


def test_exactly_ours_is_replaced() -> None:
    own = '[White "A"]\n\n1. e4 {so so} (1. c4 {[%eval 0.3]} e5) e5 (1... d5 {!} 2. exd5) *'
    worse, better = searched(own, -400, -400), searched(own, 90, 90)
    assert "$4 { so so [%eval -4.00] Blunder. Better: d4. }" in " ".join(worse.split())
    assert "({ SSSnake: } 1. d4 { [%eval 0.90] } )" in " ".join(worse.split())
    assert searched(worse, 90, 90) == better and searched(better, -400, -400) == worse
    for text in (worse, better):
        assert "(1. c4 { [%eval 0.3] } 1... e5 )" in " ".join(text.split())
    touched = worse.replace("{ SSSnake: }", "{ SSSnake: } ").replace("1. d4 {", "1. d4 $1 {")
    assert "1. d4 $1" in searched(touched, 90, 90)  # somebody has put a mark there


@pytest.mark.parametrize("length", range(1, 90))
def test_nothing_stands_between_a_parenthesis_and_its_first_word(length: int) -> None:
    """chess.js 1.4 refuses a game with a blank between a parenthesis and a comment."""
    text = f"1. e4 {{ {'x' * length} }} ( {{ a }} 1. d4 ( {{ b }} 1. c4 ) 1... d5 ) ( 1. f4 ) 1... e5 *"
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    written = game.accept(Exporter())
    assert re.findall(r"\((\s*)", written) == [""] * 3
    assert max(map(len, written.splitlines())) < (80 if length < 76 else 100)
    again = chess.pgn.read_game(io.StringIO(written))
    assert again is not None and again.accept(Exporter()) == written and not again.errors


def test_a_line_that_somebody_made_longer_is_theirs() -> None:
    """Ours have ten plies at most, unless they end in mate."""
    worse = searched("1. e4 e5 *", -400, -400)
    ours = "1. d4 { [%eval 0.90] }"
    assert ours in worse
    for more, kept in ((" 1... d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7 5. e3 O-O 6. Nf3", True), ("", False)):
        again = " ".join(searched(worse.replace(ours, ours + more), 90, 90).split())
        assert ("SSSnake: } 1. d4" in again) == kept


def test_what_people_wrote_behind_our_evaluation_is_theirs() -> None:
    text = searched("1. e4 e5 *", 90, 90)
    for words in ("Mistake.", "Mistake. Better: d4.", "This is a Blunder. Better: d4.", "Only move."):
        edited = text.replace("1. e4 { [%eval 0.90] }", f"1. e4 {{ [%eval 0.90] {words} }}")
        assert edited != text
        assert f"1. e4 {{ {words} [%eval 0.90] }}" in " ".join(searched(edited, 90, 90).split())


BAD = (
    '[Event "bad"]\r\n[ White "S\xf6" ] [Black "E"]\r\n\r\n{ First.\r\n\r\n% Second. }\r\n% other\r\n'
    "  1. e4 e5 2. Nf3\t Nc6\r\n\r\n    3. Bb5 a6 4. Ba5 ; cannot\r\n*\r\n"
)
GOOD = '[Event "good"]\n[Result "*"]\n\n1. d4 *\n'


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "utf-8-sig"])
def test_games_that_cannot_be_read_are_copied_byte_for_byte(
    encoding: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = BAD.encode(encoding)
    made = analysed(tmp_path, monkeypatch, bad + b"\r\n" + GOOD.encode() + b"\n% c\n" + BAD.encode("latin-1"))
    assert made.startswith(bad.removeprefix(b"\xef\xbb\xbf") + b'\r\n[Event "good"]')
    assert made.endswith(b"*\n\n% c\n" + BAD.encode("latin-1"))
    two = b"\n\n" + BAD.encode() + b"\n\n\n; next\n" + BAD.encode().rstrip()
    made = analysed(tmp_path, monkeypatch, two + b"\n\n" + GOOD.encode())
    assert made.startswith(two + b'\n\n[Event "good"]')


def test_comments_to_the_end_of_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (
        '% first\n; exported {by} a tool\n\n[Event "x"]\n[Result "*"]\n\n; the opening\n'
        "1. e4 e5 ; open } game\n% within\n2. Nf3 Nc6 ; [%clk 0:10:00] both { developed\n"
        "3. Bb5 (3. Bc4 ; the Italian\nBc5) a6 *\n% last\n"
    )
    once = analysed(tmp_path, monkeypatch, text)
    shown = once.decode()
    assert shown.startswith('; exported {by} a tool\n[Event "x"]\n')
    assert "\n\n% first\n% within\n% last\n" in shown
    assert "\n; open }\n" in shown
    for words in ("the opening", "[%clk 0:10:00] both { developed", "the Italian"):
        assert words in " ".join(shown.split())
    assert game_of(once).variations[0].variations[0].eval() is not None
    assert analysed(tmp_path, monkeypatch, once) == once


def test_lines_are_broken_below_80_columns() -> None:
    long = "x" * 100
    game = game_of(f"1. e4 {{{'word ' * 60} {long} {'[%csl Ga1] ' * 20}}} e5 (1... c5 {{{'y ' * 99}}}) *")
    lines = game.accept(Exporter()).splitlines()
    assert all(len(line) < 80 or line == long for line in lines)
    assert all(line.count("[%csl") == line.count("[%csl Ga1]") for line in lines)
    again = game_of("\n".join(lines))
    for node, read in zip(game.mainline(), again.mainline(), strict=True):
        assert node.comment.split() == read.comment.split()


def test_commands_without_a_blank_between_them_stay_so() -> None:
    said = "[%csl Gh5,Re8][%cal Gh5e8] one[%clk 0:00:01]"
    assert f"{{ {said} }}" in game_of(f"1. e4 {{{said}}} *").accept(Exporter())


def test_no_line_of_a_comment_begins_with_a_percent_sign() -> None:
    for count in range(60, 80):
        text = game_of(f"1. e4 {{{'x' * count} 82.0 %, 5 % of it, \n% more}} *").accept(Exporter())
        assert "\n%" not in text and "82.0 %, 5 % of it, % more }" in " ".join(text.split())


def test_comments_before_the_tags_are_wrapped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = " ".join(str(number) for number in range(100))
    for comment in (f"; {words}", f"{{ {words} }}"):
        once = analysed(tmp_path, monkeypatch, f'{comment}\n[Event "x"]\n\n1. e4 *\n')
        head = once.decode().partition("[Event")[0]
        assert max(map(len, head.splitlines())) < 80
        assert head.replace("\n;", "").strip("; \n") == words
        assert analysed(tmp_path, monkeypatch, once) == once


@pytest.mark.parametrize(
    "said",
    [
        "(0.30 → 1.91) Mistake. Nc6 was best.",
        "Lost forced checkmate sequence. Qh5+ was best.",
        "Blunder. Best move was Nc6.",
        "Blunder. Better: Nc6.",
    ],
)
def test_the_remark_of_another_program_is_not_doubled(said: str) -> None:
    text = " ".join(searched(f"1. e4 {{[%eval 0.1][%clk 0:01:00] {said}}} e5 *", -400, -400).split())
    assert f"1. e4 {{ [%clk 0:01:00] {said} [%eval -4.00] }}" in text
    assert "({ SSSnake: } 1. d4 { [%eval 0.90] } )" in text
    marked = " ".join(searched("1. e4 $2 {words} e5 *", -400, -400).split())
    assert "1. e4 $2 { words [%eval -4.00] }" in marked


def test_a_book_that_ends_with_mate_is_told_once_or_not_at_all() -> None:
    text = "1. f3 e5 2. g4 Qh4# 0-1"
    for _ in range(2):
        one = study(text)
        one.evaluations = [
            *(found(0, name) for name in one.names),
            Evaluation(Score(-MATE), ended="checkmate"),
        ]
        judged = [replace(move, book=True) for move in judge(one)]
        text = annotate.pgn(one, judged, "1000 nodes a position", all_lines=False)
        assert text.count("Last book move.") == 0
    one = study(text)
    one.evaluations = [*(found(0, name) for name in one.names), None]
    judged = [replace(move, book=ply < 2) for ply, move in enumerate(judge(one))]
    text = annotate.pgn(one, judged, "1000 nodes a position", all_lines=False)
    assert "1... e5 { [%eval 0.00] Last book move. }" in " ".join(text.split())


def test_names_and_summaries_that_are_not_ours() -> None:
    """An annotator, and words before the moves, that begin like ours."""
    quoted = "Analysed by SSSnake, said he; then by others | White: strong | Black: weak |"
    text = searched(f'[Annotator "SSSnake friends"]\n\n{{{quoted}}} 1. e4 e5 *', 90, 90)
    text = searched(text, 90, 90)
    assert '[Annotator "SSSnake friends"]' in text and text.count("Annotator") == 1
    assert f"{{ {quoted} Analysed by SSSnake " in " ".join(text.split())
    older = searched('[Annotator "SSSnake 0.0.1"]\n\n1. e4 e5 *', 90, 90)
    assert f'[Annotator "SSSnake {__version__}"]' in older


def test_a_line_feed_in_a_comment_is_a_blank() -> None:
    one: Study = study("1. e4 {one\ntwo   three} *")
    assert "{ one two three }" in one.game.accept(Exporter())


def test_standard_output_in_place_of_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = analysed(tmp_path, monkeypatch, REMARKS).decode()
    capsys.readouterr()
    for name in ("-", "/dev/stdout"):
        assert analyse.main([str(tmp_path / "in.pgn"), *QUICK, "-o", name]) == 0
        assert capsys.readouterr().out == file
    with pytest.raises(SystemExit):
        leave(analyse.main, [str(tmp_path / "in.pgn"), *QUICK, "-o", "-", "--json"])
    assert "--json needs standard output" in capsys.readouterr().err
    assert sys.stdout.writable()
