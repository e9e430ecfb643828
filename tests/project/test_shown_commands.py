"""Commands that documents and help texts show are run here, unless they are marked.

A line, or with its first line a whole block, is marked by a comment with `long` or `needs` in it: `# long: an
hour`, `# needs Stockfish`. What is marked is only parsed (tests/project/test_documents.py).
"""

import os
import re
import shlex
import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.constants import ROOT

from sssnake.engine.commands.examples import EXAMPLES
from sssnake.engine.common.process import this_engine

MARK = re.compile(r"(^|\s)#.*\b(long|needs)\b")
MANY = re.compile(r"(?<=--games |--trees )(\d\d+|[5-9])0\b")  # a tenth of so many shows as much
BLOCK = re.compile(r"^ *```sh\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
DOCUMENTS = sorted(
    [
        *ROOT.glob("*.md"),
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / "openings").glob("*.md"),
        *(ROOT / "engine" / "networks").glob("*.md"),
    ]
)
ENGINES = ("sssnake", "other", "new", "old")


def three_games(moves: str) -> str:
    """Games that begin in the same way, as PGN."""
    results = ("1-0", "0-1", "1/2-1/2")
    return "\n".join(f'[Result "{result}"]\n\n{moves} {result}\n' for result in results)


PGN = three_games("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6")
QUICK = three_games("1. e4")  # to analyse: each position gets half a million nodes
SUITE = '6k1/5ppp/8/8/8/8/r7/1R4K1 w - - bm Rb8#; id "back rank";\n'
TREE = "[[[3, 5], [2, 9]], [[0, 1], [7, 4]]]\n"

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="the documents' shell is POSIX's"),
    pytest.mark.timeout(600),
]


def lines_of(block: str) -> list[str]:
    """The command lines of a block, without those that are marked; none of a marked block."""
    lines = [line.strip() for line in block.replace("\\\n", " ").splitlines()]
    lines = [line for line in lines if line]
    if lines and lines[0].startswith("#") and MARK.search(lines[0]):
        return []
    return [line for line in lines if not line.startswith("#") and not MARK.search(line)]


def blocks() -> Iterator[tuple[str, str]]:
    """Name and script of every block that is to be run."""
    for path in DOCUMENTS:
        for number, found in enumerate(BLOCK.findall(path.read_text(encoding="utf-8"))):
            if lines := lines_of(found):
                yield f"{path.relative_to(ROOT)}-{number}", "\n".join(lines)
    for name, examples in EXAMPLES.items():
        for number, line in enumerate(examples):
            if name and " # " not in line:
                yield f"{name}-{number}", line


SCRIPTS = dict(blocks())


@pytest.fixture(scope="session")
def things(tmp_path_factory: pytest.TempPathFactory, shard: Path) -> Path:
    """A folder with what the commands name: engines, games, openings, a suite, a tree."""
    folder = tmp_path_factory.mktemp("things")
    for name in ENGINES:
        (folder / name).write_text(f'#!/bin/sh\nexec {shlex.join(this_engine())} "$@"\n')
        (folder / name).chmod(0o755)
    (folder / "docs").symlink_to(ROOT / "docs")
    (folder / "games").mkdir()
    shutil.copy(shard, folder / "games" / "seed000003.games")
    for name, games in (("game.pgn", QUICK), ("games.pgn", PGN), ("8moves_v3.pgn", PGN)):
        (folder / name).write_text(games)
    with zipfile.ZipFile(folder / "games.zip", "w") as archive:
        archive.writestr("games.pgn", QUICK)
    (folder / "openings.tsv").write_text("eco\tname\tpgn\nC60\tRuy Lopez\t1. e4 e5 2. Nf3 Nc6 3. Bb5\n")
    for name in ("suite.epd", "wac.epd"):
        (folder / name).write_text(SUITE)
    (folder / "tree.json").write_text(TREE)
    return folder


@pytest.mark.parametrize("name", SCRIPTS)
def test_what_is_shown_runs(name: str, things: Path, tmp_path: Path) -> None:
    place = tmp_path / "here"
    shutil.copytree(things, place, symlinks=True)
    path = os.pathsep.join([str(place), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", MANY.sub(lambda many: many[0][:-1], SCRIPTS[name])],
        cwd=place,
        env={**os.environ, "PATH": path},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
    )
    if missing := re.search(r".* is missing: .*", done.stderr):
        pytest.skip(missing[0])
    assert done.returncode == 0, f"{SCRIPTS[name]}\n{done.stderr}"
    assert "Traceback" not in done.stderr


def test_marks() -> None:
    block = "sssnake a  # a comment\nsssnake b \\\n  --c   # long: an hour\n# a remark\nsssnake d # needs e\n"
    assert lines_of(block) == ["sssnake a  # a comment"]
    assert lines_of("# long: hours\nsssnake a\n") == []
    assert len(SCRIPTS) > 20
