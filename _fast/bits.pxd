# Bit operations; the only module that names compiler builtins.

from libc.stdint cimport int64_t

from sssnake._fast.types cimport Bitboard

cdef extern from *:
    """
    #if defined(__BMI2__) && !defined(SSSNAKE_NO_PEXT)
      #include <immintrin.h>
      #define SSS_HAVE_PEXT 1
      #define SSS_PEXT(x, mask) _pext_u64((x), (mask))
    #else
      #define SSS_HAVE_PEXT 0
      #define SSS_PEXT(x, mask) (0)
    #endif
    #define SSS_PREFETCH(p) __builtin_prefetch((p))
    #define SSS_LOAD(p) __atomic_load_n((p), __ATOMIC_RELAXED)
    #define SSS_STORE(p, x) __atomic_store_n((p), (x), __ATOMIC_RELAXED)
    #define SSS_MUL_HI(a, b) ((unsigned long long) (((unsigned __int128) (a) * (b)) >> 64))

    typedef int SssFour __attribute__((vector_size(16), aligned(4), may_alias));
    static inline SssFour sss_larger(SssFour a, SssFour b)
    {
        SssFour more = a > b;
        return (a & more) | (b & ~more);
    }
    static inline int sss_largest(const int *x, const int *end)
    {
        const SssFour *fours = (const SssFour *) x;
        SssFour even = fours[0], odd = fours[1];
        while ((const int *) (fours += 2) < end) {
            even = sss_larger(even, fours[0]);
            odd = sss_larger(odd, fours[1]);
        }
        even = sss_larger(even, odd);
        int a = even[0] > even[1] ? even[0] : even[1];
        int b = even[2] > even[3] ? even[2] : even[3];
        return a > b ? a : b;
    }
    """
    bint HAVE_PEXT "SSS_HAVE_PEXT"                                      # a compile-time constant
    Bitboard pext "SSS_PEXT"(Bitboard x, Bitboard mask) noexcept nogil
    int popcount "__builtin_popcountll"(Bitboard x) noexcept nogil
    int lsb "__builtin_ctzll"(Bitboard x) noexcept nogil                # x must not be 0
    void prefetch "SSS_PREFETCH"(const void *address) noexcept nogil
    Bitboard mul_hi "SSS_MUL_HI"(Bitboard a, Bitboard b) noexcept nogil  # high 64 bits of the product
    # The largest of some numbers, at least one. Eight at a time, so that short lists of any length take the
    # same way: the seven numbers from `end` on are read, too, and must not be larger.
    int largest "sss_largest"(const int *first, const int *end) noexcept nogil
    bint likely "__builtin_expect"(bint condition, bint expected) noexcept nogil
    # Atomic access, for data that one thread writes while others read it.
    int load_int "SSS_LOAD"(const int *p) noexcept nogil
    int64_t load_int64 "SSS_LOAD"(const int64_t *p) noexcept nogil
    void store_int "SSS_STORE"(int *p, int x) noexcept nogil
    void store_int64 "SSS_STORE"(int64_t *p, int64_t x) noexcept nogil


cdef inline int pop(Bitboard *x) noexcept nogil:
    # The lowest square of *x, which is removed; *x must not be 0.
    cdef int sq = lsb(x[0])
    x[0] &= x[0] - 1
    return sq


cdef inline bint several(Bitboard x) noexcept nogil:
    return (x & (x - 1)) != 0


cdef inline Bitboard next_random(Bitboard *state) noexcept nogil:
    # The next of a sequence of random numbers (splitmix64: Steele, Lea & Flood 2014).
    cdef Bitboard x
    state[0] += <Bitboard> 0x9E3779B97F4A7C15
    x = state[0]
    x = (x ^ (x >> 30)) * <Bitboard> 0xBF58476D1CE4E5B9
    x = (x ^ (x >> 27)) * <Bitboard> 0x94D049BB133111EB
    return x ^ (x >> 31)
