"""The hot core, compiled with Cython: board, evaluation, search, training, and the laboratory's large trees.

Which compiled modules are imported is decided here. A release wheel holds them twice: beside their sources
for any machine, and below x86-64-v3/ for processors that have AVX2, BMI2 and what else belongs to that level.
SSSNAKE_CORE overrules: the folder whose modules come first, "." for this one.
"""

import os
from collections.abc import MutableSequence

HOME = __path__[0]


def _core() -> str:
    """The folder of the compiled modules to be used."""
    wanted = os.environ.get("SSSNAKE_CORE")
    if not wanted and os.path.isdir(os.path.join(HOME, "x86-64-v3")):
        from sssnake._fast import cpu

        wanted = "x86-64-v3" if cpu.has_v3() else "."
    folder = os.path.normpath(os.path.join(HOME, wanted or "."))
    if not os.path.isdir(folder):
        raise ImportError(f"SSSNAKE_CORE: there is no folder {folder}")
    return folder


CORE = _core()


def prefer_core(path: MutableSequence[str]) -> None:
    """Let the chosen core's folder lead the search path of `_fast` or of a package in it (its `__path__`)."""
    folder = os.path.normpath(os.path.join(CORE, os.path.relpath(path[0], HOME)))
    if folder != path[0]:
        path.insert(0, folder)


prefer_core(__path__)
