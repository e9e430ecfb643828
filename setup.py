"""Builds the `_fast` core: one extension a module, flags and Cython directives in this one place.

Environment:
  SSSNAKE_ARCH      value of -march: "native" (default), "x86-64", "x86-64-v3", ...
  SSSNAKE_WHEEL     1: what release wheels carry (`make wheel`): Python 3.11's stable ABI, code that any
                    processor runs, and on x86-64 every module once more for level v3 (see _fast/__init__.py).
                    A name in TARGETS: the same for another system, compiled by zig (`make wheels`).
  SSSNAKE_HEADERS   for the latter, what .ci/packages/build.py makes: Python's headers by system, python3.lib.
  SSSNAKE_SANITIZE  "address,undefined" or "thread": assertions, bounds checks and these sanitizers
                    (`make sanitize`, `make races`; they need the sanitizer's library preloaded).
  SSSNAKE_PROFILE   1: with gcc, and neither of the two above, the core is compiled twice, the second time by
                    what a short run of the first has counted: 2 or 3 % faster (`make EXE=name` does so).
  SSSNAKE_OPTIMIZE  level of optimization (3). 1 serves packages that are only tested: they compile sooner.
  SSSNAKE_NO_CORE   1: leave the core out; `make` compiles it itself, in place and incrementally.
"""

import math
import multiprocessing
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
import threading
import time
from dataclasses import dataclass
from pathlib import Path

NO_CORE = os.environ.get("SSSNAKE_NO_CORE") == "1"
if os.name == "nt" and not NO_CORE:
    sys.exit("sssnake: Windows' compilers cannot build the core: install the wheel, sssnake-*-win_amd64.whl")

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CCompilerError

ROOT = Path(__file__).parent
SANITIZE = os.environ.get("SSSNAKE_SANITIZE", "")
WHEEL = os.environ.get("SSSNAKE_WHEEL", "")
HEADERS = {
    "sssnake._fast.cpu": ["sssnake/_fast/cpu.h"],
    "sssnake._fast.evaluation.nnue": [
        "sssnake/_fast/cpu.h",
        *(f"sssnake/_fast/evaluation/{n}.h" for n in ("simd", "kernels", "neon")),
    ],
}
ARCH = os.environ.get("SSSNAKE_ARCH", "native")
BUILD = "build/wheel" if WHEEL else f"build/{SANITIZE.partition(',')[0]}" if SANITIZE else "build"
C_FILES = f"{BUILD}/c"  # what Cython writes
PROFILE = os.environ.get("SSSNAKE_PROFILE") == "1" and not SANITIZE and not WHEEL
COUNTING = ["-fprofile-generate"]
COUNTED = ["-fprofile-use", "-fprofile-partial-training", "-Wno-missing-profile", "-Wno-coverage-mismatch"]
TRAINING = ["-m", "sssnake", "bench", "11"]  # what is counted: a second of search
OPTIMIZE = f"-O{os.environ.get('SSSNAKE_OPTIMIZE', '3')}"
V3 = "x86-64-v3"
STABLE_ABI = ("cp311", "0x030B0000")  # the oldest Python that runs a wheel: its tag, its number in C


@dataclass(frozen=True)
class Target:
    """What the core is compiled for, by which compiler, and what its wheel is called."""

    machine: str = {"AMD64": "x86_64"}.get(platform.machine(), platform.machine())
    system: str = platform.system()
    zig: str = ""  # zig's name for it; "": this machine, by its own compiler
    tag: str = ""  # of the wheel; "": what the building Python says

    @property
    def suffix(self) -> str:
        """What the name of a compiled module with the stable ABI ends with."""
        return ".pyd" if self.system == "Windows" else ".abi3.so"


