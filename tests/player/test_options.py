"""The option table: what is declared, and what is taken for a value."""

import runpy

import pytest
from support.constants import ROOT

from sssnake.engine.player.options import LIVE, TABLE, Option, Options, declarations, driver, find


def test_declarations_follow_the_protocol() -> None:
    lines = list(declarations())
    assert "option name Hash type spin default 16 min 1 max 65536" in lines
    assert "option name Clear Hash type button" in lines
    assert "option name Ponder type check default false" in lines
    assert "option name Debug Log File type string default <empty>" in lines
    drivers = (
        "var SSS var SSS* var SSSliteral var SSS*-literal var DUAL var DUAL* var MTDf var MTD(f) "
        "var MTDbi var MTD(bi) var PVS var AlphaBeta"
    )
    assert f"option name Driver type combo default SSS {drivers}" in lines
    assert len(lines) == len(LIVE)


@pytest.mark.parametrize("option", TABLE, ids=lambda option: option.name)
def test_table_row(option: Option) -> None:
    assert not {"default", "min", "max", "var", "type", "value", "name"} & set(option.name.lower().split())
    assert option.kind in ("check", "spin", "combo", "string", "button")
    assert option.kind != "spin" or option.low <= int(option.default) <= option.high
    assert all(" " not in choice for choice in option.choices)
    if option.field:
        assert option.field in Options.__annotations__
        assert getattr(Options(), option.field) == option.default


def test_every_attribute_has_a_row() -> None:
    assert set(Options.__annotations__) == {option.field for option in TABLE if option.field}


def test_finding() -> None:
    for name in ("Move Overhead", "move overhead", "MoveOverhead", "MOVE  OVERHEAD"):
        option = find(name)
        assert option is not None and option.field == "move_overhead"
    assert find("Nonsense") is None
    assert all(find(option.name) is None for option in TABLE if not option.live)


@pytest.mark.parametrize(
    ("name", "text", "value", "remark"),
    [
        ("Hash", "64", 64, False),
        ("Hash", "0", 1, True),
        ("Hash", "9999999", 65536, True),
        ("Hash", "-5", 1, True),
        ("Hash", "64.0", 64, False),
        ("MultiPV", "+3", 3, False),
        ("MultiPV", "500", 500, False),
        ("MultiPV", "501", 500, True),
        ("Ponder", "TRUE", True, False),
        ("Driver", "dual*", "DUAL*", False),
        ("Debug Log File", "a  b", "a  b", False),
        ("Debug Log File", "<empty>", "", False),
    ],
)
def test_values(name: str, text: str, value: object, remark: bool) -> None:
    options, option = Options(), find(name)
    assert option
    assert bool(options.set(option, text)) is remark
    assert getattr(options, option.field) == value


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *(("Hash", text) for text in ("", "1e", "inf", "nan", "9" * 5000)),
        *(("Ponder", "1"), *(("Driver", text) for text in ("SS", "S*SS", "MTD-f", "***"))),
    ],
)
def test_refused_values_change_nothing(name: str, text: str) -> None:
    options, option = Options(), find(name)
    assert option
    before = getattr(options, option.field)
    with pytest.raises(ValueError, match=name):
        options.set(option, text)
    assert getattr(options, option.field) == before


def test_options_made_in_code() -> None:
    assert Options(hash_mb=4).hash_mb == 4
    wrong: list[dict[str, str | int | bool]] = [
        {"no_such": 1},
        {"hash_mb": 0},
        {"hash_mb": "16"},
        {"driver": "ss"},
        {"own_book": 1},
    ]
    for values in wrong:
        with pytest.raises(ValueError, match=next(iter(values))):
            Options(**values)  # type: ignore[arg-type]
        options = Options(multipv=2)
        with pytest.raises(ValueError, match=next(iter(values))):
            options.update(multipv=3, **values)  # type: ignore[arg-type]
        assert options.multipv == 2


def test_the_document_is_up_to_date() -> None:
    writer = runpy.run_path(str(ROOT / "docs" / "options.py"))
    text = (ROOT / "docs" / "play" / "options.md").read_text(encoding="utf-8")
    assert text == writer["renewed"](text), "python docs/options.py"
    for option in TABLE:
        assert option.meaning and f"\n| {option.name} | " in text
    with pytest.raises(ValueError, match=r"options\.md"):
        writer["renewed"]("no table")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("SSS", "SSS*"),
        ("sss*", "SSS*"),
        ("SSSliteral", "SSS*-literal"),
        ("SSS*-literal", "SSS*-literal"),
        ("DUAL", "DUAL*"),
        ("MTDf", "MTD(f)"),
        ("mtd(f)", "MTD(f)"),
        ("MTDbi", "MTD(bi)"),
        ("PVS", "PVS"),
    ],
)
def test_drivers_are_named_with_and_without_their_signs(text: str, name: str) -> None:
    options, option = Options(), find("Driver")
    assert option
    options.set(option, text)
    assert options.driver == name == Options(driver=text).driver == driver(text)
