"""The laboratory's page outside a browser: its scripts in node."""

import json
import shutil
import subprocess

import pytest

from sssnake.engine.lab.views.show import script

NODE = shutil.which("node") or shutil.which("nodejs")


def run(code: str, data: object) -> object:
    """Run code after tree.js, search.js and replay.js; it finds `data` as DATA, and returns JSON.

    Big integers come back as strings.
    """
    if NODE is None:
        pytest.skip("node is missing: apt install nodejs")
    program = f"""{script("tree.js", "search.js", "gsearch.js", "replay.js")}
    const DATA = JSON.parse(require("fs").readFileSync(0, "utf-8"));
    const found = (() => {{ {code} }})();
    console.log(JSON.stringify(found, (_, value) => typeof value === "bigint" ? String(value) : value));"""
    done = subprocess.run(
        [NODE, "-e", program],
        input=json.dumps(data),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
