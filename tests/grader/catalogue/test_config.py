"""Which exercises of a course count, and what they are worth."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from grader.catalogue.load import load_course
from grader.errors import CourseError

TOY = Path(__file__).parents[1] / "data" / "toy"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    shutil.copytree(TOY, tmp_path / "toy")
    return tmp_path / "toy"


def test_without_a_configuration_everything_counts(root: Path) -> None:
    course = load_course(root)
    assert course.graded == ("scale", "block")
    assert [e.points for e in course.exercises] == [5, 5]


@pytest.mark.parametrize("file", ["grade.toml", "pyproject.toml"])
def test_an_exercise_that_does_not_count_is_worth_nothing(root: Path, file: str) -> None:
    head = "[tool.grade]\n" if file == "pyproject.toml" else ""
    (root / file).write_text(f'{head}exercises = ["scale"]\n', "utf-8")
    course = load_course(root)
    assert course.graded == ("scale",)
    assert [e.points for e in course.exercises] == [5, 0]
    assert [e.points for e in load_course(root, configured=False).exercises] == [5, 5]


def test_a_track_counts_as_a_whole(root: Path) -> None:
    (root / "grade.toml").write_text('tracks = ["toy"]\n', "utf-8")
    assert load_course(root).graded == ("scale", "block")


def test_points_are_shared_out_in_proportion_and_add_up(root: Path) -> None:
    (root / "grade.toml").write_text("[points]\nscale = 7\n", "utf-8")
    scale = load_course(root).exercise("scale")
    assert scale.points == 7
    assert [check.points for task in scale.tasks for check in task.checks] == [2.8, 1.4, 2.8, 0]
    (root / "grade.toml").write_text("[points]\nscale = 1\nblock = 0.1\n", "utf-8")
    assert [e.points for e in load_course(root).exercises] == [1, 0.1]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('tracks = ["core"]', "tracks names 'core'; there are toy"),
        ('exercises = ["scales"]', "exercises names 'scales'; there are block, scale"),
        ("[points]\nscales = 3", "points names 'scales'"),
        ("[points]\nscale = -3", "scale must not be negative, got -3"),
        ("exercise = []", "unknown entry 'exercise'; known are exercises, points, salt, tracks"),
        ('tracks = "toy"', "tracks must be a list of texts, got tracks='toy'"),
        ("tracks =", "cannot be read"),
    ],
)
def test_a_wrong_configuration_is_said_in_a_sentence(root: Path, text: str, says: str) -> None:
    (root / "grade.toml").write_text(text, "utf-8")
    with pytest.raises(CourseError, match=r".") as error:
        load_course(root)
    assert says in str(error.value)


def test_two_configurations_are_one_too_many(root: Path) -> None:
    (root / "grade.toml").write_text('tracks = ["toy"]\n', "utf-8")
    (root / "pyproject.toml").write_text('[tool.grade]\ntracks = ["toy"]\n', "utf-8")
    with pytest.raises(CourseError, match="keep one of them"):
        load_course(root)
