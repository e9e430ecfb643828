"""The suites of our own are what their script makes."""

import importlib.util
from pathlib import Path

from support.suites import OWN


def test_the_suites_can_be_made_again(tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("make", OWN / "make.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.main(tmp_path)
    made = {path.name for path in tmp_path.iterdir()}
    assert made == {path.name for path in OWN.iterdir()} - {"make.py", "__pycache__"}
    for name in made:
        assert (tmp_path / name).read_bytes() == (OWN / name).read_bytes(), (
            "run `python tests/suites/make.py`"
        )
