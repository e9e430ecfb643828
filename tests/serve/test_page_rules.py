"""The rules for the page: positions, results, FEN and PGN, names of openings, levels."""

import io
from typing import Any

import chess
import chess.pgn
import pytest

from sssnake.engine.games.outcome import outcome_with_history
from sssnake.engine.player import skill
from sssnake.engine.player.engine import Engine, Limits
from sssnake.engine.player.options import Options
from sssnake.engine.serve import levels, opening_names, rules
from sssnake.engine.serve.games.reading import read_text
from sssnake.engine.serve.games.record import Record, searched

MATED = ["f2f3", "e7e5", "g2g4", "d8h4"]


def read_game(start: str | None, moves: list[str]) -> chess.Board:
    return rules.play_moves(rules.read_start(start), moves)


def load(text: str, number: int = 1) -> Record:
    return read_text(text).record(number)


def moves(record: Record) -> list[str]:
    """The main line."""
    return [move.uci() for move in record.game.mainline_moves()]


def body(record: Record) -> str:
    """The moves as PGN."""
    return " ".join(record.pgn().partition("\n\n")[2].split())


def test_a_position_says_all_that_the_page_shows() -> None:
    found = rules.describe(read_game(None, ["e2e4", "e7e5", "g1f3", "b8c6"]))
    assert found["turn"] == "white" and found["last"] == "b8c6" and found["searchable"]
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
    board = read_game(start, moves)
    assert outcome_with_history(board) == result
    told: Any = rules.describe(board)
    over = result is not None and result[1] not in ("threefold repetition", "fifty moves")
    assert told["searchable"] == (not over), "after a claimed draw the analysis goes on"
    assert told["result"] == (result and {"score": result[0], "reason": result[1], "final": over})


def test_a_game_goes_through_pgn_and_back() -> None:
    record = Record.new(read_game(None, MATED), {"White": "Fool", "Black": 'Robert "Bobby" \\ T'})
    written = record.pgn()
    assert '[White "Fool"]' in written and written.endswith("0-1\n\n")
    again = load(written)
    assert moves(again) == MATED and again.pgn() == written
    assert again.tags()["Black"] == 'Robert "Bobby" \\ T' and again.tags()["Result"] == "0-1"
    parsed = chess.pgn.read_game(io.StringIO(written))
    assert parsed and parsed.headers["White"] == "Fool"


FULL = """; from the club's archive
[Event "Club"]
[Site "Here"]
[Date "1999.01.02"]
[Round "7"]
[White "Robert \\"Bobby\\" T"]
[Black "B \\\\ C"]
[Result "1-0"]
[WhiteElo "1512"]

% for another program
{ Before the first move } 1. e4 $1 { [%clk 0:10:00] a fine start } e5?! { [%eval -0.21] }
( { Better: } 1... c5 2. Nf3 $6 ( 2. c3 -- 3. d4 ) 2... d6 $14 ) 2. Nf3 Nc6 ; so far }so good
3. Bb5 1-0
"""


def test_nothing_of_a_game_is_lost() -> None:
    record = load(FULL)
    written = record.pgn()
    for part in (
        "; from the club's archive\n",
        '[White "Robert \\"Bobby\\" T"]',
        '[Black "B \\\\ C"]',
        '[Date "1999.01.02"]',
        '[Result "1-0"]',
        '[WhiteElo "1512"]',
        "% for another program\n",
        "{ Before the first move }",
        "{ [%clk 0:10:00] a fine start }",
        "{ [%eval -0.21] }",
        "{ Better: } 1... c5",
        "(2. c3 -- 3. d4 )",
        "; so far }so",
    ):
        assert part in written, part
    assert load(written).pgn() == written, "again the same"
    state: Any = record.state()
    assert state["tags"]["White"] == 'Robert "Bobby" T' and state["comment"] == "Before the first move"
    entries = {entry["san"]: entry for entry in state["tree"]}
    assert entries["e4"] == {
        "id": 1,
        "parent": 0,
        "move": "e2e4",
        "san": "e4",
        "nags": [1],
        "comment": "a fine start",
        "clock": 600.0,
    }
    assert (
        entries["e5"]["nags"] == [6] and entries["e5"]["score"] == "-0.21" and entries["e5"]["expected"] < 0.5
    )
    assert entries["c5"]["before"] == "Better:" and entries["d6"]["nags"] == [14]
    assert entries["--"]["move"] == "0000" and entries["Nc6"]["comment"] == "so far }so good"


