"""Every command with streams closed, full or not read, Ctrl-C, bad files, in a hostile folder."""

import os
import shlex
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest
from support.constants import ROOT

from sssnake.engine.commands import cli
from sssnake.engine.common.messages import reason
from sssnake.engine.common.process import Telling

START = (
    f"import sys; sys.path.insert(0, {str(ROOT)!r}); "
    "from sssnake.engine.commands import cli; sys.exit(cli.main())"
)
SSSNAKE = [sys.executable, "-P", "-c", START]
QUICK = {  # commands that print something soon
    "uci": "uci",
    "--version": "--version",
    "--help": "--help",
    "bench": "bench 3",
    "perft": "perft 3",
    "epd": "epd --nodes 100 suite.epd",
    "match": "match THIS THIS --nodes 50 --games 2",
    "lab solve": "lab solve --algorithm all tree.json",
    "lab solve -": "lab solve --algorithm sss -",
    "lab verify": "lab verify --trees 1",
    "lab trace": "lab trace tree.json",
    "lab trace --json": "lab trace --json tree.json",
    "lab tree": "lab tree --shape 4x3",
    "lab lesson": "lab lesson exchanges",
    "lab chess": "lab chess --depth 1",
    "lab table": "lab table --trees 2 --shape 2x3 --concurrency 2",
    "datagen": "datagen games --games 1 --nodes 50",
    "data": "data info none.games",
    "genfens": "genfens 1 seed 1",
    "params": "params",
}
REDIRECTIONS = (">/dev/full", ">&- 2>&- <&-", "2>/dev/full", ">&-", "<&-", "2>&-", ">/dev/full 2>&1")
# These take long: of them only the first three, which have each stream whole, full or closed.
LONG = ("bench", "epd", "match", "lab verify", "lab chess", "lab table", "datagen", "data")
FULL = Path("/dev/full")
needs_shell = pytest.mark.skipif(
    os.name != "posix" or not FULL.exists(), reason="needs a shell and /dev/full"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "suite.epd").write_text('6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8; id "mate";\n')
    (tmp_path / "tree.json").write_text("[[5,-2,0],[1,-3,7],[5,5,4]]")
    return tmp_path


def typed(name: str) -> str:
    """The text on standard input."""
    return "[[1, 2], [3, 4]]" if name == "lab solve -" else "uci\nquit\n"


def spelt(words: str) -> list[str]:
    """The arguments; THIS stands for this engine's command line, OTHER for another's."""
    stands_for = {"THIS": shlex.join(SSSNAKE), "OTHER": shlex.join([sys.executable, "other.py"])}
    return [stands_for.get(word, word) for word in words.split()]


def run(folder: Path, words: str, redirect: str = "", text: str = "uci\nquit\n") -> tuple[int, str, str]:
    """(exit status, standard output, standard error) of a command, with a shell's redirections."""
    done = subprocess.run(
        ["sh", "-c", f'"$@" {redirect}', "sh", *SSSNAKE, *spelt(words)],
        input=text,
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=100,
    )
    return done.returncode, done.stdout, done.stderr


@needs_shell
@pytest.mark.parametrize("name", QUICK)
def test_no_stream_is_missed_with_a_traceback(name: str, folder: Path) -> None:
    for redirect in REDIRECTIONS[: 3 if name in LONG else None]:
        status, _, errors = run(folder, QUICK[name], redirect, typed(name))
        lines = [line for line in errors.splitlines() if "%|" not in line]
        assert status in (0, 1, 2), (redirect, status, errors)
        assert len(lines) <= 1, (redirect, errors)
        lost = redirect in (">/dev/full", ">&-") and name != "datagen"
        if lost and lines and name != "data":
            assert "standard output: " in lines[0], (redirect, errors)
        assert status == 2 or not lost, (redirect, status)


@needs_shell
@pytest.mark.parametrize("name", QUICK)
def test_a_reader_that_goes_ends_a_command_with_0(name: str, folder: Path) -> None:
    for reader in ("true", "head -n 1"):
        script = f'{{ "$@"; echo $? >status; }} | {reader} >/dev/null'
        done = subprocess.run(
            ["sh", "-c", script, "sh", *SSSNAKE, *spelt(QUICK[name])],
            input=typed(name),
            capture_output=True,
            text=True,
            cwd=folder,
            timeout=100,
        )
        status = (folder / "status").read_text().strip()
        expected = {"data": ("2",)}.get(name, ("0",))
        assert status in expected, (reader, done.stderr)
        assert len(done.stderr.splitlines()) == (status == "2"), done.stderr


