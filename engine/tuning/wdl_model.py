"""The model of UCI_ShowWDL: its likelihood, the fit of its coefficients, and how they are written."""

import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize
from scipy.special import expit

from sssnake.engine.common.files import save_text
from sssnake.engine.common.inputs import read_text
from sssnake.engine.games import gamelog
from sssnake.engine.player import wdl

LEAST = 1e-9  # lower limit of probabilities
START = (100.0, 0.0, 0.0, 60.0, 0.0, 0.0)
SCALE = 100.0  # the optimiser's unit, centipawns
TIGHTEST = 5.0  # centipawns: lower limit of the spread
BINS = (-400, -200, -100, -50, 0, 50, 100, 200, 400)  # of the table that is printed

Floats = npt.NDArray[np.float64]


def load(paths: list[Path], every: int) -> tuple[Floats, Floats, Floats]:
    """(score, material share, result 0..2) of every `every`-th scored position. ValueError: no such."""
    rows: list[tuple[int, float, int]] = []
    seen = 0
    for path in paths:
        for game in gamelog.read_games(path):
            for board, _move, score in game.positions():
                if abs(score) > gamelog.MAX_SCORE:
                    continue
                seen += 1
                if seen % every == 0:
                    share = min(wdl.material(board.board_fen()) / wdl.FULL, 1.0)
                    rows.append((score, share, game.result))
    if not rows:
        raise ValueError("no position with a score in these logs")
    columns = np.array(rows, dtype=np.float64).T
    return columns[0], columns[1], columns[2]


def probabilities(coefficients: Floats, score: Floats, share: Floats) -> Floats:
    """Shape (positions, 3): loss, draw, win for White."""
    powers = np.stack([np.ones_like(share), share, share**2])
    centre = coefficients[:3] @ powers
    spread = np.maximum(coefficients[3:] @ powers, TIGHTEST)
    win, loss = (expit((x - centre) / spread) for x in (score, -score))
    return np.asarray(np.maximum(np.stack([loss, 1 - win - loss, win], axis=1), LEAST))


def fit(score: Floats, share: Floats, result: Floats) -> tuple[Floats, float]:
    """(coefficients of centre and spread, loss per position in nats)."""
    index = result.astype(np.intp)[:, None]

    def loss(scaled: Floats) -> float:
        chances = probabilities(scaled * SCALE, score, share)
        return float(-np.log(np.take_along_axis(chances, index, 1)).mean())

    options = {"maxiter": 4000, "fatol": 1e-7}
    found = minimize(loss, np.array(START) / SCALE, method="Nelder-Mead", options=options)
    return found.x * SCALE, float(found.fun)


def table(coefficients: Floats, score: Floats, share: Floats, result: Floats) -> str:
    """Predicted and observed win/draw/loss, per mille, by score."""
    chances = probabilities(coefficients, score, share)
    lines = [f"{'score':>12} {'positions':>10}   predicted W D L   observed W D L"]
    edges = (-np.inf, *BINS, np.inf)
    for low, high in pairwise(edges):
        here = (score >= low) & (score < high)
        if here.any():
            told = 1000 * chances[here].mean(axis=0)[::-1]
            was = [1000 * float((result[here] == outcome).mean()) for outcome in (2, 1, 0)]
            shown = "   ".join(" ".join(f"{value:5.0f}" for value in triple) for triple in (told, was))
            lines.append(f"{low:>5.0f} ..{high:>5.0f} {here.sum():>10} {shown}")
    return "\n".join(lines)


def lines(coefficients: Floats) -> dict[str, str]:
    """The two lines of source, by name."""
    found = {}
    for name, triple in (("CENTRE", coefficients[:3]), ("SPREAD", coefficients[3:])):
        found[name] = f"{name} = ({', '.join(f'{value:.1f}' for value in triple)})"
    return found


def write(coefficients: Floats, path: Path) -> None:
    """Replace the two lines of coefficients in `path`."""
    text = read_text(path)
    for name, line in lines(coefficients).items():
        text, count = re.subn(rf"^{name} = \(.*?\)", line, text, count=1, flags=re.MULTILINE)
        if not count:
            raise ValueError(f"{path}: no line '{name} = (...)'")
    save_text(path, text)
