"""The rules for the page: positions, results, FEN and PGN, names of openings, levels."""

from typing import Any

import chess
import pytest

from sssnake.engine.games.outcome import outcome_with_history
from sssnake.engine.player import skill
from sssnake.engine.player.options import Options
from sssnake.engine.serve import levels, opening_names, rules

MATED = ["f2f3", "e7e5", "g2g4", "d8h4"]


def test_a_position_says_all_that_the_page_shows() -> None:
    found = rules.describe(rules.read_game(None, ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"]), 4)
    assert found["ply"] == 4 and found["turn"] == "white" and found["last"] == "b8c6"
    assert found["sans"] == ["e4", "e5", "Nf3", "Nc6", "Bb5"]
    assert found["opening"] == "C44 Knights' Defence"
    board = chess.Board(str(found["fen"]))
    assert found["legal"] == {move.uci(): board.san(move) for move in board.legal_moves}


@pytest.mark.parametrize(
    ("start", "moves", "result"),
    [
        (None, MATED, ("0-1", "checkmate")),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", [], ("1/2-1/2", "stalemate")),
        ("8/8/8/8/8/8/k7/2K4B w - - 0 1", [], ("1/2-1/2", "insufficient material")),
        (None, ["g1f3", "g8f6", "f3g1", "f6g8"] * 2, ("1/2-1/2", "threefold repetition")),
        ("7k/8/8/8/8/8/R7/K7 w - - 99 80", ["a2a3"], ("1/2-1/2", "fifty moves")),
        (None, ["e2e4"], None),
    ],
)
def test_games_end_by_the_rules(start: str | None, moves: list[str], result: tuple[str, str] | None) -> None:
    board = rules.read_game(start, moves)
    assert outcome_with_history(board) == result
    assert bool(rules.describe(board)["legal"]) == (result is None)


def test_a_game_goes_through_pgn_and_back() -> None:
    written = rules.write_pgn(rules.read_game(None, MATED), "Fool", "Scholar")
    assert '[White "Fool"]' in written and written.endswith("0-1")
    assert rules.load(written) == {
        "start": None,
        "moves": MATED,
        "tree": list(zip(range(4), MATED, ("f3", "e5", "g4", "Qh4#"), strict=True)),
        "players": {"White": "Fool", "Black": "Scholar"},
        "games": 1,
    }
    resigned = rules.write_pgn(rules.read_game(None, ["e2e4"]), "a", "b", "1-0")
    assert '[Result "1-0"]' in resigned


def test_comments_variations_and_other_games_do_not_disturb() -> None:
    text = '[Event "a"]\n\n1. e4 {best} e5 (1... c5 2. Nf3) 2. Nf3 $1 *\n\n[Event "b"]\n\n1. d4 *\n'
    assert rules.load(text) | {"players": 0, "tree": 0} == {
        "tree": 0, "start": None, "moves": ["e2e4", "e7e5", "g1f3"], "players": 0, "games": 2,
    }  # fmt: skip
    assert rules.load(text, 2)["moves"] == ["d2d4"]


def test_chess960_is_seen_by_its_castling_rights() -> None:
    start = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"
    assert rules.read_start(str(rules.load(start)["start"])).chess960
    assert not rules.read_start("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").chess960
    castled = rules.read_game("4k3/8/8/8/8/8/8/RK5R w HA - 0 1", [])
    assert rules.read_move(castled, "O-O").uci() == "b1h1"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n",
        "hello",
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1",
        "kk6/8/8/8/8/8/8/K7 w - - 0 1",
        "1. e4 e5 2. Ke3 *",
        '[Variant "Atomic"]\n\n1. e4 *',
        "1. e4 e5 " * 20_000,
        "\x00\ud800",
        '[FEN "nonsense"]\n\n1. e4 *',
    ],
)
def test_what_cannot_be_read_is_one_line(text: str) -> None:
    with pytest.raises(ValueError) as raised:
        rules.load(text)
    assert str(raised.value) and "\n" not in str(raised.value)


