"""Reading: PGN, EPD, FEN, standard input; what is broken costs one line."""

import io
import re
import sys
import zipfile
from pathlib import Path

import chess.pgn
import pytest

from sssnake.engine.analysis.study import Bad, Study, studies

GAMES = """[Event "Open"]
[White "A \\"B\\""]
[Black "C"]
[Date "1956.??.??"]
[Result "1-0"]

1. e4 e5 (1... c5 2. Nf3) 2. Qh5 {?!} Ke7 3. Qxe5# 1-0

[Event "broken"]

1. e4 e5 2. Nf3 Qxh8 *

[Event "no moves"]
[Result "1/2-1/2"]

1/2-1/2

[Event "a variation that ends badly"]

1. d4 (1. e4 e5 2. Ke5 {lost} (2. Nf3) Kd8 $1) {kept} (1. Nf6) {too} (1. c4 c5 (1... e5) 2. d3) d5 *

[Event "tags alone"]
[White "D"]
"""


def read(*inputs: str, chess960: bool = False, wanted: int | None = None) -> list[Study | Bad]:
    return list(studies(inputs, chess960, wanted))


def good(one: Study | Bad) -> Study:
    assert isinstance(one, Study), one
    return one


def test_games(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(GAMES)
    first, broken, empty, cut, tags = read(str(path))
    assert good(first).title == 'A "B" - C' and good(first).facts == "Open, 1956, 1-0"
    assert len(good(first).moves) == 5 and len(good(first).evaluations) == 6
    assert isinstance(broken, Bad) and "game 2 (line 9): line 11: illegal move 'Qxh8'" in broken.message
    assert "2. Nf3 Qxh8 *" in broken.text
    assert good(empty).moves == [] and good(empty).title == "game 3"
    assert good(tags).moves == [] and good(tags).title == "D - ?"
    assert "game 4 (line 18): a variation was cut short: illegal san: 'Ke5'" in good(cut).remark
    exporter = chess.pgn.StringExporter(columns=None, headers=False)
    left = "1. d4 { kept too } ( 1. e4 e5 ) ( 1. c4 c5 ( 1... e5 ) 2. d3 ) 1... d5 *"
    assert good(cut).game.accept(exporter) == left
    assert [good(one).number for one in read(str(path), wanted=3)] == [3]
    with pytest.raises(ValueError, match="no game 6: there are 5"):
        read(str(path), wanted=6)


def test_zip_and_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("games.pgn", GAMES)
    assert len(read(str(path))) == 5
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(GAMES.encode()))))
    assert good(read("-")[0]).where == "stdin, game 1 (line 1)"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(b""))))
    with pytest.raises(ValueError, match="no game or position"):
        read("-")


def test_positions(tmp_path: Path) -> None:
    path = tmp_path / "suite.epd"
    path.write_text('6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#; id "back <rank>";\nno position\n')
    one, bad = read(str(path))
    assert good(one).title == "back <rank>" and good(one).operations["bm"]
    assert isinstance(bad, Bad) and "suite.epd, line 2" in bad.message and not bad.text
    fen = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 20"
    assert good(read(fen)[0]).start.fen() == good(read(*fen.split())[0]).start.fen() == fen
    assert good(read("startpos")[0]).start.fullmove_number == 1
    assert isinstance(read("8/8/8/8/8/8/8/K7 w - - 0 1")[0], Bad)


FEN = "6k1/5ppp/8/8/8/8/8/R5K1 w - -"


@pytest.mark.parametrize(
    ("inputs", "ignored"),
    [
        ([f"{FEN} 0 1", "foo", "bar"], "foo"),
        ([*FEN.split(), "0", "1", "other.pgn"], "other.pgn"),
        ([*FEN.split(), "other.pgn"], "other.pgn"),
        ([*FEN.split(), "0", "-"], "-"),
        ([*FEN.split(), "0", "1", "2"], "2"),
        ([FEN, "0", "1", f"{FEN} 0 2"], f"{FEN} 0 2"),
        ([f"{FEN} bm Ra8#;", "5"], "5"),
        (["startpos", "moves", "e2e4"], "moves"),
    ],
)
def test_what_follows_a_position_is_refused_and_named(inputs: list[str], ignored: str) -> None:
    with pytest.raises(ValueError, match=rf"^{re.escape(ignored)}: a position stands alone"):
        read(*inputs)


def test_a_position_may_come_in_any_number_of_words() -> None:
    for words in (
        [f"{FEN} 3 20"],
        f"{FEN} 3 20".split(),
        [FEN, "3", "20"],
        [FEN, "3 20"],
        [f"{FEN} 3", "20"],
    ):
        assert good(read(*words)[0]).start.fen() == f"{FEN} 3 20"
    assert good(read(*FEN.split())[0]).start.fen() == f"{FEN} 0 1"
    assert good(read(f'{FEN} bm Ra8#; id "mate";')[0]).title == "mate"


def test_chess960(tmp_path: Path) -> None:
    start = "nrk5/8/8/8/8/8/8/1RK2R2 w FBb - 0 1"
    path = tmp_path / "fischer.pgn"
    path.write_text(f'[SetUp "1"]\n[FEN "{start}"]\n\n1. O-O *\n')
    study = good(read(str(path), chess960=True)[0])
    assert study.start.chess960 and study.moves[0].uci() == "c1f1"
    position = good(read(start)[0])
    assert position.start.chess960
    assert study.game.headers["Variant"] == position.game.headers["Variant"] == "fischerandom"


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "empty.pgn").touch()
    for path in (tmp_path / "empty.pgn", tmp_path / "missing.pgn", tmp_path):
        with pytest.raises(ValueError, match=str(path)):
            read(str(path))
