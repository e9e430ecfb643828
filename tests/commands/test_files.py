"""files: a file is there whole or as it was before. status: the line that says how far a tool has come."""

import errno
import os
import sys
import threading
from pathlib import Path

import pytest
from support.terminal import Terminal, terminal

from sssnake.engine.common import files
from sssnake.engine.common.files import own_source, save_text, try_output, whole
from sssnake.engine.common.progress import Progress


def test_a_file_is_there_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    save_text(path, "é 1\n")
    assert path.read_bytes() == b"\xc3\xa9 1\n"
    with whole(path) as file:
        file.write(b"2")
        file.flush()
        assert path.read_bytes() == b"\xc3\xa9 1\n"
    assert path.read_bytes() == b"2" and list(tmp_path.iterdir()) == [path]


def test_who_reads_the_old_file_reads_on(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    save_text(path, "old")
    with path.open("rb") as reader:
        save_text(path, "new")
        assert reader.read() == b"old"


def test_an_error_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    save_text(path, "old")
    with pytest.raises(KeyboardInterrupt), whole(path) as file:
        file.write(b"new")
        raise KeyboardInterrupt
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]


def test_a_folder_that_is_missing_is_told_as_such(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        save_text(tmp_path / "none" / "state.json", "1")


def test_a_link_is_followed_and_stays(tmp_path: Path) -> None:
    path, link = tmp_path / "here" / "file", tmp_path / "link"
    path.parent.mkdir()
    link.symlink_to(path)
    for text in ("new", "newer"):
        save_text(link, text)
        assert link.is_symlink() and path.read_text() == text
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_a_pipe_or_device_is_written_into(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    heard: list[str] = []
    reader = threading.Thread(target=lambda: heard.append(pipe.read_text()))
    reader.start()
    try_output(pipe)
    save_text(pipe, "text")
    reader.join()
    assert heard == ["text"] and pipe.is_fifo()
    try_output(Path(os.devnull))
    save_text(Path(os.devnull), "text")
    assert Path(os.devnull).is_char_device()


def test_a_full_disk_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    with pytest.raises(OSError, match="No space") as error, whole(path):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert error.value.filename == str(path) and not list(tmp_path.iterdir())


def test_outputs_are_tried_and_nothing_is_left(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    try_output(None)
    try_output(path)
    save_text(path, "old")
    try_output(path)
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]
    for bad in (tmp_path / "none" / "x", tmp_path, path / "x"):
        with pytest.raises(OSError, match=r".") as error:
            try_output(bad)
        assert error.value.filename == str(bad)


def test_own_files_are_changed_in_a_checkout_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = Path("x.py")
    assert own_source(path) == path
    monkeypatch.setattr(files, "__file__", str(tmp_path / "sssnake" / "engine" / "tools" / "files.py"))
    (tmp_path / "setup.py").write_text("")
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "other"\n')  # pip install --target .
    with pytest.raises(ValueError, match=r"--adopt is for a source checkout, and x\.py is an installed"):
        own_source(path)


def run_progress() -> None:
    """Two steps, and a line between them."""
    with Progress(2, "games", title="match") as bar:
        bar.advance("won")
        bar.print("a line")
        bar.advance("lost")


def test_a_terminal_sees_a_bar(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    screen = terminal(monkeypatch)
    run_progress()
    shown = screen.getvalue()
    for text in ("match: ", "0/2", "1/2", "won", "2/2", "lost"):
        assert text in shown
    assert shown.endswith("\r")  # the bar is wiped at the end
    assert capsys.readouterr().out == "a line\n"


def test_nobody_else_sees_it(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    run_progress()
    assert capsys.readouterr() == ("a line\n", "")
    screen = Terminal()
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setitem(sys.modules, "tqdm", None)
    run_progress()
    assert (capsys.readouterr().out, screen.getvalue()) == ("a line\n", "")


@pytest.mark.skipif(os.name != "posix", reason="modes of files")
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755])
def test_a_replaced_file_keeps_its_mode(mode: int, tmp_path: Path) -> None:
    path = tmp_path / "file"
    save_text(path, "old")
    path.chmod(mode)
    save_text(path, "new")
    assert path.read_text() == "new" and path.stat().st_mode & 0o777 == mode
