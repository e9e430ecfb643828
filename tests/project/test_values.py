"""Values stand in two places, for C and for Python, and agree."""

import re

from support.constants import ROOT

from sssnake._fast import values

TYPES = ROOT / "_fast" / "types.pxd"


def test_python_knows_the_values_of_the_core() -> None:
    declared = dict(re.findall(r"^ {4}([A-Z_]+) = (-?\d+)", TYPES.read_text(encoding="utf-8"), re.M))
    exported = {name: value for name, value in vars(values).items() if name.isupper()}
    assert len(exported) == 8
    assert {name: int(declared[name]) for name in exported} == exported
