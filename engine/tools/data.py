"""data: what files of games hold (`info`), and whether they may be learnt from (`check`).

The sign test catches labels from the wrong side's view, which otherwise show only as a weak network: scores
and results must go together, and a queen more must be good for its owner, for White and for Black each.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from engine.tools import dataset, gamelog
from engine.tools.arguments import Parser
from engine.tools.dataset import BLACK_MOVES, Filter, Floats, Samples

EVERYTHING = Filter(skip_plies=0, score_limit=gamelog.MAX_SCORE)
PIECE_VALUES = np.array([1, 3, 3, 5, 9, 0])  # pawns; for "up a queen"
QUEEN = 4
BOARD_BYTES = 24  # at the head of a sample
BINS = (-1000, -500, -200, -100, -50, 0, 50, 100, 200, 500, 1000)  # centipawns
BAR = 40  # characters
LEFT_OUT = ("in_check", "tactical", "unscored")  # reasons, as the collector counts them


@dataclass
class Content:
    """All that a file, or several, hold."""

    samples: Samples
    starts: list[tuple[bytes, int, int]]  # (start, White's result, plies) of every game
    counts: Counter[str]


def read(path: Path) -> Content:
    """Replay a file. OSError; ValueError where it is no log or a game in it is corrupt."""
    collector, starts = dataset.replay(path, EVERYTHING)
    counts = Counter({name: getattr(collector, name) for name in ("plies", *LEFT_OUT)})
    counts["rest"] = path.stat().st_size - whole_bytes(starts)
    counts["same games"] = same_games(path)
    return Content(np.frombuffer(collector.samples_so_far(), dataset.SAMPLE), starts, counts)


def whole_bytes(starts: list[tuple[bytes, int, int]]) -> int:
    """The length of these games in a file."""
    return sum(gamelog.START.size + gamelog.PLY.size * plies for _, _, plies in starts)


def same_games(path: Path) -> int:
    """How many games of a file repeat an earlier one move for move."""
    games = Counter((start, bytes(moves)) for start, moves, _ in gamelog.raw_games(path))
    return sum(games.values()) - len(games)


def joined(contents: list[Content]) -> Content:
    """Several as one."""
    return Content(
        np.concatenate([content.samples for content in contents]),
        [start for content in contents for start in content.starts],
        sum((content.counts for content in contents), Counter()),
    )


# -- the sign test ---------------------------------------------------------------------------------


def correlation(scores: Floats, results: Floats) -> float:
    """Pearson's; NaN where one of them never varies."""
    if len(scores) < 2 or not scores.std() or not results.std():
        return float("nan")
    return float(np.corrcoef(scores, results)[0, 1])


def bounded(samples: Samples) -> Floats:
    """Scores of the mover, squeezed to -1..1, so that won games do not outweigh the others."""
    return np.asarray(np.tanh(samples["score"] / 400))


def up_a_queen(samples: Samples) -> Floats:
    """For each sample 1 where the mover is a queen up (in queens and in all), -1: the other, 0: none."""
    sample, code, _ = dataset.placements(samples)
    sign = 1 - 2 * (code & 1)
    queens = np.bincount(sample, sign * (code >> 1 == QUEEN), len(samples))
    material = np.bincount(sample, sign * PIECE_VALUES[code >> 1], len(samples))
    ahead = (queens > 0) & (material >= PIECE_VALUES[QUEEN])
    behind = (queens < 0) & (material <= -PIECE_VALUES[QUEEN])
    return np.asarray(ahead * 1.0 - behind)


def sign_problem(samples: Samples) -> str | None:
    """What is wrong with the labels, None if nothing."""
    for flag, mover in ((0, "White"), (BLACK_MOVES, "Black")):
        part = samples[samples["flags"] & BLACK_MOVES == flag]
        together = correlation(bounded(part), part["result"].astype(float))
        if not together > 0:
            found = "are not correlated" if np.isnan(together) else f"have correlation {together:.2f}"
            return f"score and result {found} where {mover} is to move"
        owner = up_a_queen(part)
        for label, known in (("score", bounded(part)), ("result", part["result"] - 1.0)):
            mean = float((owner * known).sum() / max(np.count_nonzero(owner), 1))
            if owner.any() and not mean > 0:
                return f"a queen more has a mean {label} of {mean:.2f} for its owner where {mover} is to move"
    return None


