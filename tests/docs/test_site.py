"""The site is built without a warning, has every page, and asks nothing of the network."""

from __future__ import annotations

import re
from pathlib import Path

from grader.catalogue.bugs import load_bugs
from grader.catalogue.config import KEYS
from grader.catalogue.load import TASK_KEYS, load_course
from grader.cli.main import COMMANDS

from .blocks import ROOT


def read(site: Path, page: str) -> str:
    return (site / page).read_text("utf-8")


def test_every_page_is_there_and_in_the_navigation(site: Path) -> None:
    """A page outside the navigation is a warning of the build, hence an error."""
    index = read(site, "index.html")
    for page in (ROOT / "docs").glob("*.md"):
        assert (site / f"{page.stem}.html").is_file()
        assert page.stem == "index" or f'href="{page.stem}.html"' in index, page.stem


def test_nothing_is_asked_of_the_network(site: Path) -> None:
    """A link may lead away; a script, a style, a font or a picture may not come from elsewhere."""
    for page in site.rglob("*.html"):
        loaded = re.findall(
            r"<(?:script|link|img|iframe|source)\b[^>]*?(?:src|href)=\"([^\"]+)\"", page.read_text("utf-8")
        )
        assert [url for url in loaded if re.match(r"(https?:)?//", url)] == [], page
    for style in site.rglob("*.css"):
        assert not re.search(r"url\(\s*[\"']?(https?:)?//|@import", style.read_text("utf-8")), style


def test_every_command_and_key_has_its_place(site: Path) -> None:
    commands, keys = read(site, "cli.html"), read(site, "configuration.html")
    assert [name for name in COMMANDS if f'id="grade-{name}"' not in commands] == []
    assert [key for key in (*KEYS, *TASK_KEYS) if f'<span class="pre">{key}</span>' not in keys] == []


def test_every_known_bug_has_its_entry(site: Path) -> None:
    course = load_course(ROOT, configured=False)
    count = 0
    for exercise in course.exercises:
        page = read(site, f"diagnoses/{exercise.name}.html")
        for bug in load_bugs(course, exercise):
            assert page.count(f'id="{bug.name.lower()}"') == 1, bug.name
            count += 1
    assert count > 1000


def test_an_entry_says_what_why_and_which_line(site: Path) -> None:
    page = read(site, "diagnoses/masking.html")
    entry = page.partition('<section id="hides-the-past">')[2].partition("</section>")[0]
    words = re.sub(r"<[^>]+>", "", entry)
    assert "Your mask shows the future and hides the past." in words
    assert "Rows are queries and columns are keys" in words
    assert "Try: Which of the two triangles" in words
    assert words.index(".triu()") < words.index(".tril()")
    assert "Seen in: karpathy/nanoGPT issue #170" in words
