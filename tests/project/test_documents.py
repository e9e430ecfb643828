"""The documents: commands parse, links and paths exist, tables agree with the measurements."""

import argparse
import importlib.util
import inspect
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
from support.constants import ROOT

from sssnake.engine.commands.cli import COMMANDS, available
from sssnake.engine.player.drivers import close

UNCHECKED = "# not checked"  # marks a command line that cannot be parsed here
FREE = {"uci", "help", "-h", "--help", "-v", "-V", "--version", "--print-path", "--bot-config"}  # no COMMANDS
PLACEHOLDERS = {
    "NAME=VALUE": "grain=2",
    "NAME=LOW:HIGH": "grain=1:2",
    "NAME": "etc_depth",
    "N": "1",
    "SETTING": "PVS",
}
PLACEHOLDER = re.compile(rf"\b({'|'.join(map(re.escape, PLACEHOLDERS))})\b(?![.=*/])")
PATHS = re.compile(r"(?<![\w/.~-])(?:_fast|engine|tests|docs|networks|openings|\.ci)/[\w./*-]*\w")
MODULES = re.compile(r"(?<![\w/.-])\w+\.(?:pyx|pxd|pyi|py|h)\b")
MADE = {"_fast/x86-64-v3"}  # made by a build
STRANGERS = {"lichess-bot.py", "tables.py"}  # files of other projects, and files without a package


