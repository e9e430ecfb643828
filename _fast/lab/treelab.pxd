# Searches of large uniform trees: the laboratory's algorithms at scale.

from libc.stdint cimport int32_t, uint64_t

from sssnake._fast.lab.treebench cimport Bench, State

cdef int32_t alpha_beta(Bench *b, int ply, uint64_t code, int32_t alpha, int32_t beta) noexcept nogil
cdef bint exceeds(Bench *b, int ply, uint64_t code, int32_t bound, bint strictly) noexcept nogil
cdef int32_t scout(Bench *b, int ply, uint64_t code) noexcept nogil
cdef int32_t negascout(
    Bench *b, int ply, uint64_t code, int32_t alpha, int32_t beta, bint memory) noexcept nogil
cdef int32_t test(Bench *b, int ply, uint64_t code, int32_t gamma) noexcept nogil

cdef void push(Bench *b, int ply, uint64_t code, bint solved, int32_t merit) noexcept nogil
cdef State pop(Bench *b) noexcept nogil
cdef int32_t stockman(Bench *b, bint dual) noexcept nogil
