"""Every word of a game is read or named. The oracle is python-chess, on games that it knows how to read."""

import io
import random
import re
from collections.abc import Callable
from pathlib import Path

import chess
import chess.pgn
import pytest

from sssnake.engine.games import movetext
from sssnake.engine.games.movetext import BRACE, LETTERS, tokens
from sssnake.engine.games.opening_files import items, stream_items
from sssnake.engine.games.pgn_cutter import cut
from sssnake.engine.games.pgn_reader import board_of_game, game_of, one_game

RUY = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7"


def moves(text: str, language: str = "en") -> str:
    """The main line of a text, in SAN."""
    board = board_of_game(one_game(text), language=language).board
    replay = board.root()
    return " ".join(replay.san_and_push(move) for move in board.move_stack)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (
            "1. e4 (1. d4 Ke5 (1... d5 2. c4) 2. c4) (1. c4 e5 (1... c5 2. g3)) 1... e5 *",
            "1. e4 ( 1. d4 ) ( 1. c4 e5 ( 1... c5 2. g3 ) ) 1... e5 *",
        ),
        ("1. e4 e5 (1... Ke5) 2. Nf3 (2. Ke5 Nc6) 2... Nc6 *", "1. e4 e5 2. Nf3 Nc6 *"),
    ],
)
def test_a_wrong_move_in_a_variation_ends_that_variation_alone(text: str, read: str) -> None:
    game, _ = game_of(one_game(text))
    assert str(game.accept(chess.pgn.StringExporter(headers=False, comments=False, columns=None))) == read


def test_a_comment_may_end_at_the_beginning_of_a_line() -> None:
    text = "1. e4 { a\n} e5 1-0\n1. d4 {\n} *\n"
    assert [str(game_of(game)[0].mainline()) for game in cut(text.splitlines(keepends=True))] == [
        "1. e4 { a } 1... e5",
        "1. d4 {  }",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *",
        "1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 Nf6 5.O-O Be7",
        "1. e4 1... e5 2. ♘f3 ♞c6 3. ♗b5 a6 4. ♗a4 ♞f6 5. 0-0 ♝e7 *",
        "1. e4 e5 2. ♘\ufe0ef3 ♞\ufe0fc6 3. Bb5 a6 4. Ba4 Nf6 5. O–O Be7 *",
        "1. e2-e4 e7-e5 2. Ng1–f3 Nb8-c6 3. Bf1—b5 a7-a6 4. Bb5−a4 Ng8-f6 5. 0‑0 Bf8-e7 *",
        "1. e2e4 e7e5 2. g1f3 b8c6 3. f1b5 a7a6 4. b5a4 g8f6 5. e1g1 f8e7 *",
        "1 e4 e5 2 Nf3 Nc6 3 Bb5! a6?! 4 Ba4 (4 Bxc6 dxc6) Nf6 5 O - O {castled} Be7 1/2-1/2",
        "1.Pe4 e5 2…♘f3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. o-o Be7 = *",
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O − O Be7 ½–½",
    ],
)
def test_one_game_in_many_spellings(text: str) -> None:
    assert moves(text) == RUY


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 4. La4 Sf6 5. O-O Le7 *"),
        ("fr", "1. e4 e5 2. Cf3 Cc6 3. Fb5 a6 4. Fa4 Cf6 5. O-O Fe7 *"),
        ("es", "1. e4 e5 2. Cf3 Cc6 3. Ab5 a6 4. Aa4 Cf6 5. O-O Ae7 *"),
        ("nl", "1. e4 e5 2. Pf3 Pc6 3. Lb5 a6 4. La4 Pf6 5. O-O Le7 *"),
        ("pl", "1. e4 e5 2. Sf3 Sc6 3. Gb5 a6 4. Ga4 Sf6 5. O-O Ge7 *"),
        ("hu", "1. e4 e5 2. Hf3 Hc6 3. Fb5 a6 4. Fa4 Hf6 5. O-O Fe7 *"),
        ("ru", "1. e4 e5 2. Кf3 Кc6 3. Сb5 a6 4. Сa4 Кf6 5. 0-0 Сe7 *"),
        ("it", "1. e4 e5 2. Cf3 Cc6 3. Ab5 a6 4. Aa4 Cf6 5. O-O Ae7 *"),
    ],
)
def test_other_languages_are_read_when_asked_for_and_named_when_not(language: str, text: str) -> None:
    assert moves(text, language) == RUY
    with pytest.raises(ValueError, match=r"^line 1: .*--language \w\w reads the game$") as refused:
        moves(text)
    named = str(refused.value).split("--language ")[1][:2]
    assert LETTERS[named].split()[1:3] == LETTERS[language].split()[1:3]


