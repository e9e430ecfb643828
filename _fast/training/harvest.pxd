# Positions that searches evaluate, sampled for training.

cimport cython
from libc.stdint cimport int64_t, uint64_t

from sssnake._fast.board.position cimport Position
from sssnake._fast.types cimport Value
from sssnake._fast.search.worker cimport SampleBuffer, Worker


@cython.final
cdef class Harvest:
    cdef Worker worker                  # whose evaluated positions are sampled
    cdef SampleBuffer samples
