"""Elo, LOS and SPRT against published figures, scipy's optimizer and simulated tests."""

import math
import random

import pytest

from sssnake.engine.games.elo import (
    Sprt,
    elo_difference,
    estimate,
    estimate_pairs,
    expected_score,
    log_likelihood_ratio,
    moments,
)

# Pair counts (0, 1/2, 1, 3/2, 2 points) with what fastchess's test suite states for them.
PENTANOMIAL = [
    ((34, 54, 63, 64, 75), 55.58, 27.65, 57.94, 28.28, 1.0),
    ((332, 433, 498, 333, 334), -8.64, 10.33, -9.17, 10.96, 0.0505),
    ((7895, 8757, 5685, 568, 9999), -21.04, 2.95, -19.01, 2.65, 0.0),
]


@pytest.mark.parametrize(("counts", "elo", "error", "nelo", "nelo_error", "los"), PENTANOMIAL)
def test_published_pentanomial(
    counts: tuple[int, ...], elo: float, error: float, nelo: float, nelo_error: float, los: float
) -> None:
    found = estimate(counts)
    assert found.elo == pytest.approx(elo, abs=0.01)
    assert found.error == pytest.approx(error, abs=0.01)
    assert found.nelo == pytest.approx(nelo, abs=0.01)
    assert found.nelo_error == pytest.approx(nelo_error, abs=0.01)
    assert found.los == pytest.approx(los, abs=1e-4)


def test_pairs_one_by_one_say_the_same_as_their_counts() -> None:
    counts = (34, 54, 63, 64, 75)
    scores = [number / 4 for number, count in enumerate(counts) for _ in range(count)]
    assert str(estimate_pairs(scores)) == str(estimate(counts))
    nothing = estimate_pairs([])
    assert math.isnan(nothing.error) and (nothing.score, nothing.elo, nothing.los) == (0.5, 0.0, 0.5)
    assert estimate_pairs([0.55, 0.45, 0.6]).elo == pytest.approx(elo_difference(1.6 / 3))


def test_published_trinomial() -> None:
    found = estimate((96, 111, 136))
    assert (round(found.elo, 2), round(found.nelo, 2)) == (40.70, 49.77)
    assert found.error == pytest.approx(30.43, abs=0.01)
    assert found.nelo_error == pytest.approx(36.77, abs=0.01)
    assert found.los == pytest.approx(0.9960, abs=1e-4)


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "llr"),
    [
        ((223, 9863, 21279, 10037, 246), 0.5, 2.5, -3.07),
        ((871, 26175, 55983, 26678, 821), 0.0, 2.0, -4.98),
        ((21184, 40708, 21404), 0.5, 2.5, -1.57),
        ((57030, 106593, 57433), 0.0, 2.0, -2.59),
    ],
)
def test_published_llr(counts: tuple[int, ...], elo0: float, elo1: float, llr: float) -> None:
    assert log_likelihood_ratio(counts, elo0, elo1) == pytest.approx(llr, rel=0.01)


@pytest.mark.parametrize("counts", [(3, 20, 41, 30, 6), (40, 11, 5, 3, 1), (1, 0, 2, 0, 9)])
def test_llr_equals_constrained_optimum(counts: tuple[int, ...]) -> None:
    """The closed form against a direct numerical maximization of both likelihoods."""
    optimize = pytest.importorskip("scipy.optimize", reason="scipy is missing: pip install '.[tune]'")
    sample = [n or 1e-3 for n in counts]
    total = sum(sample)

    def best(mean: float) -> float:
        result = optimize.minimize(
            lambda p: -sum(n / total * math.log(x) for n, x in zip(sample, p, strict=True)),
            [0.2] * 5,
            bounds=[(1e-9, 1)] * 5,
            constraints=[
                {"type": "eq", "fun": lambda p: sum(p) - 1},
                {"type": "eq", "fun": lambda p: sum(x * i / 4 for i, x in enumerate(p)) - mean},
            ],
            method="SLSQP",
            options={"maxiter": 500, "ftol": 1e-13},
        )
        return -total * float(result.fun)

    expected = best(expected_score(10)) - best(expected_score(-10))
    assert log_likelihood_ratio(counts, -10, 10) == pytest.approx(expected, abs=2e-3)


