"""How strong the levels are: `python docs/measurements/levels.py [STOCKFISH OPENINGS [CONCURRENCY]]`.

With the names of a Stockfish and a file of openings it plays the matches of levels.csv that the documents
show again, for two hours. Then it fits the levels to them, and writes the tables of the documents.
CALIBRATION in engine/player/skill.py is the result, typed in.
"""

import datetime
import json
import shlex
import sys
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import tables
from present import sssnake, version

from sssnake.engine.games.elo import Z95
from sssnake.engine.player.skill import CALIBRATION

OWN = "level "  # an opponent of this name is a level of ours, any other a value of Stockfish's UCI_Elo
ELO = np.log(10) / 400  # of the logistic curve, per Elo
ROUNDS = 50  # of Newton's method; ten are enough

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Fitted:
    """Elo of each level with its error, and how much Stockfish's differences count in these games."""

    elo: dict[int, tuple[float, float]]
    stretch: tuple[float, float]


def fit(rows: list[dict[str, str]]) -> Fitted:
    """Logistic regression: the log odds of a point are strength(level) - strength(opponent).

    The strength of a Stockfish is a slope times its Elo. A draw counts as half a win and half a loss, so
    errors are on the safe side.
    """
    levels = sorted({int(row["level"]) for row in rows})
    design = np.zeros((len(rows), len(levels) + 1))
    for line, row in zip(design, rows, strict=True):
        line[levels.index(int(row["level"]))] = 1
        if row["opponent"].startswith(OWN):
            line[levels.index(int(row["opponent"].removeprefix(OWN)))] = -1
        else:
            line[-1] = -int(row["opponent"]) * ELO
    games, points = (np.array([float(row[key]) for row in rows]) for key in ("games", "points"))
    found = np.zeros(len(levels) + 1)
    for _ in range(ROUNDS):
        expected = 1 / (1 + np.exp(-design @ found))
        information = design.T @ (design * (games * expected * (1 - expected))[:, None])
        found += np.linalg.solve(information, design.T @ (points - games * expected))
    covariance = np.linalg.inv(information)
    slope = found[-1]  # that of Stockfish's levels: it counts for ours, too
    elo = {}
    for index, level in enumerate(levels):
        gradient = np.zeros(len(found))
        gradient[index], gradient[-1] = 1 / (slope * ELO), -found[index] / (slope**2 * ELO)
        error = Z95 * float(np.sqrt(gradient @ covariance @ gradient))
        elo[level] = (float(found[index] / (slope * ELO)), error)
    return Fitted(elo, (float(slope), Z95 * float(np.sqrt(covariance[-1, -1]))))


def played(row: dict[str, str], stockfish: str, openings: str, concurrency: str) -> dict[str, str]:
    """The row with its match played again by the version of this checkout."""
    words = shlex.split(row["command"])[1:]
    elo = dict(CALIBRATION).get(float(row["level"]))
    for place, word in enumerate(words):
        if word.startswith("UCI_Elo=") and words[place - 1] == "--option-a":
            words[place] = f"UCI_Elo={elo}"  # what the level is called by now
    names = {"sssnake": f"{sys.executable} -m sssnake", "stockfish": stockfish, "OPENINGS": openings}
    text = sssnake([names.get(word, word) for word in words] + ["--json", "--concurrency", concurrency])
    (found,) = json.loads(text)["pairings"]
    elo, error = (found[key] for key in ("elo", "error"))
    return {
        **row,
        "date": datetime.date.today().isoformat(),
        "commit": version(),
        "command": " ".join(["sssnake", *(f'"{word}"' if " " in word else word for word in words)]),
        "games": str(found["games"]),
        "points": f"{found['points']:g}",
        "result": "" if elo is None else f"{elo:+.0f}",
        "error": "" if error is None else f"{error:.0f}",
    }


def main() -> int:
    """Play where asked to, fit, write the tables."""
    rows = tables.measurements("levels")
    matches = [place for place, row in enumerate(rows) if "level_games" in row["table"].split()]
    if len(sys.argv) > 2:
        for place in matches:
            rows[place] = played(rows[place], *sys.argv[1:3], (*sys.argv[3:], "1")[0])
            tables.save("levels", rows)
    fitted = fit([rows[place] for place in matches])
    for row in rows:
        if "levels" in row["table"].split():
            elo, error = fitted.elo[int(row["level"])]
            row["result"] = row["elo"] = f"{round(elo, -1):.0f}"
            row["error"] = f"{error:.0f}"
            row["date"], row["commit"] = (rows[matches[-1]][key] for key in ("date", "commit"))
            print(f"    ({row['level']}.0, {row['elo']}),")
    tables.save("levels", rows)
    print(f"differences count {fitted.stretch[0]:.2f} +- {fitted.stretch[1]:.2f} times")
    return tables.main()


if __name__ == "__main__":
    sys.exit(main())