TARGETS = {
    "linux-aarch64": Target("aarch64", "Linux", "aarch64-linux-gnu.2.17", "manylinux_2_17_aarch64"),
    "windows-x86_64": Target("x86_64", "Windows", "x86_64-windows-gnu", "win_amd64"),
    "macos-arm64": Target("arm64", "Darwin", "aarch64-macos.11.0", "macosx_11_0_arm64"),
    "macos-x86_64": Target("x86_64", "Darwin", "x86_64-macos.10.13", "macosx_10_13_x86_64"),
}
if WHEEL not in ("", "1", *TARGETS):
    sys.exit(f"sssnake: SSSNAKE_WHEEL is 1 or one of {', '.join(TARGETS)}, not {WHEEL}")
TARGET = TARGETS.get(WHEEL, Target())
X86_64 = TARGET.machine == "x86_64"
ZIG = [sys.executable, "-m", "ziglang", "cc", "-target", TARGET.zig]

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": bool(SANITIZE),
    "wraparound": False,
    "initializedcheck": False,
    "cdivision": True,
    "embedsignature": True,
    "binding": False,  # plain functions: a third less C, and quicker calls under the stable ABI
    "auto_pickle": False,
}
# What no search waits for is optimized less, and compiled in half the time.
COLD = (
    "cpu",
    "mapping",
    "pages",
    "lab",
    "board.board",
    "board.syzygy",
    "board.tbfile",
    "board.tbindex",
    "drivers.bracket",
    "drivers.helpers",
    "drivers.mates",
    "search.params",
    "search.worker",
    "training.harvest",
    "training.neighbours",
)


def is_cold(name: str) -> bool:
    """Whether a module is one of COLD, or in such a folder."""
    return name.removeprefix("sssnake._fast.").startswith(COLD)


def compile_args(name: str, arch: str) -> list[str]:
    """Compiler flags of a module; -march only where the compiler takes it (not a foreign machine)."""
    flags = [
        "-std=c11",
        "-fno-strict-aliasing",
        "-fno-math-errno",  # else no loop with a square root becomes vector code
        "-Wno-unused-function",
        "-Wno-sign-compare",
        "-Wno-unused-const-variable",
    ]
    if SANITIZE:
        flags += ["-O1", "-g", "-UNDEBUG", "-fno-omit-frame-pointer", f"-fsanitize={SANITIZE}"]
        flags += ["-fno-sanitize-recover=undefined"] if "undefined" in SANITIZE else []
    else:
        flags += ["-O1" if is_cold(name) else OPTIMIZE, "-g0", "-DNDEBUG", "-fvisibility=hidden"]
        flags += ["-fno-semantic-interposition"] if TARGET.system == "Linux" else []
    if TARGET.zig:
        # Errors for a declaration without a name: a macro of a system's header has taken it, and modules
        # that include that header would disagree with others about a struct.
        flags += ["-fwrapv", "-fno-sanitize=all", "-Werror=missing-declarations"]
        flags += ["-fPIC"] if TARGET.system == "Linux" else []
        arch = arch.replace("-", "_")  # as zig spells it
    if arch and (arch == "native" or X86_64):
        flags.append(f"-march={arch}" if X86_64 else f"-mcpu={arch}")  # clang for ARM has no -march=native
    return flags


def link_args(name: str) -> list[str]:
    """Linker flags of a module: wheels without symbol tables; where Python's own functions come from."""
    flags = [f"-fsanitize={SANITIZE}"] if SANITIZE else []
    if WHEEL:
        flags.append("-s")
    if TARGET.zig and TARGET.system == "Darwin":
        flags += ["-Wl,-x", "-undefined", "dynamic_lookup", "-install_name", f"@rpath/{name}.abi3.so"]
    if TARGET.zig and TARGET.system == "Windows":
        runtime = [
            f"-lapi-ms-win-crt-{part}-l1-1-0" for part in ("heap", "math", "private", "stdio", "string")
        ]
        flags += ["-nostdlib", "-Wl,--no-entry", ".ci/packages/windows.c", str(headers() / "python3.lib")]
        flags += ["-lkernel32", *runtime]
    return flags


def headers() -> Path:
    """The folder of the target's Python headers."""
    return Path(os.environ.get("SSSNAKE_HEADERS", "build/headers"), TARGET.system)