def test_a_null_move_breaks_nothing() -> None:
    record = load('[White "A"]\n\n1. e4 e5 (1... -- 2. d4 d5 3. Bb5+ -- 4. Bxe8) 2. Nf3 *')
    assert moves(record) == ["e2e4", "e7e5", "g1f3"]
    for entry in record._entries():
        told: Any = rules.describe(record.board(entry["id"]))
        assert chess.Board(told["fen"])
        searched(record.node(entry["id"]))
    tree = {entry["san"]: entry for entry in record._entries()}
    assert "3. Bb5+ -- " in body(record)
    assert not rules.describe(record.board(tree["--"]["id"] if tree["--"]["id"] > 5 else 8))["searchable"]
    board = searched(record.node(tree["d5"]["id"]))
    assert [move.uci() for move in board.move_stack] == ["d2d4", "d7d5"], (
        "its past begins behind the null move"
    )
    assert Engine(hash_mb=1).play(board, Limits(nodes=100)).move


@pytest.mark.parametrize("fen", [chess.STARTING_FEN, chess.STARTING_FEN.replace("KQkq", "HAha")])
def test_chess960_with_king_on_e1_has_one_castling(fen: str) -> None:
    text = f'[Variant "Chess960"]\n[SetUp "1"]\n[FEN "{fen}"]\n\n1. e4 e5 2. Nf3 Nf6 3. Be2 Be7 4. O-O O-O *'
    record = load(text)
    before = record.size
    assert record.state()["chess960"]
    for name in ("O-O", "e1h1", "0-0"):
        assert record.push(6, name) == 7
    assert record.size == before and 'Variant "Chess960"' in record.pgn()
    legal: Any = rules.describe(record.board(6))["legal"]
    assert [move for move, san in legal.items() if san == "O-O"] == ["e1h1"]
    usual = load("1. e4 e5 2. Nf3 Nf6 3. Be2 Be7 4. O-O *")
    assert [usual.push(6, name) for name in ("e1g1", "O-O")] == [7, 7]


@pytest.mark.parametrize(
    ("text", "kept", "remark"),
    [
        ("1. e4 e5 2. Nf3 Nc6 3. Ke3 a6 *", 4, "line 1: illegal move 'Ke3'"),
        ("1. e4 e5 2. Nf3 { a } (2. f4 d5) Nc6 3. Blah\n a6 *", 4, "line 1: 'Blah' is not a move"),
        ("1. e4 e5 (1... c5 2. Nf3 { open", 2, "line 1: a comment without an end"),
        ('[White "a"]\n\n1. e4 e5\n2. Nd2 *', 2, "line 4: illegal move 'Nd2'"),
        ("1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 *", 6, "language 'de'"),
        ("1. e4 e5 2. ♘f3 ♞c6 *", 4, ""),
        (
            '[Result "1-0"]\n\n1. e4 e5 0-1 { at last }',
            2,
            "the tag Result says 1-0, and behind the moves stands 0-1",
        ),
        ('[Result "1-0"]\n\n1. e4 e5 (1... c5 0-1) 1-0', 2, ""),
        ('[Result "*"]\n\n1. e4 e5 1-0', 2, ""),
        ("1. e4 e5 2. Nf3 (2. Nh8 Qa1) Nc6 *", 4, "a variation was cut short: illegal san: 'Nh8'"),
    ],
)
def test_what_comes_before_a_mistake_is_loaded_with_a_remark(text: str, kept: int, remark: str) -> None:
    record = load(text)
    assert len(moves(record)) == kept and remark in record.remark and "\n" not in record.remark
    assert bool(remark) == bool(record.remark)


def test_many_games_are_listed_and_one_is_chosen() -> None:
    padding = "x" * 900
    text = "".join(
        f'[Event "E{n}"]\n[White "W{n}"]\n[Black "B"]\n[Result "1-0"]\n\n1. e4 {{{padding}}} e5 2. d4 1-0\n\n'
        for n in range(1200)
    )
    assert len(text) > 1_000_000
    opened = read_text(text)
    assert len(opened.titles()) == 1200 and opened.titles()[41] == "W41 – B, 1-0, E41"
    assert opened.record(42).tags()["White"] == "W41" and len(moves(opened.record(42))) == 3
    with pytest.raises(ValueError, match="there is no game 1201"):
        opened.record(1201)