@pytest.mark.parametrize("language", LETTERS)
def test_all_letters_of_a_language(language: str) -> None:
    """A random game, its letters exchanged, is the same game."""
    names = dict(zip("PNBRQK", LETTERS[language].split(), strict=True))
    rng, board, sans = random.Random(language), chess.Board(), list[str]()
    while not board.is_game_over() and len(sans) < 150:
        sans.append(board.san_and_push(rng.choice(list(board.legal_moves))))
    foreign = [re.sub("[NBRQK]", lambda found: names[found[0]], san) for san in sans]
    text = " ".join(foreign) + " *"
    assert board_of_game(one_game(text), language=language).board == board


@pytest.mark.parametrize(
    ("text", "word", "line"),
    [
        ("1. e4 e5 2. Sf3 Sc6 *", "'Sf3'", 1),
        ("1. e4 e5 2. nf3 nc6 *", "'nf3'", 1),
        ("1. e4 e5\n2. N f3 Nc6 *", "'N'", 2),
        ("1. e4 N c6 *", "'N'", 1),
        ("1. e4 e5 2.N f3 Nc6 *", "'2.N'", 1),
        ("1. e4 e5 2. N {x} f3 Nc6 *", "'N'", 1),
        ("1. e4 N {x} c6 *", "'N'", 1),
        ("1. e4 N ! c6 *", "'N'", 1),
        ("1. e4 e5 2. N 2. f3 *", "'N'", 1),
        ("1. d4 (1. e4 D) D d5 *", "'D'", 1),
        ('[Event "x"]\n\n1. e4 e5\n2. Nf3 Qx Nc6 *', "'Qx'", 4),
        ("1. e4 (1. d4 Sf6) e5 *", "'Sf6'", 1),
        ("1. e4 White resigns 1-0", "'White'", 1),
        ("1. e4 e5 <x> 2. d4 *", "'<x>'", 1),
        ("1. e4 [%clk 1:00] e5 *", "'[%clk'", 1),
        ("1. e4 $ e5 *", "'$'", 1),
        ("1. e4 e5 2. O-O-O-O *", "'O-O-O-O'", 1),
        ("1. e4 e5 2. Nf3ep *", "'Nf3ep'", 1),
    ],
)
def test_a_word_that_is_none_is_named_with_its_line(text: str, word: str, line: int) -> None:
    with pytest.raises(ValueError) as refused:
        board_of_game(one_game(text))
    assert f"line {line}: " in str(refused.value) and word in str(refused.value)


EN_PASSANT = "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1"


@pytest.mark.parametrize(
    "capture",
    [
        "exd6",
        "exd6ep",
        "exd6e.p.",
        "exd6 ep",
        "exd6 e.p.",
        "exd6ep+",
        "exd6e.p.+",
        "exd6+ep",
        "exd6+e.p.",
        "exd6 e.p.+",
        "e5d6ep+",
        "e5xd6ep",
        "e5xd6 e.p.!",
        "exd6+ e.p.",
        "e5-d6 ep",
        "ed6",
        "e5d6",
        "exd6/ep",
    ],
)
def test_en_passant_in_every_spelling(capture: str) -> None:
    text = f'[FEN "{EN_PASSANT}"]\n\n1... d5 2. {capture} *'
    assert moves(text) == "d5 exd6"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("(1. d4 d5) 1. e4 e5 *", "line 1: a variation of no move"),
        ("1. e4\n((1. d4) 1. c4) e5 *", "line 2: a variation of no move"),
        ("1. e4 {x} ({y} (1. d4) 1. c4) e5 *", "line 1: a variation of no move"),
        ("1. e4 e5) 2. Nf3 *", "line 1: a stray ')'"),
        ("1. e4\n(1. d4 d5 2. c4 e5 2. Nf3 *", "line 2: a variation without an end"),
        ("1. f3 e5 2. g4 0-1\n(2. e4 Nf6)", "line 2: a variation behind the result"),
        ("1. e4 e5 1-0 0-1", "line 1: two results, 1-0 and 0-1"),
        ("12. e4 e5 13. Nf3 *", "line 1: the moves begin with number 12, and no FEN"),
        ("b4 e6 2. e3 d6 3. bb5+ c6", "line 1: 'bb5+' is not a move"),
        ('[Result "0-0"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 0-0', "line 3: '0-0' is the result here"),
        ('[fen "6k1/8/8/8/8/8/8/R5K1 w - - 0 1"]\n\n*', "the tag fen is written FEN"),
        ('[variant "Atomic"]\n\n1. e4 *', "the tag variant is written Variant"),
        (
            '[FEN "6k1/8/8/8/8/8/8/R5K1 w - - 0 1"]\n[FEN "6k1/8/8/8/8/8/8/K6R w - - 0 1"]\n\n*',
            "two tags FEN",
        ),
    ],
)
def test_what_could_be_read_as_another_game_is_refused(text: str, why: str) -> None:
    with pytest.raises(ValueError) as refused:
        board_of_game(one_game(text))
    assert why in str(refused.value)


