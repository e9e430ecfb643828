"""The endgame tables of three pieces, and an engine that plays with them."""

from pathlib import Path
from typing import Any, Unpack

import chess
import pytest

from sssnake._fast.board.board import Board
from sssnake.engine.player.engine import Engine, OptionValues
from sssnake.engine.player.limits import Limits
from sssnake.engine.player.options import Options
from sssnake.engine.player.result import Info
from support.tablebases import FOLDER, NO_FOLDER

TABLES = FOLDER or Path()
THREE = ("KPvK", "KNvK", "KBvK", "KRvK", "KQvK")

with_tables = pytest.mark.skipif(FOLDER is None, reason=NO_FOLDER)


class Player:
    """An engine with tables that keeps what it reports."""

    def __init__(self, **options: Unpack[OptionValues]):
        self.options = Options(syzygy_path=str(TABLES), syzygy_probe_limit=3, hash_mb=1)
        self.options.update(**options)
        self.engine = Engine(self.options)
        self.notes: list[str] = []
        self.engine.on_note = self.notes.append
        self.infos: list[Info] = []

    def move(self, board: chess.Board, **limits: Any) -> str:
        self.infos.clear()
        asked = Limits(**(limits or {"nodes": 300}))
        result = self.engine.play(Board.from_chess(board), asked, self.infos.append)
        assert result.move == [info.pv[0] for info in self.infos if info.multipv == 1][-1]
        return str(result.move)