def macros() -> list[tuple[str, str | None]]:
    """Preprocessor names."""
    if SANITIZE:
        return []
    # `cdef inline` means it: with a constant colour the compiler then makes one copy a colour, where it
    # would share one by itself (counting moves 10 % slower).
    always = "inline __attribute__((always_inline))"
    stable = [("Py_LIMITED_API", STABLE_ABI[1])] if WHEEL else []
    return [("CYTHON_WITHOUT_ASSERTIONS", None), ("CYTHON_INLINE", always), *stable]


def module_of(source: Path) -> str:
    """The dotted name of a source file's module, from its place below the package `sssnake`."""
    return ".".join(source.relative_to(ROOT).with_suffix("").parts)


def extension(name: str, source: Path, arch: str) -> Extension:
    """One module, compiled."""
    return Extension(
        name,
        [str(source)],
        extra_compile_args=compile_args(name, arch),
        extra_link_args=link_args(name),
        include_dirs=["sssnake/_fast", "sssnake/_fast/evaluation", *([str(headers())] if TARGET.zig else [])],
        depends=HEADERS.get(name, []),
        define_macros=macros(),
        py_limited_api=bool(WHEEL),
    )


def extensions() -> list[Extension]:
    """One extension a .pyx module of `_fast`; in a wheel for x86-64 two, the second from the same C."""
    sources = sorted((ROOT / "sssnake" / "_fast").rglob("*.pyx"))
    if not sources:  # or a package without a core would be built, and called good
        sys.exit("sssnake: there are no sources below sssnake/_fast: the copy has lost its symbolic links")
    arch = ARCH if not WHEEL else "x86-64" if X86_64 else ""
    modules: list[Extension] = cythonize(  # type: ignore[no-untyped-call]
        [extension(module_of(source), source.relative_to(ROOT), arch) for source in sources],
        build_dir=C_FILES,
        compiler_directives=DIRECTIVES,
        nthreads=translators(),
        quiet=True,
        show_all_warnings=False,
    )
    chooser = "sssnake._fast.cpu"  # between the two
    names = [module.name for module in modules if module.name != chooser]
    return modules + ([v3_module(name) for name in names] if WHEEL and X86_64 else [])


def translators() -> int:
    """Processes that translate side by side; 0: this one alone, where a child would run setup.py anew."""
    if sys.platform != "linux":
        return 0
    multiprocessing.set_start_method("fork", force=True)
    return os.cpu_count() or 1


def v3_module(name: str) -> Extension:
    """The same module for x86-64-v3, from a copy of its C file: object files are named after their source."""
    top, core, *folders = name.split(".")
    source = Path(C_FILES, top, core, *folders).with_suffix(".c")
    copy = Path(C_FILES, V3, *folders).with_suffix(".c")
    copy.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(source, copy)
    return extension(".".join([top, core, V3, *folders]), copy, V3)


def is_gcc(compiler: str) -> bool:
    """Whether the command is gcc itself, and not one of those that take its options."""
    try:
        asked = [compiler, "-dM", "-E", "-x", "c", os.devnull]
        known = subprocess.run(asked, capture_output=True, text=True).stdout
    except OSError:
        return False
    return "__GNUC__" in known and "__clang__" not in known


def inside(path: Path) -> tuple[str, ...]:
    """A generated file's place below `_fast`, without suffix: the same for C, object and counts."""
    return path.with_suffix("").parts[path.parts.index("_fast") + 1 :]


def size(module: Extension) -> int:
    """Bytes of C: how long it takes to compile."""
    return sum(Path(file).stat().st_size for file in module.sources)