VARIATIONS = "1. e4 e5 ( 1... c5 2. Nf3 ( 2. c3 d5 ) 2... d6 ) ( 1... e6 ) 2. Nf3 Nc6 3. Bb5 a6 *"


def test_variations_come_in_and_go_out() -> None:
    wrong: Any = rules.load(VARIATIONS.replace("2... d6", "2... d6 3. Qxa8 e5"))  # it is cut short there
    tree = wrong["tree"]
    assert tree[:2] == [(0, "e2e4", "e4"), (1, "e7e5", "e5")] and (1, "c7c5", "c5") in tree
    out = [list(move[:2]) for move in tree]
    assert rules.write_pgn(chess.Board(), "a", "b", tree=out).endswith(f"\n\n{VARIATIONS}")
    assert rules.load(VARIATIONS)["tree"] == tree
    start = "r3k2r/8/8/8/8/8/8/1R2K1R1 w GBha - 0 1"  # Chess960: castling is king takes rook
    castled: Any = rules.load(
        f'[Variant "Chess960"]\n[FEN "{start}"]\n\n1. Rg8+ ( 1. O-O O-O-O ) 1... Rxg8 *'
    )
    assert [move[2] for move in castled["tree"]] == ["Rg8+", "Rxg8", "O-O", "O-O-O"]
    line = rules.read_game(start, [])
    assert "( 1. O-O O-O-O )" in rules.write_pgn(line, "a", "b", tree=[list(m[:2]) for m in castled["tree"]])


@pytest.mark.parametrize(
    "tree",
    [
        [[0]], [["0", "e2e4"]], [[0, "e2e5"]], [[1, "e2e4"]], [[-1, "e2e4"]], [[0, 5]], [0], [[0, "e2e4", 1]],
        [[0, "e2e4"]] * 20_000, [[True, "e7e5"]],
    ],
)  # fmt: skip
def test_a_tree_that_is_none_is_one_line(tree: list[object]) -> None:
    with pytest.raises(ValueError, match=r"^[^\n]+$"):
        rules.write_pgn(chess.Board(), "a", "b", tree=tree)


def test_a_move_is_read_in_both_notations_and_nothing_else() -> None:
    board = chess.Board("8/P6k/8/8/8/8/8/K7 w - - 0 1")
    assert [rules.read_move(board, text).uci() for text in ("a8=Q", "a7a8q", "a8=N", " Kb2 ")] == [
        "a7a8q", "a7a8q", "a7a8n", "a1b2",
    ]  # fmt: skip
    for text in ("", "0000", "--", "a7a8", "Nf3", "x" * 1000):
        with pytest.raises(ValueError, match="is not a legal move here"):
            rules.read_move(board, text)
    with pytest.raises(ValueError, match="at most"):
        rules.read_game(None, ["g1f3"] * 10_000)


def test_every_opening_can_be_played_and_has_a_code() -> None:
    named = opening_names.positions()
    assert len(named) == len(opening_names.TABLE.strip().splitlines()) > 100
    assert all(title[0] in "ABCDE" and title[1:3].isdigit() and title[3] == " " for title in named.values())
    transposed = rules.read_game(None, ["g1f3", "d7d5", "d2d4"])
    assert opening_names.name_of(transposed) == "D02 Queen's Pawn, Zukertort"


def test_levels_rise_to_full_strength() -> None:
    nodes = []
    for level in levels.LEVELS:
        handicap = skill.handicap(Options(**levels.options(level)))
        nodes.append(handicap.nodes if handicap else None)
    assert nodes[-1] is None and nodes[:-1] == sorted(filter(None, nodes))
    with pytest.raises(ValueError, match="no level"):
        levels.options("god")
    assert levels.limits({"wtime": 5, "btime": 6, "winc": 0, "binc": 0}).movetime == levels.LONGEST
