/* The network's inner loops for each instruction set of this processor family, chosen among at run time. All of
 * them give the same integers: 16-bit sums wrap alike, and no 32-bit sum overflows.
 */

#ifndef SSSNAKE_SIMD_H
#define SSSNAKE_SIMD_H

#include <stddef.h>
#include <stdint.h>

#include "cpu.h"

#if defined(__GNUC__)
  #define SSS_ASSUME(condition) do { if (!(condition)) __builtin_unreachable(); } while (0)
#else
  #define SSS_ASSUME(condition) ((void) 0)
  #define restrict __restrict
#endif

#if defined(__GNUC__) && defined(__x86_64__)

  #define SUFFIX sse2
  #define TARGET __attribute__((target("no-avx")))
  #include "kernels.h"

  #define SUFFIX avx2
  #define TARGET __attribute__((target("avx2,no-avx512f")))
  #include "kernels.h"

  #define SUFFIX avx512
  #if defined(__clang__)
    #define TARGET __attribute__((target("avx512f,avx512bw,avx512vl"), min_vector_width(512)))
  #else
    #define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,prefer-vector-width=512")))
  #endif
  #include "kernels.h"

  static int sss_has_sse2(void) { return 1; }
  #define SSS_FAMILY SSS_ENTRY(sse2), SSS_ENTRY(avx2), SSS_ENTRY(avx512)

#else

  #define SUFFIX portable
  #define TARGET
  #include "kernels.h"

  static int sss_has_portable(void) { return 1; }

  #if defined(__aarch64__) && defined(__ARM_NEON)
    #include "neon.h"
    static int sss_has_neon(void) { return 1; }
    #define SSS_FAMILY SSS_ENTRY(portable), SSS_ENTRY(neon)
  #else
    #define SSS_FAMILY SSS_ENTRY(portable)
  #endif

#endif

typedef struct {
    const char *name;
    int (*available)(void);
    void (*quiet)(int16_t *, const int16_t *, ptrdiff_t, const int16_t *, const int16_t *);
    void (*capture)(int16_t *, const int16_t *, ptrdiff_t, const int16_t *, const int16_t *, const int16_t *);
    void (*pair)(int16_t *, const int16_t *, ptrdiff_t, const int16_t *, const int16_t *, const int16_t *,
                 const int16_t *);
    int64_t (*output)(const int16_t *, const int16_t *, const int16_t *, ptrdiff_t, ptrdiff_t, int16_t);
} SssKernels;

#define SSS_ENTRY(name) {#name, sss_has_##name, quiet_##name, capture_##name, pair_##name, output_##name}
static const SssKernels sss_kernels[] = {SSS_FAMILY};       /* narrowest first */
enum { SSS_KERNELS = sizeof sss_kernels / sizeof sss_kernels[0] };

#endif
