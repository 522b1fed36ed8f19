"""The pages in a real browser: narrow and wide, light and dark, printed, by keyboard, without a network."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

pytestmark = pytest.mark.needs("chromium")

NAMES = ["sample", "curriculum", "class"]
EVERYTHING = ["sample", "class"]  # every kind of part is in these, and they are quick to go through
WIDTHS = [320, 1440]
PAPER = {"sample": 672, "class": 1001}  # pixels of A4 between the margins, upright and across
FOCUSABLE = "a[href], button, input, summary, [tabindex='0']"
BAD = ("serious", "critical")


@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", EVERYTHING)
def test_axe_finds_nothing_serious(name: str, width: int, colours: str, opened: Any, sheets: dict[str, Path]) -> None:
    page = opened(sheets[name], width, colours).page
    found = Axe().run(page).response["violations"]
    told = [f"{v['id']}: {v['help']} ({v['nodes'][0]['html'][:200]})" for v in found if v["impact"] in BAD]
    assert told == []


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_wider_than_the_page(name: str, width: int, opened: Any, sheets: dict[str, Path]) -> None:
    page = opened(sheets[name], width).page
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("name", NAMES)
def test_it_opens_from_the_disk_asks_for_nothing_and_complains_of_nothing(
    name: str, opened: Any, sheets: dict[str, Path]
) -> None:
    one = opened(sheets[name])
    one.page.wait_for_load_state("networkidle")
    assert one.requests == [one.address]
    assert one.complaints == []


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", EVERYTHING)
def test_the_tab_key_reaches_everything_and_shows_where_it_is(
    name: str, width: int, opened: Any, sheets: dict[str, Path]
) -> None:
    page = opened(sheets[name], width).page
    wanted = page.evaluate(
        f"""() => [...document.querySelectorAll("{FOCUSABLE}")].filter(e => e.checkVisibility()).map(
            (e, i) => (e.dataset.at = String(i)))"""
    )
    reached = []
    for _ in wanted:
        page.keyboard.press("Tab")
        at, outlined = page.evaluate(
            "(e => [e.dataset.at, getComputedStyle(e).outlineStyle !== 'none'])(document.activeElement)"
        )
        assert outlined, f"nothing shows that the focus is on number {at}"
        reached.append(at)
    assert reached == wanted


def test_enter_opens_what_is_folded(opened: Any, sheets: dict[str, Path]) -> None:
    page = opened(sheets["sample"]).page
    fold = page.locator("details.task").first
    assert not fold.locator("li").first.is_visible()
    fold.locator("summary").focus()
    page.keyboard.press("Enter")
    assert fold.locator("li").first.is_visible()


def test_enter_sorts_the_class(opened: Any, sheets: dict[str, Path]) -> None:
    page = opened(sheets["class"]).page
    head = page.get_by_role("columnheader", name="total")
    head.get_by_role("button").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    assert head.get_attribute("aria-sort") == "ascending"
    totals = [float(text) for text in page.locator("td.t").all_inner_texts() if text.strip()]
    assert totals == sorted(totals)
    assert len(totals) == 6


def test_the_search_box_shows_who_is_looked_for(opened: Any, sheets: dict[str, Path]) -> None:
    page = opened(sheets["class"]).page
    rows = page.locator("table.students tbody tr")
    page.get_by_role("searchbox", name="Find").fill("STUDENT  2")
    assert [row.inner_text().split("\t")[0] for row in rows.all() if row.is_visible()] == ["student 2"]
    assert page.locator(".find [role=status]").inner_text() == "1 of 7"
    page.get_by_role("searchbox", name="Find").fill("zip archive")
    assert [row.inner_text().split("\t")[0].strip() for row in rows.all() if row.is_visible()] == ["late"]
    page.get_by_role("searchbox", name="Find").fill("")
    assert all(row.is_visible() for row in rows.all())


def test_a_narrow_screen_shows_the_status_without_scrolling(opened: Any, sheets: dict[str, Path]) -> None:
    page = opened(sheets["class"], 500).page
    boxes = [cell.bounding_box() for cell in page.locator("table.students tbody td:last-child").all()]
    assert len(boxes) == 7
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= 500 for box in boxes)
    page.get_by_role("searchbox", name="Find").fill("zip archive")
    assert [row.is_visible() for row in page.locator("table.students tbody tr").all()].count(True) == 1


def test_names_of_the_map_are_whole_where_there_is_room(opened: Any, sheets: dict[str, Path]) -> None:
    page = opened(sheets["class"], 1280).page
    page.locator(".map li > span").last.evaluate("name => (name.textContent = 'Łukasz Kowalczyk-Nowak')")
    cut = "names => names.filter(name => name.scrollWidth > name.clientWidth).map(name => name.textContent)"
    assert page.locator(".map li > span").evaluate_all(cut) == []


def test_a_large_class_is_usable(opened: Any, sheets: dict[str, Path]) -> None:
    """A thousand students: nothing is wider than the page, and sorting and searching reach all of them."""
    one = opened(sheets["large"])
    rows = one.page.locator("table.students tbody tr")
    one.page.get_by_role("columnheader", name="total").get_by_role("button").click()
    totals = one.page.locator("td.t").all_inner_texts()
    assert totals == sorted(totals, key=float, reverse=True)
    one.page.get_by_role("searchbox", name="Find").fill("student-099")
    assert one.page.locator(".find [role=status]").inner_text() == f"10 of {rows.count()}"
    head = one.page.get_by_role("columnheader", name="student", exact=True)
    one.page.locator("#students .scroll").evaluate("box => box.scrollTo(0, 1e6)")
    assert head.is_visible()
    assert one.page.evaluate("document.documentElement.scrollWidth") <= 1440
    assert one.complaints == []


def test_the_class_is_there_without_its_script(opened: Any, sheets: dict[str, Path]) -> None:
    page = opened(sheets["class"], java_script_enabled=False).page
    assert page.locator("table.students tbody tr").count() == 7
    assert not page.locator(".find").is_visible()


@pytest.mark.parametrize("name", ["sample", "curriculum"])
def test_every_picture_is_drawn_and_described(name: str, opened: Any, sheets: dict[str, Path]) -> None:
    page = opened(sheets[name], 320).page
    pictures = page.evaluate(
        """() => [...document.querySelectorAll("svg")].map(svg => [svg.getBoundingClientRect().width,
            svg.getAttribute("role"), svg.querySelector("desc").textContent.length])"""
    )
    assert len(pictures) >= 10
    assert [p for p in pictures if not (0 < p[0] <= 320 and p[1] == "img" and p[2] > 10)] == []


@pytest.mark.parametrize("name", ["sample", "curriculum"])
def test_words_and_numbers_of_a_picture_stay_inside_it(name: str, opened: Any, sheets: dict[str, Path]) -> None:
    page = opened(sheets[name]).page
    outside = page.evaluate(
        """() => [...document.querySelectorAll("svg.drawing")].flatMap(svg => {
            const all = svg.getBoundingClientRect();
            return [...svg.querySelectorAll("tspan, path")].filter(e => {
                const box = e.getBoundingClientRect(), [across, down] = [box.left - all.left, box.top - all.top];
                return Math.min(across, down) < -2 || box.right > all.right + 2 || box.bottom > all.bottom + 2;
            }).map(e => svg.querySelector("title").textContent + ": " + (e.textContent || e.getAttribute("class")));
        })"""
    )
    assert outside == []


@pytest.mark.parametrize("name", EVERYTHING)
def test_on_paper_everything_is_unfolded_and_dark_on_white(name: str, opened: Any, sheets: dict[str, Path]) -> None:
    page = opened(sheets[name], PAPER[name], "dark", "print").page
    body = page.evaluate("(({color, backgroundColor}) => [color, backgroundColor])(getComputedStyle(document.body))")
    assert body == ["rgb(0, 0, 0)", "rgb(255, 255, 255)"]
    hidden = page.evaluate(
        """() => [...document.querySelectorAll("details:not([open]) > :not(summary)")].filter(
            e => e.getBoundingClientRect().height === 0).length"""
    )
    assert hidden == 0
    assert not page.locator(".skip").is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= PAPER[name]
    assert page.pdf(prefer_css_page_size=True).startswith(b"%PDF")


def test_a_whole_curriculum_is_below_a_megabyte(sheets: dict[str, Path]) -> None:
    """With nothing right, and as much to say of every check as there can be."""
    html = sheets["curriculum"].read_bytes()
    assert len(re.findall(rb'class="map"', html)) > 100
    assert html.count(b'class="plate"') == 6
    assert len(html) < 1_000_000