def test_one_game_of_a_megabyte() -> None:
    text = "1. e4 e5 " + "(1... c5 2. Nf3 d6 3. d4) " * 2000 + " 2. Nf3 { " + "long " * 200_000 + "} *"
    record = load(text)
    assert len(text) > 1_000_000 and moves(record) == ["e2e4", "e7e5", "g1f3"] and record.size == 8003
    record = load(
        " ".join(
            f"{{ {number} {'x' * 120} }} {move}"
            for number, move in enumerate(["Nf3", "Nf6", "Ng1", "Ng8"] * 200)
        )
    )
    assert len(moves(record)) == 800


def test_comments_marks_and_tags_are_changed() -> None:
    record = load(FULL)
    record.comment(1, 'a  new\none } and "more"')
    record.mark(1, 4)
    record.tag("White", 'Al "x" \\')
    record.tag("Opening", "Ruy Lopez")
    record.tag("WhiteElo", "")
    again = load(record.pgn())
    entry = again.entry(1)
    assert entry["comment"] == 'a new one } and "more"' and entry["clock"] == 600.0 and entry["nags"] == [4]
    assert again.tags()["White"] == 'Al "x" \\' and again.tags()["Opening"] == "Ruy Lopez"
    assert "WhiteElo" not in again.tags()
    record.comment(1, "")
    record.mark(1, 0)
    assert "nags" not in record.entry(1) and "comment" not in record.entry(1) and record.entry(1)["clock"]
    for wrong in (
        lambda: record.mark(1, 7),
        lambda: record.mark(0, 1),
        lambda: record.tag("FEN", "x"),
        lambda: record.cut(0),
        lambda: record.tag("a b", "x"),
        lambda: record.node(99),
        lambda: record.comment(1, "x" * 30_000),
        lambda: record.end(None, "2-0", ""),
        lambda: record.push(1, "Ke7"),
    ):
        with pytest.raises(ValueError, match=r"^[^\n]+$"):
            wrong()


def test_the_result_is_that_of_the_game() -> None:
    record = Record.new(chess.Board())
    for move in MATED:
        record.push(None, move)
    assert record.tags()["Result"] == "0-1"
    record.cut(4)
    assert record.tags()["Result"] == "*"
    record.end(None, "1-0", "black resigned")
    assert record.tags()["Result"] == "1-0" and record.tags()["Termination"] == "black resigned"
    looked_at = record.push(None, "a7a6")
    assert record.tags()["Result"] == "1-0", "what is looked at behind the end does not undo it"
    record.cut(looked_at)
    assert record.tags()["Result"] == "1-0" and record.tags()["Termination"] == "black resigned"
    assert not record.play(record.push(None, "a7a6"))  # it is played on
    assert record.tags()["Result"] == "*" and "Termination" not in record.tags()
    loaded = load(FULL)
    loaded.push(None, "a7a6")
    loaded.end(None, "1/2-1/2", "agreed")
    assert loaded.tags()["Result"] == "1-0", "a game from elsewhere keeps its result"
    assert "{ 1/2-1/2: agreed }" in loaded.pgn()


def test_the_game_is_what_was_played() -> None:
    """Not what was looked at meanwhile."""
    record = Record.new(chess.Board())
    assert not record.play(record.push(None, "e4"))
    aside = record.push(record.push(1, "e5"), "Qh5")
    record.push(aside, "Ke7")
    played = record.push(1, "c5")
    assert record.play(played) and moves(record) == ["e2e4", "c7c5"]
    record.push(record.push(played, "f4"), "g5")
    record.end(played, "0-1", "white resigned", played=True)
    assert record.tags()["Result"] == "0-1" and record.tags()["Termination"] == "white resigned"
    again = read_text(record.pgn()).record(own=True)
    assert again.tags()["Result"] == "0-1"
    again.cut(1)
    assert again.tags()["Result"] == "*"
    loaded = load("1. e4 e5 *")
    assert not loaded.play(loaded.push(1, "c5")) and moves(loaded) == ["e2e4", "e7e5"]
    loaded.end(1, "1-0", "time", played=True)
    assert loaded.tags()["Result"] == "*", "a game from elsewhere keeps its result"


def test_a_variation_may_begin_as_the_game_does() -> None:
    record = load("1. e4 e5 (1... e5 2. Nf3) 2. d4 *")
    record.cut(next(entry["id"] for entry in record._entries() if entry["san"] == "Nf3") - 1)
    assert body(record) == "1. e4 e5 2. d4 *"


