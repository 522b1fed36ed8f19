"""A kept verdict in today's words and points is what grading again would say."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from grader.catalogue.load import load_course
from grader.catalogue.stubs import as_submission
from grader.results.schema import Results
from grader.run.engine import Engine
from grader.run.present import Present, environment
from grader.submission.model import SourceFile, Submission

TOY = Path(__file__).parents[1] / "data" / "toy"
TORCHS_OWN = "import torch\n\n\ndef scale(x, factor=2.0):\n    return x + factor\n\n\ndef soften(x, factor=2.0):\n"
TORCHS_OWN += "    return torch.softmax(scale(x, factor), -1)\n"


def submission() -> Submission:
    block = as_submission((TOY / "solutions" / "block.py").read_text("utf-8"))
    return Submission("ada", {"scale": SourceFile("scale", TORCHS_OWN), "block": SourceFile("block", block)})


def graded(root: Path, *exercises: str, **more: Any) -> Results:
    course = load_course(root)
    with Engine(course, course.names, isolation="1", others=True) as engine:
        assert environment(course) == engine.ready()
        return engine.grade(submission(), list(exercises) or None, **more)


@pytest.fixture(scope="module")
def before() -> Results:
    """scale is the known bug `adds`; soften breaks the rule on its own work; block is right, and broken by scale."""
    return graded(TOY)


def without_times(results: Results) -> list[Any]:
    return [
        replace(row, checks=[replace(check, seconds=None) for check in row.checks]) for row in results.exercises
    ]  # fmt: skip


def test_points_words_and_sums_are_those_of_a_new_run(before: Results, tmp_path: Path) -> None:
    root = tmp_path / "toy"
    shutil.copytree(TOY, root)
    for name, old, new in (
        ("solutions/scale.toml", "points = 2", "points = 7"),
        ("solutions/scale.toml", 'title = "Scale"', 'title = "Stretch"'),
        ("solutions/scale.toml", 'track = "toy"', 'track = "game"'),
        ("solutions/scale.toml", "Multiply, do not add.", "Multiply."),
        ("solutions/scale.toml", "exp, then divide by the sum.", "Use exp."),
        ("solutions/scale.bugs.toml", "you add the factor instead of multiplying", "you add"),
        ("solutions/block.toml", "points = 3", "points = 4.5"),
        ("tests/exercises/test_scale.py", "Every number is multiplied by", "Each number is\n    multiplied by"),
    ):
        text = (root / name).read_text("utf-8")
        assert old in text
        (root / name).write_text(text.replace(old, new), "utf-8")
    course = load_course(root)
    present = Present(course, course.names)
    assert present.keys(submission()) == Present(load_course(TOY), course.names).keys(submission())
    after = graded(root)
    assert [present.refreshed(row) for row in without_times(before)] == without_times(after)
    scale = after.exercises[0]
    assert (scale.title, scale.points, scale.possible) == ("Stretch", 0, 15)
    assert [c.points for c in scale.checks if c.task == "soften"] == [0, 0], "it is not the student's own work"
    assert [d.what for d in scale.diagnoses] == ["you add"]
    assert [note.code for row in after.exercises for note in row.notes][-1] == "part_breaks_it"


def test_an_exercise_alone_gets_the_same_notes_if_it_is_told_what_fails(before: Results) -> None:
    block = before.exercises[1]
    assert [note.code for note in block.notes] == ["part_breaks_it"]
    told = graded(TOY, "block", failed={"scale"})
    assert without_times(told) == [without_times(before)[1]]
    assert [note.code for note in graded(TOY, "block").exercises[0].notes] == []


def test_dependents_are_those_with_notes_on_a_task() -> None:
    course = load_course(TOY)
    present = Present(course, course.names)
    assert present.with_dependents(["scale"]) == {"scale", "block"}
    assert present.with_dependents(["block"]) == {"block"}
    assert present.needs("block") == {"scale"}


def test_a_task_of_the_same_file_is_no_dependency() -> None:
    """soften needs scale, in scale.py: what fails there is in the same key."""
    course = load_course(TOY)
    assert Present(course, course.names).needs("scale") == frozenset()
