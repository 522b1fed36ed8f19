"""docs/proof*.md tell of this course, and not of an earlier one: `grade check NAME… --write docs/proof.md`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from grader.audit.idioms import load_idioms
from grader.catalogue.bugs import load_bugs
from grader.catalogue.load import load_course

COURSE = load_course(Path(__file__).parents[2], configured=False)
PAGE = "\n".join(path.read_text("utf-8") for path in sorted((COURSE.root / "docs").glob("proof*.md")))
COUNTS = re.compile(r"^\| (\w+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) ", re.MULTILINE)
ROWS = {cells[0]: cells for cells in COUNTS.findall(PAGE)}


@pytest.mark.parametrize("name", COURSE.names)
def test_the_page_has_every_known_bug_right_answer_and_check(name: str) -> None:
    exercise = COURSE.exercise(name)
    bugs, idioms = load_bugs(COURSE, exercise), load_idioms(COURSE, name)
    by_invariant = sum(bool(bug.invariant) for bug in bugs)
    counts = [sum(len(task.checks) for task in exercise.tasks), len(bugs), len(bugs) - by_invariant, by_invariant]
    counts += [len(idioms), sum(idiom.shortcut for idiom in idioms)]
    assert list(map(int, ROWS[name][1:])) == counts
    for bug in bugs:
        assert f"| {bug.name} | {bug.task} | {bug.what.replace('|', '/')} |" in PAGE
