"""Where the one-file executable unpacks itself: nothing foreign is run, damage is healed, nothing is left."""

import errno
import fcntl
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import bootstrap
import bundle
import pytest

pytestmark = [
    pytest.mark.packages,
    pytest.mark.skipif(sys.platform != "linux", reason="owners, modes and locks of Linux"),
]
SOON = 60.0  # seconds, on a busy machine


@pytest.fixture(scope="module")
def executable(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("made") / "snake"
    assert bundle.main([str(made)]) == 0
    return made


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder in a trusted place, for caches and for temporary files."""
    path = Path(tempfile.mkdtemp(dir="/var/tmp"))
    (path / "tmp").mkdir()
    yield path
    shutil.rmtree(path)


def environment(place: Path, **changes: str) -> dict[str, str]:
    cache = {"HOME": str(place), "XDG_CACHE_HOME": str(place / "cache"), "TMPDIR": str(place / "tmp")}
    return {"PATH": os.environ["PATH"], **cache, **changes}


def start(executable: Path, place: Path, **changes: str) -> str:
    """What `--print-path`'s neighbour `compiler` says: the file of the core that runs."""
    done = subprocess.run(
        [executable],
        input="compiler\nquit\n",
        cwd=place,
        env=environment(place, **changes),
        capture_output=True,
        text=True,
        timeout=SOON,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout.splitlines()[-1]


def build(place: Path, cache: str = "cache") -> Path:
    """The one build in a cache."""
    [found] = (place / cache / "sssnake").iterdir()
    return found


def is_empty(folder: Path) -> bool:
    """Whether a folder becomes empty soon."""
    deadline = time.monotonic() + SOON
    while any(folder.iterdir()) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not any(folder.iterdir())


def test_the_cache_is_private(executable: Path, place: Path) -> None:
    assert start(executable, place).startswith(f"{place}/cache/sssnake/")
    found = build(place)
    assert not (found.stat().st_mode | found.parent.stat().st_mode) & 0o077
    assert is_empty(place / "tmp")


@pytest.mark.parametrize("relative", ["cache", ".", "../cache"])
def test_a_relative_cache_is_ignored(relative: str, executable: Path, place: Path) -> None:
    assert start(executable, place, XDG_CACHE_HOME=relative).startswith(f"{place}/.cache/sssnake/")


def test_without_a_home_the_folder_goes_with_the_process(executable: Path, place: Path) -> None:
    assert start(executable, place, XDG_CACHE_HOME="", HOME="").startswith(f"{place}/tmp/")
    assert is_empty(place / "tmp") and {path.name for path in place.iterdir()} == {"tmp"}


def plant(build: Path, evil: Path) -> None:
    """Put code into a build that leaves a trace when it runs."""
    path = build / "sssnake/engine/__init__.py"
    path.write_text(f"open({str(evil)!r}, 'w')\n" + path.read_text())
    for cached in (build / "sssnake/engine/__pycache__").glob("__init__.*"):
        cached.unlink()
    for name in (path, build / bootstrap.MARK):
        os.utime(name)


@pytest.mark.parametrize("what", ["cache", "cache/sssnake", "build"])
@pytest.mark.parametrize("how", ["mode", "owner"])
def test_what_others_may_write_is_not_run(what: str, how: str, executable: Path, place: Path) -> None:
    if how == "owner" and os.geteuid():
        pytest.skip("only root can give files away")
    start(executable, place)
    found = build(place)
    evil = place / "evil"
    if what != "build":
        plant(found, evil)
    folder = found if what == "build" else place / what
    if how == "mode":
        folder.chmod(0o777)
    else:
        os.chown(folder, 65534, 65534)
    core = start(executable, place)
    assert not evil.exists()
    assert core.startswith(f"{place}/tmp/" if what != "build" else f"{place}/")
    assert is_empty(place / "tmp")


def test_a_link_to_a_build_is_not_followed(executable: Path, place: Path) -> None:
    start(executable, place)
    found = build(place)
    found.rename(place / "elsewhere")
    plant(place / "elsewhere", place / "evil")
    found.symlink_to(place / "elsewhere")
    start(executable, place)
    assert not (place / "evil").exists() and not found.is_symlink()


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def edit(path: Path) -> None:
    """Another byte, the same size, later."""
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)


def link(path: Path) -> None:
    other = path.with_name("other")
    path.rename(other)
    path.symlink_to(other)


def make_file(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize(
    "damage", [Path.unlink, cut, edit, link, make_file, lambda path: path.write_bytes(b"")]
)
def test_a_damaged_file_is_unpacked_again(damage, executable: Path, place: Path) -> None:  # type: ignore[no-untyped-def]
    start(executable, place)
    files = [
        "sssnake/engine/__init__.py",
        "sssnake/openings/book.bin",
        "sssnake/engine/networks/internal.sssn",
        "LICENSE",
    ]
    files += [str(next(build(place).glob("sssnake/_fast/search/root.*.so")).relative_to(build(place)))]
    for name in files:
        damage(build(place) / name)
        assert start(executable, place).startswith(str(build(place)))
        assert (build(place) / name).is_file() and not (build(place) / name).is_symlink()


def test_a_damaged_folder_is_unpacked_again(executable: Path, place: Path) -> None:
    start(executable, place)
    found = build(place)
    (found / bootstrap.MARK).unlink()
    start(executable, place)
    assert (build(place) / bootstrap.MARK).exists()
    shutil.rmtree(found)
    found.mkdir(0o700)
    start(executable, place)
    shutil.rmtree(found)
    found.write_text("a file")
    start(executable, place)
    shutil.rmtree(found / "sssnake")
    start(executable, place)
    assert (build(place) / "sssnake").is_dir() and is_empty(place / "tmp")


def test_kills_leave_nothing(executable: Path, place: Path) -> None:
    """A start after them removes what was half unpacked; private folders go by themselves."""
    for number in range(12):
        for changes in ({}, {"XDG_CACHE_HOME": "", "HOME": ""}):
            process = subprocess.Popen(
                [executable], cwd=place, env=environment(place, **changes), stdin=subprocess.PIPE
            )
            time.sleep(0.04 * number)
            process.send_signal(signal.SIGKILL)
            process.communicate()
        shutil.rmtree(place / "cache/sssnake" / "x", ignore_errors=True)
        for path in (place / "cache/sssnake").glob("[0-9a-f]*"):
            shutil.rmtree(path)  # so that the next one unpacks
    start(executable, place)
    assert re.fullmatch("[0-9a-f]{16}", build(place).name)
    assert is_empty(place / "tmp")


def test_a_temporary_folder_that_is_none(executable: Path, place: Path) -> None:
    (place / "file").touch()
    for wrong in (place / "file", place / "file" / "below", place / "missing", Path("tmp")):
        found = start(executable, place, HOME="", XDG_CACHE_HOME="", TMPDIR=str(wrong))
        assert found.startswith("/tmp/sssnake-")


def test_a_full_disk(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(archive: str, folder: str) -> None:
        Path(folder).mkdir()
        Path(folder, "half").write_bytes(b"1")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(bootstrap, "extract", full)
    for name, value in environment(place).items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit) as left:
        bootstrap.unpacked("none", "0" * 16, "")
    assert left.value.code == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "No space left on device" in said
    assert is_empty(place / "cache/sssnake") and is_empty(place / "tmp")


def test_old_builds_are_removed(executable: Path, place: Path) -> None:
    parent = place / "cache/sssnake"
    parent.mkdir(mode=0o700, parents=True)
    for path in (place / "cache", parent):
        path.chmod(0o700)
    for number in range(20):
        (parent / f"{number:016d}").mkdir()
        (parent / f"{number:016d}" / bootstrap.MARK).touch()
        os.utime(parent / f"{number:016d}", (number, number))
    (parent / "of someone else").mkdir()
    with (parent / f"{3:016d}" / bootstrap.MARK).open() as mark:
        fcntl.flock(mark, fcntl.LOCK_SH)
        start(executable, place)
    left = {path.name for path in parent.iterdir()}
    assert {f"{number:016d}" for number in (3, *range(12, 20))} | {"of someone else"} < left and len(
        left
    ) == 11


def test_a_build_that_runs_is_locked(executable: Path, place: Path) -> None:
    with subprocess.Popen(
        [executable], env=environment(place), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin and process.stdout
        process.stdin.write("isready\n")
        process.stdin.flush()
        assert process.stdout.readline() == "readyok\n"
        with (build(place) / bootstrap.MARK).open() as mark, pytest.raises(BlockingIOError):
            fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
        process.stdin.close()


def test_another_interpreter_of_the_same_kind(executable: Path, place: Path) -> None:
    moved = place / "moved"
    python = os.fsencode(os.path.realpath(sys.executable))
    moved.write_bytes(executable.read_bytes().replace(python, b"/none/python"))
    moved.chmod(0o755)
    bin_ = place / "bin"
    bin_.mkdir()
    done = subprocess.run([moved], env={"PATH": str(bin_)}, capture_output=True, text=True, timeout=SOON)
    assert done.returncode == 2
    assert re.fullmatch(r"sssnake: there is no Python 3\.\d+ \(made with /none/python\)\n", done.stderr)
    (bin_ / "python3").symlink_to(os.path.realpath(sys.executable))
    assert start(moved, place, PATH=f"{bin_}:/usr/bin:/bin").startswith(f"{place}/cache/")