def test_llr_near_brownian_approximation() -> None:
    """For small differences LLR = (s1 - s0) (2 mean - s0 - s1) N / (2 variance) to first order."""
    counts = (50, 2000, 4100, 2150, 60)
    total, mean, variance = moments(counts)
    s0, s1 = expected_score(0), expected_score(5)
    approximation = (s1 - s0) * (2 * mean - s0 - s1) * total / (2 * variance)
    assert log_likelihood_ratio(counts, 0, 5) == pytest.approx(approximation, rel=0.02)


def test_logistic_model() -> None:
    assert expected_score(400) == pytest.approx(10 / 11)
    assert elo_difference(0.75) == pytest.approx(190.85, abs=0.01)
    for elo in (-300.0, 0.0, 12.5):
        assert elo_difference(expected_score(elo)) == pytest.approx(elo)


def test_mirrored_counts_mirror_the_result() -> None:
    counts = (5, 20, 41, 30, 9)
    one, two = estimate(counts), estimate(counts[::-1])
    assert one.elo == pytest.approx(-two.elo)
    assert one.error == pytest.approx(two.error)
    assert one.los == pytest.approx(1 - two.los)
    assert Sprt(-5, 5).llr(counts) == pytest.approx(-Sprt(-5, 5).llr(counts[::-1]))


def test_edges() -> None:
    assert math.isnan(estimate((0, 0, 0, 0, 0)).error)
    assert "?" in str(estimate((0, 0, 0, 0, 0)))
    won = estimate((0, 0, 0, 0, 7))
    assert won.elo == math.inf
    assert won.los == pytest.approx(0.9999, abs=1e-4)  # (wins - losses) / sqrt(wins + losses) = sqrt(14)
    assert estimate((0, 0, 0, 0, 1)).los == pytest.approx(0.921, abs=1e-3)
    assert estimate((1, 0, 0, 0, 0)).los == pytest.approx(0.079, abs=1e-3)
    drawn = estimate((0, 0, 7, 0, 0))
    assert (drawn.elo, drawn.nelo, drawn.los) == (0.0, 0.0, 0.5)
    assert Sprt(0, 5).llr((0, 0, 0, 0, 0)) == 0.0
    assert Sprt(0, 5).verdict((0, 0, 0, 0, 600)) == "H1"
    assert Sprt(0, 5).verdict((600, 0, 0, 0, 0)) == "H0"


@pytest.mark.parametrize(
    "arguments", [(5, 0), (5, 5), (0, 5, 0.0, 0.05), (0, 5, 0.05, 0.7), (-2e5, 0), (0, 6500)]
)
def test_bad_sprt_is_refused(arguments: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="sprt"):
        Sprt(*arguments)


def test_wrong_number_of_counts_is_refused() -> None:
    with pytest.raises(ValueError, match="five"):
        estimate((1, 2, 3, 4))


def test_bounds_when_the_two_errors_differ() -> None:
    """A strict alpha asks for much evidence of H1, a strict beta for much evidence of H0."""
    strict_alpha, strict_beta = Sprt(0, 5, 0.01, 0.1), Sprt(0, 5, 0.1, 0.01)
    assert strict_alpha.bounds == pytest.approx((-2.2925, 4.4998), abs=1e-4)
    assert strict_beta.bounds == pytest.approx((-4.4998, 2.2925), abs=1e-4)
    better = (60, 240, 400, 300, 100)
    assert strict_alpha.llr(better) == pytest.approx(3.34, abs=0.01)
    assert (strict_alpha.verdict(better), strict_beta.verdict(better)) == ("", "H1")


def test_sprt_error_rates() -> None:
    """Under H0, H1 is accepted in about alpha of the simulated tests; bounds are Wald's."""
    test = Sprt(0, 60)
    assert test.bounds == pytest.approx((-2.944, 2.944), abs=1e-3)
    rng = random.Random(7)
    wrong = 0
    for _ in range(100):
        counts = [0] * 5
        while not (verdict := test.verdict(counts)):
            for _ in range(5):
                counts[rng.choices(range(5), (1, 4, 6, 4, 1))[0]] += 1
        wrong += verdict == "H1"
    assert 0 < wrong <= 11  # alpha = 0.05 means 5 +- 2; overshoot makes it fewer
