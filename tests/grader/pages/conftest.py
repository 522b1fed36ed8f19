"""A real browser without a network, and pages to open from the disk: every state, a whole curriculum, a class."""

from __future__ import annotations

import ast
import functools
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from grader.catalogue.load import load_course
from grader.catalogue.model import CheckSpec, Task
from grader.catalogue.model import Exercise as Sheet
from grader.report import class_page, student_page
from grader.report.rows import Row
from grader.results.codes import render
from grader.results.schema import Array, Check, Diagnosis, Evidence, Exercise, Note, Picture, Results, Training, total

ROOT = Path(__file__).parents[3]
SAMPLE = ROOT / "tests" / "grader" / "report" / "sample.json"
LINES = "\n".join(f"exercises/attention.py, line {n}, in forward\n    x = self.layer_{n}(x)" for n in range(12))


@functools.cache
def chromium() -> Browser:
    """The system's, until this process ends: it can start Playwright once. Its own sandbox does not work for root."""
    root = sys.platform == "linux" and os.geteuid() == 0
    program, options = shutil.which("chromium"), ["--no-sandbox"] if root else []
    return sync_playwright().start().chromium.launch(executable_path=program, args=options, timeout=60_000)


@pytest.fixture(scope="session")
def browser() -> Browser:
    return chromium()


class Opened:
    """A page, and what it asked for and complained of while it was open."""

    def __init__(self, context: BrowserContext, path: Path) -> None:
        context.set_offline(True)
        self.page: Page = context.new_page()
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.address = path.as_uri()
        self.page.goto(self.address)


@pytest.fixture
def opened(browser: Browser) -> Iterator[Any]:
    """opened(path, width=…, colours=…, media=…) gives an Opened."""
    contexts: list[BrowserContext] = []

    def open_one(path: Path, width: int = 1440, colours: Any = "light", media: Any = "screen", **more: Any) -> Opened:
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=colours, **more)
        contexts.append(context)
        one = Opened(context, path)
        one.page.emulate_media(media=media, color_scheme=colours)
        return one

    yield open_one
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def sheets(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The pages as files."""
    folder = tmp_path_factory.mktemp("pages")
    sample = msgspec.json.decode(SAMPLE.read_bytes(), type=Results)
    nothing_right = curriculum(sample)
    rows = [
        *(Row(f"student {n}", sample if n % 2 else nothing_right, None, f"students/{n}.html") for n in range(6)),
        Row("late", None, "late.zip is not a zip archive.", None),
    ]
    earlier = [Row(row.student, sample, None, None) for row in rows]
    training = Training(steps=[0, 10, 20], losses=[3.4, 2.1, 1.2], before="xq jw", after="the words before")
    texts = {
        "sample": student_page.render(sample, training),
        "curriculum": student_page.render(nothing_right),
        "class": class_page.render("A class", rows, earlier),
        "large": class_page.render("A large class", thousand(sample)),
    }
    for name, text in texts.items():
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
    return {name: folder / f"{name}.html" for name in texts}


def thousand(sample: Results) -> list[Row]:
    """As many students, each with other points."""
    return [
        Row(f"student-{n:04}", msgspec.structs.replace(sample, points=n / 10), None, f"students/{n}.html")
        for n in range(1000)
    ]


def curriculum(sample: Results) -> Results:
    """Every check of the shipped course failed, with as large a story as a check can have, and all pictures."""
    course = load_course(ROOT)
    drawn = {exercise.name: exercise.pictures for exercise in sample.exercises}
    exercises = [_exercise(course.suite_path(e.name), e, drawn.get(e.name, [])) for e in course.exercises]
    points = total(e.possible for e in exercises)
    return msgspec.structs.replace(sample, student="Nothing Right", exercises=exercises, points=0, possible=points)


def _exercise(suite: Path, sheet: Sheet, pictures: list[Picture]) -> Exercise:
    found = ast.walk(ast.parse(suite.read_text("utf-8")))
    titles = {
        f.name: " ".join((ast.get_docstring(f) or f.name).split()) for f in found if isinstance(f, ast.FunctionDef)
    }
    checks = [_check(sheet, task, check, titles[f"test_{check.name}"]) for task in sheet.tasks for check in task.checks]
    told = "the scores are divided by d_k, not by its root, so that the weights are flatter than they should be"
    look = {
        "task": "forward",
        "known": "scores",
        "line": 31,
        "source": "scores = scores / d",
        "missing": "weights",
        "look": "",
    }
    return Exercise(
        name=sheet.name,
        title=sheet.title,
        track=sheet.track,
        status="failed",
        points=0,
        possible=total(c.possible for c in checks),
        checks=checks,
        diagnoses=[Diagnosis(task=t.name, bug="b", what=told, why=told, help=told, evidence=told) for t in sheet.tasks],
        notes=[
            Note(task=t.name, code="right_until", values=look, message=render("right_until", look), evidence=evidence())
            for t in sheet.tasks
        ],
        pictures=pictures,
    )  # fmt: skip


def _check(sheet: Sheet, task: Task, spec: CheckSpec, title: str) -> Check:
    values = {"what": "the output", "got": -0.7312, "want": 0.5411, "index": [0, 1, 17], "error": 1.27, "limit": 5e-05}
    return Check(
        id=f"{sheet.name}.{spec.name}",
        task=task.name,
        title=title,
        status="failed",
        reason="value",
        code="wrong_value",
        values=values,
        message=render("wrong_value", values),
        help=spec.help,
        detail=LINES,
        evidence=evidence(),
        points=0,
        possible=spec.points,
    )


def evidence() -> Evidence:
    """As much as a check may keep, with numbers of every sign, and some that are none."""
    theirs = [round((7 * n % 23 - 11) / 9, 4) for n in range(32 * 32)]
    return Evidence(
        dims={"B": 2, "T": 32, "kind": "large scores"},
        expected=Array(label="expected", shape=[2, 32, 32], corner=[1, 6, 6], values=theirs[:36]),
        got=Array(label="yours", shape=[2, 32, 32], corner=[1, 32, 32], values=["nan", "inf", *theirs[2:-1], 0.5]),
        worst=[0, 3, 2],
    )  # fmt: skip
