"""PGN as every program reads it: where lines end."""

import io

import chess.pgn
import pytest

from sssnake.engine.games.pgn_writer import COLUMNS, PgnWriter

MOVES = """1. e4 $1 {WORDS} (1. d4 {WORDS} d5 (1... Nf6 $2 $14 {WORDS}) 2. c4) (1. c4 {WORDS}) 1... e5 {WORDS}
2. Nf3 ({WORDS} 2. f4 exf4) (2. Nc3 $5) 2... Nc6 $10 3. Bb5 {WORDS} a6 {WORDS} (3... Nf6 4. O-O) 4. Ba4 *"""


def written(text: str) -> tuple[chess.pgn.Game, str]:
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None and not game.errors
    return game, game.accept(PgnWriter())


@pytest.mark.parametrize("length", range(1, 24))  # longer words leave no room
def test_lines(length: int) -> None:
    """fastchess 1.8.2 reads no further where a line begins with a comment, a mark or a variation."""
    game, text = written(MOVES.replace("WORDS", "x" * length))
    lines = text.partition("\n\n")[2].splitlines()
    assert len(lines) > 2 and not [line for line in lines if line[0] in "{$("]
    assert max(map(len, lines)) <= COLUMNS and not any(line.endswith(".") for line in lines)
    again, same = written(text)
    assert same == text
    plain = [one.accept(chess.pgn.StringExporter(columns=None)) for one in (game, again)]
    assert plain[0] == plain[1]


def test_long_comments_are_broken_between_words() -> None:
    _game, text = written(f"1. e4 {{ {'many words ' * 40} }} e5 {{ {'x' * 200} }} *")
    lines = text.partition("\n\n")[2].splitlines()
    assert lines[0].startswith("1. e4 { many words many") and len(lines) > 5
    assert all(len(line) <= COLUMNS for line in lines if "xxx" not in line)


def test_black_s_move_has_its_number_after_a_comment() -> None:
    assert written("1. e4 {x} e5 {y} 2. d4 exd4 *")[1].endswith("\n1. e4 { x } 1... e5 { y } 2. d4 exd4 *")


def test_a_line_may_be_full() -> None:
    texts = [written(MOVES.replace("WORDS", "x" * length))[1] for length in range(1, 24)]
    assert max(len(line) for text in texts for line in text.splitlines()) == COLUMNS


def test_what_does_not_fit_into_one_line_is_broken_all_the_same() -> None:
    marks = " ".join(f"${number}" for number in range(10, 60))
    _game, text = written(f"1. e4 {marks} e5 *")
    assert max(map(len, text.splitlines())) <= COLUMNS
