# Piece-square values and phase weights.

from libc.stdint cimport int32_t, uint8_t

cdef int32_t PSQT[12][64]               # packed middle game and ending, white's view, sign included
cdef uint8_t PHASE[12]