def load_tables() -> ModuleType:
    """Import docs/measurements/tables.py, which belongs to no package."""
    spec = importlib.util.spec_from_file_location("tables", ROOT / "docs" / "measurements" / "tables.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


tables = load_tables()
DOCUMENTS = [path for path in tables.documents() if path.name != "CHANGELOG.md"]
MEASUREMENTS = sorted((ROOT / "docs" / "measurements").glob("*.csv"))

LONGEST = 150  # lines of a page
LONGER = {"compatibility.md"}  # one table, written by tests/measure/compatibility.py

each_document = pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
each_measurement = pytest.mark.parametrize("path", MEASUREMENTS, ids=lambda path: path.stem)


# Tables


@each_document
def test_tables_are_those_of_the_measurements(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert tables.rendered(text) == text, "run `python docs/measurements/tables.py`"
    assert text.count("<!-- measurements: ") == len(tables.MARKED.findall(text))


def test_every_table_is_shown_and_known() -> None:
    texts = [path.read_text(encoding="utf-8") for path in DOCUMENTS]
    shown = {found[1] for text in texts for found in tables.MARKED.findall(text)}
    rows = [row for path in MEASUREMENTS for row in tables.measurements(path.stem)]
    named = {name for row in rows for name in row["table"].split()}
    assert shown == set(tables.TABLES) | set(tables.LAB)
    assert set(tables.TABLES) == named


@each_measurement
def test_measurements_say_when_and_of_what(path: Path) -> None:
    rows = tables.measurements(path.stem)
    assert list(rows[0])[: len(tables.COLUMNS)] == tables.COLUMNS
    for row in rows:
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", row["date"]), row
        assert re.fullmatch(r"(<=)?[0-9a-f]{7}", row["commit"]), row
        assert row["result"] or row["note"], row


# Commands


class Parsed(BaseException):
    """The words have been parsed: the command is not run."""


@pytest.fixture
def parse_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command ends as soon as its arguments are parsed."""
    read = argparse.ArgumentParser.parse_args

    def parse_args(parser: argparse.ArgumentParser, *words: list[str]) -> None:
        read(parser, *words)
        raise Parsed

    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", parse_args)


def shell_lines(text: str) -> Iterator[str]:
    """The command lines of a document: its shell blocks, and quoted code in sentences."""
    prose = []
    for number, part in enumerate(text.split("```")):
        if number % 2 and part.startswith(("sh\n", "\n")):
            yield from part.partition("\n")[2].replace("\\\n", " ").splitlines()
        elif not number % 2:
            prose.append(part)
    yield from re.findall(r"`([^`]+)`", " ".join(prose))


def commands(line: str) -> Iterator[list[str]]:
    """The words after each `sssnake` that a line calls."""
    if UNCHECKED in line:
        return
    for part in re.split(r"&&|;|\|", re.sub(r"\$\([^)]*\)", "", line)):  # words that another command makes
        part = PLACEHOLDER.sub(lambda found: PLACEHOLDERS[found[1]], part.strip())
        if found := re.match(r"(\w+=\S+ )?sssnake\b(?![-.])", part):
            yield shlex.split(part[found.end() :], comments=True)


def check(words: list[str]) -> str:
    """The error in the words after `sssnake`; "" if there is none, or if a command is only named."""
    if not words or words[0] in FREE:
        return ""
    name = words[0]
    if name not in COMMANDS:
        return f"no command {name}"
    if name not in available():  # a part that is not installed
        return ""
    if len(words) <= {"lab": 2, "book": 2, "data": 2}.get(name, 1):
        return ""
    if words[1:2] == ["--method"] and len(words) == 3:
        return ""
    try:
        import_module(COMMANDS[name][0]).main(words[1:])
    except Parsed:
        return ""
    except SystemExit:
        pass
    return f"does not parse: sssnake {shlex.join(words)}"


@each_document
@pytest.mark.usefixtures("parse_only")
def test_commands_parse(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = [
        f"{problem}: {capsys.readouterr().err}"
        for line in shell_lines(path.read_text(encoding="utf-8"))
        for words in commands(line)
        if (problem := check(words))
    ]
    assert not wrong, "\n".join(wrong)


@each_measurement
@pytest.mark.usefixtures("parse_only")
def test_commands_of_measurements_parse(path: Path) -> None:
    lines = {row["command"] for row in tables.measurements(path.stem)} - {""}
    assert [problem for line in lines for words in commands(line) if (problem := check(words))] == []


@pytest.mark.usefixtures("parse_only")
def test_the_check_sees_a_wrong_command() -> None:
    assert check(["match", "a", "--no-such-option"])
    assert check(["no-such-command"])
    assert check(["bench", "--param", "no_such_parameter=1"])
    assert not check(["match", "a", "--games", "2"])
    block = "sssnake epd FILE \\\n  --nodes N  # c\nX=1 sssnake perft 2; sssnake data\n"
    text = f"a `sssnake bench 3` b\n```sh\n{block}```"
    found = [words for line in shell_lines(text) for words in commands(line)]
    assert sorted(found) == [["bench", "3"], ["data"], ["epd", "FILE", "--nodes", "1"], ["perft", "2"]]


@each_document
def test_targets_of_make_exist(path: Path) -> None:
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for line in shell_lines(path.read_text(encoding="utf-8")):
        line = re.sub(r"-C \S+", "", line.partition(" #")[0])
        for called in re.findall(r"\bmake +((?:[\w-]+(?:=\"[^\"]*\"|=\S*)? ?)+)", line):
            words = [word for word in shlex.split(called) if "=" not in word]
            assert set(words) <= targets, line


# Links, paths, length


@each_document
def test_a_page_is_short(path: Path) -> None:
    assert path.name in LONGER or len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST


def anchors(path: Path) -> set[str]:
    """The anchors that GitHub gives to the headings of a document."""
    headings = re.findall(r"^#+ (.*)", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@each_document
def test_links_lead_somewhere(path: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", path.read_text(encoding="utf-8")):
        if link.startswith(("http://", "https://")):
            continue
        name, _, anchor = link.partition("#")
        target = (path.parent / name).resolve() if name else path
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


@each_document
def test_paths_exist(path: Path) -> None:
    text = re.sub(r"\]\([^)]*\)|https?://\S+", "", path.read_text(encoding="utf-8"))
    ours = {file.name for folder in ("_fast", "engine", "tests") for file in (ROOT / folder).rglob("*.*")}
    ours |= {"setup.py"} | STRANGERS
    missing = {name for name in PATHS.findall(text) if not list(ROOT.glob(name))}
    missing |= {name for name in MODULES.findall(text) if name not in ours}
    assert missing <= MADE


def test_the_loop_of_the_passes_is_quoted() -> None:
    quoted = re.findall(
        r"```python\n(.*?)```", (ROOT / "docs/sss/how-it-plays.md").read_text("utf-8"), re.DOTALL
    )
    assert len(quoted) == 1 and inspect.getsource(close).endswith(quoted[0])


def test_the_site_builds(tmp_path: Path) -> None:
    """`make docs`: every page is in the table of contents, every link and anchor leads somewhere."""
    pytest.importorskip("mkdocs", reason="mkdocs is missing: pip install '.[docs]'")
    command = [
        sys.executable,
        "-m",
        "mkdocs",
        "build",
        "--strict",
        "-f",
        ".ci/mkdocs.yml",
        "-d",
        str(tmp_path),
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "search.html").exists() or (tmp_path / "search").exists()
