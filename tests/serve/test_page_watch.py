"""What the Watch view says of passes that contradict each other, and of a game that is over."""

import json
from typing import Any

import pytest
from support.chromium import Page, browser, executable
from support.page import MOVES, page, paste, played, served

pytestmark = pytest.mark.skipif(executable() is None, reason="there is no Chromium")
__all__ = ["browser", "page", "served"]
POSITION = {"legal": {"e2e4": "e4"}, "searchable": True}


def told(number: int, gamma: int, value: int, lower: int | None, upper: int | None) -> dict[str, Any]:
    """A pass of depth 3."""
    kind = "lower" if value >= gamma else "upper"
    known = {"gamma": gamma, "value": value, "kind": kind, "lower": lower, "upper": upper}
    return {
        "event": "pass",
        "depth": 3,
        "pass": number,
        "nodes": 10,
        "roots": [["e2e4", lower, upper]],
        **known,
    }


def notes(page: Page, passes: list[dict[str, Any]]) -> list[str]:
    """What stands below the charts when these are the passes of the first driver, and the others have one."""
    quiet = [told(1, 10, 20, 20, 20)]
    script = f"""(async () => {{
        const {{ Watch }} = await import("/watch.js");
        document.querySelector("#tab-watch").click();
        document.querySelector("#charts").replaceChildren();
        const watch = new Watch({{ stop() {{}}, work() {{}} }}, () => {{}});
        await watch.run({{}}, {json.dumps(POSITION)});
        const last = {{ ...{json.dumps(quiet[0])}, depth: 4 }};
        for (const [driver, passes] of [["literal", {json.dumps(passes)}], ["default", {json.dumps(quiet)}],
          ["pvs", {json.dumps(quiet)}]])
          for (const pass of [...passes, last]) watch.receive({{ ...pass, driver }});
        watch.receive({{ event: "done" }});
        watch.rest(3);
        return [...document.querySelectorAll("#charts .note")].map((note) => note.textContent);
    }})()"""
    found: list[str] = page.evaluate(script)
    return found


def test_a_ceiling_that_was_wrong_is_explained(page: Page) -> None:
    passes = [
        told(1, 30_743, 120, None, 120),
        told(2, 120, -490, None, -490),
        told(3, -490, -120, -120, None),
    ]
    first, *others = notes(page, passes)
    assert first.startswith("Pass 3 answers at least −1.20, and an earlier pass had said at most −4.90:")
    assert first.endswith("the older bound is forgotten and that side is open again, to +∞.")
    assert others == ["", ""], "only where it happened"
    roots = page.text("#charts .literal .roots")
    assert "at least −1.20" in roots and "at most" not in roots


def test_a_floor_that_was_wrong_is_explained(page: Page) -> None:
    passes = [told(1, 50, 75, 75, None), told(2, 90, -30, None, -30)]
    first = notes(page, passes)[0]
    assert first.startswith("Pass 2 answers at most −0.30, and an earlier pass had said at least +0.75:")
    assert first.endswith("that side is open again, to −∞.")


def test_bounds_that_agree_need_no_words(page: Page) -> None:
    passes = [told(1, 30_743, 120, None, 120), told(2, 120, 40, None, 40), told(3, 40, 40, 40, 40)]
    assert notes(page, passes) == ["", "", ""]


def test_there_is_nothing_to_watch_after_the_end(page: Page) -> None:
    paste(page, "1. f3 e5 2. g4 Qh4# *")
    played(page, 4)
    page.click("#latest")
    page.click("#tab-watch")
    page.wait_for("!document.querySelector('#over').hidden")
    page.click("#back")
    page.wait_for("document.querySelector('#over').hidden")
    page.wait_for("document.querySelector('#charts svg')")
    paste(page, "1. " + " ".join(["Nf3 Nf6 Ng1 Ng8"] * 10) + " *")
    page.wait_for(f"{MOVES}.length == 40")
    page.click("#latest")
    page.click("#tab-watch")
    page.wait_for("document.querySelector('#lab').href.includes('+40+21')")  # it is there that is watched
    page.wait_for("document.querySelector('#charts').checkVisibility()")
    assert page.evaluate("document.querySelector('#over').hidden"), "a repetition could be claimed"
