"""A release of the whole curriculum: every known bug, every right answer in another style and everybody in the sample
class are judged alike where their parts are right, and nothing leaks."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.catalogue.folder import given_files
from grader.catalogue.load import load_course
from grader.catalogue.model import Course
from grader.release.build import build
from grader.release.leaks import search
from grader.release.secrets import secrets_of
from grader.results.schema import Check, Results
from grader.run.engine import Engine
from grader.submission.discover import discover

from ..course.released import files, said

ROOT = Path(__file__).parents[2]
COURSE = load_course(ROOT, configured=False)
CORE = [exercise.name for exercise in COURSE.exercises if exercise.track == "core"]
LIMIT = 60e6  # bytes


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Course:
    folder, began = tmp_path_factory.mktemp("release") / "handout", time.monotonic()
    size = build(COURSE, folder, given_files(COURSE), lambda _: None)
    print(f"{size.files} files, {size.bytes / 1e6:.1f} MB, in {time.monotonic() - began:.0f} s")
    assert size.bytes < LIMIT
    return load_course(folder)


@pytest.fixture(scope="module")
def engines(released: Course) -> Iterator[tuple[Engine, Engine]]:
    with Engine(COURSE, COURSE.names) as whole, Engine(released, COURSE.names) as told:
        yield whole, told


@pytest.mark.parametrize("name", COURSE.names)
def test_all_that_is_known_is_judged_alike(engines: tuple[Engine, Engine], name: str) -> None:
    whole, told = engines
    handed_in = list(files(COURSE, name))
    print(f"{name}: {len(handed_in)} files")
    for file in handed_in:
        assert said(COURSE, told, file) == said(COURSE, whole, file), file.name


def graded(course: Course) -> dict[str, Results]:
    with Engine(course, CORE) as engine:
        return {s.student: engine.grade(s) for s in discover(ROOT / "examples" / "class", CORE)}


def parts(task: str) -> set[str]:
    """The tasks that `task` uses, and that those use."""
    needs = next(t.needs for e in COURSE.exercises for t in e.tasks if t.name == task)
    return set(needs).union(*map(parts, needs))


def seen(check: Check) -> tuple[object, ...]:
    return check.status, check.code, check.values, check.message, check.title, check.help, check.detail, check.evidence


def test_checks_whose_parts_are_right_are_judged_alike(released: Course) -> None:
    compared = blocked = 0
    whole, told = graded(COURSE), graded(released)
    for student, results in whole.items():
        rows = [check for exercise in results.exercises for check in exercise.checks]
        here = {check.id: check for exercise in told[student].exercises for check in exercise.checks}
        wrong = {check.task for check in rows if check.status not in ("passed", "blocked")}
        unreadable = {check.id.partition(".")[0] for check in rows if check.code in ("syntax_error", "import_failed")}
        for check in rows:
            files = {COURSE.tasks[part] for part in parts(check.task)}
            if parts(check.task) & wrong or files & unreadable:
                blocked += here[check.id].status == "blocked"
                continue
            compared += 1
            assert seen(here[check.id]) == seen(check), (student, check.id)
    print(f"{compared} verdicts of {len(whole)} students are the same; {blocked} wait for a part")
    assert compared > 1000
    assert not [c.id for r in told.values() for e in r.exercises for c in e.checks if c.code == "not_recorded"]


def test_it_holds_no_line_that_answers_it(released: Course) -> None:
    assert not search(released.root, secrets_of(COURSE).kept).leaks
