# The network in training, (768, mirrored -> H) x 2 -> 1 with SCReLU: forward, backward, and Adam's step.
# One flat array holds the parameters: weights[768][H], bias[H], out[B][2: mover, other][H], out_bias[B].

from libc.stdint cimport int16_t, uint16_t

from sssnake._fast.training.samples cimport MAX_PIECES, Sample

cdef enum:
    MAX_HIDDEN = 1024
    MAX_BUCKETS = 8
    BLOCK = 1024                        # samples whose sums are kept until the backward pass


cdef struct Shape:
    int hidden                          # H, a multiple of 16
    int buckets                         # B
    Py_ssize_t bias, out, out_bias      # offsets of these arrays
    Py_ssize_t size                     # number of parameters


cdef struct Target:                     # of training, from a sample's result and score
    float result_weight                 # of the game's result; the score has weight 1 - this
    float score_scale                   # centipawns of one logistic unit


cdef struct Batch:                      # samples[order[0 .. count - 1]]
    const Sample *samples
    const long long *order
    Py_ssize_t count


cdef struct Visit:                      # one position's forward and backward pass
    int count                           # pieces
    int bucket
    uint16_t features[2][MAX_PIECES]    # mover's, other's
    float slope                         # d(loss)/d(value)


cdef struct Net:                        # the network as its file holds it, and a block's passes
    const Shape *shape
    int width                           # H, rounded up to whole tiles; what is beyond H is 0
    int16_t *weights                    # [768][width], in 1/UNIT
    int16_t *bias                       # [width]
    float *out                          # [B][2][width]
    float out_bias[MAX_BUCKETS]
    Visit *visits                       # [BLOCK]
    int16_t *sums                       # [BLOCK][2][width]: hidden layer before activation
    float *slopes                       # [768 + 1 + 2B][TILE]: gradient of a tile's weights, bias and outputs


cdef struct AdamW:                      # the optimizer's state and rates
    float *mean                         # of the gradient
    float *square                       # mean of its square
    Py_ssize_t count                    # parameters
    int step                            # from 1
    double rate                         # learning rate
    double decay                        # weight decay
