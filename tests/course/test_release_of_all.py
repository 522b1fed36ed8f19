"""A release of the whole curriculum says of the further exercises what the course says: a sample of what is handed in.

Of the core test_release.py grades the sample class; tests/proof/test_release.py tries all that is known
of every exercise.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.catalogue.folder import given_files
from grader.catalogue.load import load_course
from grader.catalogue.model import Course
from grader.release.build import build
from grader.run.engine import Engine

from .released import Message, files, said, sample

ROOT = Path(__file__).parents[2]
NAMES = [exercise.name for exercise in load_course(ROOT).exercises if exercise.track != "core"]
MOST = 2  # known bugs of a task


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    return load_course(sample(ROOT, tmp_path_factory.mktemp("sample"), MOST), configured=False)


@pytest.fixture(scope="module")
def whole(course: Course) -> Iterator[Engine]:
    with Engine(course, course.names) as engine:
        yield engine


@pytest.fixture(scope="module")
def released(course: Course, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    folder = tmp_path_factory.mktemp("release") / "handout"
    build(course, folder, given_files(course), lambda _: None)
    with Engine(load_course(folder), course.names) as engine:
        yield engine


@pytest.mark.parametrize("name", NAMES)
def test_it_says_what_the_whole_course_says(course: Course, whole: Engine, released: Engine, name: str) -> None:
    handed_in = list(files(course, name))
    assert len(handed_in) >= 4
    for file in handed_in:
        assert said(course, released, file) == said(course, whole, file), file.name


@pytest.mark.parametrize(
    ("other", "same"),
    [
        ("should be 0.01816, got 0.0002824 (off by 0.01787)", True),  # a last digit
        ("should be 0.01816, got 0.0003827 (off by 0.01787)", False),
        ("should be 0.01816, got 0.0002827 (of 0.01787)", False),
        ("should be 0.01816, got 0.0002827", False),
    ],
)
def test_only_last_digits_may_differ(other: str, same: bool) -> None:
    assert (Message("should be 0.01816, got 0.0002827 (off by 0.01787)") == Message(other)) is same
