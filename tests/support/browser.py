"""Pages in a headless browser: one run of chromium a call."""

import json
import re
import subprocess
from html import unescape
from pathlib import Path

import pytest

from support.chromium import executable

BROWSER = executable()
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--window-size=1400,900",
]  # fmt: skip


def browse(folder: Path, html: str, fragment: str, *flags: str) -> str:
    """Load a page in a headless browser; the DOM after its scripts have run."""
    if BROWSER is None:
        pytest.skip("chromium is missing: apt install chromium")
    (folder / "page.html").write_text(html, encoding="utf-8")
    url = (folder / "page.html").as_uri() + fragment
    command = [BROWSER, *FLAGS, f"--user-data-dir={folder / 'profile'}", *(flags or ("--dump-dom",)), url]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout


def text_of(dom: str, element: str) -> str:
    found = re.search(rf'<(\w+) id="{element}"[^>]*>(.*?)</\1>', dom, re.DOTALL)
    assert found
    return " ".join(re.sub(r"<[^>]+>", " ", found[2]).split())


def logged(folder: Path, html: str, script: str, size: str = "1400,900") -> list[str]:
    """Run a script on the page; what it puts into `log`, as text."""
    steps = f"""<script>addEventListener("load", () => {{
      const log = [], seen = (id) => document.getElementById(id).innerText.replace(/\\s+/g, " ").trim();
      const click = (id) => document.getElementById(id).click();
      const send = (to, event) => to.dispatchEvent(event);
      const choose = (id, value) => {{ enter(id, value); document.getElementById(id).onchange(); }};
      const key = (name) => send(document.body, new KeyboardEvent("keydown", {{ key: name, bubbles: true }}));
      const enter = (id, value) => {{ document.getElementById(id).value = value; }};
      try {{ {script} }} catch (error) {{ log.push(String(error)); }}
      document.body.dataset.log = JSON.stringify(log);
    }});</script></body>"""
    dom = browse(folder, html.replace("</body>", steps), "", "--dump-dom", f"--window-size={size}")
    found = re.search(r'data-log="([^"]*)"', dom)
    assert found
    log: list[str] = json.loads(unescape(found[1]))
    return log
