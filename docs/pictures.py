"""Makes docs/watch.png and docs/watch.gif, pictures of what `sssnake serve` shows: `python docs/pictures.py`.

Needs the extra [lab] (Pillow comes with matplotlib), and Chromium. The searches are limited by
nodes, and the page's clock is set by hand, so the pictures are the same on every machine with the same fonts.
"""

import io
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from PIL import Image  # noqa: E402
from support.chromium import Chromium, Page  # noqa: E402
from support.web import Served  # noqa: E402

DOCS = ROOT / "docs"
GAME = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. c3 Nf6 5. d3 d6 6. O-O a6 7. Bb3 Ba7 *"
DEPTH = 8
WIDTH, HEIGHT = 1360, 930
COLOURS = 128
LARGEST = 300_000  # bytes
PLAYED, PAUSE = 1800, 500  # milliseconds, as in watch.js
FRAMES, FRAME, LAST = 30, 70, 4000  # in the animation; milliseconds of one, of the last one


def watch(page: Page) -> None:
    """Load the game and watch the drivers until all have ended."""
    page.wait_for("document.querySelector('cg-board piece')")
    page.click("#tab-analyse")
    page.evaluate("document.querySelector('#thinking').click()")
    page.evaluate(f"document.querySelector('#text').value = {GAME!r}")
    page.evaluate("document.querySelector('#load').requestSubmit()")
    page.wait_for("document.querySelector('#opening').textContent.startsWith('C5')")
    page.evaluate("document.querySelector('#review').click()")
    page.wait_for("document.querySelector('#graph .curve')?.getAttribute('points').split(' ').length == 15")
    page.click("#tab-watch")
    page.wait_for("document.querySelector('#spoken').textContent.startsWith('Depth ')", 120)
    page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")


def frames(page: Page) -> list[Image.Image]:
    """The descent of one depth."""
    page.evaluate(
        "window.clock = 1e6; performance.now = () => window.clock; document.querySelector('#replay').click()"
    )
    page.evaluate("document.activeElement.blur()")
    while page.text("#depth-shown") != str(DEPTH):
        tick(page, PLAYED + PAUSE + 1)
    shots = []
    for _ in range(FRAMES):
        tick(page, PLAYED / FRAMES)
        shots.append(shot(page))
    return shots


def tick(page: Page, milliseconds: float) -> None:
    """Set the page's clock forward, and let it draw."""
    page.evaluate(f"window.clock += {milliseconds}")
    page.evaluate("new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))")


def shot(page: Page) -> Image.Image:
    """The window."""
    return Image.open(io.BytesIO(page.screenshot())).convert("RGB")


def main() -> None:
    """Write the pictures."""
    with Served("--searches", "1") as served, Chromium() as browser:
        page = browser.page(served.address, WIDTH, HEIGHT)
        watch(page)
        shots = frames(page)
    still = shots[-1].quantize(COLOURS, dither=Image.Dither.NONE)
    still.save(DOCS / "watch.png", optimize=True)
    moving = [image.quantize(palette=still, dither=Image.Dither.NONE) for image in shots]
    times = [FRAME] * (FRAMES - 1) + [LAST]
    moving[0].save(
        DOCS / "watch.gif", save_all=True, append_images=moving[1:], duration=times, loop=0, optimize=True
    )
    for name in ("watch.png", "watch.gif"):
        size = (DOCS / name).stat().st_size
        print(f"docs/{name}: {size} bytes")
        assert size < LARGEST, name


if __name__ == "__main__":
    main()
