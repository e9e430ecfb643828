"""Endgame tablebases: paths, folders that are none, and damaged files."""

import os
import random
import shutil
from pathlib import Path
from typing import Any

import chess
import chess.syzygy
import pytest
from support.tablebases import (
    ALL_DRAWN,
)
from support.tables import TABLES, THREE, Player, with_tables

from sssnake._fast.board.board import Board
from sssnake.engine.player.options import Options
from sssnake.engine.player.resources.tablebase import Tablebase, folders

MEN = {"P": 1, "N": 2, "B": 3, "R": 4, "Q": 5}  # their codes in table files


def test_paths_are_split_at_all_separators(tmp_path: Path) -> None:
    a, b = tmp_path / "a", tmp_path / "b c"
    for separator in ";:":
        assert list(folders(f"{a}{separator}{b}")) == [str(a), str(b)]
        assert list(folders(f"{separator}{a}{separator}{separator} {b} ")) == [str(a), str(b)]
    odd = tmp_path / "odd;name"
    odd.mkdir()
    assert list(folders(str(odd))) == [str(odd)], "a folder that exists is taken as it is"


def opened(path: str) -> tuple[Tablebase, list[str]]:
    notes: list[str] = []
    tables = Tablebase(Options(syzygy_path=path), notes.append)
    board = Board("8/8/8/1P6/8/4K3/2k5/8 w - - 0 1")
    for _ in range(3):
        tables.judge(board, board.legal_moves())
    return tables, notes


NO_FOLDERS = ("/none", "a\0b", "~nobody-by-that-name", __file__, ";;", "/dev/null", 5000 * "x", "\udcff")


@pytest.mark.parametrize("path", NO_FOLDERS)
def test_folders_that_are_none(path: str) -> None:
    _, notes = opened(path)
    assert len(notes) == 1 and notes[0].startswith("SyzygyPath: 0 files") and len(notes[0]) < 200


def test_folders_that_may_not_be_looked_at(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A name too long, one with a null character, a folder without permission: a remark, and a search."""
    closed = tmp_path / "closed"
    closed.mkdir()
    listdir, stat = os.listdir, os.stat

    def refuse(real: Any) -> Any:
        def call(path: Any, *arguments: Any, **names: Any) -> Any:
            if str(path).startswith(str(closed)):  # root may enter everything
                raise PermissionError(13, "Permission denied", str(path))
            return real(path, *arguments, **names)

        return call

    monkeypatch.setattr(os, "listdir", refuse(listdir))
    monkeypatch.setattr(os, "stat", refuse(stat))
    for bad in (f"{tmp_path}/{'x' * 300}", f"{closed}/inside", str(closed), "a\0b"):
        for path in (bad, f"{bad};{tmp_path}"):
            player = Player(syzygy_path=path)
            assert player.move(chess.Board(), depth=3)
            assert player.infos[-1].depth == 3
            assert len(player.notes) == 1 and player.notes[0].startswith("SyzygyPath: 0 files")


def test_folders_that_may_not_be_entered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Path.is_dir raises there; the other folders are used."""
    closed, good = tmp_path / "closed", tmp_path / "good"
    good.mkdir()
    (good / "KNvK.rtbw").write_bytes(ALL_DRAWN)
    real = os.stat

    def stat(path: Any, *rest: Any, **named: Any) -> os.stat_result:
        if str(path).startswith(str(closed)):
            raise PermissionError(13, "Permission denied", str(path))
        return real(path, *rest, **named)

    monkeypatch.setattr(os, "stat", stat)
    _, notes = opened(f"{closed};{good}")
    assert notes == [f"SyzygyPath: 1 files, up to 3 pieces; {closed}: No such file or directory"]


def test_things_in_a_folder_that_are_no_files(tmp_path: Path) -> None:
    """Nothing blocks on a pipe without a writer."""
    (tmp_path / "KPvK.rtbw").mkdir()
    os.mkfifo(tmp_path / "KPvK.rtbz")
    (tmp_path / "KQvK.rtbw").symlink_to(tmp_path / "nowhere")
    _, notes = opened(str(tmp_path))
    assert notes[0].endswith("left out as unreadable: KPvK.rtbw, KPvK.rtbz, KQvK.rtbw")


def test_an_empty_path_says_nothing() -> None:
    assert opened("")[1] == []


def test_damaged_files_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "KPvK.rtbw").write_bytes(b"x" * 100)
    (tmp_path / "KPvK.rtbz").write_bytes(b"")
    (tmp_path / "notes.txt").write_bytes(b"x")
    _, notes = opened(str(tmp_path))
    assert notes == ["SyzygyPath: 0 files, up to 0 pieces; left out as damaged: KPvK.rtbw, KPvK.rtbz"]


def test_files_of_a_good_size_that_hold_rubbish(tmp_path: Path) -> None:
    for seed in range(20):
        rng = random.Random(seed)
        for man, code in MEN.items():
            blocks = 4 if man == "P" else 1
            for end, magic in (("rtbw", b"\x71\xe8\x23\x5d"), ("rtbz", b"\xd7\x66\x0c\xa5")):
                head = magic + rng.randbytes(1) + bytes([0, 17 * code, 0x66, 0xEE]) * blocks
                size = 64 * rng.randrange(1, 40) + 16
                (tmp_path / f"K{man}vK.{end}").write_bytes(head + rng.randbytes(size - len(head)))
        _, notes = opened(str(tmp_path))
        assert 1 <= len(notes) <= 2 and "left out as damaged: " in notes[0]


def test_tables_of_other_pieces_than_their_name_says(tmp_path: Path) -> None:
    """Such a file makes chess.syzygy look for ever for pieces that are not there."""
    head = b"\x71\xe8\x23\x5d\x03" + bytes([0, 17 * MEN["Q"], 0x66, 0xEE]) * 4
    (tmp_path / "KPvK.rtbw").write_bytes(head.ljust(80, b"\0"))
    assert opened(str(tmp_path))[1] == ["SyzygyPath: 0 files, up to 0 pieces; left out as damaged: KPvK.rtbw"]


@with_tables
def test_cut_off_and_damaged_tables(tmp_path: Path) -> None:
    board = Board("8/8/8/1P6/8/4K3/2k5/8 w - - 0 1")
    rng = random.Random(1)
    for _ in range(40):
        for name in THREE:
            for end in ("rtbw", "rtbz"):
                shutil.copyfile(TABLES / f"{name}.{end}", tmp_path / f"{name}.{end}")
        for name in ("KPvK.rtbw", "KPvK.rtbz"):
            data = bytearray((TABLES / name).read_bytes())
            for _ in range(rng.randrange(1, 30)):
                data[rng.randrange(len(data))] = rng.randrange(256)
            (tmp_path / name).write_bytes(data[: 16 + 64 * rng.randrange(1, len(data) // 64 + 1)])
        tables, notes = opened(str(tmp_path))
        assert 1 <= len(notes) <= 2
        assert set(tables.judge(board, board.legal_moves())) <= set(board.legal_moves())
