# Updates of the histories at the end of a node: after a cutoff, by the gain of static value, and by the error
# of the static value.

from sssnake._fast.search.node cimport Node
from sssnake._fast.types cimport Move, Value


cdef void update_histories(Node *node, Move best, const Move *tried, int tried_count) noexcept nogil
cdef void update_gain(const Node *node) noexcept nogil
cdef void update_correction(Node *node, Value best, Move best_move, Value alpha) noexcept nogil
