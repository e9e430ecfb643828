"""perft: known counts in the project's own list, whole suites where they are at hand, threads, bad input."""

from pathlib import Path

import chess
import pytest
from support.commands import leave
from support.constants import KIWIPETE
from support.suites import OWN, located

from sssnake._fast.board.board import Board
from sssnake._fast.board.perft import divide, perft
from sssnake._fast.board.playable import read_fen
from sssnake.engine.commands import perft as command

PERFT = (
    "chess960_960.epd",
    "double_checks184.epd",
    "enpassant3760.epd",
    "mixed174.epd",
    "sedlak33.epd",
    "tricky18.epd",
    "random6838.epd",
    "standard128.epd",
    "tricky26.epd",
)
SUITES = [OWN / "perft.epd", *located(*PERFT)]
AFFORDABLE = 1_000_000  # leaves a record may cost in CI


# The counts published on the Chess Programming Wiki ("Perft Results") ...
KNOWN = [
    (chess.STARTING_FEN, [20, 400, 8_902, 197_281, 4_865_609, 119_060_324]),
    (KIWIPETE, [48, 2_039, 97_862, 4_085_603, 193_690_690]),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", [14, 191, 2_812, 43_238, 674_624, 11_030_083]),
    (
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        [6, 264, 9_467, 422_333, 15_833_292],
    ),
    (
        "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
        [6, 264, 9_467, 422_333, 15_833_292],
    ),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", [44, 1_486, 62_379, 2_103_487, 89_941_194]),
    (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        [46, 2_079, 89_890, 3_894_594, 164_075_551],
    ),
]

# ... and corners of the rules, small enough to be counted by python-chess beside us.
CORNERS = {
    "en passant discovers a check along the rank": "8/8/8/KPpP3r/8/8/8/7k w - c6 0 1",
    "en passant discovers a check on the diagonal": "7k/6b1/8/3pP3/8/2K5/8/8 w - d6 0 1",
    "en passant takes the checking pawn": "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
    "en passant along the line of a pin": "8/8/8/1k6/2pP4/8/8/3K1B2 b - d3 0 1",
    "en passant while a knight gives check": "8/8/8/3k4/2pPN3/2N5/8/3K4 b - d3 0 1",
    "pinned pawns, knights and sliders": "4k3/8/4r2b/8/1b2P3/2N1P3/3PQN2/r2BK1Rr w - - 0 1",
    "double check": "4k3/8/8/8/4r3/3n4/8/R3K2R w KQ - 0 1",
    "promotions, captures and checks": "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "castling rights lost to captures": "r3k2r/8/3B4/8/8/3b4/8/R3K2R w KQkq - 0 1",
    "castling out of, through and into check": "r3k2r/8/5Q2/8/8/3q4/8/R3K2R w KQkq - 0 1",
    "stalemate": "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
}
CORNERS_960 = {
    "king and rook change places": "4k3/8/8/8/8/8/8/1RK2R2 w BF - 0 1",
    "the rook shields its king": "4k3/8/8/8/8/8/8/qR1K3R w HB - 0 1",
    "the king stays": "2r1k1r1/8/8/8/8/8/8/1R4KR w HBgc - 0 1",
    "inner rooks": "rr2k1rr/8/8/8/8/8/8/RR2K1RR w GBgb - 0 1",
    "king in the corner file": "rk5r/8/8/8/8/8/8/RK5R w HAha - 0 1",
    "a middlegame": "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
}


def reference(board: chess.Board, depth: int) -> int:
    if depth == 0:
        return 1
    n = 0
    for move in board.legal_moves:
        board.push(move)
        n += reference(board, depth - 1)
        board.pop()
    return n


@pytest.mark.parametrize(("fen", "counts"), KNOWN)
def test_known_counts(fen: str, counts: list[int]) -> None:
    board = Board(fen)
    assert [perft(board, depth) for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.parametrize("name", [*CORNERS, *CORNERS_960])
def test_corners(name: str) -> None:
    chess960 = name in CORNERS_960
    oracle = chess.Board((CORNERS_960 if chess960 else CORNERS)[name], chess960=chess960)
    for depth in range(1, 4):
        assert perft(Board.from_chess(oracle), depth) == reference(oracle, depth)


def suite_records(path: Path) -> list[tuple[str, dict[int, int]]]:
    records = []
    for text in path.read_text().splitlines():
        fen, *counts = text.split(";")
        records.append((fen.strip(), {int(n.split()[0][1:]): int(n.split()[1]) for n in counts}))
    return records


@pytest.mark.parametrize("path", SUITES, ids=lambda path: path.stem)
def test_suites(path: Path) -> None:
    for fen, counts in suite_records(path):
        board = Board(fen, chess960=read_fen(fen)[0].chess960)
        affordable = [(depth, n) for depth, n in counts.items() if n <= AFFORDABLE]
        for depth, n in affordable[-1:] or [min(counts.items())]:
            assert perft(board, depth) == n, (fen, depth)


def test_divide_sums_to_perft_and_names_every_move() -> None:
    board = Board(KIWIPETE)
    counts = divide(board, 3)
    assert sorted(counts) == sorted(board.legal_moves())
    assert sum(counts.values()) == 97_862
    assert counts["e1g1"] == 2_059
    assert divide(board, 1) == dict.fromkeys(board.legal_moves(), 1)


@pytest.mark.parametrize("depth", range(6))
def test_threads_count_the_same(depth: int) -> None:
    board = Board(KIWIPETE)
    assert divide(board, min(depth, 4), threads=3) == divide(board, min(depth, 4))
    assert perft(Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), depth, threads=2) == (depth == 0)


def test_depth_zero_and_bad_arguments() -> None:
    assert perft(Board(), 0) == 1
    assert divide(Board(), 0) == {}
    for depth in (-1, 129, 10**9):
        with pytest.raises(ValueError, match="depth"):
            perft(Board(), depth)
    for threads in (0, -1, 1025):
        with pytest.raises(ValueError, match="threads"):
            perft(Board(), 3, threads=threads)
    with pytest.raises(TypeError):
        perft(None, 1)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["1", "--suite", "SUITE", "--fen", "garbage"], "--fen does nothing with --suite"),
        (["1", "--suite", "SUITE", "--divide"], "--divide does nothing with --suite"),
        (["--suite", "EMPTY"], "no position"),
    ],
)
def test_a_suite_that_cannot_be_checked_so_is_refused(
    words: list[str], complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "suite.epd").write_text(f"{chess.STARTING_FEN} ;D1 20\n")
    (tmp_path / "empty.epd").write_text("# nothing\n\n")
    files = {"SUITE": str(tmp_path / "suite.epd"), "EMPTY": str(tmp_path / "empty.epd")}
    with pytest.raises(SystemExit) as left:
        leave(command.main, [files.get(word, word) for word in words])
    said = capsys.readouterr()
    assert left.value.code == 2 and said.out == "" and complaint in said.err and said.err.count("\n") == 1
