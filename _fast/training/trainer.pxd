# The network in floats, (768, mirrored -> H) x 2 -> 1 with SCReLU: forward, backward, and Adam's step.
# One flat array holds the parameters: weights[768][H], bias[H], out[B][2: mover, other][H], out_bias[B].

from libc.stdint cimport uint16_t

from _fast.training.samples cimport MAX_PIECES, Sample

cdef enum:
    MAX_HIDDEN = 1024


cdef struct Shape:
    int hidden                          # H, a multiple of 16
    int buckets                         # B
    Py_ssize_t bias, out, out_bias      # where these begin
    Py_ssize_t size                     # of the whole


cdef struct Aim:                        # what the network's value should predict
    float result_weight                 # share of the game's result in the target, the score has the rest
    float score_scale                   # centipawns that are one logistic unit


cdef struct Visit:                      # one position on its way through the network
    int count                           # pieces
    int bucket
    uint16_t features[2][MAX_PIECES]    # mover's, other's
    float sums[2][MAX_HIDDEN]           # hidden layer before activation; on the way back, its gradient


cdef float forward(const Shape *shape, const float *parameters, const Sample *sample,
                   Visit *visit) noexcept nogil             # value in logistic units, mover's view
cdef void backward(const Shape *shape, const float *parameters, float slope, float *gradient,
                   Visit *visit) noexcept nogil             # slope: d(loss)/d(value)
