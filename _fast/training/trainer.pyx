"""The trainer's core: gradients of the network over batches of samples, and AdamW.

Inputs are sparse, some twenty of 768, so each pass of a position adds a few dozen rows of H numbers. What
limits them is the cache: forward the rows are as short as in play, 16 bits a number; backward a block of
positions passes a tile of the neurons after another. Updates are dense: a batch of thousands of positions
changes nearly every row.

The forward pass uses the parameters rounded as in the network's file; the gradient changes the unrounded ones
("straight through": Bengio, Leonard & Courville 2013). So training uses the same numbers as play.
"""

from typing import NamedTuple

from libc.math cimport exp, pow, rintf, sqrt, sqrtf
from libc.stdint cimport int16_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from sssnake._fast.bits cimport prefetch
from sssnake._fast.training.rows cimport TILE, add_row, back, screlu_dot, sum_rows
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
    UNIT = 255                          # stands for 1 among the weights of the network's file (netfile.Net)
    OUT_UNIT = 64                       # ... among its output weights
    LINE = 64                           # bytes of a cache line
    BUCKET_PIECES = 31                  # of 2..32 pieces

cdef double LIMIT = 1.98                # of every parameter: 127 / 64, what an int8 output weight can hold
cdef double BETA1 = 0.9
cdef double BETA2 = 0.999
cdef double EPSILON = 1e-8


cdef Shape shape_of(int hidden, int buckets) except *:
    cdef Shape shape
    if hidden % 16 or not 16 <= hidden <= MAX_HIDDEN or not 1 <= buckets <= MAX_BUCKETS:
        raise ValueError(f"a network of {hidden} hidden neurons and {buckets} buckets: not a multiple of 16 "
                         f"up to {MAX_HIDDEN}, or not 1 to {MAX_BUCKETS}")
    shape.hidden = hidden
    shape.buckets = buckets
    shape.bias = FEATURES * hidden
    shape.out = shape.bias + hidden
    shape.out_bias = shape.out + 2 * buckets * hidden
    shape.size = shape.out_bias + buckets
    return shape


cdef void *cut(char **at, size_t size) noexcept nogil:
    # The next `size` bytes, on cache lines of their own.
    cdef char *part = at[0]
    at[0] = part + (size + LINE - 1) // LINE * LINE
    return part


cdef size_t lay_out(Net *net, const Shape *shape, char *at) noexcept nogil:
    # Places the arrays of a network from `at` on; returns their size.
    cdef size_t width = (shape.hidden + TILE - 1) // TILE * TILE
    cdef size_t outputs = 2 * shape.buckets
    cdef char *end = at
    net.shape = shape
    net.width = width
    net.weights = <int16_t *> cut(&end, (FEATURES + 1) * width * sizeof(int16_t))
    net.bias = net.weights + FEATURES * width
    net.out = <float *> cut(&end, outputs * width * sizeof(float))
    net.sums = <int16_t *> cut(&end, 2 * BLOCK * width * sizeof(int16_t))
    net.visits = <Visit *> cut(&end, BLOCK * sizeof(Visit))
    net.slopes = <float *> cut(&end, (FEATURES + 1 + outputs) * TILE * sizeof(float))
    return end - at


