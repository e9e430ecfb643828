"""Static evaluation: by a network, or by piece-square tables; a few endings have rules of their own."""

cimport cython
from libc.stdlib cimport calloc, free

from sssnake._fast.board.board cimport Board
from sssnake._fast.evaluation.endings cimport ending_scale, ending_value, never_scaled
from sssnake._fast.evaluation.nnue cimport Network, Recording, attach, detach, net_value
from sssnake._fast.board.position cimport Position
from sssnake._fast.evaluation.pst cimport N_WEIGHTS, SHIPPED, Trace, Weights, pst_value, tapered, trace_pst
from sssnake._fast.types cimport DRAW, Value, WHITE


cdef inline Value by_network(const Position *pos, EvalMemory *memory) noexcept nogil:
    cdef Value value = net_value(pos, &memory.accumulators)
    cdef int strong = pos.side if value > 0 else pos.side ^ 1
    if never_scaled(pos, strong):
        return value
    if ending_scale(pos, strong) == 0:
        return DRAW
    return tapered(pos, value, value) if pos.side == WHITE else -tapered(pos, -value, -value)


cdef Value evaluate(const Position *pos, EvalMemory *memory) noexcept nogil:
    cdef Value value = 0
    if ending_value(pos, &value):
        return value
    if memory.accumulators.net != NULL:
        value = by_network(pos, memory)
    else:
        value = pst_value(pos, memory.weights)
    return value if memory.grain <= 1 else value // memory.grain * memory.grain


# ------------------------------------------------------------------------------------------------------------
# For Python


@cython.final
cdef class Evaluator:
    """The evaluation with scratch memory of its own, for Python: tests, `eval`, and the tuner.

    network: evaluates; None: piece-square tables do, with `weights` (None: those shipped).
    recording: of the positions that the network evaluates.
    """

    cdef EvalMemory *memory
    cdef readonly Network network
    cdef readonly Weights weights
    cdef Recording recording

    def __cinit__(self, Network network=None, Recording recording=None, Weights weights=None):
        self.memory = <EvalMemory *> calloc(1, sizeof(EvalMemory))
        if self.memory == NULL:
            raise MemoryError("no memory for the evaluation")
        self.network = network
        self.weights = SHIPPED if weights is None else weights
        self.memory.weights = &self.weights.values
        self.recording = recording
        attach(&self.memory.accumulators, network, recording)

    def __dealloc__(self):
        if self.memory != NULL:
            detach(&self.memory.accumulators)
        free(self.memory)

    def evaluate(self, Board board not None):
        """Centipawns for the side to move."""
        return evaluate(&board.pos, self.memory)

    def trace(self, Board board not None):
        """(counts, phase, scale) of the PST: a sparse list of (weight index, white count minus
        black count), material phase 0..24, ending scale 0..64; None for an ending with a rule of its own."""
        cdef Trace trace
        cdef Value value = 0
        cdef int i
        if ending_value(&board.pos, &value):
            return None
        trace_pst(&board.pos, &self.weights.values, &trace)
        counts = []
        for i in range(N_WEIGHTS):
            if trace.count[i]:
                counts.append((i, trace.count[i]))
        return counts, trace.phase, trace.scale
