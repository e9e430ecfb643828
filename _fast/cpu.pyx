"""Which instruction sets the processor and the operating system support. Imported before any other module."""

cdef extern from "cpu.h":
    bint sss_has_v3()


def has_v3():
    """Whether code compiled for x86-64-v3 (AVX2, BMI2, FMA, LZCNT, MOVBE, F16C) runs here."""
    return sss_has_v3()