def test_a_game_may_begin_with_any_number_if_a_fen_says_where() -> None:
    assert moves('[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 12"]\n\n12. e4 Kd7 *') == "e4 Kd7"
    assert moves('[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 12"]\n\n1. e4 Kd7 *') == "e4 Kd7"


@pytest.mark.parametrize(
    ("language", "text", "other"),
    [
        ("en", "1. e4 e5 2. Pf3 Pc6 3. Pc3 Pf6 *", "nl"),
        ("de", "1. e4 e5 2. Bc4 Bc5 *", "en"),
    ],
)
def test_the_letter_of_a_pawn_must_not_be_a_piece_in_another_language(
    language: str, text: str, other: str
) -> None:
    with pytest.raises(ValueError, match=rf"is a pawn's move here \({language}\).*--language {other}$"):
        moves(text, language)
    assert moves(text, other).count(".") == 0


@pytest.mark.parametrize(("language", "text"), [("sv", "1. Be4 Be5 2. Sf3 *"), ("es", "1. Pe4 Pe5 2. Pd4 *")])
def test_a_pawn_may_have_its_letter_where_no_language_reads_another_game(language: str, text: str) -> None:
    """Languages share letters: Swedish B is a German pawn, too."""
    assert moves(text, language).startswith("e4 e5")


def test_marks_and_comments_belong_to_the_move_before_their_parenthesis() -> None:
    text = "1. e4 (!) e5 2. Nf3 (?!) ({only} $14) Nc6 (=) (2... d6 ({last})) ($142 2... Nf6 $1) 3. d4 *"
    game, _ = game_of(one_game(text))
    written = game.accept(chess.pgn.StringExporter(headers=False, columns=None))
    assert written == (
        "1. e4 $1 e5 2. Nf3 $6 $14 { only } 2... Nc6 { (=) } ( 2... d6 { last } ) ( 2... Nf6 $1 $142 )"
        " 3. d4 *"
    )


def test_a_mark_before_the_first_move_is_its_mark() -> None:
    assert str(game_of(one_game("$1 1. e4 e5 *"))[0].mainline()) == "1. e4 $1 e5"


def test_marks_become_numbers() -> None:
    text = "e4! e5?? Nf3+- N 2... Nc6 $146 Bb5+/= ⩲ a6 TN Ba4 = Nf6 D *"
    game, _ = game_of(one_game(text))
    assert [sorted(node.nags) for node in game.mainline()] == [
        [1],
        [4],
        [18, 146],
        [146],
        [14],
        [146],
        [10],
        [220],
    ]


def test_comments_of_every_kind_are_kept() -> None:
    text = (
        "{ before } 1. e4 ; the rest\n% for another program\n e5 (1... c5 ; Sicilian {so}\n) 2. Nf3 {a\nb} *"
    )
    game, _ = game_of(one_game(text))
    assert game.comment == "before"
    comments = [node.comment for node in game.mainline()]
    assert comments[0] == "the rest" and comments[2].split() == ["a", "b"]
    assert game.variations[0].variations[1].comment == f"Sicilian {{so{BRACE}"
    assert one_game(text).escapes == ["% for another program"]


def test_a_result_in_a_variation_is_a_comment() -> None:
    game, _ = game_of(one_game("1. e4 e5 (1... f6 2. d4 1-0) 2. Nf3 *"))
    assert [node.san() for node in game.mainline()] == ["e4", "e5", "Nf3"]
    assert game.variations[0].variations[1].end().comment == "1-0"


@pytest.mark.parametrize(
    "first", ["; remark", "{ remark }", "% escape", "e4 e5 *", "1... e5", '\n\n[Event "x"]']
)
def test_pgn_is_known_by_whatever_it_begins_with(first: str) -> None:
    data = f"{first}\n1. e4 e5 *\n".encode()
    found = list(stream_items("stdin", io.BufferedReader(io.BytesIO(data))))
    assert found and all(item.kind == "pgn" for item in found)


def test_positions_are_still_known() -> None:
    data = b"# suite\n\n6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#;\n"
    assert [item.kind for item in stream_items("stdin", io.BufferedReader(io.BytesIO(data)))] == ["epd"]


