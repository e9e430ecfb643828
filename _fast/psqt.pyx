"""Piece-square values and phase weights."""

from _fast.types cimport type_of

cdef int piece
for piece in range(12):
    PHASE[piece] = (0, 1, 1, 2, 4, 0)[type_of(piece)]
