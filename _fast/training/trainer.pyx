"""The trainer's core: gradients of the network over batches of samples, and AdamW.

Inputs are sparse, some twenty of 768, so each pass of a position adds a few dozen rows of H floats. Forward
and backward pass follow each other position by position, while the rows are in the cache. Updates are dense:
a batch of thousands of positions changes nearly every row.

The forward pass uses the parameters rounded as in the network's file; the gradient changes the unrounded ones
("straight through": Bengio, Leonard & Courville 2013). So training uses the same numbers as play.
"""

from typing import NamedTuple

from libc.math cimport exp, pow, rintf, sqrt, sqrtf
from libc.string cimport memset

from sssnake._fast.bits cimport prefetch
from sssnake._fast.training.rows cimport add_row, screlu_back, screlu_dot
from sssnake._fast.training.samples cimport FEATURES, NEIGHBOUR, Sample, expand


class Objective(NamedTuple):
    """What training minimises: `share` times the sum of squared errors of the expected score.

    The score aimed at is the game's result, weighted with `result_weight`, and for the rest a sigmoid of the
    search's score, of `score_scale` centipawns.
    """

    result_weight: float
    score_scale: float
    share: float


class Step(NamedTuple):
    """A step of AdamW: its number from 1, learning rate and weight decay."""

    number: int
    rate: float
    decay: float


cdef enum:
    AHEAD = 8                           # samples prefetched ahead
    BUCKET_PIECES = 31                  # of 2..32 pieces

cdef double LIMIT = 1.98                # of every parameter: 127 / 64, what an int8 output weight can hold
cdef double BETA1 = 0.9
cdef double BETA2 = 0.999
cdef double EPSILON = 1e-8


cdef Shape shape_of(int hidden, int buckets) except *:
    cdef Shape shape
    if hidden % 16 or not 16 <= hidden <= MAX_HIDDEN or not 1 <= buckets <= 8:
        raise ValueError(f"a network of {hidden} hidden neurons and {buckets} buckets: not a multiple of 16 "
                         f"up to {MAX_HIDDEN}, or not 1 to 8")
    shape.hidden = hidden
    shape.buckets = buckets
    shape.bias = FEATURES * hidden
    shape.out = shape.bias + hidden
    shape.out_bias = shape.out + 2 * buckets * hidden
    shape.size = shape.out_bias + buckets
    return shape


cdef float forward(const Shape *shape, const float *parameters, const Sample *sample,
                   Visit *visit) noexcept nogil:
    cdef int h = shape.hidden
    cdef const float *out
    cdef float value
    cdef int side, i
    visit.count = expand(sample, visit.features[0], visit.features[1])
    visit.bucket = (visit.count - 2) * shape.buckets // BUCKET_PIECES
    value = parameters[shape.out_bias + visit.bucket]
    for side in range(2):
        memset(visit.sums[side], 0, h * sizeof(float))
        add_row(visit.sums[side], parameters + shape.bias, h)
        for i in range(visit.count):
            add_row(visit.sums[side], parameters + visit.features[side][i] * h, h)
        out = parameters + shape.out + (2 * visit.bucket + side) * h
        value += screlu_dot(visit.sums[side], out, h)
    return value


cdef void backward(const Shape *shape, const float *parameters, float slope, float *gradient,
                   Visit *visit) noexcept nogil:
    cdef int h = shape.hidden
    cdef Py_ssize_t out
    cdef int side, i
    gradient[shape.out_bias + visit.bucket] += slope
    for side in range(2):
        out = shape.out + (2 * visit.bucket + side) * h
        screlu_back(visit.sums[side], parameters + out, gradient + out, slope, h)
        add_row(gradient + shape.bias, visit.sums[side], h)
        for i in range(visit.count):
            add_row(gradient + visit.features[side][i] * h, visit.sums[side], h)


cdef inline double sigmoid(double x) noexcept nogil:
    return 1 / (1 + exp(-x))


cdef inline double target_of(const Target *target, const Sample *sample) noexcept nogil:
    cdef double weight = 0 if sample.flags & NEIGHBOUR else target.result_weight
    return weight * sample.result / 2 + (1 - weight) * sigmoid(sample.score / target.score_scale)


cdef double add_gradient(const Shape *shape, const float *parameters, const Batch *batch,
                         const Target *target, double share, float *gradient) noexcept nogil:
    # Returns the sum of squared errors over the batch; adds `share` times its gradient.
    cdef Visit visit
    cdef const Sample *sample
    cdef double error, predicted, slope
    cdef double total = 0
    cdef Py_ssize_t i
    for i in range(batch.count):
        if i + AHEAD < batch.count:
            prefetch(&batch.samples[batch.order[i + AHEAD]])
        sample = &batch.samples[batch.order[i]]
        predicted = sigmoid(forward(shape, parameters, sample, &visit))
        error = predicted - target_of(target, sample)
        total += error * error
        slope = share * 2 * error * predicted * (1 - predicted)
        backward(shape, parameters, <float> slope, gradient, &visit)
    return total


cdef void value_all(const Shape *shape, const float *parameters, const Sample *samples, Py_ssize_t count,
                    float *out) noexcept nogil:
    cdef Visit visit
    cdef Py_ssize_t i
    for i in range(count):
        out[i] = forward(shape, parameters, &samples[i], &visit)


