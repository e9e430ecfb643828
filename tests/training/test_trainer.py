"""trainer: gradients and steps against finite differences and PyTorch, and what it refuses."""

from itertools import pairwise

import pytest

np = pytest.importorskip("numpy", reason="numpy is missing: pip install '.[tune]'")
pytest.importorskip("scipy", reason="scipy is missing: pip install '.[tune]'")

from sssnake._fast.training import trainer
from sssnake._fast.training.samples import features
from sssnake.engine.training import dataset
from sssnake.engine.training.config import Config, Training
from sssnake.engine.training.dataset import Floats, Samples
from sssnake.engine.training.trainer import Numbers, targets

AIM = trainer.Objective(result_weight=0.3, score_scale=300.0, share=1.0)


def random_parameters(hidden: int, buckets: int, seed: int = 1) -> Numbers:
    """Large enough that neurons lie below, within and above the activation's slope."""
    rng = np.random.default_rng(seed)
    numbers: Numbers = rng.uniform(-0.4, 0.5, trainer.size(hidden, buckets)).astype(np.float32)
    return numbers


def gradient_of(parameters: Numbers, samples: Samples, hidden: int, buckets: int) -> tuple[float, Numbers]:
    """Mean loss over all samples and its gradient."""
    out = np.empty_like(parameters)
    order = np.arange(len(samples))
    total = trainer.gradient(
        parameters, dataset.raw(samples), order, out, (hidden, buckets), AIM._replace(share=1 / len(samples))
    )
    return total / len(samples), out


def as_in_file(parameters: Numbers, hidden: int, buckets: int) -> Numbers:
    """The parameters, rounded as in the network file."""
    ends = np.cumsum([769 * hidden, 2 * buckets * hidden])
    parts = zip(np.split(parameters, ends), (255, 64, 255 * 64), strict=True)
    rounded: Numbers = np.concatenate([np.rint(part * unit) / unit for part, unit in parts])
    return rounded


def beside_edges(parameters: Numbers, hidden: int, buckets: int, gap: float) -> Floats:
    """As in the file, but for a smaller bias: on an edge of the activation there is no derivative."""
    rounded = as_in_file(parameters, hidden, buckets).astype(np.float64)
    rounded[768 * hidden : 769 * hidden] -= gap
    return rounded


def exact_loss(parameters: Floats, samples: Samples, hidden: int, buckets: int) -> float:
    """The mean loss, by the definition, in double precision."""
    ends = np.cumsum([768 * hidden, hidden, 2 * buckets * hidden])
    weights, bias, out, out_bias = np.split(parameters, ends)
    total = 0.0
    for sample in samples:
        views = [weights.reshape(768, hidden)[view].sum(axis=0) + bias for view in features(sample.tobytes())]
        bucket = (int(sample["occupied"]).bit_count() - 2) * buckets // 31
        neurons = np.clip(np.concatenate(views), 0, 1) ** 2
        value = out_bias[bucket] + neurons @ out.reshape(buckets, -1)[bucket]
        wanted = AIM[0] * sample["result"] / 2 + (1 - AIM[0]) / (1 + np.exp(-sample["score"] / AIM[1]))
        total += (1 / (1 + np.exp(-value)) - wanted) ** 2
    return float(total / len(samples))


@pytest.mark.parametrize(("hidden", "buckets"), [(16, 1), (48, 4), (80, 8), (256, 2)])
def test_the_gradient_is_that_of_the_loss(hidden: int, buckets: int, samples: Samples) -> None:
    """At the rounded parameters, along directions that touch one part of them each: central differences."""
    rng = np.random.default_rng(2)
    part = samples[rng.choice(len(samples), 40, replace=False)]
    parameters = random_parameters(hidden, buckets)
    loss, slopes = gradient_of(parameters, part, hidden, buckets)
    exact = beside_edges(parameters, hidden, buckets, 1e-7)
    assert loss == pytest.approx(exact_loss(exact, part, hidden, buckets), rel=1e-5)
    ends = [0, 768 * hidden, 769 * hidden, 769 * hidden + 2 * buckets * hidden, len(parameters)]
    for first, last in pairwise(ends):
        direction = np.zeros(len(parameters))
        direction[first:last] = rng.normal(size=last - first)
        step = 1e-9 * direction
        above, below = (exact_loss(point, part, hidden, buckets) for point in (exact + step, exact - step))
        assert float(slopes @ direction) == pytest.approx((above - below) / 2e-9, rel=1e-3, abs=1e-7)


