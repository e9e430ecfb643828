"""Elo from game pairs: difference with error, likelihood of superiority, sequential test.

Two games on one opening with colours reversed are one trial with five outcomes (0, 1/2, 1, 3/2, 2 points):
the pentanomial model. Unlike counts of single games it is free of the variance of the openings. Sources: M.
Van den Bergh, "The Generalized Sequential Probability Ratio Test for Chess" (2017) and "Comments on
Normalized Elo" (2020); A. Wald, "Sequential Analysis" (1947).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean, pvariance

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)  # mean points a game of a pair, for the five outcomes
GAME_SCORES = (0.0, 0.5, 1.0)  # loss, draw, win
NORMAL = NormalDist()
Z95 = NORMAL.inv_cdf(0.975)  # half width of a 95 % interval, in standard deviations
NELO = 800 / math.log(10)  # normalized Elo of one standard deviation of a single game
MOST_ELO = 2000  # of a hypothesis: beyond, an expected score is 0 or 1
RARE = 1e-3  # the count of an outcome that was never seen, to keep likelihoods finite


def expected_score(elo: float) -> float:
    """Expected points a game (0..1) of a player `elo` stronger: the logistic model."""
    return 1 / (1 + math.pow(10, -elo / 400))


def elo_difference(score: float) -> float:
    """Elo difference at which `score` (0..1) is expected; infinite at the ends."""
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return 400 * math.log10(score / (1 - score))


@dataclass(frozen=True)
class Estimate:
    """Points a game, Elo and normalized Elo with 95 % half widths, likelihood of superiority (0..1)."""

    score: float
    elo: float
    error: float
    nelo: float
    nelo_error: float
    los: float

    def __str__(self) -> str:
        if math.isnan(self.error):
            return "Elo ?"
        error = "?" if math.isinf(self.error) else f"{self.error:.1f}"
        return f"Elo {self.elo:+.1f} +- {error}, LOS {100 * self.los:.1f} %"


def moments(counts: Sequence[float]) -> tuple[float, float, float]:
    """Number of trials, mean and variance of their score (0..1); five counts: pairs, three: single games."""
    values = _values(counts)
    total = sum(counts)
    if total <= 0:
        return 0.0, 0.5, 0.0
    mean = sum(n * v for n, v in zip(counts, values, strict=True)) / total
    return total, mean, sum(n * (v - mean) ** 2 for n, v in zip(counts, values, strict=True)) / total


def estimate(counts: Sequence[float]) -> Estimate:
    """Estimate from pentanomial counts (or loss, draw, win counts); errors are nan without a game.

    The error is half of the 95 % interval of the score, converted to Elo. It is infinite if the interval
    leaves (0, 1), or if the sample has no variance; the LOS then assumes the variance of games without draws.
    """
    return _estimate(*moments(counts), games=len(counts) // 2)


def estimate_pairs(scores: Sequence[float]) -> Estimate:
    """Estimate from the mean points a game (0..1) of pairs, where any number between is possible."""
    if not scores:
        return _estimate(0, 0.5, 0.0, games=2)
    return _estimate(len(scores), fmean(scores), pvariance(scores), games=2)


def _estimate(total: float, mean: float, variance: float, games: int) -> Estimate:
    """Estimate from `total` trials of `games` games each."""
    if total == 0:
        return Estimate(0.5, 0.0, math.nan, 0.0, math.nan, 0.5)
    if variance == 0:
        los = NORMAL.cdf((mean - 0.5) * 2 * math.sqrt(games * total))
        nelo = 0.0 if mean == 0.5 else math.copysign(math.inf, mean - 0.5)
        return Estimate(mean, elo_difference(mean), math.inf, nelo, math.inf, los)
    deviation = math.sqrt(variance / total)
    error = (elo_difference(mean + Z95 * deviation) - elo_difference(mean - Z95 * deviation)) / 2
    nelo = NELO * (mean - 0.5) / math.sqrt(games * variance)
    los = NORMAL.cdf((mean - 0.5) / deviation)
    return Estimate(mean, elo_difference(mean), error, nelo, NELO * Z95 / math.sqrt(games * total), los)


def log_likelihood_ratio(counts: Sequence[float], elo0: float, elo1: float) -> float:
    """GSPRT: log of (likelihood under `elo1` / under `elo0`), each at its most likely distribution."""
    if sum(counts) == 0:
        return 0.0
    sample = [n if n > 0 else RARE for n in counts]
    values = _values(counts)
    total = sum(sample)
    frequencies = [n / total for n in sample]
    p0 = _most_likely(frequencies, values, expected_score(elo0))
    p1 = _most_likely(frequencies, values, expected_score(elo1))
    return sum(n * math.log(b / a) for n, a, b in zip(sample, p0, p1, strict=True))


@dataclass(frozen=True)
class Sprt:
    """Wald's sequential test of H1 "the difference is elo1" against H0 "it is elo0" (logistic Elo)."""

    elo0: float
    elo1: float
    alpha: float = 0.05  # chance of accepting H1 under H0
    beta: float = 0.05  # chance of accepting H0 under H1

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise ValueError("sprt: ELO0 must be below ELO1")
        if max(abs(self.elo0), abs(self.elo1)) > MOST_ELO:
            raise ValueError(f"sprt: ELO0 and ELO1 lie between -{MOST_ELO} and {MOST_ELO}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError("sprt: alpha and beta must lie between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log likelihood ratios at which H0 and H1 are accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, counts: Sequence[float]) -> float:
        """Log likelihood ratio of pentanomial counts."""
        return log_likelihood_ratio(counts, self.elo0, self.elo1)

    def verdict(self, counts: Sequence[float]) -> str:
        """ "H1", "H0", or "" while the test goes on."""
        lower, upper = self.bounds
        llr = self.llr(counts)
        return "H1" if llr >= upper else "H0" if llr <= lower else ""

    def describe(self, counts: Sequence[float]) -> str:
        """One phrase: the ratio, the bounds, the hypotheses and the verdict."""
        lower, upper = self.bounds
        verdict = {"H1": "H1 accepted", "H0": "H0 accepted", "": "undecided"}[self.verdict(counts)]
        llr = self.llr(counts)
        return f"LLR {llr:.2f} ({lower:.2f}, {upper:.2f}) [{self.elo0:g}, {self.elo1:g}] {verdict}"


def _values(counts: Sequence[float]) -> tuple[float, ...]:
    if len(counts) == len(PAIR_SCORES):
        return PAIR_SCORES
    if len(counts) == len(GAME_SCORES):
        return GAME_SCORES
    raise ValueError("counts must be five (pairs) or three (games)")


def _most_likely(frequencies: Sequence[float], values: Sequence[float], mean: float) -> list[float]:
    """The distribution of the given mean under which the observed frequencies are most likely.

    It is p_i = f_i / (1 + t (v_i - mean)) with the t that makes the mean right (Van den Bergh 2017); the
    condition falls strictly in t, so bisection between its two poles finds t.
    """
    low, high = -1 / (max(values) - mean), 1 / (mean - min(values))
    for _ in range(100):
        t = (low + high) / 2
        if sum(f * (v - mean) / (1 + t * (v - mean)) for f, v in zip(frequencies, values, strict=True)) > 0:
            low = t
        else:
            high = t
    return [f / (1 + t * (v - mean)) for f, v in zip(frequencies, values, strict=True)]
