"""Files that are written whole: signals, left-overs of killed processes, limits of size, protected files."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sssnake.engine.common.files import try_output, whole

posix = pytest.mark.skipif(os.name != "posix", reason="signals and limits of POSIX")
WRITER = """
import sys, time
from pathlib import Path
from sssnake.engine.common.files import whole
with whole(Path(sys.argv[1])) as file:
    file.write(b"half")
    file.flush()
    print("ready", flush=True)
    time.sleep(60)
"""


def writer(path: Path) -> subprocess.Popen[str]:
    """A process that is in the middle of writing."""
    process = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout and process.stdout.readline() == "ready\n"
    return process


@posix
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_signal_leaves_no_part(name: str, tmp_path: Path) -> None:
    path = tmp_path / "out.pgn"
    path.write_text("old")
    process = writer(path)
    process.send_signal(getattr(signal, name))
    assert process.wait(20)
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]


@posix
def test_what_a_killed_process_left_is_removed_by_the_next(tmp_path: Path) -> None:
    path = tmp_path / "out.pgn"
    mine = [tmp_path / "out.pgn.notes.part", tmp_path / "other.pgn.123.part"]
    for one in mine:
        one.write_text("kept")
    killed, running = writer(path), writer(path)
    killed.kill()
    killed.wait()
    assert len(list(tmp_path.glob("out.pgn.*.part"))) == 3
    try_output(path)
    left = {tmp_path / f"out.pgn.{running.pid}.part", *mine}
    running.kill()
    running.wait()
    assert set(tmp_path.iterdir()) == left


@posix
def test_a_write_that_fails_names_the_file_and_keeps_the_old_one(tmp_path: Path) -> None:
    import resource

    path = tmp_path / "out.pgn"
    path.write_text("old")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, before[1]))
    try:
        with pytest.raises(OSError, match="File too large") as error, whole(path) as file:
            file.write(bytes(5000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)
    assert error.value.filename == str(path)
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]


def test_the_mode_of_the_old_file_stays(tmp_path: Path) -> None:
    path = tmp_path / "out.pgn"
    path.write_text("old")
    path.chmod(0o640)
    with whole(path) as file:
        file.write(b"new")
    assert path.read_text() == "new" and path.stat().st_mode & 0o777 == 0o640


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everything")
def test_a_protected_file_is_refused_before_the_work(tmp_path: Path) -> None:
    path = tmp_path / "out.pgn"
    path.write_text("old")
    path.chmod(0o444)
    with pytest.raises(PermissionError) as error:
        try_output(path)
    assert error.value.filename == str(path)
