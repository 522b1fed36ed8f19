"""A release of two exercises of the course says of the sample class what the whole course says.

tests/proof/test_release.py does it with the whole core track.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from grader.catalogue.folder import given_files
from grader.catalogue.load import load_course
from grader.catalogue.model import Course
from grader.release.build import build, part_of
from grader.release.leaks import search
from grader.release.secrets import secrets_of
from grader.results.schema import Exercise
from grader.run.engine import Engine
from grader.submission.discover import discover

ROOT = Path(__file__).parents[2]
COURSE = load_course(ROOT)
NAMES = ["masking", "layer_norm"]
# Right, not started, two mistakes, missing files, and an editor's own.
STUDENTS = ("ada", "ben", "elif", "fatima", "oskar", "梅")


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Course:
    folder = tmp_path_factory.mktemp("release") / "handout"
    build(part_of(COURSE, NAMES), folder, given_files(COURSE), lambda _: None)
    return load_course(folder)


def graded(course: Course) -> dict[str, list[Exercise]]:
    """Without times, which differ from run to run, and the points of practice."""
    with Engine(course, NAMES) as engine:
        students = [s for s in discover(ROOT / "examples" / "class", NAMES) if s.student in STUDENTS]
        rows = {submission.student: engine.grade(submission).exercises for submission in students}
    return {student: [_timeless(exercise) for exercise in exercises] for student, exercises in rows.items()}


def _timeless(exercise: Exercise) -> Exercise:
    checks = [msgspec.structs.replace(check, seconds=None) for check in exercise.checks]
    return msgspec.structs.replace(exercise, checks=checks)


def test_it_says_what_the_whole_course_says(released: Course) -> None:
    """Verdicts, sentences, numbers, known mistakes, ways and pictures."""
    assert graded(released) == graded(COURSE)


def test_it_holds_no_line_that_answers_it(released: Course) -> None:
    secrets = secrets_of(COURSE)
    assert len(secrets.kept) > 2000
    assert not search(released.root, secrets.kept).leaks
