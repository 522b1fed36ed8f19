"""The site in a real browser, without a network: nothing is asked for, nothing hides, and everyone can read it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

PAGES = ("index", "start-student", "configuration", "diagnoses/bahdanau")
SERIOUS = ("serious", "critical")

pytestmark = pytest.mark.needs("chromium")


@pytest.mark.parametrize(("width", "colours"), [(1440, "light"), (390, "dark")])
def test_the_pages_are_readable(width: int, colours: str, opened: Any, site: Path) -> None:
    one = opened(site / "index.html", width=width, colours=colours)
    for page in PAGES:  # without preload: axe would ask for the style sheets, which a file may not
        one.page.goto((site / f"{page}.html").as_uri())
        found = Axe().run(one.page, options={"preload": False}).response["violations"]
        told = [(v["id"], v["nodes"][0]["html"]) for v in found if v["impact"] in SERIOUS]
        assert told == [], page
        assert one.page.evaluate("document.documentElement.scrollWidth") <= width, page
    assert one.complaints == []
    assert [url for url in one.requests if not url.startswith(("file:", "data:"))] == []


def test_a_bug_is_found_by_its_name_in_the_address(opened: Any, site: Path) -> None:
    one = opened(site / "diagnoses" / "layer_norm.html")
    one.page.goto(f"{one.address}#eps_outside_the_root")
    box = one.page.locator("#eps_outside_the_root").bounding_box()
    assert 0 <= box["y"] < 900


def test_the_search_works_from_the_disk(opened: Any, site: Path) -> None:
    one = opened(site / "search.html")
    one.page.goto(f"{one.address}?q=softmax")
    one.page.locator("#search-results li a").first.wait_for(timeout=30_000)
