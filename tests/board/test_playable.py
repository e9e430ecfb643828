"""Positions as they are handed over: what cannot be is dropped with a remark, or refused as it was given."""

import io
import subprocess
from pathlib import Path

import chess
import pytest
from support.constants import ENGINE

from sssnake._fast.board.playable import read_fen
from sssnake.engine.commands import perft
from sssnake.engine.games.opening_files import stream_items
from sssnake.engine.lab.chess.proof import prove
from sssnake.engine.lab.chess.table import read_positions

FISCHER = "1rk2b1r/pp3ppp/8/8/8/8/PP3PPP/1RK2B1R w HBhb - 0 1"
STRAY = "6k1/5ppp/8/8/8/8/8/R5K1 w KQkq - 0 1"
AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"
NONE_KEPT = "castling rights KQkq: kept are none"
ROOKS = "4k3/8/8/8/8/8/8"


@pytest.mark.parametrize(
    ("fen", "rights", "remark"),
    [
        (STRAY, "-", NONE_KEPT),
        (f"{ROOKS}/R3K2R w KQkq - 0 1", "KQ", "castling rights KQkq: kept are KQ"),
        (f"{ROOKS}/R3K2R w QK - 0 1", "KQ", ""),
        ("r3k2r/8/8/8/8/8/8/R3K2R b kKqQ - 0 1", "KQkq", ""),
        (f"{ROOKS}/R3K1R1 w GA - 0 1", "KQ", ""),
        (f"{ROOKS}/R3K1R1 w HA - 0 1", "Q", "castling rights HA: kept are Q"),
        (f"{ROOKS}/4K3 w - e6 0 1", "-", "en-passant square e6: dropped"),
        (f"{ROOKS}/R3K3 w KQ e3 0 1", "Q", "castling rights KQ: kept are Q; en-passant square e3: dropped"),
        (AFTER_E4, "KQkq", ""),
    ],
)
def test_what_cannot_be_is_dropped_with_a_remark(fen: str, rights: str, remark: str) -> None:
    board, said = read_fen(fen)
    assert (board.castling_xfen(), said) == (rights, remark)
    assert board.status() & (chess.STATUS_BAD_CASTLING_RIGHTS | chess.STATUS_INVALID_EP_SQUARE) == 0


@pytest.mark.parametrize(
    ("fen", "chess960"),
    [
        (FISCHER, True),
        (FISCHER.replace("HBhb", "KQkq"), True),
        (f"{ROOKS}/R3K2R w HA - 0 1", True),
        (f"{ROOKS}/R3K2R w KQ - 0 1", False),
        (STRAY, False),
        (chess.STARTING_FEN, False),
    ],
)
def test_chess960_is_recognized(fen: str, chess960: bool) -> None:
    assert read_fen(fen)[0].chess960 == chess960


@pytest.mark.parametrize(
    ("fen", "reason"),
    [
        ("8/8/8/8/8/8/8/K6Q w KQ - 0 1", "no black king"),
        ("k7/8/8/8/8/8/8/K6r b Qk - 7 1", "could take the king"),
        (f"{ROOKS}/4K3 w KX - 0 1", "castling"),
        ("4k3/8/8 w - - 0 1", "rows"),
    ],
)
def test_what_is_refused_is_shown_as_it_was_given(fen: str, reason: str) -> None:
    with pytest.raises(ValueError) as refused:
        read_fen(fen)
    said = str(refused.value)
    assert fen in said and reason in said and "\n" not in said


def uci(*lines: str) -> str:
    """What the engine says to a dialogue."""
    dialogue = "\n".join([*lines, "quit", ""])
    return subprocess.run(ENGINE, input=dialogue, capture_output=True, text=True, timeout=60).stdout


def test_every_reader_has_the_same_policy(capsys: pytest.CaptureFixture[str]) -> None:
    assert perft.main(["1", "--fen", STRAY]) == 0
    assert NONE_KEPT in capsys.readouterr().err
    for text in (STRAY, f'[FEN "{STRAY}"]\n\n1. Ra8# *'):
        notes: list[str] = []
        (item,) = stream_items("stdin", io.BufferedReader(io.BytesIO(text.encode())))
        assert item.board(notes=notes).root().castling_rights == 0
        assert len(notes) == 1 and NONE_KEPT in notes[0]
    assert f"info string {NONE_KEPT}\n" in uci(f"position fen {STRAY}")


def test_the_laboratory_keeps_chess960() -> None:
    assert prove(FISCHER, 1).leaves == 21


@pytest.mark.parametrize("rights", ["GA", "KQ"])
def test_uci_keeps_the_rights_of_chess960_and_says_so(rights: str) -> None:
    said = uci(f"position fen {ROOKS}/R3K1R1 w {rights} - 0 1 moves e1g1", "d")
    assert "info string castling rights of Chess960" in said and "Fen: 4k3/8/8/8/8/8/8/R4RK1 b" in said


def test_uci_writes_castling_as_the_gui_expects_it() -> None:
    """Letters of files that standard chess knows do not change how castling is written."""
    said = uci(f"position fen {ROOKS}/R3K2R w HA - 0 1", "go depth 1 searchmoves e1g1")
    assert "info string" not in said and "bestmove e1g1" in said
    said = uci(f"position fen {ROOKS}/R3K1R1 w GA - 0 1", "go depth 1 searchmoves e1c1")
    assert "king takes rook" in said and "bestmove e1a1" in said


def test_uci_takes_the_letters_of_castling_in_any_order() -> None:
    said = uci("position fen r3k2r/8/8/8/8/8/8/R3K2R b kKqQ - 3 9", "d")
    assert "Fen: r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 9" in said


def test_the_laboratorys_suites_keep_chess960(tmp_path: Path) -> None:
    path = tmp_path / "suite.epd"
    path.write_text(f"{FISCHER}\n{STRAY}\n")
    found = [read_fen(fen)[0] for fen in read_positions(str(path))]
    assert [board.castling_xfen() for board in found] == ["KQkq", "-"] and found[0].chess960
