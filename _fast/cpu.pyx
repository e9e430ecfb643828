"""Which instruction sets the processor and the operating system support. Imported before any other module.

The names are the levels of the x86-64 psABI. On other processors, and with compilers that cannot test for a
level, the answer is no. Only release wheels hold modules that need a yes; their compiler can test for it.
"""

cdef extern from *:
    """
    #if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 12
      /* Asks the processor, and the system whether it saves the wide registers. */
      static int sss_has_v3(void) { __builtin_cpu_init(); return __builtin_cpu_supports("x86-64-v3") != 0; }
    #else
      static int sss_has_v3(void) { return 0; }
    #endif
    """
    bint sss_has_v3()


def has_v3():
    """Whether code compiled for x86-64-v3 (AVX2, BMI2, FMA, LZCNT, MOVBE, F16C) runs here."""
    return sss_has_v3()
