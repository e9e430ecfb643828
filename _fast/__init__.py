"""The hot core: board, move generation, evaluation and search, compiled with Cython.

Which compiled rooms are imported is decided here. A release wheel holds them twice: beside this file for any
machine, and in x86-64-v3/ for processors that have AVX2, BMI2 and what else belongs to that level.
SSSNAKE_CORE overrules: the folder whose rooms come first, "." for those beside this file.
"""

import os


def _folder() -> str:
    """Where the compiled rooms to be used lie, seen from here."""
    wanted = os.environ.get("SSSNAKE_CORE")
    if wanted:
        return wanted
    if os.path.isdir(os.path.join(__path__[0], "x86-64-v3")):
        from _fast import cpu

        if cpu.has_v3():
            return "x86-64-v3"
    return "."


def _choose() -> None:
    """Put the folder at the head of the package's search path."""
    folder = os.path.normpath(os.path.join(__path__[0], _folder()))
    if not os.path.isdir(folder):
        raise ImportError(f"SSSNAKE_CORE: there is no folder {folder}")
    if folder != __path__[0]:
        __path__.insert(0, folder)


_choose()
