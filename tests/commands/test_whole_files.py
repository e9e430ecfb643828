"""Files that are written whole: signals, left-overs, limits of size, protected files, files that are read."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from support.constants import ENGINE

from sssnake.engine.commands import cli
from sssnake.engine.common.files import check_apart, try_output, whole

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


# -- what is read is not written -------------------------------------------------------------------

PARTS = {"tune": "scipy", "wdl": "scipy", "screening": "numpy", "lab plot": "matplotlib", "train": "scipy"}
READ = (  # {IN} is {OUT}, under another name
    "analyse {IN} -o {OUT}",
    "analyse {IN} --html {OUT}",
    "analyse startpos --book {IN} -o {OUT}",
    "analyse startpos --syzygy {HERE} -o {OUT}",
    "book build {IN} -o {OUT}",
    "lab show {IN} -o {OUT}",
    "lab table --chess --epd {IN} --csv {OUT}",
    "lab table --chess --epd {IN} --markdown {OUT}",
    "lab plot --chess --epd {IN} -o {OUT}",
    "match x y --openings {IN} --pgn {OUT}",
    "match x y --openings {IN} --log {OUT}",
    "match x y --option EvalFile={IN} --pgn {OUT}",
    "match x y --option-b BookFile={IN} --log {OUT}",
    "match x {IN} --pgn {OUT}",
    "gauge --judge {IN} -o {OUT}",
    "tune {IN} -o {OUT}",
    "tune --method spsa --parameters driver_margin --openings {IN} -o {OUT}",
    "tune --method spsa --parameters driver_margin --option EvalFile={IN} --state {OUT}",
    "tune --method tdleaf {HERE}/new --against {IN} -o {OUT}",
    "tune --method tdleaf {HERE}/new --held-out {IN} --png {OUT}",
    "wdl {IN} -o {OUT}",
    "screening driver_margin=1:2 --openings {IN} --state {OUT}",
)
TWICE = (  # {ONE} and {TWO} are names of a file that does not exist yet
    "analyse startpos -o {ONE} --html {TWO}",
    "match x y --log {ONE} --pgn {TWO}",
    "lab table --csv {ONE} --markdown {TWO}",
    "tune --method spsa --parameters driver_margin --state {ONE} -o {TWO}",
    "tune --method tdleaf {ONE} -o {TWO}",
    "tune --method tdleaf {HERE}/state -o {ONE} --png {TWO}",
)


def refused(command: str, folder: Path, capsys: pytest.CaptureFixture[str], **names: Path) -> str:
    """What a command says that ends with the status 2, without a change in the folder."""
    for begin, part in PARTS.items():
        if command.startswith(begin):
            pytest.importorskip(part)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert cli.main(command.format(HERE=folder, **names).split()) == 2
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    output, errors = capsys.readouterr()
    assert not output and errors.count("\n") == 1
    return errors


@pytest.mark.parametrize("link", [None, Path.symlink_to, Path.hardlink_to])
@pytest.mark.parametrize("command", READ)
def test_no_command_writes_into_a_file_that_it_reads(
    command: str,
    link: Callable[[Path, Path], None] | None,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    read = written = tmp_path / ("KQvK.rtbw" if "--syzygy" in command else "read")
    read.write_text("CENTRE = (1.0)\nSPREAD = (1.0)\n")  # which `wdl` must find before it looks further
    if link:
        written = tmp_path / "link"
        link(written, read)
    said = refused(command, tmp_path, capsys, IN=read, OUT=written)
    assert f"{written}: the output cannot be one file with the input {read}\n" in said


@pytest.mark.parametrize("command", TWICE)
def test_no_command_writes_two_outputs_into_one_file(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, two = tmp_path / "new", tmp_path / "link"
    two.symlink_to(one)
    said = refused(command, tmp_path, capsys, ONE=one, TWO=two)
    assert f"{two}: the output cannot be one file with the output {one}\n" in said


def test_games_are_not_written_into_the_network_that_plays_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    network = tmp_path / "seed000001-9n.json"  # the name of the note of a shard
    network.write_text("a network")
    said = refused("datagen {HERE} --nodes 9 --eval-file {IN}", tmp_path, capsys, IN=network)
    assert f"the output cannot be one file with the input {network}\n" in said


def test_a_training_does_not_write_into_the_network_that_it_starts_from(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "net.sssn").write_text("a network")
    (tmp_path / "a.games").touch()
    for settings in ('[training]\nstart = "net.sssn"', '[data]\nwalks = 1\nevaluation = "net.sssn"'):
        (tmp_path / "net.toml").write_text(settings)
        said = refused("train {HERE}/net.toml --data {HERE}/a.games -o {HERE}", tmp_path, capsys)
        assert f"the output cannot be one file with the input {tmp_path / 'net.sssn'}\n" in said


@posix
@pytest.mark.parametrize("command", ["analyse - -o", "analyse /dev/stdin -o", "lab show - -o"])
def test_no_command_writes_into_what_it_reads_as_standard_input(command: str, tmp_path: Path) -> None:
    path = tmp_path / "input"
    path.write_text("[1, 2]")
    with path.open() as file:
        words = [*ENGINE, *command.split(), str(path)]
        ended = subprocess.run(words, stdin=file, capture_output=True, text=True, check=False)
    assert ended.returncode == 2 and path.read_text() == "[1, 2]"
    assert f"{path}: the output cannot be one file with " in ended.stderr and ended.stderr.count("\n") == 1


def test_what_may_be_shared_and_what_is_not_there(tmp_path: Path) -> None:
    """Devices, and the name of a file to come, which may be that of a tree too."""
    null, new = Path(os.devnull), tmp_path / "plaat"
    check_apart([null, null, new, None], [null, new, tmp_path / "missing", None, "x" * 5000])
