"""The Python pages: the reference is that of the sources, every recipe runs and fits ten lines."""

import ast
import contextlib
import importlib.util
import io
import re
import shutil
import sys
import types
from pathlib import Path
from typing import Any

import chess
import pytest
from support.constants import ROOT

import sssnake
from sssnake.engine.player.evaluation import SHIPPED
from sssnake.engine.player.options import FIELDS

DOCS = ROOT / "docs"
RECIPES = (DOCS / "play" / "recipes.md").read_text(encoding="utf-8")
FOUND = re.findall(r"^## (.+?)\n.*?```python\n(.*?)```", RECIPES, re.DOTALL | re.MULTILINE)
GAME = '[White "A"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n'
FENS = [chess.STARTING_FEN, "rubbish", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"]
SHORT = "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2"
# What each prints, or writes.
PRINTED = {
    "Play in a terminal": r"0-1\n\Z",
    "Find blunders in a folder": r"a\.pgn 2\. g4 lost [01]\.\d\d",
    "Watch the passes of SSS\\*": r"depth 1 gamma +\d+ -> +-?\d+ upper .*\n(depth [1-5] gamma .*\n){5}",
    "Compare drivers": r"SSS\* +\S+ [+-]\S+ +\d+ nodes +\d+ passes\n(?:.* nodes .* passes\n){4}",
    "Test a network file": r"<internal> (\S+)\nmine\.sssn \1\n",
    "Use it through SimpleEngine": r"PovScore\(Cp\([+-]\d+\), WHITE\) [a-h][1-8]",
    "Chess960": r"1\. .* 5\. ",
}


def load() -> types.ModuleType:
    spec = importlib.util.spec_from_file_location("reference", DOCS / "reference.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_reference_is_that_of_the_sources() -> None:
    written = {file: (DOCS / "play" / file).read_text(encoding="utf-8") for file in load().PAGES}
    assert load().pages() == written, "run `python docs/reference.py`"
    text = "\n".join(written.values())
    for name in sssnake.__all__:
        assert text.count(f"\n## {name}\n") == 1
    for field in FIELDS:
        assert f"| `{field}` |" in text
    assert "syzygy_path: str=''" in text  # the quotation marks of defaults stay


def test_there_are_ten_recipes_of_at_most_ten_lines() -> None:
    assert len(FOUND) == 10
    for name, code in FOUND:
        assert len([line for line in code.splitlines() if line.strip()]) <= 10, name


@pytest.mark.parametrize(("name", "code"), FOUND, ids=[name for name, _ in FOUND])
def test_every_recipe_runs(name: str, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games").mkdir()
    for path in ("games.pgn", "games/a.pgn"):
        (tmp_path / path).write_text(GAME * 2, encoding="utf-8")
    (tmp_path / "positions.fen").write_text("\n".join(FENS), encoding="utf-8")
    shutil.copy(SHIPPED, tmp_path / "mine.sssn")
    answers = iter(["g4"])
    monkeypatch.setattr("builtins.input", lambda text: next(answers))
    if "pandas" in code:
        monkeypatch.setitem(sys.modules, "pandas", fake_pandas())
    if name == "Play in a terminal":  # a short game, against the full strength
        code = code.replace("limit_strength=True, elo=1500", "").replace("movetime=100", "depth=6")
        code = code.replace("chess.Board(),", f"chess.Board({SHORT!r}),")
    out, names = io.StringIO(), dict[str, Any]()
    with contextlib.redirect_stdout(out):
        exec(compile(ast.parse(code), name, "exec"), names)
    assert re.search(PRINTED.get(name, ""), out.getvalue()), out.getvalue()
    check(name, names, tmp_path)


def check(name: str, names: dict[str, Any], folder: Path) -> None:
    """What a recipe leaves behind."""
    if name == "Annotate a PGN":
        text = (folder / "annotated.pgn").read_text(encoding="utf-8")
        assert text.count("Analysed by SSSnake") == 2 and "Blunder" in text
    elif name.startswith("Label"):
        labels = names["labels"]
        assert [row[0] for row in labels] == FENS and labels[2][1] > 300
        assert labels[1][1] is None and labels[1][2] and not labels[0][2]
    elif name.startswith("A bot"):
        from starlette.applications import Starlette
        from starlette.routing import Route

        assert Starlette(routes=[Route("/", names["move"])])
        request = types.SimpleNamespace(query_params={"fen": FENS[0]})
        import asyncio

        body = asyncio.run(names["move"](request)).body.decode()
        assert chess.Move.from_uci(body) in chess.Board().legal_moves


def fake_pandas() -> types.ModuleType:
    """What a recipe uses of it, where it is not installed; the real one where it is."""
    with contextlib.suppress(ImportError):
        import pandas  # type: ignore[import-untyped,import-not-found,unused-ignore]

        return pandas  # type: ignore[no-any-return,unused-ignore]

    class DataFrame:
        def __init__(self, rows: list[tuple[Any, ...]], columns: list[str]) -> None:
            assert all(len(row) == len(columns) for row in rows)

        def to_csv(self, path: str, index: bool) -> None:
            Path(path).write_text("", encoding="utf-8")

    module = types.ModuleType("pandas")
    module.DataFrame = DataFrame  # type: ignore[attr-defined]
    return module
