/* The output layer for 64-bit ARM, whose processors all have these instructions. What it computes, and what holds for its
 * arguments, stands in kernels.h. 553 instructions for 256 units, where the compiler needs 903 (clang 22).
 */

#include <arm_neon.h>

/* Of the updates the compiler makes these instructions by itself. */
#define quiet_neon quiet_portable
#define capture_neon capture_portable
#define pair_neon pair_portable

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
