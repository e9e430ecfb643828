"""Command lines of engines in words, as Linux and as Windows quote them."""

from pathlib import Path

import pytest

from sssnake.engine.common.arguments import command_words

ODD = r"C:\Program Files\O'Neill (x86)\é.exe"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (r"C:\Chess\engine.exe", [r"C:\Chess\engine.exe"]),
        (f'"{ODD}" --uci -o "a b"', [ODD, "--uci", "-o", "a b"]),
        (r"\\server\share\engine.exe #1", [r"\\server\share\engine.exe", "#1"]),
    ],
)
def test_windows(text: str, words: list[str]) -> None:
    assert command_words(text, windows=True) == words


def test_a_shell() -> None:
    words = ["gnuchess", "--uci", "a b", "c d", "#1"]
    assert command_words(r"gnuchess --uci 'a b' c\ d #1", windows=False) == words


@pytest.mark.parametrize("windows", [False, True])
def test_a_file_is_one_word(tmp_path: Path, windows: bool) -> None:
    program = tmp_path / "my 'engine' (x86)"
    program.touch()
    assert command_words(str(program), windows) == [str(program)]


@pytest.mark.parametrize("text", ["", "  ", '"no end', "x" * 5000 + '"'])
def test_no_command(text: str) -> None:
    for windows in (False, True):
        with pytest.raises(ValueError, match=r"command|quotation"):
            command_words(text, windows)