class BuildCore(build_ext):  # type: ignore[misc]  # setuptools has no types
    """Compiles modules side by side; a machine that cannot compile is told what to install."""

    build_lib: str

    def initialize_options(self) -> None:
        """Use all cores."""
        super().initialize_options()
        self.parallel = os.cpu_count()
        self.counting, self.done, self.started = threading.Lock(), 0, time.monotonic()

    def build_extensions(self) -> None:
        """Compile; on failure say what to install."""
        if TARGET.zig:
            self.compiler.set_executables(compiler_so=ZIG, linker_so=[*ZIG, OPTIMIZE, "-shared"])
        try:
            self.started = time.monotonic()
            self.extensions.sort(key=size, reverse=True)  # so that no processor waits for a last long one
            if PROFILE and self.extensions and is_gcc(self.compiler.compiler_so[0]) and self.count():
                for module in self.extensions:
                    module.extra_compile_args += COUNTED
            super().build_extensions()
        except CCompilerError as error:
            sys.exit(f"sssnake: {error}\n{self.advice()}")
        for library in Path(self.build_lib).rglob(
            "*.lib"
        ):  # the linker's, for programs that link to a module
            library.unlink()

    def build_extension(self, ext: Extension) -> None:
        """Compile a module, and say how far all are. The rest is taken to last as long each."""
        super().build_extension(ext)
        if not sys.stderr.isatty():
            return
        with self.counting:
            self.done += 1
            all_, spent = len(self.extensions), time.monotonic() - self.started
            left = math.ceil(spent / self.done * (all_ - self.done))
            end = "\n" if self.done == all_ else ""
            text = f"\rsssnake: {self.done} of {all_} modules compiled, about {left} s left \033[K"
            print(text, end=end, file=sys.stderr, flush=True)

    def get_ext_filename(self, fullname: str) -> str:
        """Where a module's compiled file goes."""
        name: str = super().get_ext_filename(fullname)
        return name.removesuffix(".abi3.so") + TARGET.suffix if WHEEL else name

    def count(self) -> bool:
        """Leave gcc's counts beside the object files, unless they are there: whether there are any."""
        if self.is_counted():
            return True
        self.forget_counts()  # or those of the new run would be added to them
        lib, self.build_lib, self.force = self.build_lib, str(Path(self.build_temp, "counting")), True
        for module in self.extensions:
            module.extra_compile_args += COUNTING
            module.extra_link_args += COUNTING
        super().build_extensions()
        self.done, self.started = 0, time.monotonic()
        core = Path(self.build_lib, "sssnake", "_fast").resolve()
        done = subprocess.run(
            [sys.executable, *TRAINING],
            cwd=ROOT,
            env={**os.environ, "SSSNAKE_CORE": str(core)},
            capture_output=True,
            text=True,
        )
        for module in self.extensions:
            del module.extra_compile_args[-len(COUNTING) :], module.extra_link_args[-len(COUNTING) :]
        self.build_lib = lib
        if done.returncode:
            reason = (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]
            print(f"sssnake: compiled once, as the core that counts does not run: {reason}", file=sys.stderr)
            self.forget_counts()
        return done.returncode == 0

    def is_counted(self) -> bool:
        """Whether there are counts, and no module has changed since: gcc leaves out those that do not fit."""
        counts = {inside(path): path.stat().st_mtime for path in Path(self.build_temp).rglob("*.gcda")}
        return bool(counts) and all(
            Path(file).stat().st_mtime <= counts.get(inside(Path(module.sources[0])), math.inf)
            for module in self.extensions
            for file in [*module.sources, *module.depends]
        )

    def forget_counts(self) -> None:
        """Remove what gcc has counted."""
        for counts in Path(self.build_temp).rglob("*.gcda"):
            counts.unlink()

    def advice(self) -> str:
        """What to install where compiling failed."""
        header = Path(sysconfig.get_path("include"), "Python.h")
        missing = "" if header.exists() else f" ({header} is missing)"
        return (
            f"SSSnake needs a C compiler and Python's C headers{missing}. Debian, Ubuntu: apt install gcc "
            "libc6-dev python3-dev. Fedora: dnf install gcc python3-devel. macOS: xcode-select --install."
        )


setup(
    cmdclass={"build_ext": BuildCore},
    ext_modules=[] if NO_CORE else extensions(),
    options={
        "build": {"build_base": f"{BUILD}/{WHEEL}" if TARGET.zig else BUILD},
        "bdist_wheel": {
            "py_limited_api": STABLE_ABI[0] if WHEEL else "",
            **({"plat_name": TARGET.tag} if TARGET.tag else {}),
        },
    },
)
