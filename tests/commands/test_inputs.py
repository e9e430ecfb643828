"""Files that are no files of their kind: pipes that nobody writes or reads, devices, 100 GB of nothing."""

import os
import resource
import select
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from support.constants import ENGINE, ROOT

from sssnake.engine.common import inputs

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="pipes, devices and limits of Linux")
HUGE = 100 << 30  # bytes, of a sparse file
MEMORY = 3 << 30  # bytes of address space that a command may use
SOON = 60.0  # seconds, on a busy machine
OWN = f"{sys.executable} -m sssnake"
COMMANDS = {
    "epd": ("epd", "--nodes", "10"),
    "match": ("match", OWN, OWN, "--nodes", "10", "--games", "2", "--openings"),
    "book build": ("book", "build", "-o", "/dev/null"),
    "data info": ("data", "info"),
    "data check": ("data", "check"),
    "wdl": ("wdl",),
    "lab solve": ("lab", "solve", "--algorithm", "sss"),
    "lab trace": ("lab", "trace"),
    "lab chess": ("lab", "chess", "--depth", "1", "--epd"),
    "tune": ("tune", "--method", "texel"),
    "train": ("train", "-o", "/dev/null"),
    "perft": ("perft", "1", "--suite"),
    "bench": ("bench", "1", "--eval-file"),
    "genfens": ("genfens", "1", "seed", "1", "book"),
    "params": ("params", "--values"),
}


@pytest.fixture
def strange(tmp_path: Path) -> dict[str, Path]:
    """Pipe, device, folder and huge file."""
    pipe, huge = tmp_path / "pipe", tmp_path / "huge"
    os.mkfifo(pipe)
    with huge.open("wb") as file:
        try:
            file.truncate(HUGE)
        except OSError:
            pytest.skip("no sparse files of 100 GB here")
    return {"pipe": pipe, "huge": huge, "folder": tmp_path, "zero": Path("/dev/zero")}


def small() -> None:
    """Limit the memory of a command."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_refuses_them_in_a_line(name: str, strange: dict[str, Path]) -> None:
    kinds = strange if name in ("epd", "data info", "lab solve") else ("pipe", "huge")
    for kind, path in ((kind, strange[kind]) for kind in kinds):
        done = subprocess.run(
            [*ENGINE, *COMMANDS[name], str(path)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=SOON,
            preexec_fn=small,
        )
        lines = [line for line in done.stderr.splitlines() if "%|" not in line]
        assert done.returncode in (1, 2) and len(lines) == 1, (kind, done.stdout[-300:], done.stderr)
        assert str(path) in lines[0] or kind == "zero", (kind, lines)


@pytest.mark.parametrize("option", ["Debug Log File", "BookFile", "EvalFile", "SyzygyPath"])
def test_a_session_goes_on_without_them(option: str, strange: dict[str, Path]) -> None:
    dialogue = "setoption name OwnBook value true\n"
    for path in (strange["pipe"], strange["huge"], strange["folder"], Path("/dev/zero")):
        if option == "Debug Log File" and path == strange["huge"]:
            continue  # a file like any other
        dialogue += f"setoption name {option} value {path}\nisready\nposition startpos\ngo depth 1\nisready\n"
    done = subprocess.run(
        ENGINE, input=dialogue, cwd=ROOT, capture_output=True, text=True, timeout=SOON, preexec_fn=small
    )
    assert (done.returncode, done.stderr) == (0, "")
    said = done.stdout
    assert said.count("bestmove") == dialogue.count("go depth")
    assert said.count("readyok") == 2 * said.count("bestmove")
    assert str(strange["pipe"]) in said
    assert str(strange["huge"]) in said or option not in ("EvalFile", "SyzygyPath")


def test_a_log_that_nobody_reads_is_given_up(tmp_path: Path) -> None:
    """A reader that stops reading must not stop the engine."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        dialogue = (
            f"setoption name Debug Log File value {pipe}\n" + "position startpos\n" * 10_000 + "isready\n"
        )
        done = subprocess.run(ENGINE, input=dialogue, cwd=ROOT, capture_output=True, text=True, timeout=SOON)
    finally:
        os.close(reader)
    assert "Debug Log File given up" in done.stdout and done.stdout.endswith("readyok\n")


