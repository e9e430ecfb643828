# Rows of floats, the trainer's arithmetic: plain loops that compilers turn into vector code. Lengths are
# multiples of 16. Sums keep sixteen partial sums in a fixed order, so the result does not depend on the
# width of the machine's vectors.

cdef extern from *:
    """
    enum { SSS_LANES = 16 };

    /* sum += row */
    static void sss_add_row(float *__restrict sum, const float *__restrict row, int n) {
        for (int i = 0; i < n; i++) sum[i] += row[i];
    }

    static inline float sss_clipped(float x) {
        return x < 0.0f ? 0.0f : x > 1.0f ? 1.0f : x;
    }

    /* The sum of clipped(x)^2 * out. */
    static float sss_screlu_dot(const float *__restrict x, const float *__restrict out, int n) {
        float lanes[SSS_LANES] = {0};
        for (int i = 0; i < n; i += SSS_LANES)
            for (int j = 0; j < SSS_LANES; j++) {
                float c = sss_clipped(x[i + j]);
                lanes[j] += c * c * out[i + j];
            }
        for (int width = SSS_LANES / 2; width; width /= 2)
            for (int j = 0; j < width; j++) lanes[j] += lanes[j + width];
        return lanes[0];
    }

    /* Back through the same: out_slope += slope * d/d(out), and x becomes slope * d/dx. */
    static void sss_screlu_back(float *__restrict x, const float *__restrict out, float *__restrict out_slope,
                                float slope, int n) {
        for (int i = 0; i < n; i++) {
            float c = sss_clipped(x[i]);
            out_slope[i] += slope * c * c;
            x[i] = c == x[i] ? 2.0f * slope * c * out[i] : 0.0f;
        }
    }
    """
    void add_row "sss_add_row"(float *sum, const float *row, int n) noexcept nogil
    float screlu_dot "sss_screlu_dot"(const float *x, const float *out, int n) noexcept nogil
    void screlu_back "sss_screlu_back"(float *x, const float *out, float *out_slope, float slope,
                                       int n) noexcept nogil
