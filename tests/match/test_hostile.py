"""Engines that do what no engine should: the match ends, nothing is left behind, the reason is told."""

import json
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import pytest
from support.commands import status_of
from support.constants import FAKE, ROOT

from sssnake._fast.search.parameters import TABLE
from sssnake.engine.commands import cli, epd
from sssnake.engine.match import client, descendants, game, match
from sssnake.engine.match.client import (
    EngineError,
    EngineOption,
    EngineTimeoutError,
    UciEngine,
    _parse_option,
)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="signals and /proc of Linux")

LIMITS = ("--games", "2", "--depth", "1", "--max-moves", "10")


@pytest.fixture(autouse=True)
def _short_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game, "GRACE_SECONDS", 0.3)
    monkeypatch.setattr(client, "QUIT_SECONDS", 0.3)
    monkeypatch.setattr(client, "START_SECONDS", 3.0)
    monkeypatch.setattr(client, "WRITE_SECONDS", 1.0)


def script(tmp_path: Path, text: str) -> str:
    """The command line of an engine."""
    path = tmp_path / "engine.py"
    path.write_text(textwrap.dedent(text))
    return f"{sys.executable} {path}"


def gone(pid: int, seconds: float = 20.0) -> bool:
    """Whether a process ends soon; a zombie counts as gone."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            if Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] == "Z":
                return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.02)
    return False


def number_in(path: Path) -> int:
    """The number that a process writes to a file."""
    deadline = time.monotonic() + 20
    while not path.exists() or not path.read_text().endswith("\n"):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return int(path.read_text())


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a match that does not begin says."""
    assert status_of(match.main, list(arguments)) == 2
    output = capsys.readouterr()
    assert output.out == "" and output.err.count("\n") == 1
    return output.err


