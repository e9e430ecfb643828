"""The command line: what is found, what is refused, and the perft command."""

import json
import os
import shutil
import subprocess
import sys
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from support.constants import ENGINE, KIWIPETE, ROOT
from support.suites import OWN, located

from sssnake import __version__
from sssnake.engine.commands import cli, examples, perft
from sssnake.engine.common import build, extras

PERFT = ("chess960_960.epd", "enpassant3760.epd", "mixed174.epd", "sedlak33.epd", "tricky18.epd")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [*ENGINE, *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("option", ["-v", "-V", "--version"])
def test_version(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([option]) == 0
    assert capsys.readouterr().out == f"{build.name()}\n"


def test_help_names_the_commands_that_exist_in_groups(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--help"]) == 0
    text = capsys.readouterr().out
    groups = ["play and analyse:", "test:", "train:", "laboratory:", "for developers:"]
    places = [text.index(f"\n{group}\n") for group in groups]
    assert places == sorted(places)
    for name in cli.available():
        assert text.count(f"\n  {name:<14}") == 1
    assert max(map(len, text.splitlines())) <= 100
    for module, _ in cli.available().values():
        assert (ROOT / (module.replace(".", "/") + ".py")).exists()


def test_a_command_that_is_not_installed_is_not_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(cli.COMMANDS, "fly", ("engine.no_such_package.fly", "up and away"))
    assert "fly" not in cli.available()
    assert cli.main(["fly"]) == 2
    assert "no command 'fly'" in capsys.readouterr().err


def test_a_bundle_shows_no_command_that_lacks_a_part(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Elsewhere it is shown: the part can be installed."""
    monkeypatch.setattr(cli, "exists", lambda module: module not in ("numpy", "uvicorn"))
    assert set(cli.PARTS) < set(cli.available())
    monkeypatch.setattr(extras, "is_bundle", lambda: True)
    assert set(cli.available()) == set(cli.COMMANDS) - set(cli.PARTS)
    assert cli.main(["--help"]) == 0
    assert "\n  serve" not in capsys.readouterr().out


@pytest.mark.parametrize("command", cli.available())
def test_every_help_ends_with_examples(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([command, "--help"]) == 0
    text = capsys.readouterr().out
    assert f"\n  sssnake {command}" in text
    assert cli.main(["help", command]) == 0
    assert capsys.readouterr().out == text


def test_examples_belong_to_commands() -> None:
    assert {name.partition(" ")[0] for name in examples.EXAMPLES} - {""} <= set(cli.COMMANDS)
    for name, lines in examples.EXAMPLES.items():
        assert all(line.startswith(f"sssnake {name}") and len(line) <= 108 for line in lines)


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("macth", "match"),
        ("bnech 3", "bench"),
        ("verion", "--version"),
        ("match x --gams 5", "--games"),
        ("bench --driver psv", "PVS"),
        ("data chek x", "check"),
        ("lab sovle x", "solve"),
        ("lab verify --treees 3", "--trees"),
        ("tune --method texle", "texel"),
    ],
)
def test_did_you_mean(words: str, meant: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(words.split()) == 2
    error = capsys.readouterr().err
    assert error.endswith(f"; did you mean {meant}?\n") and error.count("\n") == 1


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("possition startpos", "position"),
        ("qiut", "quit"),
        ("go depht 3", "depth"),
        ("setoption name Thread value 2", "Threads"),
        ("setoption name Driver value MTD(g)", "MTD(f)"),
    ],
)
def test_did_you_mean_in_a_session(line: str, meant: str) -> None:
    done = subprocess.run(
        ENGINE, cwd=ROOT, input=f"{line}\nquit\n", capture_output=True, text=True, timeout=60
    )
    assert f"; did you mean {meant}?" in done.stdout.splitlines()[0]


def test_nothing_similar_means_no_guess() -> None:
    done = run("nonsense")
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr == "sssnake: no command 'nonsense'; sssnake --help lists them\n"


def on_a_terminal(stdin: bool, stdout: bool) -> str:
    """What the engine prints before it is told to quit; the streams named are a terminal."""
    pty = pytest.importorskip("pty", reason="there are no pseudo terminals here")
    ours, theirs = pty.openpty()
    source, sink = os.pipe(), os.pipe()
    process = subprocess.Popen(
        ENGINE, cwd=ROOT, stdin=theirs if stdin else source[0], stdout=theirs if stdout else sink[1]
    )
    os.close(sink[1])
    os.write(ours if stdin else source[1], b"quit\n")
    assert process.wait(60) == 0
    os.write(theirs, b"the end\n")
    shown = ""
    while "the end" not in shown:
        shown += os.read(ours, 4096).decode()
    shown += os.read(sink[0], 4096).decode()
    for number in (ours, theirs, *source, sink[0]):
        os.close(number)
    return shown.replace("quit\r\n", "").replace("the end\r\n", "")


def test_on_a_terminal_one_line_says_who_it_is_and_what_to_type() -> None:
    shown = on_a_terminal(True, True)
    assert shown.startswith(build.name()) and "Type help, go movetime 1000 or quit" in shown
    assert shown.count("\n") == 1 and len(shown.strip()) <= 80


@pytest.mark.parametrize(("stdin", "stdout"), [(True, False), (False, True), (False, False)])
def test_nothing_is_said_where_a_stream_is_a_pipe(stdin: bool, stdout: bool) -> None:
    assert on_a_terminal(stdin, stdout) == ""


# What this build is called


def git(folder: Path, *words: str) -> str:
    identity = ["-c", "user.name=x", "-c", "user.email=x@x"]
    if shutil.which("git") is None:
        pytest.skip("git is missing: apt install git")
    done = subprocess.run(["git", *identity, *words], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def test_the_commit_of_a_checkout_is_read_without_git(tmp_path: Path) -> None:
    main, worktree = tmp_path / "main", tmp_path / "worktree"
    main.mkdir()
    assert build.head(str(main)) == ""
    git(main, "init", "-q", "-b", "trunk")
    for title in ("one", "two"):
        git(main, "commit", "-q", "--allow-empty", "-m", title)
    newest, oldest = git(main, "rev-parse", "HEAD"), git(main, "rev-parse", "HEAD~1")
    assert build.head(str(main)) == newest
    git(main, "worktree", "add", "-q", "-b", "old", str(worktree), "HEAD~1")
    assert build.head(str(worktree)) == oldest
    git(main, "pack-refs", "--all")
    assert build.head(str(main)) == newest and build.head(str(worktree)) == oldest
    git(main, "checkout", "-q", "--detach", "HEAD~1")
    assert build.head(str(main)) == oldest


def test_a_release_does_not_name_a_commit(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(build, "HOME", str(tmp_path))
    assert build.name() == f"SSSnake {__version__}"
    (tmp_path / "sssnake").mkdir()
    (tmp_path / "sssnake" / "commit").write_text("0a1b2c3+\n")
    assert build.name() == f"SSSnake {__version__} 0a1b2c3+"


NEEDS = ("data info x", "gauge", "train x.toml -o x", "tune x", "tune --method tdleaf x", "wdl x")
NUMPY_ALONE = "screening null_move_base=4:6"
OPTIONAL = ("numpy", "scipy", "matplotlib", "tqdm", "distributed")
HELPS = tuple(f"{name} --help" for name in (*cli.available(), "tune texel", "tune tdleaf", "tune spsa"))
WITHOUT = """
import contextlib, io, json, sys
from sssnake.engine.commands import cli

found = {}
missing, lines = json.loads(sys.argv[1])
sys.modules.update(dict.fromkeys(missing))
for line in lines:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        found[line] = cli.main(line.split()), out.getvalue(), err.getvalue()
print(json.dumps(found))
"""


@cache
def without(missing: tuple[str, ...], lines: tuple[str, ...]) -> dict[str, tuple[int, str, str]]:
    """Status, output and errors of some commands, in one process that lacks these modules."""
    words = [sys.executable, "-c", WITHOUT, json.dumps([missing, lines])]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    found: dict[str, tuple[int, str, str]] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize(
    ("missing", "command"), [*product(("numpy", "scipy"), NEEDS), ("numpy", NUMPY_ALONE)]
)
def test_what_is_missing_is_named_with_the_extra_that_brings_it(missing: str, command: str) -> None:
    lines = (*NEEDS, NUMPY_ALONE) if missing == "numpy" else NEEDS
    status, out, err = without((missing,), lines)[command]
    assert (status, out) == (2, "")
    assert err.startswith(f"sssnake {command.split()[0]}: {missing}")
    assert err.endswith(f" is missing: {sys.executable} -m pip install '.[tune]' in {ROOT}\n")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    "start",
    [
        "from sssnake import Engine",
        "from sssnake.engine.commands import cli; sys.exit(cli.main())",
        "sys.argv.append('bench'); from sssnake.engine.commands import cli; sys.exit(cli.main())",
    ],
)
def test_a_folder_that_is_not_compiled_says_so(start: str) -> None:
    """As the source folder after `pip install .`: Python takes what lies beside a program first."""
    code = f"import sys; sys.modules['sssnake._fast.board.board'] = None; {start}"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, input="isready\n", cwd=ROOT, capture_output=True, text=True, timeout=60)
    told = [
        line for line in (done.stdout + done.stderr).splitlines() if "start Python in another folder" in line
    ]
    assert len(told) == 1 and ("cli" not in start or "Traceback" not in done.stderr)


@pytest.mark.parametrize("line", HELPS)
def test_help_needs_no_optional_part(line: str) -> None:
    status, out, err = without(OPTIONAL, HELPS)[line]
    assert (status, err) == (0, "")
    assert "sssnake" in out.splitlines()[0]


@pytest.mark.parametrize("kind", ["source", "pipx", "uv", "executable", "zip", "system", "package"])
def test_how_to_get_what_is_missing(kind: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """By names that an index has, or by the folder: there is no sssnake on any index."""
    monkeypatch.setattr(extras, "HOME", ROOT if kind == "source" else tmp_path)
    left = {"pipx": "pipx_metadata.json", "uv": "uv-receipt.toml"}  # by the installer, in the environment
    environment = tmp_path / "sssnake-old"  # as of pipx install --suffix=-old, in another PIPX_HOME
    environment.mkdir()
    if kind in left:
        (environment / left[kind]).touch()
    monkeypatch.setattr(sys, "prefix", str(environment if kind in (*left, "package") else "/usr"))
    monkeypatch.setattr(sys, "base_prefix", "/usr")
    monkeypatch.setattr(extras, "is_bundle", lambda: kind in ("executable", "zip"))
    if kind == "zip":
        monkeypatch.setattr(sys, "platform", "win32")
    text = extras.how_to_get("numpy")
    expected = {
        "source": f"{sys.executable} -m pip install '.[tune]' in {ROOT}",
        "pipx": "pipx inject sssnake-old numpy scipy",
        "zip": "the zip cannot have it; with Python: pipx install sssnake's wheel, "
        "pipx inject sssnake numpy scipy",
        "executable": "pip install '.[tune]' in the source folder, and sssnake from there",
        "uv": "uv tool install --reinstall --with numpy --with scipy, and the wheel or folder",
        "system": "pip install numpy scipy, or pipx install sssnake's wheel and pipx inject "
        "sssnake numpy scipy",
        "package": f"{sys.executable} -m pip install numpy scipy",
    }
    assert text == expected[kind]


def test_print_path(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    executable = tmp_path / "sssnake"
    executable.write_text("#!/bin/sh\n")
    executable.chmod(0o755)
    monkeypatch.setattr(sys, "argv", [os.path.relpath(executable)])
    assert cli.main(["--print-path"]) == 0
    assert Path(capsys.readouterr().out.strip()).samefile(executable)


def test_no_path(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "argv", [str(ROOT / "engine" / "cli.py")])
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert cli.main(["--print-path"]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_the_bots_configuration_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--bot-config"]) == 0
    text = capsys.readouterr().out
    assert 'protocol: "uci"' in text and text == (ROOT / "engine/commands/lichess-bot.yml").read_text("utf-8")


def test_perft(capsys: pytest.CaptureFixture[str]) -> None:
    assert perft.main(["3"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Nodes searched: 8902" and lines[1].endswith("Mn/s")
    assert perft.main(["2", "--fen", KIWIPETE, "--divide", "--threads", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "Nodes searched: 2039" in lines
    assert sum(int(line.split(": ")[1]) for line in lines[:48]) == 2039


def test_perft_chess960_letters(capsys: pytest.CaptureFixture[str]) -> None:
    fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"
    assert perft.main(["3", "--fen", fen]) == 0
    assert capsys.readouterr().out.startswith("Nodes searched: 12189\n")


def test_perft_suite(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    suite = tmp_path / "suite.epd"
    suite.write_text(f"# a comment\n{start} ;D1 20 ;D2 400 ;D9 1\n\n{start};D3 8902\n")
    assert perft.main(["4", "--suite", str(suite)]) == 0
    assert capsys.readouterr().out.startswith("2 positions, 3 counts right, 0 wrong; 9322 nodes")
    suite.write_text(f"{start} ;D1 20 ;D2 401\n")
    assert perft.main(["--suite", str(suite)]) == 1
    assert "depth 2: 400, expected 401" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["x"],
        ["-1"],
        ["2", "--fen", "rubbish"],
        ["2", "--threads", "0"],
        ["2", "--suite", "/nonexistent.epd"],
        ["--suite", str(ROOT / "pyproject.toml")],
        ["2", "--nonsense"],
    ],
)
def test_perft_refuses(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    try:
        status = perft.main(arguments)
    except SystemExit as leaving:
        assert isinstance(leaving.code, int)
        status = leaving.code
    assert status == 2
    errors = capsys.readouterr().err
    assert errors.startswith("sssnake perft: ") and errors.count("\n") == 1


@pytest.mark.parametrize("path", [OWN / "perft.epd", *located(*PERFT)], ids=lambda path: path.stem)
def test_suites_are_read_and_counted(path: Path) -> None:
    assert perft.main(["2", "--suite", str(path)]) == 0


def test_output_cut_short_is_no_error() -> None:
    command = f"{sys.executable} -m sssnake perft 3 --divide | head -1"
    done = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.stderr == "" and done.stdout.count("\n") == 1