cdef void *reserve(Net *net, const Shape *shape) except NULL:
    # Memory for a network and the passes of BLOCK samples, to be freed.
    cdef size_t size = lay_out(net, shape, NULL) + LINE
    cdef void *memory = malloc(size)
    if memory == NULL:
        raise MemoryError
    lay_out(net, shape, <char *> ((<size_t> memory + LINE - 1) // LINE * LINE))
    return memory


cdef void fill(Net *net, const float *parameters) noexcept nogil:
    # Rounds the parameters as the network file does.
    cdef const Shape *shape = net.shape
    cdef int h = shape.hidden
    cdef const float *out = parameters + shape.out
    cdef const float *out_bias = parameters + shape.out_bias
    cdef int row
    memset(net.weights, 0, (FEATURES + 1) * net.width * sizeof(int16_t))
    memset(net.out, 0, 2 * shape.buckets * net.width * sizeof(float))
    for row in range(FEATURES + 1):         # the bias follows the weights
        in_units(parameters + row * h, net.weights + row * net.width, h, UNIT)
    for row in range(2 * shape.buckets):
        rounded(out + row * h, net.out + row * net.width, h, OUT_UNIT)
    rounded(out_bias, net.out_bias, shape.buckets, UNIT * OUT_UNIT)


cdef void rounded(const float *numbers, float *out, Py_ssize_t count, float unit) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(count):
        out[i] = rintf(numbers[i] * unit) / unit


cdef void in_units(const float *numbers, int16_t *out, Py_ssize_t count, float unit) noexcept nogil:
    cdef float limit = LIMIT
    cdef Py_ssize_t i
    for i in range(count):
        out[i] = <int16_t> rintf(min(max(numbers[i], -limit), limit) * unit)


cdef float forward(const Net *net, const Sample *sample, Visit *visit, int16_t *sums) noexcept nogil:
    cdef Py_ssize_t width = net.width
    cdef const float *out
    cdef float value
    cdef int side
    visit.count = expand(sample, visit.features[0], visit.features[1])
    visit.bucket = (visit.count - 2) * net.shape.buckets // BUCKET_PIECES
    value = net.out_bias[visit.bucket]
    for side in range(2):
        sum_rows(sums + side * width, net.bias, net.weights, visit.features[side], visit.count, width)
        out = net.out + (2 * visit.bucket + side) * width
        value += screlu_dot(sums + side * width, out, UNIT, width)
    return value


cdef void backward(Net *net, int count, float *gradient) noexcept nogil:
    # Adds the gradient of the first `count` visits, TILE neurons at a time: their rows stay in the cache.
    cdef const Shape *shape = net.shape
    cdef int h = shape.hidden
    cdef int tile, at, length, row
    for row in range(count):
        gradient[shape.out_bias + net.visits[row].bucket] += net.visits[row].slope
    for tile in range(net.width // TILE):
        at = tile * TILE
        length = min(<int> TILE, h - at)
        tile_back(net, count, at)
        for row in range(FEATURES + 1 + 2 * shape.buckets):     # weights, bias, outputs: H columns each
            add_row(gradient + row * h + at, net.slopes + row * TILE, length)


cdef void tile_back(Net *net, int count, int at) noexcept nogil:
    # The gradient of the neurons from `at` on, into `net.slopes`.
    cdef Py_ssize_t width = net.width
    cdef float *bias = net.slopes + FEATURES * TILE
    cdef float *out = bias + TILE
    cdef Visit *visit
    cdef int i, side, row
    memset(net.slopes, 0, (FEATURES + 1 + 2 * net.shape.buckets) * TILE * sizeof(float))
    for i in range(count):
        visit = &net.visits[i]
        for side in range(2):
            row = 2 * visit.bucket + side
            back(net.sums + (2 * i + side) * width + at, net.out + row * width + at, UNIT, visit.slope,
                 out + row * TILE, bias, net.slopes, visit.features[side], visit.count)


cdef inline double sigmoid(double x) noexcept nogil:
    return 1 / (1 + exp(-x))


cdef inline double target_of(const Target *target, const Sample *sample) noexcept nogil:
    cdef double weight = 0 if sample.flags & NEIGHBOUR else target.result_weight
    return weight * sample.result / 2 + (1 - weight) * sigmoid(sample.score / target.score_scale)


cdef double add_gradient(Net *net, const Batch *batch, const Target *target, double share,
                         float *gradient) noexcept nogil:
    # Returns the sum of squared errors over the batch; adds `share` times its gradient.
    cdef Visit *visit
    cdef const Sample *sample
    cdef double error, predicted
    cdef double total = 0
    cdef Py_ssize_t i
    cdef int at = 0
    for i in range(batch.count):
        if i + AHEAD < batch.count:
            prefetch(&batch.samples[batch.order[i + AHEAD]])
        sample = &batch.samples[batch.order[i]]
        visit = &net.visits[at]
        predicted = sigmoid(forward(net, sample, visit, net.sums + 2 * at * net.width))
        error = predicted - target_of(target, sample)
        total += error * error
        visit.slope = share * 2 * error * predicted * (1 - predicted)
        at += 1
        if at == BLOCK or i == batch.count - 1:
            backward(net, at, gradient)
            at = 0
    return total


cdef void value_all(Net *net, const Sample *samples, Py_ssize_t count, float *out) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(count):
        out[i] = forward(net, &samples[i], net.visits, net.sums)


cdef void adamw_all(const AdamW *adam, float *parameters, const float *gradients, Py_ssize_t rows,
                    Py_ssize_t stride) noexcept nogil:
    # One step; the gradient is the sum of `rows` rows, each `stride` numbers after the one before.
    cdef float gradient[TILE]
    cdef Py_ssize_t at = 0
    cdef Py_ssize_t row
    cdef int length
    while at < adam.count:
        length = <int> min(<Py_ssize_t> TILE, adam.count - at)
        memset(gradient, 0, sizeof(gradient))
        for row in range(rows):
            add_row(gradient, gradients + row * stride + at, length)
        descend(adam, parameters + at, adam.mean + at, adam.square + at, gradient, length)
        at += length


cdef void descend(const AdamW *adam, float *parameters, float *mean, float *square, const float *gradient,
                  int count) noexcept nogil:
    cdef float limit = LIMIT
    cdef float b1 = BETA1
    cdef float b2 = BETA2
    cdef float moved = adam.rate / (1 - pow(BETA1, adam.step))
    cdef float unbiased = 1 / sqrt(1 - pow(BETA2, adam.step))
    cdef float kept = 1 - adam.rate * adam.decay
    cdef float g, new
    cdef int i
    for i in range(count):
        g = gradient[i]
        mean[i] = b1 * mean[i] + (1 - b1) * g
        square[i] = b2 * square[i] + (1 - b2) * g * g
        new = kept * parameters[i] - moved * mean[i] / (sqrtf(square[i]) * unbiased + <float> EPSILON)
        parameters[i] = min(max(new, -limit), limit)


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
    cdef Net net
    cdef void *memory
    cdef Py_ssize_t i
    batch.count = order.shape[0]
    batch.samples = <const Sample *> &samples[0] if known else NULL
    batch.order = &order[0] if batch.count else NULL
    for i in range(batch.count):
        if not 0 <= order[i] < known:
            raise ValueError(f"sample {order[i]} of {known}")
    target.result_weight, target.score_scale, share = objective
    memory = reserve(&net, &shape)
    with nogil:
        memset(slopes, 0, shape.size * sizeof(float))
        fill(&net, numbers)
        total = add_gradient(&net, &batch, &target, share, slopes)
        free(memory)
    return total


def values(const float[::1] parameters not None, const unsigned char[::1] samples not None,
           float[::1] out not None, int hidden, int buckets):
    """Fill `out` with the network's value of every sample, in logistic units, mover's view."""
    cdef Shape shape = shape_of(hidden, buckets)
    cdef const float *numbers = read_only(&shape, parameters, "parameters")
    cdef Py_ssize_t count = out.shape[0]
    cdef const Sample *first
    cdef float *found
    cdef Net net
    cdef void *memory
    if samples.shape[0] != count * <Py_ssize_t> sizeof(Sample):
        raise ValueError(f"{samples.shape[0]} bytes are not {count} samples")
    if count == 0:
        return
    first = <const Sample *> &samples[0]
    found = &out[0]
    memory = reserve(&net, &shape)
    with nogil:
        fill(&net, numbers)
        value_all(&net, first, count, found)
        free(memory)


def adamw(float[::1] parameters not None, float[::1] mean not None, float[::1] square not None,
          const float[:, :] gradients not None, step not None):
    """One step of AdamW (Loshchilov & Hutter 2019) with the sum of the rows of `gradients`.

    `mean` and `square` are its state. step: a `Step`. Parameters stay within +-1.98. Every parameter is on
    its own: steps of parts of the arrays are the step of the whole.
    """
    cdef Py_ssize_t count = parameters.shape[0]
    cdef Py_ssize_t rows = gradients.shape[0]
    cdef Py_ssize_t stride = gradients.strides[0] // <Py_ssize_t> sizeof(float)
    cdef AdamW adam
    cdef float *numbers
    cdef const float *slopes
    for part in (mean.shape[0], square.shape[0], gradients.shape[1]):
        if part != count:
            raise ValueError(f"{part} numbers for {count} parameters")
    if rows == 0 or count == 0:
        raise ValueError("no gradient")
    if gradients.strides[1] != sizeof(float) or gradients.strides[0] % <Py_ssize_t> sizeof(float):
        raise ValueError("the numbers of a row of gradients do not follow each other")
    numbers, slopes = &parameters[0], &gradients[0, 0]
    adam.mean, adam.square, adam.count = &mean[0], &square[0], count
    adam.step, adam.rate, adam.decay = step
    if adam.step < 1:
        raise ValueError(f"steps are counted from 1, this is number {adam.step}")
    with nogil:
        adamw_all(&adam, numbers, slopes, rows, stride)
