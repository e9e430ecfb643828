"""Builds the `_fast` core: one extension a room, flags and Cython directives in this one place.

Environment:
  SSSNAKE_ARCH   value of -march: "native" (default for source builds), "x86-64", "x86-64-v3", ...
                 release wheels set it, so that they run on any machine they claim to support.
  SSSNAKE_DEBUG  1: assertions, bounds checks, address and undefined-behaviour sanitizers
                 (run with LD_PRELOAD="$(gcc -print-file-name=libasan.so)").
  SSSNAKE_NO_CORE  1: leave the core out; `make` compiles it itself, in place and incrementally.
"""

import os
import platform
import sys
import sysconfig
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CCompilerError

ROOT = Path(__file__).parent
DEBUG = os.environ.get("SSSNAKE_DEBUG") == "1"
ARCH = os.environ.get("SSSNAKE_ARCH", "native")

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": DEBUG,
    "wraparound": False,
    "initializedcheck": False,
    "nonecheck": DEBUG,
    "cdivision": True,
    "embedsignature": True,
}


def compile_args() -> list[str]:
    """Compiler flags; -march only where the compiler takes it (not MSVC, not a foreign machine)."""
    if os.name == "nt":
        return ["/O2"]
    flags = ["-std=c11", "-fno-strict-aliasing", "-Wno-unused-function", "-Wno-sign-compare"]
    if DEBUG:
        flags += ["-O1", "-g", "-UNDEBUG", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
    else:
        flags += ["-O3", "-g0", "-DNDEBUG", "-fno-semantic-interposition", "-fvisibility=hidden"]
    if ARCH and (ARCH == "native" or platform.machine() in ("x86_64", "AMD64")):
        flags.append(f"-march={ARCH}")
    return flags


def extensions() -> list[Extension]:
    """One extension for every .pyx room of `_fast`."""
    macros: list[tuple[str, str | None]] = []
    if not DEBUG:
        macros.append(("CYTHON_WITHOUT_ASSERTIONS", None))
        # `cdef inline` means it: with a constant colour the compiler then makes one copy a colour, where it
        # would share one by itself (move generation 10 % slower).
        always = "__forceinline" if os.name == "nt" else "inline __attribute__((always_inline))"
        macros.append(("CYTHON_INLINE", always))
    link = ["-fsanitize=address,undefined"] if DEBUG else []
    return [
        Extension(
            f"_fast.{source.stem}",
            [str(source.relative_to(ROOT))],
            extra_compile_args=compile_args(),
            extra_link_args=link,
            define_macros=macros,
        )
        for source in sorted((ROOT / "_fast").glob("*.pyx"))
    ]


class BuildCore(build_ext):  # type: ignore[misc]  # setuptools has no types
    """Compiles rooms side by side; a machine that cannot compile is told what to install."""

    def initialize_options(self) -> None:
        """Use all cores."""
        super().initialize_options()
        self.parallel = os.cpu_count()

    def build_extensions(self) -> None:
        """Compile; on failure say what to install."""
        try:
            super().build_extensions()
        except CCompilerError as error:
            sys.exit(f"sssnake: {error}\n{self.advice()}")

    def advice(self) -> str:
        """What to install where compiling failed."""
        if os.name == "nt":
            return "SSSnake needs a C compiler: install the Visual Studio Build Tools."
        header = Path(sysconfig.get_path("include"), "Python.h")
        missing = "" if header.exists() else f" ({header} is missing)"
        return (
            f"SSSnake needs a C compiler and Python's C headers{missing}. Debian, Ubuntu: apt install gcc "
            "libc6-dev python3-dev. Fedora: dnf install gcc python3-devel. macOS: xcode-select --install."
        )


setup(
    cmdclass={"build_ext": BuildCore},
    ext_modules=cythonize(  # type: ignore[no-untyped-call]
        [] if os.environ.get("SSSNAKE_NO_CORE") == "1" else extensions(),
        build_dir="build",
        compiler_directives=DIRECTIVES,
        nthreads=0,
        show_all_warnings=False,
    ),
)