cdef void adamw_all(const AdamW *adam, float *parameters, const float *gradients,
                    Py_ssize_t rows) noexcept nogil:
    # One step; the gradient is the sum of `rows` rows.
    cdef float *mean = adam.mean
    cdef float *square = adam.square
    cdef float limit = LIMIT
    cdef float b1 = BETA1
    cdef float b2 = BETA2
    cdef float moved = adam.rate / (1 - pow(BETA1, adam.step))
    cdef float unbiased = 1 / sqrt(1 - pow(BETA2, adam.step))
    cdef float kept = 1 - adam.rate * adam.decay
    cdef float g, new
    cdef Py_ssize_t i, row
    for i in range(adam.count):
        g = 0
        for row in range(rows):
            g += gradients[row * adam.count + i]
        mean[i] = b1 * mean[i] + (1 - b1) * g
        square[i] = b2 * square[i] + (1 - b2) * g * g
        new = kept * parameters[i] - moved * mean[i] / (sqrtf(square[i]) * unbiased + <float> EPSILON)
        parameters[i] = min(max(new, -limit), limit)


cdef void round_all(const float *parameters, float *out, Py_ssize_t count, float unit) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(count):
        out[i] = rintf(parameters[i] * unit) / unit


# For Python. Buffers are numpy arrays or anything like them; samples have passed samples.validate.

cdef const float *read_only(const Shape *shape, const float[::1] numbers, str name) except NULL:
    # The address of a buffer that has a number for every parameter.
    if numbers.shape[0] != shape.size:
        raise ValueError(f"{name}: {numbers.shape[0]} numbers, this network has {shape.size}")
    return &numbers[0]


cdef float *writable(const Shape *shape, float[::1] numbers, str name) except NULL:
    return <float *> read_only(shape, numbers, name)


def size(int hidden, int buckets=1):
    """The number of parameters. ValueError for an impossible shape."""
    return shape_of(hidden, buckets).size


def gradient(const float[::1] parameters not None, const unsigned char[::1] samples not None,
             const long long[::1] order not None, float[::1] out not None, network not None,
             objective not None):
    """Sum of squared errors over the samples numbered in `order`; fills `out` with its gradient.

    network: (hidden, buckets). objective: an `Objective`; its share multiplies the gradient.
    """
    hidden, buckets = network
    cdef Shape shape = shape_of(hidden, buckets)
    cdef const float *numbers = read_only(&shape, parameters, "parameters")
    cdef float *slopes = writable(&shape, out, "gradient")
    cdef Py_ssize_t known = samples.shape[0] // sizeof(Sample)
    cdef double total, share
    cdef Batch batch
    cdef Target target
    cdef Py_ssize_t i
    batch.count = order.shape[0]
    batch.samples = <const Sample *> &samples[0] if known else NULL
    batch.order = &order[0] if batch.count else NULL
    for i in range(batch.count):
        if not 0 <= order[i] < known:
            raise ValueError(f"sample {order[i]} of {known}")
    target.result_weight, target.score_scale, share = objective
    with nogil:
        memset(slopes, 0, shape.size * sizeof(float))
        total = add_gradient(&shape, numbers, &batch, &target, share, slopes)
    return total


def values(const float[::1] parameters not None, const unsigned char[::1] samples not None,
           float[::1] out not None, int hidden, int buckets):
    """Fill `out` with the network's value of every sample, in logistic units, mover's view."""
    cdef Shape shape = shape_of(hidden, buckets)
    cdef const float *numbers = read_only(&shape, parameters, "parameters")
    cdef Py_ssize_t count = out.shape[0]
    cdef const Sample *first
    cdef float *found
    if samples.shape[0] != count * <Py_ssize_t> sizeof(Sample):
        raise ValueError(f"{samples.shape[0]} bytes are not {count} samples")
    if count == 0:
        return
    first = <const Sample *> &samples[0]
    found = &out[0]
    with nogil:
        value_all(&shape, numbers, first, count, found)


def adamw(float[::1] parameters not None, float[::1] mean not None, float[::1] square not None,
          const float[:, ::1] gradients not None, step not None):
    """One step of AdamW (Loshchilov & Hutter 2019) with the sum of the rows of `gradients`.

    `mean` and `square` are its state. step: a `Step`. Parameters stay within +-1.98.
    """
    cdef Py_ssize_t count = parameters.shape[0]
    cdef Py_ssize_t rows = gradients.shape[0]
    cdef AdamW adam
    cdef float *numbers
    cdef const float *slopes
    for part in (mean.shape[0], square.shape[0], gradients.shape[1]):
        if part != count:
            raise ValueError(f"{part} numbers for {count} parameters")
    if rows == 0 or count == 0:
        raise ValueError("no gradient")
    numbers, slopes = &parameters[0], &gradients[0, 0]
    adam.mean, adam.square, adam.count = &mean[0], &square[0], count
    adam.step, adam.rate, adam.decay = step
    with nogil:
        adamw_all(&adam, numbers, slopes, rows)


def rounded(const float[::1] parameters not None, float[::1] out not None, int hidden, int buckets, int qa,
            int qb):
    """Fill `out` with the parameters rounded as in the file: to multiples of 1/qa, 1/qb and 1/(qa qb)."""
    cdef Shape shape = shape_of(hidden, buckets)
    cdef const float *numbers = read_only(&shape, parameters, "parameters")
    cdef float *seen = writable(&shape, out, "rounded parameters")
    cdef Py_ssize_t last = shape.out_bias
    with nogil:
        round_all(numbers, seen, shape.out, qa)
        round_all(numbers + shape.out, seen + shape.out, last - shape.out, qb)
        round_all(numbers + last, seen + last, shape.size - last, qa * qb)
