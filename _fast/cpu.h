/* Which x86-64 instruction sets the processor has and the system supports: it must save the wide registers.
 * Asked by CPUID, because not every compiler's runtime library answers __builtin_cpu_supports.
 * Bits: Intel, Software Developer's Manual, volume 2, CPUID; XCR0: volume 1, chapter 13.
 */

#ifndef SSSNAKE_CPU_H
#define SSSNAKE_CPU_H

#if defined(__x86_64__) && defined(__GNUC__)

#include <cpuid.h>

#define SSS_LEAF_1_ECX (1u << 12 | 1u << 22 | 1u << 29)             /* FMA, MOVBE, F16C */
#define SSS_OSXSAVE (1u << 27)
#define SSS_AVX2 (1u << 5)
#define SSS_BMI (1u << 3 | 1u << 8)                                 /* BMI1, BMI2 */
#define SSS_AVX512 (1u << 16 | 1u << 30 | 1u << 31)                 /* F, BW, VL */
#define SSS_LZCNT (1u << 5)
#define SSS_YMM 0x06u                                               /* bits of XCR0 */
#define SSS_ZMM 0xE6u

static inline int sss_saves(unsigned registers)
{
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & SSS_OSXSAVE))
        return 0;
    __asm__ volatile ("xgetbv" : "=a" (a), "=d" (d) : "c" (0));
    return (a & registers) == registers;
}

static inline int sss_leaf_7_has(unsigned bits)
{
    unsigned a, b, c, d;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bits) == bits;
}

static inline int sss_has_avx2(void) { return sss_saves(SSS_YMM) && sss_leaf_7_has(SSS_AVX2); }

static inline int sss_has_avx512(void) { return sss_saves(SSS_ZMM) && sss_leaf_7_has(SSS_AVX512); }

/* The level x86-64-v3 of the psABI. */
static inline int sss_has_v3(void)
{
    unsigned a, b, c, d;
    return sss_has_avx2() && sss_leaf_7_has(SSS_BMI)
           && __get_cpuid(1, &a, &b, &c, &d) && (c & SSS_LEAF_1_ECX) == SSS_LEAF_1_ECX
           && __get_cpuid(0x80000001, &a, &b, &c, &d) && (c & SSS_LZCNT);
}

#else

static inline int sss_has_v3(void) { return 0; }

#endif

#endif
