"""What compatibility.py asks of match runners: clocks, the words before a game, error bars, SPRT."""

import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from measure.programs import Runner
from measure.questions import NO_ANSWER, TAGS, Ask, Question

DRAWN = f"{TAGS}\n1. e4 e5 *\n\n"
# Black's first engine mates with Qh4 where White has opened the diagonal, and makes the move elsewhere too.
MATED, ALIVE = f"{TAGS}\n1. f3 e5 2. g4 *\n\n", f"{TAGS}\n1. e4 e5 2. Nf3 *\n\n"
MATES, MATES_NOT = ["d8h4"], ["a7a6"]
SPRT = "-sprt elo0=0 elo1=10 alpha=0.05 beta=0.05"


def of_runner(look: Callable[[str, list[str]], str]) -> Ask:
    """A question for a match runner: two drawn games, its output and what the first engine was told."""

    def ask(program: Any) -> str | None:
        if not isinstance(program, Runner):
            return None
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            said = program.match(folder, DRAWN, ["g1f3", "g8f6", "f3g1", "f6g8"] * 4, 2)
            return look(said, (folder / "a.log").read_text(encoding="utf-8").splitlines())

    return ask


def first_clock(_said: str, log: list[str]) -> str:
    """The clock of the first move of 10+1."""
    return next(re.search(r"wtime (\d+)", line)[1] for line in log if line.startswith("go ")) + " ms"  # type: ignore[index]


def before_a_game(_said: str, log: list[str]) -> str:
    """The words between the first game and the second."""
    new = [number for number, line in enumerate(log) if line == "ucinewgame"]
    if not new:
        return "no `ucinewgame`"
    words = [line.split()[0] for line in log[new[-1] :]][:3]
    return f"{len(new)} in two games; `{'`, `'.join(words)}`"


def elo_of(said: str, _log: list[str]) -> str:
    """The last line of a runner's report that has Elo and its error."""
    found = re.findall(r"^\s*Elo(?: difference)?: (\S+ \+/- [^,\s]+(?:, LOS: \S+ %)?)", said, re.MULTILINE)
    return f"`{found[-1]}`" if found else NO_ANSWER


def ratio_of(said: str, _log: list[str]) -> str:
    """The last log likelihood ratio of a runner's report."""
    found = re.findall(r"\bllr:? (-?[\d.]+|-?nan|-?inf)", said, re.IGNORECASE)
    return f"`{found[-1]}`" if found else "refused"


def decisive(
    look: Callable[[str, list[str]], str], openings: str, wins: bool = False, models: tuple[str, ...] = ("",)
) -> Ask:
    """A question about games that the first engine does not lose: as Black it mates if it can.

    wins: as White it wins, too, for the other's move is not legal.
    """

    def ask(program: Any) -> str | None:
        if not isinstance(program, Runner):
            return None
        cells = []
        for model in models if program.name == "fastchess" else models[:1]:
            words = f"-maxmoves 4 -concurrency 1 {SPRT} {model and f'model={model}'}"
            games, theirs = 2 * openings.count("[Result "), ["a1a1"] if wins else MATES_NOT
            with tempfile.TemporaryDirectory() as folder:
                said = program.match(Path(folder), openings, MATES, 3, words, games, theirs)
                cells.append(look(said, []) + (f" ({model})" if model else ""))
        return "; ".join(cells)

    return ask


QUESTIONS = [
    Question(
        "The clock of the first move",
        "`10+1`: `wtime` in the first `go`.",
        of_runner(first_clock),
        "11000 ms",
    ),
    Question(
        "`ucinewgame` and `isready`",
        "What an engine is told before a game, with the same processes for two games.",
        of_runner(before_a_game),
        "2 in two games; `ucinewgame`, `isready`, `position`",
    ),
    Question("The error of one pair", "Two draws: Elo and its error.", of_runner(elo_of), "`+0.0 +- ?`"),
    Question(
        "The error of a pair with a win",
        "A win and a draw. An interval of one pair is no interval.",
        decisive(elo_of, MATED),
        "`+190.8 +- ?`",
    ),
    Question(
        "The error of a pair that is won",
        "Two wins, the second by an illegal move of the other.",
        decisive(elo_of, MATED, wins=True),
        "`+inf +- ?`",
    ),
    Question(
        "The model of the SPRT",
        "0 against 10 Elo after six pairs, 3 of 1 point and 3 of 1½: the log likelihood ratio, without a "
        "model and with each. SSSnake: logistic Elo, pairs. Normalized Elo are other Elo; cutechess-cli "
        "counts single games.",
        decisive(ratio_of, (MATED + ALIVE) * 3, models=("", "logistic", "normalized", "bayesian")),
        "`0.17`",
    ),
]