def problem(path: Path) -> str | None:
    """Why a file may not be learnt from, None if it may."""
    try:
        content = read(path)
    except (OSError, ValueError) as error:
        return str(error)
    if content.counts["rest"]:
        return f"{path}: truncated: {content.counts['rest']} bytes behind game {len(content.starts)}"
    wrong = sign_problem(content.samples)
    return wrong and f"{path}: {wrong}"


# -- description -----------------------------------------------------------------------------------


def describe(content: Content) -> Iterator[str]:
    """The lines of `info`."""
    samples, starts, counts = content.samples, content.starts, content.counts
    games, plies = len(starts), max(counts["plies"], 1)
    chess960 = sum(start[29] for start, _, _ in starts)
    yield f"games            {games} ({plies / games:.1f} plies each), {share(chess960, games)} Chess960"
    results = Counter(result for _, result, _ in starts)
    named = {gamelog.WHITE_WON: "White won", gamelog.DRAWN: "drawn", gamelog.BLACK_WON: "Black won"}
    shares = [f"{share(results[result], games)} {name}" for result, name in named.items()]
    yield f"results          {', '.join(shares)}"
    checks, tactical, unscored = (share(counts[name], plies) for name in LEFT_OUT)
    yield (
        f"positions        {counts['plies']}: {share(len(samples), plies)} quiet, {checks} in check, "
        f"{tactical} tactical, {unscored} mates or unscored"
    )
    repeated = share(len(samples) - len(np.unique(board_bytes(samples))), len(samples))
    yield f"repeated         {counts['same games']} games; {repeated} of the quiet positions"
    if counts["rest"]:
        yield f"half-written     {counts['rest']} bytes at the end, passed by"
    yield from labels(samples)


def board_bytes(samples: Samples) -> Samples:
    """The part of each sample that says what stands where."""
    rows = np.ascontiguousarray(samples).view(np.uint8).reshape(len(samples), -1)
    return np.ascontiguousarray(rows[:, :BOARD_BYTES]).view(f"V{BOARD_BYTES}")


def labels(samples: Samples) -> Iterator[str]:
    """How scores are distributed, and how they go with results."""
    scores, results = samples["score"].astype(float), samples["result"] / 2
    yield (
        f"labels           correlation {correlation(bounded(samples), results):.3f}; "
        f"sigmoid(score / {dataset.fit_scale(scores, results):.0f} cp) is nearest to the results"
    )
    owner = up_a_queen(samples)
    if owner.any():
        mean = float((owner * scores).sum() / np.count_nonzero(owner))
        yield f"a queen more     {np.count_nonzero(owner)} positions, {mean:+.0f} cp for its owner"
    yield "score, mover's view: share of the positions, mean result"
    chest = np.digitize(scores, BINS)
    sizes = np.bincount(chest, minlength=len(BINS) + 1)
    edges = ["", *map(str, BINS), ""]
    for i, size in enumerate(sizes):
        bar = "#" * round(BAR * size / sizes.max())
        mean = results[chest == i].mean() if size else float("nan")
        part = share(int(size), len(samples))
        yield f"{edges[i]:>6} ..{edges[i + 1]:>6} {part:>7} {mean:6.3f}  {bar}".rstrip()


def share(part: int, whole: int) -> str:
    """As a percentage."""
    return f"{100 * part / max(whole, 1):.1f} %"


def check(paths: list[Path]) -> int:
    """A line a file, on stderr where it is refused; 1 if any is."""
    refused = 0
    for path in paths:
        wrong = problem(path)
        print(wrong or f"{path}: good", file=sys.stderr if wrong else sys.stdout)
        refused |= wrong is not None
    return refused


def main(argv: list[str]) -> int:
    """`sssnake data info|check FILE...`: check exits with 1 where a file is refused."""
    parser = Parser("sssnake data", description=__doc__)
    parser.add_argument("action", choices=("info", "check"))
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="game logs of datagen or match")
    args = parser.parse_args(argv)
    if args.action == "check":
        return check(args.files)
    try:
        content = joined([read(path) for path in args.files])
    except (OSError, ValueError) as error:
        parser.error(str(error))
    print(*describe(content), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