def test_what_fails_before_the_first_game_has_no_table(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> bool:
        raise OSError("the folder is gone")

    monkeypatch.setattr(match, "_play", fails)
    assert "the folder is gone" in refusal(capsys, FAKE, FAKE, *LIMITS)


# -- talk without end


@pytest.mark.parametrize("command", ["yes sssnake", "yes id", "cat /dev/zero"])
def test_a_handshake_ends(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = time.monotonic()
    refusal(capsys, command, FAKE, *LIMITS)
    assert time.monotonic() - before < 8


FLOOD = """
    import os, sys
    said = b"uciok\\n", b"readyok\\n"
    pour = {pour!r}
    for line in sys.stdin:
        if line.startswith("uci"):
            os.write(1, b"id name Flood\\nuciok\\n")
        elif line.startswith("isready"):
            os.write(1, b"readyok\\n")
        elif line.startswith("go"):
            while True:
                os.write(1, pour * 500)
"""


@pytest.mark.parametrize("pour", [b"info depth 3 score cp 5 pv e2e4\n", b"readyok\n"])
def test_a_clock_runs_while_lines_pour_in(
    pour: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    engine = script(tmp_path, FLOOD.format(pour=pour))
    limits = ("--games", "2", "--tc", "0.3+0.1", "--margin", "50", "--max-moves", "10", "--json")
    assert match.main([FAKE, engine, *limits]) == 0
    pairing = json.loads(capsys.readouterr().out)["pairings"][0]
    assert pairing["wins"] == 2
    assert [sum(faults.values()) for faults in pairing["faults"]] == [0, 2]


def test_an_engine_that_answers_without_reading(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "import os\nwhile True:\n    os.write(1, b'uciok\\nreadyok\\nbestmove e2e4\\n' * 500)"
    before = time.monotonic()
    assert match.main([FAKE, script(tmp_path, text), *LIMITS, "--plies", "0", "--json"]) == 0
    assert time.monotonic() - before < 20
    pairing = json.loads(capsys.readouterr().out)["pairings"][0]
    assert pairing["wins"] == 2 and pairing["faults"][1]["illegal"] == 2


def test_writing_ends_at_a_deadline() -> None:
    engine = UciEngine(["sleep", "600"])
    try:
        before = time.monotonic()
        with pytest.raises(EngineTimeoutError):
            engine.go("position startpos moves " + "e2e4 " * 100_000, "go depth 1", 0.3)
        assert time.monotonic() - before < 5
    finally:
        engine.close()


def test_only_an_answer_to_the_question_counts(tmp_path: Path) -> None:
    """A second `bestmove` is not the answer to the next `go`; a late one is there for who asks again."""
    text = """
        import sys, time
        for line in sys.stdin:
            if line.startswith("go first"):
                print("bestmove a2a3\\nbestmove b2b3", flush=True)
            elif line.startswith("go"):
                time.sleep(0.4)
                print("bestmove c2c3", flush=True)
    """
    engine = UciEngine(script(tmp_path, text).split())
    try:
        assert engine.go("position startpos", "go first", 20).move == "a2a3"
        time.sleep(0.2)
        with pytest.raises(EngineTimeoutError):
            engine.go("position startpos", "go second", 0.05)
        assert engine.stop(5).move == "c2c3"
    finally:
        engine.close()


# -- option values


def test_declared_values() -> None:
    spin = _parse_option(["Hash", *"type spin default 16 min 1 max 64".split()])  # noqa: SIM905
    assert spin == EngineOption("Hash", "spin", "16", 1, 64)
    combo = _parse_option(
        ["Style", *"type combo default Very Solid var Very Solid var Risky".split()]  # noqa: SIM905
    )
    assert combo == EngineOption("Style", "combo", "Very Solid", choices=("Very Solid", "Risky"))
    check, button, string = (EngineOption("A", kind, None) for kind in ("check", "button", "string"))
    good = {
        spin: ("1", "64", "+5"),
        combo: ("risky", "Very Solid"),
        check: ("true", "False"),
        button: (None,),
        string: ("", "x y"),
    }
    bad = {spin: ("0", "65", "abc", "", "1.5", None), combo: ("solid", ""), check: ("1",), button: ("x",)}
    for option, values in good.items():
        for value in values:
            option.check(value)
    for option, values in bad.items():
        for value in values:
            with pytest.raises(ValueError, match=option.name):
                option.check(value)


@pytest.mark.parametrize("option", ["Seed=abc", "Seed=1001", "Seed", "Ponder=maybe", "seed=-1"])
@pytest.mark.parametrize("who", ["--option-b", "--option"])
def test_a_value_that_is_not_declared(option: str, who: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert option.partition("=")[0].lower() in refusal(capsys, FAKE, *LIMITS, who, option).lower()


OWN = f"{sys.executable} -m sssnake.engine.commands.cli"


@pytest.mark.parametrize(
    "option", ["Driver=Foo", "Hash=abc", "EvalFile=/none/net", "null_move_base=9999", "SyzygyPath=/none"]
)
def test_what_the_engine_refuses_is_not_measured(
    option: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "START_SECONDS", 30.0)
    monkeypatch.chdir(ROOT)
    said = refusal(capsys, OWN, *LIMITS, "--option-b", option)
    assert any(word in said for word in option.split("="))


def test_the_engine_takes_every_parameter(monkeypatch: pytest.MonkeyPatch) -> None:
    """`uci` lists none of them; some are one word, and look like the misspelt name of an option."""
    monkeypatch.setattr(client, "START_SECONDS", 30.0)
    monkeypatch.chdir(ROOT)
    engine = UciEngine(OWN.split())
    try:
        engine.handshake()
        assert engine.set_options({row.name: str(row.default) for row in TABLE}) == []
        engine.wait_ready()
        assert not engine.refusal
        assert engine.set_options({"haash": "16", "grain": None}) == ["haash", "grain"]
    finally:
        engine.close()


def test_what_an_engine_says_beside_is_no_refusal(tmp_path: Path) -> None:
    text = """
        import sys
        for line in sys.stdin:
            if line.startswith("isready"):
                print("info string {said}\\nreadyok", flush=True)
            elif line.startswith("uci"):
                print("option name Path type string")
                print("option name Hash type spin default 1 min 1 max 9\\nuciok", flush=True)
    """
    sayings = {
        "NNUE evaluation using net.bin": False,
        "Hash set": False,
        "error: locale": False,
        "Hash: 5, saved in /errors/invalid": False,
        "Hash cannot be saved in /errors/invalid": True,
        "EvalFile: network (768 -> 16) x 2 -> 1: Hash, commit unknown": False,
        "No such option: Hash": True,
        "Invalid value for Hash": True,
    }
    for said, refused in sayings.items():
        engine = UciEngine(script(tmp_path, text.format(said=said)).split())
        try:
            engine.handshake()
            engine.set_options({"Hash": "5", "Path": "/errors/invalid"})
            engine.wait_ready()
            assert bool(engine.refusal) is refused
        finally:
            engine.close()


# -- what is left behind


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.mark.parametrize("start", ["", "setsid "])
def test_descendants_end_with_an_engine_that_quits(start: str, tmp_path: Path) -> None:
    """Also one that left the engine's group and keeps the pipe open, which does not hold us up."""
    pid = tmp_path / "pid"
    inner = f"echo $$ > {pid}; exec sleep 600"
    before = descriptors()
    engine = UciEngine(["sh", "-c", f"{start}sh -c '{inner}' & exec {FAKE}"])
    try:
        engine.handshake()
        child = number_in(pid)
    finally:
        engine.close()
    assert gone(child) and descriptors() == before


DAEMON = """
    import os, subprocess, sys, time
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.chdir("/")
            null = os.open(os.devnull, os.O_RDWR)
            for descriptor in range(3):
                os.dup2(null, descriptor)
            child = subprocess.Popen(["env", "-i", "sleep", "600"])
            with open({pid!r}, "w") as file:
                print(os.getpid(), child.pid, file=file)
            time.sleep(600)
        os._exit(0)
    os.wait()
    for line in sys.stdin:
        if "go" in line and {crashes}:
            os._exit(1)
        print({{"uci": "uciok", "isready": "readyok"}}.get(line.strip(), ""), flush=True)
        if "quit" in line:
            break
"""


@pytest.mark.parametrize("end", ["quit", "kill", "crash"])
def test_a_daemon_of_the_engine_ends_with_it_and_nothing_else_does(end: str, tmp_path: Path) -> None:
    """A double fork, a session of its own, a child without environment; another engine's daemon lives on."""
    engines, daemons = [], []
    for name in ("one", "two"):
        pid = tmp_path / name
        (tmp_path / f"{name}.py").write_text(
            textwrap.dedent(DAEMON.format(pid=str(pid), crashes=end == "crash"))
        )
        engines.append(UciEngine([sys.executable, str(tmp_path / f"{name}.py")]))
        engines[-1].handshake()
        deadline = time.monotonic() + 20
        while not pid.exists() or not pid.read_text().endswith("\n"):
            assert time.monotonic() < deadline
            time.sleep(0.02)
        daemons.append([int(word) for word in pid.read_text().split()])
    bystander = subprocess.Popen(["sleep", "600"], start_new_session=True)
    try:
        if end == "crash":
            with pytest.raises(EngineError):
                engines[0].go("position startpos", "go depth 1", 20)
        if end == "kill":
            engines[0].kill()
        engines[0].close()
        assert all(gone(pid) for pid in daemons[0])
        assert bystander.poll() is None
        assert not any(gone(pid, 0.1) for pid in daemons[1])
        engines[1].close()
        assert all(gone(pid) for pid in daemons[1]) and bystander.poll() is None
    finally:
        for engine in engines:
            engine.close()
        bystander.kill()
        bystander.wait()


def test_an_engine_in_an_engine_has_both_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(descendants.MARK, descendants.marked("outer")[descendants.MARK])
    assert descendants.marked("inner")[descendants.MARK].split(":")[-2:] == ["outer", "inner"]


# -- engines of another protocol


@pytest.mark.parametrize(
    "said",
    [
        "Error (unknown command): uci",
        "Illegal move: uci",
        "White (1) : Invalid move: uci",
        "Illegal move (x): uci.",
    ],
)
def test_an_engine_of_xboard_that_answers_is_told_at_once(said: str, tmp_path: Path) -> None:
    text = f"import sys\nfor line in sys.stdin:\n    print({said!r} if 'uci' in line else '', flush=True)"
    engine = UciEngine(script(tmp_path, text).split())
    try:
        with pytest.raises(EngineError, match="does not answer `uci` but speaks xboard's protocol"):
            engine.handshake(20)
    finally:
        engine.close()


SILENT = """
    import sys, time
    from pathlib import Path
    print("Some Chess 1.0", flush=True)
    asked = Path({asked!r})
    for line in sys.stdin:
        if "protover" in line:
            asked.touch()
            time.sleep(0.5)
            print('feature myname="Some" done=1' if {xboard} else "what?", flush=True)
        if line == "uci\\n" and {answer!r}:
            while not asked.exists():
                time.sleep(0.01)
            time.sleep({late})
            print({answer!r}, flush=True)
        if "quit" in line:
            break
"""


@pytest.mark.parametrize(
    ("xboard", "answer", "late", "error"),
    [
        (True, "", 0, "does not answer `uci` but speaks xboard's protocol"),
        (False, "", 0, "does not answer `uci` in 2 s"),
        (False, "uciok", 0, None),  # slow: it answers after the trial has begun
        (True, "uciok", 0, None),  # slow, and speaks both
        (True, "uciok", 1, None),  # the same, after the trial
    ],
)
def test_a_silent_engine_is_asked_in_xboards_protocol(
    xboard: bool, answer: str, late: int, error: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "SILENCE_SECONDS", 3.0 if late else 0.3)
    monkeypatch.setattr("sssnake.engine.match.xboard.TRIAL_SECONDS", 3.0)
    monkeypatch.setattr(client, "START_SECONDS", 20.0 if answer or xboard else 2.0)
    text = SILENT.format(xboard=xboard, answer=answer, late=late, asked=str(tmp_path / "asked"))
    before = time.monotonic()
    engine = UciEngine(script(tmp_path, text).split())
    try:
        if error is None:
            engine.handshake()
        else:
            with pytest.raises(EngineError, match=error):
                engine.handshake()
        assert time.monotonic() - before < 15
    finally:
        engine.close()


def test_descendants_end_with_an_engine_that_crashes(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    engine = UciEngine(["sh", "-c", f"sh -c 'echo $$ > {pid}; exec sleep 600' & sleep 0.3"])
    child = number_in(pid)
    with pytest.raises(EngineError):
        engine.handshake()
    engine.close()
    assert gone(child)


CODE = "import sys; from sssnake.engine.commands import cli; sys.exit(cli.main(['match', *sys.argv[1:]]))"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("hangs", ["at once", "at the end"])
def test_an_interrupt_while_engines_start(number: signal.Signals, hangs: str, tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    engine = script(
        tmp_path,
        f"""
        import os, pathlib, sys, time
        for line in sys.stdin if {hangs == "at the end"} else ():
            print({{"uci": "uciok", "isready": "readyok"}}.get(line.strip(), ""), flush=True)
            if "quit" in line:
                break
        pathlib.Path({str(pid)!r}).write_text(f"{{os.getpid()}}\\n")
        time.sleep(600)
    """,
    )
    command: list[Any] = [sys.executable, "-c", CODE, engine, FAKE, *LIMITS]
    run = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    child = number_in(pid)
    run.send_signal(number)
    out, err = run.communicate(timeout=20)
    assert (run.returncode, out) == (130, "") and "Traceback" not in err
    assert gone(child)


# -- what was played is told


@pytest.mark.parametrize("output", ["--pgn", "--log"])
def test_a_full_disk_does_not_hide_the_result(output: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of(match.main, [FAKE, *LIMITS, "--name-a", "A", "--name-b", "B", output, "/dev/full"]) == 2
    said = capsys.readouterr()
    assert said.out.startswith("A - B: 1 games ")
    assert said.err == "sssnake match: /dev/full: No space left on device\n"


def test_a_folder_that_vanishes_does_not_hide_the_result(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    text = f"""
        import shutil, sys
        for line in sys.stdin:
            if line.startswith("go"):
                shutil.rmtree({str(folder)!r}, ignore_errors=True)
                print("bestmove 0000", flush=True)
            print({{"uci": "uciok", "isready": "readyok"}}.get(line.strip(), ""), flush=True)
            if "quit" in line:
                break
    """
    pgn = str(folder / "a.pgn")
    assert status_of(match.main, [script(tmp_path, text), FAKE, *LIMITS, "--json", "--pgn", pgn]) == 2
    said = capsys.readouterr()
    assert json.loads(said.out)["pairings"][0]["games"] == 1
    assert said.err.splitlines()[-1] == f"sssnake match: {pgn}: No such file or directory"


def test_answers_before_an_error_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suite = tmp_path / "a.epd"
    suite.write_text("4k3/8/8/8/8/8/8/R3K3 w - - bm Ra8+;\n" * 5)
    text = """
        import sys
        searches = 0
        for line in sys.stdin:
            searches += line.startswith("go")
            if searches == 3:
                sys.exit(1)
            if line.startswith("go"):
                print("bestmove a1a8", flush=True)
            print({"uci": "uciok", "isready": "readyok"}.get(line.strip(), ""), flush=True)
    """
    assert status_of(epd.main, [str(suite), "--depth", "1", "--engine", script(tmp_path, text)]) == 2
    said = capsys.readouterr()
    assert "solved 2/2 " in said.out and said.err.count("\n") == 1
    assert said.err.startswith("sssnake epd: a.") and said.err.endswith(": the engine has gone\n")


@pytest.mark.parametrize(
    ("tool", "words"),
    [
        ("tune", ["--method", "spsa", "--parameters", "grain", "--games", "2"]),
        ("tune", ["--method", "tdleaf", "{folder}/state.json", "--games", "2"]),
        ("tune", ["--method", "tdleaf", "{folder}/state.json", "--games", "2", "--png"]),
        ("tune", ["{folder}/no.log"]),
        ("wdl", ["{folder}/no.log"]),
        ("book", ["build", "{folder}/no.pgn"]),
    ],
)
def test_outputs_are_tried_before_the_work(
    tool: str, words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = str(tmp_path / "none" / "x")
    words = [word.format(folder=tmp_path) for word in words]
    with pytest.raises(SystemExit) as left:
        sys.exit(cli.main([tool, *words, *([] if "--png" in words else ["-o"]), target]))
    assert left.value.code == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and target in said and not list(tmp_path.iterdir())