@needs_shell
@pytest.mark.parametrize("name", cli.available())
def test_no_help_is_missed_with_a_traceback(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """On a full disk, with a reader that has gone, and in a process whose streams are closed."""
    words = [name, "--help"]
    with monkeypatch.context() as patch, FULL.open("wb") as full:
        patch.setattr(sys, "stdout", Telling(full, "utf-8"))
        assert cli.main(words) == 2
    told = f"sssnake {name}: standard output: No space left on device\n"
    assert capsys.readouterr().err == told
    reader, writer = os.pipe()
    os.close(reader)
    with monkeypatch.context() as patch, os.fdopen(writer, "wb") as unread:
        patch.setattr(sys, "stdout", Telling(unread, "utf-8"))
        assert cli.main(words) == 0
    assert capsys.readouterr().err == ""
    assert run(folder, " ".join(words), ">&- 2>&- <&-")[0] == 2


@needs_shell
def test_closed_input_is_empty_input(folder: Path) -> None:
    status, out, errors = run(folder, "lab solve --algorithm sss -", "<&-")
    assert (status, out, errors.count("\n")) == (2, "", 1)
    assert run(folder, "", "<&-")[:2] == (0, "")


# Ctrl-C


def interrupted(process: "subprocess.Popen[str]") -> tuple[int, str]:
    process.send_signal(signal.SIGINT)
    errors = process.communicate(timeout=30)[1]
    return process.returncode, errors


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_ctrl_c_before_a_command_has_begun_is_silent(folder: Path) -> None:
    code = (
        "import sys, time, types\nfrom sssnake.engine.commands import cli\n"
        "from sssnake.engine.common import process\n"
        "sys.path.insert(0, '.')\n"  # a module that takes long to load
        "cli.COMMANDS['slow'] = ('slow', 'x'); sys.exit(cli.main())"
    )
    (folder / "slow.py").write_text("import time\nprint('loading', flush=True)\ntime.sleep(20)\n")
    process = subprocess.Popen(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{code}", "slow"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
    )
    assert process.stdout and process.stdout.readline() == "loading\n"
    assert interrupted(process) == (-signal.SIGINT, "")


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize(
    "words", ["bench 30", "lab verify --trees 100000", "match THIS THIS --nodes 5000 --games 1000"]
)
def test_ctrl_c_in_a_command(words: str, folder: Path) -> None:
    for seconds in (0.3, 1.0):
        process = subprocess.Popen(
            [*SSSNAKE, *spelt(words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder
        )
        time.sleep(seconds)
        status, errors = interrupted(process)
        assert status in (-signal.SIGINT, 130, 0, 1), errors
        assert "Traceback" not in errors and "Exception" not in errors


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_ctrl_c_that_a_shell_has_turned_off_stays_off(folder: Path) -> None:
    script = 'trap "" INT; exec "$@"'
    process = subprocess.Popen(
        ["sh", "-c", script, "sh", *SSSNAKE, "bench", "3"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
    )
    time.sleep(0.3)
    assert interrupted(process) == (0, "")


# What a command meets


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (FileNotFoundError(2, "No such file or directory", "x.pgn"), "x.pgn: No such file or directory"),
        (OSError(28, "No space left on device"), "No space left on device"),
        (ValueError("line 3:\n  bad"), "line 3: bad"),
        (
            UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad"),
            "'utf-8' codec can't decode byte 0xff in position 0: bad",
        ),
        (MemoryError(), "out of memory"),
        (zipfile.BadZipFile("File is not a zip file"), "BadZipFile: File is not a zip file"),
        (
            RuntimeError("File 'a' is encrypted,\npassword required"),
            "RuntimeError: File 'a' is encrypted, password required",
        ),
        (KeyError("x"), "KeyError: 'x'"),
        (EOFError(), "EOFError"),
    ],
)
def test_every_error_is_a_line(
    error: Exception, line: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(words: list[str]) -> int:
        raise error

    assert reason(error) == line
    monkeypatch.setattr(cli, "dispatch", fail)
    assert cli.main(["bench"]) == 2
    assert capsys.readouterr().err == f"sssnake bench: {line}\n"


def files_of_many_kinds(folder: Path) -> list[str]:
    """Files that no command wants: by name."""
    kinds = {
        "empty": b"",
        "zeros": bytes(4096),
        "noise": bytes(range(256)) * 16,
        "utf16": "1. e4".encode("utf-16"),
        "half.zip": b"PK\x03\x04" + bytes(100),
        "brace": b"{",
        "surrogate": b'{"id": "\xed\xa0\x80"}',
        "latin": b'\xe9\xe8 [Event "\xfc"]\n\n1. e4 *\n',
    }
    for name, data in kinds.items():
        (folder / name).write_bytes(data)
    with zipfile.ZipFile(folder / "whole.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("games.pgn", "1. e4 e5 2. Nf3 *\n" * 50)
    archived = bytearray((folder / "whole.zip").read_bytes())
    for name, place, value in (("encrypted.zip", 6, 1), ("method.zip", 8, 77), ("damaged.zip", 45, 255)):
        changed = archived[:]
        changed[place] = value
        directory = archived.rfind(b"PK\x01\x02")
        if place < 10:
            changed[directory + place + 2] = value
        (folder / name).write_bytes(changed)
    return [*kinds, "encrypted.zip", "method.zip", "damaged.zip", "no such file", "."]


@pytest.mark.parametrize(
    "words",
    [
        "epd --nodes 10",
        "match THIS THIS --nodes 10 --games 2 --openings",
        "book build -o out.bin",
        "data info",
        "data check",
        "wdl",
        "lab solve --algorithm sss",
        "lab trace",
        "lab chess --depth 1 --epd",
        "tune texel",
        "train",
        "perft 1 --suite",
        "bench 1 --eval-file",
        "genfens 1 seed 1 book",
    ],
)
def test_files_of_any_kind_cost_a_line(
    words: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "stdin", None)
    for name in files_of_many_kinds(folder):
        status = cli.main([*spelt(words), name])
        errors = capsys.readouterr().err
        lines = [line for line in errors.splitlines() if "%|" not in line]  # progress bars
        assert status in (0, 1, 2) and "Traceback" not in errors, (name, errors)
        assert len(lines) == 1 or (not lines and status == 0), (name, errors)


# Modules that lie in the current folder

BAIT = ["chess", "struct", "random", "json", "pickle", "numpy", "socket", "threading", "queue", "tempfile"]


@pytest.fixture
def bait(folder: Path) -> Path:
    for name in BAIT:
        (folder / f"{name}.py").write_text(
            f"open('taken', 'a').write('{name} ')\nraise ImportError('bait')\n"
        )
    return folder


@pytest.mark.parametrize(
    "words",
    [
        "uci",
        "bench 2",
        "epd --nodes 100 --concurrency 2 suite.epd",
        "datagen games --games 2 --nodes 50 --concurrency 2",
        "lab table --trees 2 --shape 2x3 --concurrency 2",
        "match THIS THIS --nodes 50 --games 2",
    ],
)
def test_nothing_is_imported_from_the_current_folder(words: str, bait: Path) -> None:
    status, _, errors = run(bait, words)
    assert not (bait / "taken").exists(), (bait / "taken").read_text()
    assert (status, errors) == (0, "")


def test_the_demo_imports_nothing_from_the_current_folder(bait: Path) -> None:
    process = subprocess.Popen(
        [*SSSNAKE, "demo"], cwd=bait, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout
    for _ in range(12):
        process.stdout.readline()
    process.kill()
    process.communicate()
    assert not (bait / "taken").exists(), (bait / "taken").read_text()


def test_python_m_does_not_either(bait: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-m", "sssnake.engine.commands.cli", "epd", "--nodes", "100", "suite.epd"],
        capture_output=True,
        text=True,
        cwd=bait,
        env=environment,
        timeout=100,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert not (bait / "taken").exists(), (bait / "taken").read_text()


def test_engines_of_others_may_import_what_lies_beside_them(folder: Path) -> None:
    """A safe path is for our own processes: it would hide a script's neighbours from it."""
    (folder / "neighbour.py").write_text("NAME = 'id name Neighbour'\n")
    (folder / "other.py").write_text(
        "import neighbour\n"
        "for line in iter(input, 'quit'):\n"
        "    if line == 'uci': print(neighbour.NAME + '\\nuciok', flush=True)\n"
        "    if line == 'isready': print('readyok', flush=True)\n"
        "    if line.startswith('go'): print('bestmove d1d8', flush=True)\n"
    )
    status, out, errors = run(folder, "epd --nodes 10 --concurrency 2 --engine OTHER suite.epd")
    assert (status, errors) == (0, ""), errors
    assert "1/1" in out
