/* The inner loops of the network for 64-bit ARM, whose processors all have these instructions. What they compute, and
 * what holds for their arguments, stands in kernels.h. Two registers of eight units a step.
 */

#include <arm_neon.h>

static inline int16x8_t sss_changed(int16x8_t sums, const int16_t *in, const int16_t *out)
{
    return vsubq_s16(vaddq_s16(sums, vld1q_s16(in)), vld1q_s16(out));
}

static void quiet_neon(int16_t *to, const int16_t *from, ptrdiff_t length, const int16_t *in, const int16_t *out)
{
    for (ptrdiff_t i = 0; i < length; i += 16) {
        int16x8_t first = sss_changed(vld1q_s16(from + i), in + i, out + i);
        int16x8_t second = sss_changed(vld1q_s16(from + i + 8), in + i + 8, out + i + 8);
        vst1q_s16(to + i, first);
        vst1q_s16(to + i + 8, second);
    }
}

static void capture_neon(int16_t *to, const int16_t *from, ptrdiff_t length, const int16_t *in, const int16_t *out,
                         const int16_t *taken)
{
    for (ptrdiff_t i = 0; i < length; i += 16) {
        int16x8_t first = sss_changed(vld1q_s16(from + i), in + i, out + i);
        int16x8_t second = sss_changed(vld1q_s16(from + i + 8), in + i + 8, out + i + 8);
        vst1q_s16(to + i, vsubq_s16(first, vld1q_s16(taken + i)));
        vst1q_s16(to + i + 8, vsubq_s16(second, vld1q_s16(taken + i + 8)));
    }
}

static void pair_neon(int16_t *to, const int16_t *from, ptrdiff_t length, const int16_t *in, const int16_t *out,
                      const int16_t *in2, const int16_t *out2)
{
    for (ptrdiff_t i = 0; i < length; i += 16) {
        int16x8_t first = sss_changed(vld1q_s16(from + i), in + i, out + i);
        int16x8_t second = sss_changed(vld1q_s16(from + i + 8), in + i + 8, out + i + 8);
        vst1q_s16(to + i, sss_changed(first, in2 + i, out2 + i));
        vst1q_s16(to + i + 8, sss_changed(second, in2 + i + 8, out2 + i + 8));
    }
}

/* Adds clamp(x, 0, top)^2 * weight of eight units to four sums of 32 bits. */
static inline int32x4_t sss_weighed(int32x4_t sums, const int16_t *units, const int16_t *weight, int16x8_t top)
{
    int16x8_t x = vminq_s16(vmaxq_s16(vld1q_s16(units), vdupq_n_s16(0)), top);
    int16x8_t by_weight = vmulq_s16(x, vld1q_s16(weight));
    sums = vmlal_s16(sums, vget_low_s16(x), vget_low_s16(by_weight));
    return vmlal_high_s16(sums, x, by_weight);
}

static int64_t output_neon(const int16_t *mover, const int16_t *other, const int16_t *weight, ptrdiff_t length,
                           ptrdiff_t block, int16_t top)
{
    const int16x8_t most = vdupq_n_s16(top);
    int64_t total = 0;
    for (ptrdiff_t start = 0; start < length; start += block) {
        ptrdiff_t end = start + block < length ? start + block : length;
        int32x4_t mine = vdupq_n_s32(0), mine2 = mine, others = mine, others2 = mine;
        for (ptrdiff_t i = start; i < end; i += 16) {
            mine = sss_weighed(mine, mover + i, weight + i, most);
            mine2 = sss_weighed(mine2, mover + i + 8, weight + i + 8, most);
            others = sss_weighed(others, other + i, weight + length + i, most);
            others2 = sss_weighed(others2, other + i + 8, weight + length + i + 8, most);
        }
        total += vaddlvq_s32(vaddq_s32(mine, mine2)) + vaddlvq_s32(vaddq_s32(others, others2));
    }
    return total;
}