def test_numbers_of_moves_stay_when_lines_come_and_go() -> None:
    record = load("1. e4 e5 (1... c5 2. Nf3) 2. d4 *")
    before = {entry["san"]: entry["id"] for entry in record._entries()}
    record.game.add_variation(chess.Move.from_uci("a2a3"))
    record.game.variations[0].remove_variation(chess.Move.from_uci("c7c5"))
    record.renumber()
    after = {entry["san"]: entry["id"] for entry in record._entries()}
    assert after == {"e4": before["e4"], "e5": before["e5"], "d4": before["d4"], "a3": after["a3"]}
    assert after["a3"] not in before.values() and record.size == 4
    with pytest.raises(ValueError, match="no move"):
        record.node(before["Nf3"])


def test_lines_are_promoted_and_cut() -> None:
    record = load("1. e4 e5 ( 1... c5 2. Nf3 ( 2. c3 d5 ) 2... d6 ) ( 1... e6 ) 2. Nf3 *")
    numbers = {entry["san"]: entry["id"] for entry in record._entries() if entry["san"] != "Nf3"}
    record.promote(numbers["d5"])
    assert body(record) == "1. e4 c5 (1... e5 2. Nf3 ) (1... e6 ) 2. c3 (2. Nf3 d6 ) 2... d5 *"
    record.cut(numbers["c3"])
    assert body(record) == "1. e4 c5 (1... e5 2. Nf3 ) (1... e6 ) 2. Nf3 d6 *"
    with pytest.raises(ValueError, match="no move"):
        record.node(numbers["d5"])


def test_chess960_is_seen_by_its_castling_rights() -> None:
    start = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"
    assert load(start).state()["chess960"]
    assert not rules.read_start("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").chess960
    castled = read_game("4k3/8/8/8/8/8/8/RK5R w HA - 0 1", [])
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
        '[Variant "Atomic"]\n\n1. e4 *',
        "\x00\ud800",
        '[FEN "nonsense"]\n\n1. e4 *',
    ],
)
def test_what_cannot_be_read_is_one_line(text: str) -> None:
    with pytest.raises(ValueError) as raised:
        load(text)
    assert str(raised.value) and "\n" not in str(raised.value)


def test_a_move_is_read_in_both_notations_and_nothing_else() -> None:
    board = chess.Board("8/P6k/8/8/8/8/8/K7 w - - 0 1")
    assert [rules.read_move(board, text).uci() for text in ("a8=Q", "a7a8q", "a8=N", " Kb2 ")] == [
        "a7a8q",
        "a7a8q",
        "a7a8n",
        "a1b2",
    ]
    for text in ("", "0000", "--", "a7a8", "Nf3", "x" * 1000):
        with pytest.raises(ValueError, match="is not a legal move here"):
            rules.read_move(board, text)
    with pytest.raises(ValueError, match="at most"):
        read_game(None, ["g1f3"] * 10_000)


def test_every_opening_can_be_played_and_has_a_code() -> None:
    named = opening_names.positions()
    assert len(named) == len(opening_names.TABLE.strip().splitlines()) > 100
    assert all(title[0] in "ABCDE" and title[1:3].isdigit() and title[3] == " " for title in named.values())
    transposed = read_game(None, ["g1f3", "d7d5", "d2d4"])
    assert opening_names.name_of(transposed) == "D02 Queen's Pawn, Zukertort"


def test_what_the_levels_are_called() -> None:
    """The names and numbers of docs/play/serve.md; any other Elo of the range may be asked for."""
    known = {name: levels.options(name).get("elo") for name in levels.LEVELS}
    assert known == {
        "beginner": 850,
        "casual player": 1200,
        "club player": 1600,
        "strong club player": 2000,
        "master": 2400,
        "full strength": None,
    }
    assert levels.options("club player", 1234)["elo"] == 1234


def test_levels_rise_to_full_strength() -> None:
    nodes = []
    for level in levels.LEVELS:
        handicap = skill.handicap(Options(**levels.options(level)))
        nodes.append(handicap.nodes if handicap else None)
    assert nodes[-1] is None and nodes[:-1] == sorted(filter(None, nodes))
    with pytest.raises(ValueError, match="no level"):
        levels.options("god")
    assert levels.limits({"wtime": 5, "btime": 6, "winc": 0, "binc": 0}).movetime == levels.LONGEST


def test_chess960_has_the_name_that_every_reader_knows() -> None:
    """cutechess 1.5.1 drops the moves of a game whose variant is called Chess960."""
    start = "qbrkbnrn/pppppppp/8/8/8/8/PPPPPPPP/QBRKBNRN w KQkq - 0 1"
    text = Record.new(chess.Board(start, chess960=True)).pgn()
    assert '[Variant "fischerandom"]' in text and f'[FEN "{start}"]' in text
    assert load(text).state()["chess960"]
    assert "Variant" not in Record.new(chess.Board()).pgn()
