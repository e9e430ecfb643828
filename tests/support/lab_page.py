"""The laboratory's page in a browser: what its tests share."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sssnake.engine.lab.trees.trees import Nested

pytest.importorskip("websockets", reason="the browser is driven over a websocket: pip install websockets")

from support import chromium
from support.chromium import Chromium, Page

Show = Callable[..., Page]  # html, fragment and size of the window -> the page
SEED: Nested = [[5, -2, 0], [1, -3, 7], [5, 5, 4]]
in_a_browser = pytest.mark.skipif(
    chromium.executable() is None, reason="chromium is missing: apt install chromium"
)


@pytest.fixture
def show(browser: Chromium, tmp_path: Path) -> Iterator[Show]:
    """What opens a text as a page; at the end pages are closed, and must have caused no errors."""
    shown: list[Page] = []

    def opened(html: str, fragment: str = "", size: tuple[int, int] = (1400, 900)) -> Page:
        file = tmp_path / f"page{len(shown)}.html"
        file.write_text(html, encoding="utf-8")
        shown.append(browser.page(file.as_uri() + fragment, *size))
        return shown[-1]

    yield opened
    for each in shown:
        assert each.complaints() == []
        each.close()


def logged(shown: Page, script: str) -> list[str]:
    """Run a script on a page; what it puts into `log`, as text."""
    log: list[str] = shown.evaluate(f"""(() => {{
      const log = [], seen = (id) => document.getElementById(id).innerText.replace(/\\s+/g, " ").trim();
      const click = (id) => document.getElementById(id).click();
      const send = (to, event) => to.dispatchEvent(event);
      const choose = (id, value) => {{ enter(id, value); document.getElementById(id).onchange(); }};
      const key = (name) => send(document.body, new KeyboardEvent("keydown", {{ key: name, bubbles: true }}));
      const enter = (id, value) => {{ document.getElementById(id).value = value; }};
      {script}
      return log;
    }})()""")
    return log