OUTPUTS = {
    "match": ("match", OWN, OWN, "--nodes", "10", "--games", "2", "--pgn"),
    "analyse": ("analyse", "startpos", "--nodes", "100", "-o"),
    "lab tree": ("lab", "tree", "-o"),
    "lab show": ("lab", "show", "-o"),
    "book build": ("book", "build", "tests/suites/openings.pgn", "--least", "1", "-o"),
    "tune": ("tune", "--method", "spsa", "--parameters", "grain", "--games", "2", "--nodes", "100", "-o"),
}


def first_line(run: "subprocess.Popen[str]") -> str:
    """The first line that a command says on standard error."""
    assert run.stderr is not None and select.select([run.stderr], [], [], SOON)[0], "it says nothing"
    return run.stderr.readline()


def writing_to_a_pipe(name: str, folder: Path) -> tuple[subprocess.Popen[str], Path]:
    """A command of `OUTPUTS` whose output is a named pipe, and the pipe."""
    pipe = folder / "pipe"
    os.mkfifo(pipe)
    command = [*ENGINE, *OUTPUTS[name], str(pipe)]
    return (
        subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True),
        pipe,
    )


@pytest.mark.parametrize("name", OUTPUTS)
def test_an_output_waits_for_its_reader_before_the_work(name: str, tmp_path: Path) -> None:
    """One that comes late, as `cat`, gets all of it."""
    run, pipe = writing_to_a_pipe(name, tmp_path)
    try:
        assert first_line(run) == f"sssnake: {pipe}: waiting for a program that reads it\n"
        reader = subprocess.run(["cat", pipe], capture_output=True, timeout=SOON)
        _out, err = run.communicate(timeout=SOON)
    finally:
        run.kill()
    assert run.returncode == 0 and "Traceback" not in err and pipe.is_fifo()
    assert reader.stdout.count(b"[Event ") == 2 if name == "match" else reader.stdout


@pytest.mark.parametrize("name", OUTPUTS)
def test_who_waits_for_a_reader_is_ended_by_ctrl_c(name: str, tmp_path: Path) -> None:
    run, _ = writing_to_a_pipe(name, tmp_path)
    try:
        assert "waiting for a program that reads it" in first_line(run)
        run.send_signal(signal.SIGINT)
        assert run.communicate(timeout=SOON) == ("", "")
    finally:
        run.kill()
    assert run.returncode in (130, -signal.SIGINT)


def test_a_reader_of_standard_output_that_has_gone(tmp_path: Path) -> None:
    command = f"{OWN} lab tree -o /dev/stdout 2>{tmp_path / 'err'} | true; cat {tmp_path / 'err'}"
    done = subprocess.run(["sh", "-c", f"sleep 1 | {command}"], cwd=ROOT, capture_output=True, timeout=SOON)
    assert b"Traceback" not in done.stdout and done.stdout.count(b"\n") <= 1


def test_a_pipe_with_a_writer_is_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    def write() -> None:
        time.sleep(0.2)  # not before it is opened for reading
        pipe.write_text("one\r\ntwo\n")

    writer = threading.Thread(target=write)
    writer.start()
    assert inputs.read_text(pipe) == "one\ntwo\n"
    writer.join()
    with pytest.raises(OSError, match="regular"):
        inputs.open_input(pipe, regular=True)


def test_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    assert inputs.read_bytes(path, 5) == b"12345"
    with pytest.raises(ValueError, match="file: too large"):
        inputs.read_bytes(path, 4)
    with pytest.raises(ValueError, match="too large"):
        inputs.read_bytes("/dev/zero", 1000)
    monkeypatch.setattr(inputs, "LONGEST_LINE", 4)
    path.write_text("123\n\n12345\n")
    with path.open() as file, pytest.raises(ValueError, match="there: line 3 is longer than 4"):
        list(inputs.lines(file, "there"))
