"""What this build is called: the version and, unless it is a release, the commit that it was made from."""

import os

from sssnake import __version__
from sssnake.engine.common.process import HOME

SHOWN = 7  # digits of a commit
NOTE = os.path.join("sssnake", "commit")  # below HOME, in executables made by `make EXE=name`


def name() -> str:
    """`SSSnake 1.2.3` of a release, `SSSnake 1.2.3 0a1b2c3` of a checkout."""
    return f"SSSnake {__version__} {commit()}".rstrip()


def commit() -> str:
    """The commit of the checkout that this runs from or was packed from; "" of an installed package.

    `+` behind it: packed with changes that were not committed.
    """
    return content(HOME, NOTE)[: SHOWN + 1] or head(HOME)[:SHOWN]


def head(checkout: str) -> str:
    """The commit that is checked out, read without git, which need not be there; "" if there is none.

    The start of the engine waits for this: it opens three or four small files.
    """
    git = os.path.join(checkout, ".git")
    if link := content(git).removeprefix("gitdir: "):  # of a worktree
        git = os.path.join(checkout, link)
    reference = content(git, "HEAD")
    if not reference.startswith("ref: "):
        return reference
    name = reference.removeprefix("ref: ")
    common = os.path.join(git, content(git, "commondir"))  # where a worktree's branches are
    return content(git, name) or content(common, name) or packed(common, name)


def packed(git: str, name: str) -> str:
    """The commit of a branch that git has packed; "" if there is none."""
    for line in content(git, "packed-refs").splitlines():
        if line.endswith(f" {name}"):
            return line.partition(" ")[0]
    return ""


def content(*parts: str) -> str:
    """The text of a file, without blanks at its ends; "" if it cannot be read."""
    try:
        with open(os.path.join(*parts), encoding="ascii") as file:
            return file.read().strip()
    except (OSError, ValueError):
        return ""