def random_game(rng: random.Random) -> chess.pgn.Game:
    """A game with variations, comments and marks, as python-chess builds it."""
    game = chess.pgn.Game()
    game.headers["White"], game.headers["Event"] = f"Player {rng.random():.3f}", "x"
    if rng.random() < 0.3:
        game.setup(chess.Board.from_chess960_pos(rng.randrange(960)))
    nodes: list[chess.pgn.GameNode] = [game]
    for _ in range(rng.randrange(5, 60)):
        node = nodes[-1] if rng.random() < 0.8 else rng.choice(nodes)
        legal = [move for move in node.board().legal_moves if not node.has_variation(move)]
        if legal:
            child = node.add_variation(rng.choice(legal))
            child.comment = rng.choice(
                ["", "", "a remark", "[%clk 0:01:00] [%eval 0.3]", "Nf3 was (maybe) better; 1-0"]
            )
            child.nags = set(rng.sample([1, 2, 3, 4, 5, 6, 10, 14, 146], rng.choice([0, 0, 0, 1, 2])))
            nodes.append(child)
    game.headers["Result"] = rng.choice(["1-0", "0-1", "1/2-1/2", "*"])
    return game


SIGNS = ("!", "?", "!!", "??", "!?", "?!")
EXPORTS: dict[str, Callable[[str], str]] = {
    "plain": lambda text: text,
    "without blanks": lambda text: re.sub(r"(\d\.+) ", r"\1", text),
    "zeros": lambda text: text.replace("O-O-O", "0-0-0").replace("O-O", "0-0"),
    "long lines": lambda text: text,
    "suffixes": lambda text: re.sub(
        r" \$([1-6])(?= )", lambda found: ["!", "?", "!!", "??", "!?", "?!"][int(found[1]) - 1], text
    ),
    "crlf": lambda text: text.replace("\n", "\r\n"),
}


@pytest.mark.parametrize("style", EXPORTS)
def test_clean_games_are_those_of_python_chess(style: str) -> None:
    rng = random.Random(style)
    for _ in range(60):
        made = random_game(rng)
        columns = None if style == "long lines" else 80
        head, _, body = made.accept(chess.pgn.StringExporter(columns=columns)).partition("\n\n")
        text = f"{head}\n\n{EXPORTS[style](body)}\n"
        theirs = chess.pgn.read_game(io.StringIO(text))
        (cut_out,) = cut(io.StringIO(text, newline=""))
        ours, remark = game_of(cut_out)
        assert theirs is not None and not theirs.errors and not remark
        assert str(ours) == str(theirs)


def test_raw_games_are_the_bytes_of_the_file(tmp_path: Path) -> None:
    data = (
        b'; exported\r\n[Event "one"]\r\n[White "M\xfcller"]\r\n\r\n  1. e4 e5\r\n\r\n'
        b'% x\r\n 2. Nf3 *\r\n\r\n[Event "two"]\n\n1. d4 * 1. c4 c5 *\n\n\n{ end } 1. b3 *'
    )
    path = tmp_path / "a.pgn"
    path.write_bytes(data)
    found = [item.game for item in items(path, raw=True)]
    assert b"".join(game.raw.encode("utf-8", "surrogateescape") for game in found if game) == data
    assert found[0] and found[0].before == ["; exported"] and found[0].escapes == ["% x"]
    assert found[0].tags[1] == '[White "Müller"]'


@pytest.mark.parametrize("text", ['[Variant "Crazyhouse"]\n\n1. e4 *', '[Variant "Mao"]\n\n1. e4 *'])
def test_other_variants_are_not_supported(text: str) -> None:
    with pytest.raises(ValueError, match=r"^variant '\w+' is not supported$"):
        board_of_game(one_game(text))


def test_tokens_know_their_lines() -> None:
    found = list(tokens("e4\n{a\nb} e5\nNf3", [7, 9, 10, 12]))
    assert [(token.text, token.line) for token in found if token.kind == "move"] == [
        ("e4", 7),
        ("e5", 10),
        ("Nf3", 12),
    ]


@pytest.mark.parametrize(
    ("signs", "glyph"),
    [
        ("=", 10), ("∞", 13), ("+= +/= ⩲", 14), ("=+ =/+ ⩱", 15), ("+/- ±", 16), ("-/+ ∓", 17), ("+-", 18),
        ("-+", 19), ("□", 7), ("⨀", 22), ("↑", 36), ("→", 40), ("⇆", 132), ("⊕", 138), ("TN", 146),
    ],
)  # fmt: skip
def test_signs_are_the_glyphs_of_the_standard(signs: str, glyph: int) -> None:
    for sign in signs.split():
        assert movetext.GLYPHS[sign] == glyph
