/* The inner loops of the network, written once in plain C. `simd.h` includes this file once for each instruction
 * set, with SUFFIX (of the names) and TARGET (a function attribute) defined, and leaves the rest to the compiler's
 * vectoriser. Lengths are positive multiples of 16. `to` and `from` may be the same memory; rows overlap neither.
 */

#define SSS_PASTE(name, suffix) name##_##suffix
#define SSS_EXPAND(name, suffix) SSS_PASTE(name, suffix)
#define KERNEL(name) SSS_EXPAND(name, SUFFIX)

/* A quiet move: one row in, one out. */
TARGET static void KERNEL(quiet)(int16_t *to, const int16_t *from, ptrdiff_t length,
                                 const int16_t *restrict in, const int16_t *restrict out)
{
    SSS_ASSUME(length > 0 && length % 16 == 0);
    for (ptrdiff_t i = 0; i < length; i++)
        to[i] = (int16_t) (from[i] + in[i] - out[i]);
}

/* A capture: one row in, two out. */
TARGET static void KERNEL(capture)(int16_t *to, const int16_t *from, ptrdiff_t length,
                                   const int16_t *restrict in, const int16_t *restrict out,
                                   const int16_t *restrict taken)
{
    SSS_ASSUME(length > 0 && length % 16 == 0);
    for (ptrdiff_t i = 0; i < length; i++)
        to[i] = (int16_t) (from[i] + in[i] - out[i] - taken[i]);
}

/* Castling, or part of a larger change: two rows in, two out. */
TARGET static void KERNEL(pair)(int16_t *to, const int16_t *from, ptrdiff_t length,
                                const int16_t *restrict in, const int16_t *restrict out,
                                const int16_t *restrict in2, const int16_t *restrict out2)
{
    SSS_ASSUME(length > 0 && length % 16 == 0);
    for (ptrdiff_t i = 0; i < length; i++)
        to[i] = (int16_t) (from[i] + in[i] - out[i] + in2[i] - out2[i]);
}

/* Sum of clamp(x, 0, top)^2 * weight over both views; the other's weights stand behind the mover's. The product
 * clamp(x) * weight fits 16 bits, so that the multiplications are the short ones; `block` is a multiple of 16 within
 * which no sum of a view exceeds 32 bits. */
TARGET static int64_t KERNEL(output)(const int16_t *restrict mover, const int16_t *restrict other,
                                     const int16_t *restrict weight, ptrdiff_t length, ptrdiff_t block, int16_t top)
{
    int64_t total = 0;
    SSS_ASSUME(length > 0 && length % 16 == 0 && block > 0 && block % 16 == 0);
    for (ptrdiff_t start = 0; start < length; start += block) {
        ptrdiff_t end = start + block < length ? start + block : length;
        int32_t mine = 0, others = 0;
        SSS_ASSUME(end > start && (end - start) % 16 == 0);
        for (ptrdiff_t i = start; i < end; i++) {
            int16_t x = mover[i] > 0 ? mover[i] : 0;
            int16_t y = other[i] > 0 ? other[i] : 0;
            x = x < top ? x : top;
            y = y < top ? y : top;
            int16_t by_weight = (int16_t) (x * weight[i]);
            int16_t others_by_weight = (int16_t) (y * weight[length + i]);
            mine += x * by_weight;
            others += y * others_by_weight;
        }
        total += (int64_t) mine + others;
    }
    return total;
}

#undef SSS_PASTE
#undef SSS_EXPAND
#undef KERNEL
#undef SUFFIX
#undef TARGET