@pytest.mark.parametrize(("hidden", "buckets"), [(32, 1), (16, 8)])
def test_gradient_and_steps_are_those_of_pytorch(hidden: int, buckets: int, samples: Samples) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is missing: sh .ci/torch .venv/bin/python")
    part = samples[:600]
    ours = random_parameters(hidden, buckets)
    theirs = torch.tensor(ours, requires_grad=True)
    inputs = torch.zeros(2, len(part), 768)
    for row, sample in enumerate(part):
        for side, view in enumerate(features(sample.tobytes())):
            inputs[side, row, view] = 1
    pieces = [int(sample["occupied"]).bit_count() for sample in part]
    bucket = torch.tensor([(count - 2) * buckets // 31 for count in pieces])
    config = Config(training=Training(result_weight=AIM[0], score_scale=AIM[1]))
    wanted = torch.tensor(targets(part, config), dtype=torch.float32)
    optimizer = torch.optim.AdamW([theirs], lr=1e-2, weight_decay=0.1)
    mean, square = np.zeros_like(ours), np.zeros_like(ours)
    for step in range(1, 6):
        seen = torch.tensor(beside_edges(ours, hidden, buckets, 1e-5), dtype=torch.float32)
        rounded = theirs + (seen - theirs).detach()  # the gradient goes straight through
        weights, bias, out, out_bias = rounded.split([768 * hidden, hidden, 2 * buckets * hidden, buckets])
        sums = inputs @ weights.view(768, hidden) + bias
        neurons = torch.cat([*sums.clamp(0, 1) ** 2], dim=1)
        values = (neurons * out.view(buckets, -1)[bucket]).sum(dim=1) + out_bias[bucket]
        loss = ((values.sigmoid() - wanted) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        our_loss, slopes = gradient_of(ours, part, hidden, buckets)
        assert our_loss == pytest.approx(loss.item(), rel=1e-4)
        wrong = np.abs(slopes - theirs.grad.numpy())
        largest = np.abs(slopes).max()
        assert np.quantile(wrong, 0.99) < 1e-3 * largest
        assert wrong.max() < 1e-2 * largest  # rounding decides on which side of a clamp's edge a neuron lies
        optimizer.step()
        trainer.adamw(ours, mean, square, slopes.reshape(1, -1), trainer.Step(step, 1e-2, 0.1))
        assert np.quantile(np.abs(ours - theirs.detach().numpy()), 0.999) < 1e-4
        with torch.no_grad():
            theirs.copy_(torch.tensor(ours))  # rounding must not add up where a gradient is nearly zero


def test_parameters_stay_within_their_limit() -> None:
    size = trainer.size(16)
    parameters = np.linspace(-1.97, 1.97, size, dtype=np.float32)
    slopes = -np.sign(parameters).reshape(1, -1)
    memory = np.zeros_like(parameters), np.zeros_like(parameters)
    for step in range(1, 4):
        trainer.adamw(parameters, *memory, slopes, trainer.Step(step, 0.5, 0.0))
    assert np.abs(parameters).max() == np.float32(1.98)


def test_rows_of_gradients_are_added() -> None:
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(3, trainer.size(16))).astype(np.float32)
    found = []
    for slopes in (rows, (rows[0] + rows[1] + rows[2]).reshape(1, -1)):
        parameters = random_parameters(16, 1)
        memory = np.zeros_like(parameters), np.zeros_like(parameters)
        trainer.adamw(parameters, *memory, slopes, trainer.Step(1, 0.01, 0.0))
        found.append(parameters)
    assert (found[0] == found[1]).all()


def test_steps_of_parts_are_the_step_of_the_whole() -> None:
    rng = np.random.default_rng(1)
    size = trainer.size(16)
    rows = rng.normal(size=(8, size)).astype(np.float32)
    found = []
    for cuts in ((0, size), (0, 1, 100, 5_003, size)):
        arrays = random_parameters(16, 1), np.zeros(size, np.float32), np.zeros(size, np.float32)
        for step in (1, 2):
            for first, last in pairwise(cuts):
                parameters, mean, square = (array[first:last] for array in arrays)
                slopes = rows[:, first:last]
                trainer.adamw(parameters, mean, square, slopes, trainer.Step(step, 0.01, 0.1))
        found.append(np.concatenate(arrays))
    assert (found[0] == found[1]).all()


@pytest.mark.parametrize("hidden", [48, 128])
def test_samples_count_alike_however_many_they_are(hidden: int, samples: Samples) -> None:
    """The core passes back a thousand samples at a time: the sums of all are those of the parts."""
    many = np.resize(samples, 2500)
    parameters = random_parameters(hidden, 4)
    loss, slopes = gradient_of(parameters, many, hidden, 4)
    parts = [gradient_of(parameters, many[first : first + 500], hidden, 4) for first in range(0, 2500, 500)]
    assert loss == pytest.approx(np.mean([part for part, _ in parts]), rel=1e-6)
    assert np.abs(slopes - np.mean([part for _, part in parts], axis=0)).max() < 1e-5 * np.abs(slopes).max()


def test_values_and_losses_see_the_parameters_of_the_file(samples: Samples) -> None:
    parameters, seen = random_parameters(80, 8), as_in_file(random_parameters(80, 8), 80, 8)
    assert (parameters != seen).mean() > 0.9
    assert gradient_of(parameters, samples, 80, 8)[0] == gradient_of(seen, samples, 80, 8)[0]
    found = []
    for numbers in (parameters, seen):
        found.append(np.empty(len(samples), np.float32))
        trainer.values(numbers, dataset.raw(samples), found[-1], 80, 8)
    assert (found[0] == found[1]).all()


def test_wrong_sizes_are_refused(samples: Samples) -> None:
    good, data = random_parameters(16, 1), dataset.raw(samples)
    order = np.arange(3)
    for hidden, buckets in ((17, 1), (0, 1), (2048, 1), (16, 0), (16, 9)):
        with pytest.raises(ValueError, match="hidden neurons"):
            trainer.size(hidden, buckets)
    with pytest.raises(ValueError, match="this network has"):
        trainer.gradient(good[1:], data, order, good.copy(), (16, 1), AIM)
    with pytest.raises(ValueError, match="sample 999997 of"):
        trainer.gradient(good, data, order + 999_997, good.copy(), (16, 1), AIM)
    with pytest.raises(ValueError, match="are not 3 samples"):
        trainer.values(good, data, np.empty(3, np.float32), 16, 1)
    with pytest.raises(ValueError, match="parameters"):
        trainer.adamw(good, good.copy(), good[1:].copy(), good.reshape(1, -1), trainer.Step(1, 0.1, 0.0))
    with pytest.raises(ValueError, match="do not follow each other"):
        columns = np.zeros((1, 2 * len(good)), np.float32)[:, ::2]
        trainer.adamw(good, good.copy(), good.copy(), columns, trainer.Step(1, 0.1, 0.0))
    with pytest.raises(ValueError, match="counted from 1"):
        trainer.adamw(good, good.copy(), good.copy(), good.reshape(1, -1), trainer.Step(0, 0.1, 0.0))
    assert trainer.gradient(good, data, order[:0], good.copy(), (16, 1), AIM) == 0
