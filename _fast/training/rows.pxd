# Rows of numbers, the trainer's arithmetic. Rows are passed TILE columns at a time, so that what is added up
# stays in registers. The vectors are as long as the machine's; sums keep sixteen partial sums in a fixed
# order, so the result does not depend on that length.

from libc.stdint cimport int16_t, uint16_t

cdef extern from *:
    """
    #if defined(__AVX512F__) && !defined(__SANITIZE_ADDRESS__)     /* gcc 12 misplaces longer locals there */
      #define SSS_BYTES 64
    #elif defined(__AVX__)
      #define SSS_BYTES 32
    #else
      #define SSS_BYTES 16
    #endif

    typedef int16_t SssShorts __attribute__((vector_size(SSS_BYTES), aligned(2), may_alias));
    typedef float SssFloats __attribute__((vector_size(SSS_BYTES), aligned(4), may_alias));
    typedef int32_t SssInts __attribute__((vector_size(SSS_BYTES)));
    typedef int16_t SssHalf __attribute__((vector_size(SSS_BYTES / 2), aligned(2), may_alias));

    enum {
        SSS_TILE = 64,
        SSS_FLOATS = SSS_BYTES / sizeof(float),             /* in a vector */
        SSS_TILE_SHORTS = 2 * SSS_TILE / SSS_BYTES,         /* vectors of a tile */
        SSS_TILE_FLOATS = SSS_TILE / SSS_FLOATS,
        SSS_LANES = 16,
    };

    /* sum += row */
    static void sss_add_row(float *__restrict sum, const float *__restrict row, int n) {
        for (int i = 0; i < n; i++) sum[i] += row[i];
    }

    /* sums = bias + the rows of the features, tile by tile; `width` numbers from row to row. */
    static void sss_sum_rows(int16_t *__restrict sums, const int16_t *bias, const int16_t *weights,
                             const uint16_t *features, int count, int width) {
        for (int at = 0; at < width; at += SSS_TILE) {
            SssShorts sum[SSS_TILE_SHORTS];
            for (int j = 0; j < SSS_TILE_SHORTS; j++) sum[j] = ((const SssShorts *) (bias + at))[j];
            for (int i = 0; i < count; i++) {
                const SssShorts *row = (const SssShorts *) (weights + features[i] * (long) width + at);
                for (int j = 0; j < SSS_TILE_SHORTS; j++) sum[j] += row[j];
            }
            for (int j = 0; j < SSS_TILE_SHORTS; j++) ((SssShorts *) (sums + at))[j] = sum[j];
        }
    }

    #define sss_floats(shorts) \\
        __builtin_convertvector(__builtin_convertvector(*(const SssHalf *) (shorts), SssInts), SssFloats)

    /* x, or 0 where it is negative, or `one` where it is larger. */
    #define sss_clipped(x, one) ({ \\
        SssFloats _least = (SssFloats) ((SssInts) (x) & ((x) > 0)); \\
        SssInts _below = _least < (one); \\
        (SssFloats) (((SssInts) _least & _below) | ((SssInts) ((one) - (SssFloats) {0}) & ~_below)); })

    /* The sum of clipped(x)^2 * out; `one` stands for 1 among x. */
    static float sss_screlu_dot(const int16_t *x, const float *out, float one, int n) {
        SssFloats sums[SSS_LANES / SSS_FLOATS] = {0};
        float lanes[SSS_LANES];
        for (int i = 0; i < n; i += SSS_LANES)
            for (int j = 0; j < SSS_LANES / SSS_FLOATS; j++) {
                SssFloats sum = sss_floats(x + i + j * SSS_FLOATS);
                SssFloats c = sss_clipped(sum, one);
                sums[j] += c * c * ((const SssFloats *) (out + i))[j];
            }
        __builtin_memcpy(lanes, sums, sizeof lanes);
        for (int width = SSS_LANES / 2; width; width /= 2)
            for (int j = 0; j < width; j++) lanes[j] += lanes[j + width];
        return lanes[0] / (one * one);
    }

    /* Back through a tile of the same: out_slope += slope * d/d(out), and slope * d/dx is added to bias_slope
     * and to the rows of the features. */
    static void sss_back(const int16_t *x, const float *out, float one, float slope,
                         float *__restrict out_slope, float *__restrict bias_slope, float *__restrict rows,
                         const uint16_t *features, int count) {
        SssFloats back[SSS_TILE_FLOATS];
        for (int j = 0; j < SSS_TILE_FLOATS; j++) {
            SssFloats sum = sss_floats(x + j * SSS_FLOATS);
            SssFloats c = sss_clipped(sum, one);
            SssFloats d = 2 * slope / one * c * ((const SssFloats *) out)[j];
            ((SssFloats *) out_slope)[j] += slope / (one * one) * c * c;
            back[j] = (SssFloats) ((SssInts) d & (sum == c));
            ((SssFloats *) bias_slope)[j] += back[j];
        }
        for (int i = 0; i < count; i++) {
            SssFloats *row = (SssFloats *) (rows + features[i] * SSS_TILE);
            for (int j = 0; j < SSS_TILE_FLOATS; j++) row[j] += back[j];
        }
    }
    """
    enum:
        TILE "SSS_TILE"
    void add_row "sss_add_row"(float *sum, const float *row, int n) noexcept nogil
    void sum_rows "sss_sum_rows"(int16_t *sums, const int16_t *bias, const int16_t *weights,
                                 const uint16_t *features, int count, int width) noexcept nogil
    float screlu_dot "sss_screlu_dot"(const int16_t *x, const float *out, float one, int n) noexcept nogil
    void back "sss_back"(const int16_t *x, const float *out, float one, float slope, float *out_slope,
                         float *bias_slope, float *rows, const uint16_t *features, int count) noexcept nogil
