"""Metadata is checked word by word; what is wrong is named with its value."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from grader.catalogue.home import find_home
from grader.catalogue.load import load_course
from grader.errors import CourseError, UsageError

TOY = Path(__file__).parents[1] / "data" / "toy"


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    shutil.copytree(TOY, tmp_path / "toy", ignore=shutil.ignore_patterns(".grade", "__pycache__"))
    return tmp_path / "toy"


def test_a_course_is_found_from_below() -> None:
    course = load_course(find_home(TOY / "tests" / "exercises").course)
    assert course.root == TOY
    assert course.names == ["scale", "block"]
    assert course.tasks == {"scale": "scale", "soften": "scale", "Block": "block"}
    assert [e.points for e in course.exercises] == [5, 5]


def test_no_course_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--course"):
        find_home(tmp_path)


def test_an_unknown_exercise_is_guessed() -> None:
    with pytest.raises(UsageError, match="Did you mean 'scale'"):
        load_course(TOY).exercise("scael")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('title = "Scale"', "title = 3", r"title must be a text, got title=3 \(int\)"),
        ("points = 2", 'points = "2"', r"points must be a number, got points='2' \(str\)"),
        ("points = 2", "points = -2", "must not be negative, got -2"),
        ('needs = ["scale"]', 'needs = ["scail"]', "needs 'scail', which is no other task"),
        ('needs = ["scale"]', 'needs = ["soften"]', "needs 'soften', which is no other task"),
        ('"return x * factor"]', '""]', "three hints that are not empty"),
        ('name = "soften"', 'name = "scale"', "stands in scale.toml and in scale.toml"),
        ('track = "toy"', 'track = "toy"\ncolour = "red"', "unknown entry 'colour'"),
        ('title = "Scale"', "title = ", "cannot be read"),
    ],
)
def test_a_mistake_in_the_metadata_is_named(toy: Path, old: str, new: str, says: str) -> None:
    path = toy / "solutions" / "scale.toml"
    assert old in path.read_text("utf-8")
    path.write_text(path.read_text("utf-8").replace(old, new, 1), "utf-8")
    with pytest.raises(CourseError, match=says):
        load_course(toy)
