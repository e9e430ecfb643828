"""Makes docs/watch.png, a picture of the page that `sssnake serve` shows: `python docs/pictures.py`.

Needs the extras [web] and [lab] (Pillow comes with matplotlib), and Chromium. The searches are limited by
nodes, so the picture shows the same passes on every machine.
"""

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from PIL import Image  # noqa: E402
from support.chromium import Chromium, Page  # noqa: E402
from support.web import Served  # noqa: E402

GAME = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. c3 Nf6 5. d3 d6 6. O-O a6 7. Bb3 Ba7 *"
DEPTH = 9
WIDTH, HEIGHT = 1360, 905
COLOURS = 128
LARGEST = 300_000  # bytes


def watch(page: Page) -> None:
    """Load the game, watch the drivers, and show one depth when all have ended."""
    page.wait_for("document.querySelector('cg-board piece')")
    page.click("#tab-analyse")
    page.evaluate("document.querySelector('#thinking').click()")
    page.evaluate(f"document.querySelector('#text').value = {GAME!r}")
    page.evaluate("document.querySelector('#load').requestSubmit()")
    page.wait_for("document.querySelector('#opening').textContent.startsWith('C5')")
    page.wait_for("document.querySelector('#graph .curve')?.getAttribute('points').split(' ').length == 15")
    page.click("#tab-watch")
    page.wait_for("document.querySelector('#spoken').textContent.startsWith('Depth ')", 120)
    page.evaluate(f"document.querySelector('#depth').value = {DEPTH}")
    page.evaluate("document.querySelector('#depth').oninput()")
    page.evaluate("scrollTo(0, 0)")


def main() -> None:
    """Write the picture."""
    target = ROOT / "docs" / "watch.png"
    with tempfile.TemporaryDirectory() as folder, Served("--searches", "1") as served, Chromium() as browser:
        shot = Path(folder, "shot.png")
        page = browser.page(served.address, WIDTH, HEIGHT)
        watch(page)
        page.screenshot(shot)
        with Image.open(shot) as image:
            image.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(target, optimize=True)
    size = target.stat().st_size
    print(f"{target.relative_to(ROOT)}: {size} bytes")
    assert size < LARGEST


if __name__ == "__main__":
    main()
