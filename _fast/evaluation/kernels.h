/* The inner loops of the network, written once in plain C. `simd.h` includes this file once for each instruction
 * set, with SUFFIX (of the names) and TARGET (a function attribute) defined, and leaves the rest to the compiler's
 * vectoriser. Lengths are positive multiples of 16. `to` and `from` may be the same memory; rows overlap neither.
 * The shipped network's length is a constant to the compiler, which then needs no loops.
 */

#define SSS_PASTE(name, suffix) name##_##suffix
#define SSS_EXPAND(name, suffix) SSS_PASTE(name, suffix)
#define KERNEL(name) SSS_EXPAND(name, SUFFIX)

#define USUAL_LENGTH 256
#define EACH_UNIT(statement)                                        \
    if (length == USUAL_LENGTH)                                     \
        for (ptrdiff_t i = 0; i < USUAL_LENGTH; i++) { statement; } \
    else                                                            \
        for (ptrdiff_t i = 0; i < length; i++) { statement; }

/* A quiet move: one row in, one out. */
TARGET static void KERNEL(quiet)(int16_t *to, const int16_t *from, ptrdiff_t length,
                                 const int16_t *restrict in, const int16_t *restrict out)
{
    SSS_ASSUME(length > 0 && length % 16 == 0);
    EACH_UNIT(to[i] = (int16_t) (from[i] + in[i] - out[i]))
}

/* A capture: one row in, two out. */
TARGET static void KERNEL(capture)(int16_t *to, const int16_t *from, ptrdiff_t length,
                                   const int16_t *restrict in, const int16_t *restrict out,
                                   const int16_t *restrict taken)
{
    SSS_ASSUME(length > 0 && length % 16 == 0);
    EACH_UNIT(to[i] = (int16_t) (from[i] + in[i] - out[i] - taken[i]))
}

/* Castling, or part of a larger change: two rows in, two out. */
TARGET static void KERNEL(pair)(int16_t *to, const int16_t *from, ptrdiff_t length,
                                const int16_t *restrict in, const int16_t *restrict out,
                                const int16_t *restrict in2, const int16_t *restrict out2)
{
    SSS_ASSUME(length > 0 && length % 16 == 0);
    EACH_UNIT(to[i] = (int16_t) (from[i] + in[i] - out[i] + in2[i] - out2[i]))
}

/* The sum of clamp(x, 0, top)^2 * weight over `count` units of both views, which must not exceed 32 bits in either.
 * The product clamp(x) * weight fits 16 bits, so that the multiplications are the short ones. */
TARGET static inline int64_t KERNEL(part)(const int16_t *restrict mover, const int16_t *restrict other,
                                          const int16_t *restrict weight, const int16_t *restrict others_weight,
                                          ptrdiff_t count, int16_t top)
{
    int32_t mine = 0, others = 0;
    SSS_ASSUME(count > 0 && count % 16 == 0);
    for (ptrdiff_t i = 0; i < count; i++) {
        int16_t x = mover[i] > 0 ? mover[i] : 0;
        int16_t y = other[i] > 0 ? other[i] : 0;
        x = x < top ? x : top;
        y = y < top ? y : top;
        int16_t by_weight = (int16_t) (x * weight[i]);
        int16_t others_by_weight = (int16_t) (y * others_weight[i]);
        mine += x * by_weight;
        others += y * others_by_weight;
    }
    return (int64_t) mine + others;
}

/* The output layer over all units; the other's weights stand behind the mover's. No sum of a view over `block` units, a
 * multiple of 16, exceeds 32 bits. */
TARGET static int64_t KERNEL(output)(const int16_t *restrict mover, const int16_t *restrict other,
                                     const int16_t *restrict weight, ptrdiff_t length, ptrdiff_t block, int16_t top)
{
    int64_t total = 0;
    SSS_ASSUME(length > 0 && length % 16 == 0 && block > 0 && block % 16 == 0);
    if (length == USUAL_LENGTH && block >= USUAL_LENGTH)
        return KERNEL(part)(mover, other, weight, weight + USUAL_LENGTH, USUAL_LENGTH, top);
    for (ptrdiff_t start = 0; start < length; start += block) {
        ptrdiff_t count = start + block < length ? block : length - start;
        total += KERNEL(part)(mover + start, other + start, weight + start, weight + length + start, count, top);
    }
    return total;
}

#undef EACH_UNIT
#undef USUAL_LENGTH
#undef SSS_PASTE
#undef SSS_EXPAND
#undef KERNEL
#undef SUFFIX
#undef TARGET
