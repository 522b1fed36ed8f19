"""Pages as commands write them: a batch of the sample class, and the report of a student whose GPT has learned."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from grader.catalogue.home import line_for

from ..cli.calling import grade
from .conftest import ROOT

pytestmark = pytest.mark.needs("chromium")

BAD = ("serious", "critical")
MISTAKE, SYNTAX, RIGHT = "dmitri", "kofi", "ada"  # heat maps of failed checks, a file that cannot run, all points
PAGES = [MISTAKE, SYNTAX, RIGHT, "class", "own"]


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """By whose or what they are; `own` has pictures of the student's own code, and the curve of a training."""
    folder = tmp_path_factory.mktemp("real")
    for student in (MISTAKE, SYNTAX, RIGHT):
        shutil.copytree(ROOT / "examples" / "class" / student, folder / "class" / student)
    grade(ROOT, "batch", str(folder / "class"), "--out", str(folder / "out"), "--title", "A class")
    own = own_folder(folder / "own")
    grade(own, "attention", "layer_norm", "positional_encoding", code=1)
    grade(own, "show", "train", "--seconds", "2")
    grade(own, "report", "--out", "report.html")
    students = {name: folder / "out" / "students" / name / "report.html" for name in (MISTAKE, SYNTAX, RIGHT)}
    return {**students, "class": folder / "out" / "index.html", "own": own / "report.html"}


def own_folder(folder: Path) -> Path:
    """A student's folder: dmitri's exercises, and a GPT that can learn."""
    shutil.copytree(ROOT / "examples" / "class" / MISTAKE, folder / "exercises")
    for path in (ROOT / "solutions").glob("*.py"):
        if not (folder / "exercises" / path.name).exists():
            shutil.copy(path, folder / "exercises")
    shutil.copy(ROOT / "exercises" / "model_args.py", folder / "exercises")
    (folder / "grade.toml").write_text(line_for(ROOT), "utf-8")
    return folder


def test_they_hold_what_they_are_looked_at_for(written: dict[str, Path]) -> None:
    texts = {name: path.read_text("utf-8") for name, path in written.items()}
    assert 'class="map"' in texts[MISTAKE]
    assert "is not valid Python" in texts[SYNTAX]
    assert "checks passed" in texts[RIGHT]
    assert "steps" in texts["own"]
    assert 'class="plate"' in texts["own"]
    assert all(student in texts["class"] for student in (MISTAKE, SYNTAX, RIGHT))


@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1440])
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_serious(name: str, width: int, colours: str, opened: Any, written: dict[str, Path]) -> None:
    page = opened(written[name], width, colours).page
    page.evaluate("document.querySelectorAll('details').forEach(fold => fold.open = true)")
    found = Axe().run(page).response["violations"]
    told = [f"{v['id']}: {v['help']} ({v['nodes'][0]['html'][:200]})" for v in found if v["impact"] in BAD]
    assert told == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_serious_on_paper(name: str, opened: Any, written: dict[str, Path]) -> None:
    page = opened(written[name], 1001 if name == "class" else 672, "dark", "print").page
    found = Axe().run(page).response["violations"]
    assert [f"{v['id']}: {v['help']}" for v in found if v["impact"] in BAD] == []
