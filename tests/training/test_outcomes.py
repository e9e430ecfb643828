"""`gauge --results`: the order of networks by the results of games, and the error of that."""

from pathlib import Path

import chess
import numpy as np
import pytest
from support.commands import leave

from sssnake._fast.board.board import Board
from sssnake.engine.games.gamelog import encode_move, pack_game
from sssnake.engine.player import evaluation
from sssnake.engine.training import dataset, gauge, outcomes

STARTS = ("e2e4 e7e5", "d2d4 d7d5", "c2c4 g8f6", "g1f3 d7d5")


def write_games(path: Path, results: list[int]) -> None:
    """Games of two quiet plies from starts of their own; their results, White's: 0 to 2."""
    data = b""
    for line, result in zip(STARTS, results, strict=True):
        board, plies = chess.Board(), []
        for uci in line.split():
            board.push_uci(uci)
        start = board.copy(stack=False)
        for uci in ("b2b3", "b7b6"):
            plies.append((encode_move(board, chess.Move.from_uci(uci)), 100 * (result - 1)))
            board.push_uci(uci)
        data += pack_game(start, result, plies)
    path.write_bytes(data)


def test_values_are_those_of_play() -> None:
    network = evaluation.load("<internal>")
    assert network is not None
    boards = [chess.Board()]
    for uci in ("e2e4", "c7c5", "g1f3", "d7d6", "d2d4", "c5d4", "f3d4"):
        boards.append(boards[-1].copy())
        boards[-1].push_uci(uci)
    samples = np.concatenate([sample_of(board) for board in boards])
    wanted = [network.value(Board.from_chess(board)) for board in boards]
    assert len(set(wanted)) > 5
    assert outcomes.values("<internal>", samples) == pytest.approx(wanted, abs=1)


def sample_of(board: chess.Board) -> dataset.Samples:
    """The sample of a position, as python-chess sees it."""
    seen = board if board.turn else board.mirror()
    sample = np.zeros(1, dataset.SAMPLE)
    sample["occupied"] = seen.occupied
    for index, square in enumerate(chess.scan_forward(seen.occupied)):
        piece = seen.piece_at(square)
        assert piece is not None
        code = 2 * (piece.piece_type - 1) + (not piece.color)
        sample["pieces"][0, index >> 1] |= code << 4 * (index & 1)
    return sample


def of_games(rng: np.random.Generator, games: int) -> tuple[dataset.Samples, dataset.Floats]:
    """Samples of games of five to twelve positions, and values that are right but for noise of their own."""
    lengths = rng.integers(5, 13, games)
    samples = np.zeros(lengths.sum(), dataset.SAMPLE)
    samples["game"] = np.repeat(np.arange(games), lengths)
    truth = np.repeat(rng.normal(0, 200, games), lengths)
    won = rng.random(games) < dataset.sigmoid(truth[np.cumsum(lengths) - 1] / 200)
    samples["result"] = 2 * np.repeat(won, lengths)
    return samples, truth


def test_the_error_is_that_of_other_games() -> None:
    """The half width of one sample of games, beside the spread of the differences of many such samples."""
    rng = np.random.default_rng(3)
    found, widths = [], []
    for _ in range(150):
        samples, truth = of_games(rng, 400)
        _, first, counts = np.unique(samples["game"], return_index=True, return_counts=True)
        noise = np.repeat(rng.normal(0, 120, len(first)), counts)
        rows = [
            outcomes.outcomes(name, values, samples, first)
            for name, values in (("a", truth), ("b", truth + noise))
        ]
        text = outcomes.difference(rows[1].squares, rows[0].squares, counts.astype(float))
        difference, width = map(float, text.split(" +- "))
        found.append(difference)
        widths.append(width)
    assert np.mean(found) > 0, "noise makes worse"
    assert np.mean(widths) == pytest.approx(1.96 * np.std(found), rel=0.2)


def test_a_row_is_the_mean_over_positions_and_knows_the_one_before() -> None:
    samples, _ = of_games(np.random.default_rng(4), 300)
    samples = outcomes.by_game(samples[np.random.default_rng(5).permutation(len(samples))])
    _, first, counts = np.unique(samples["game"], return_index=True, return_counts=True)
    values = np.random.default_rng(6).normal(0, 100, len(samples))
    row = outcomes.outcomes("a", values, samples, first)
    wanted = np.mean((dataset.sigmoid(values / row.scale) - samples["result"] / 2) ** 2)
    head, _, *lines = outcomes.table([row, row, row], counts.astype(float))
    assert head == f"300 games, {len(samples)} positions"
    assert float(lines[0].split()[2]) == pytest.approx(np.sqrt(wanted), abs=1e-5)
    assert lines[2].split()[3:] == ["+0.00000", "+-", "0.00000"] * 2


def test_the_command_reads_logged_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_games(tmp_path / "a.games", [2, 0, 1, 2])
    assert gauge.main(["<internal>", "<internal>", "--results", str(tmp_path / "a.games")]) == 0
    head, _, *rows = capsys.readouterr().out.splitlines()
    assert head == "4 games, 8 positions"
    assert rows[1].split() == [*rows[0].split(), *["+0.00000", "+-", "0.00000"] * 2]


def test_what_is_no_game_or_no_network_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = tmp_path / "a.games", tmp_path / "bad"
    write_games(good, [2, 0, 1, 2])
    bad.write_bytes(b"nothing of the kind")
    for words in (["--results", str(bad)], [str(bad), "--results", str(good)]):
        with pytest.raises(SystemExit) as refused:
            leave(gauge.main, words)
        error = capsys.readouterr().err
        assert refused.value.code == 2 and error.count("\n") == 1 and str(bad) in error
