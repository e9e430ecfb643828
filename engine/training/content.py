"""What files of games contain: the lines of `sssnake data info`, the verdicts of `sssnake data check`."""

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sssnake.engine.common.messages import reason
from sssnake.engine.games import gamelog, outcome
from sssnake.engine.training import dataset
from sssnake.engine.training.dataset import Filter, Samples
from sssnake.engine.training.shards import (
    Inventory,
    bounded,
    correlation,
    inventory,
    sign_problem,
    up_a_queen,
)

EVERYTHING = Filter(skip_plies=0, score_limit=gamelog.MAX_SCORE)
BOARD_BYTES = 24  # at the head of a sample
BINS = (-1000, -500, -200, -100, -50, 0, 50, 100, 200, 500, 1000)  # centipawns
BAR = 40  # characters
LEFT_OUT = ("in_check", "tactical", "unscored")  # reasons, as the collector counts them


@dataclass
class Content:
    """The contents of one or several files."""

    samples: Samples
    starts: list[tuple[bytes, int, int]]  # (start, White's result, plies) of every game
    counts: Counter[str]


def read(path: Path, found: Inventory) -> Content:
    """Replay a file. OSError; ValueError if it is no log or has a corrupt game."""
    collector, starts = dataset.replay(path, EVERYTHING)
    counts = Counter({name: getattr(collector, name) for name in ("plies", *LEFT_OUT)})
    counts["rest"], counts["same games"] = found.rest, found.again.total()
    return Content(np.frombuffer(collector.samples_so_far(), dataset.SAMPLE), starts, counts)


def read_all(paths: list[Path]) -> Content:
    """Read several files as one; repeated games are counted across files. Errors as of `read`."""
    known: dict[bytes, Path] = {}
    contents = []
    for path in paths:
        found = inventory(path, known)
        contents.append(read(path, found))
        known |= found.new
    return joined(contents)


def joined(contents: list[Content]) -> Content:
    """Join the contents of several files."""
    return Content(
        np.concatenate([content.samples for content in contents]),
        [start for content in contents for start in content.starts],
        sum((content.counts for content in contents), Counter()),
    )


# -- description -----------------------------------------------------------------------------------


def describe(content: Content) -> Iterator[str]:
    """The lines of `info`."""
    samples, starts, counts = content.samples, content.starts, content.counts
    games, plies = len(starts), max(counts["plies"], 1)
    chess960 = sum(start[29] for start, _, _ in starts)
    yield f"games            {games} ({plies / games:.1f} plies each), {share(chess960, games)} Chess960"
    results = Counter(result for _, result, _ in starts)
    named = {
        outcome.WHITE_WON: "White won",
        outcome.DRAWN: "drawn",
        outcome.BLACK_WON: "Black won",
    }
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
        yield f"half-written     {counts['rest']} bytes at the end, ignored"
    yield from labels(samples)


def board_bytes(samples: Samples) -> Samples:
    """The bytes of each sample that describe the board."""
    rows = np.ascontiguousarray(samples).view(np.uint8).reshape(len(samples), -1)
    return np.ascontiguousarray(rows[:, :BOARD_BYTES]).view(f"V{BOARD_BYTES}")


def labels(samples: Samples) -> Iterator[str]:
    """The distribution of scores, and their relation to results."""
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
    bins = np.digitize(scores, BINS)
    sizes = np.bincount(bins, minlength=len(BINS) + 1)
    edges = ["", *map(str, BINS), ""]
    for i, size in enumerate(sizes):
        bar = "#" * round(BAR * size / sizes.max())
        mean = results[bins == i].mean() if size else float("nan")
        part = share(int(size), len(samples))
        yield f"{edges[i]:>6} ..{edges[i + 1]:>6} {part:>7} {mean:6.3f}  {bar}".rstrip()


def share(part: int, whole: int) -> str:
    """A percentage as text."""
    return f"{100 * part / max(whole, 1):.1f} %"


def check(paths: list[Path]) -> int:
    """Print a line for each file, on stderr if it is refused; 1 if one is refused."""
    refused = 0
    known: dict[bytes, Path] = {}
    for path in paths:
        try:
            found = inventory(path, known)
            content = read(path, found)
        except (OSError, ValueError) as error:
            problem = reason(error)
        else:
            wrong = found.problem(tolerated=0) or sign_problem(content.samples)
            problem = f"{path}: {wrong}" if wrong else ""
        if not problem:
            known |= found.new  # the games of refused files do not count as known
        print(problem or f"{path}: good", file=sys.stderr if problem else sys.stdout)
        refused |= bool(problem)
    return refused
