"""Terminal, `grade watch` and the page name one exercise as the next, whatever the states of all."""

from __future__ import annotations

import itertools
import shutil
from pathlib import Path

import pytest

from grader.cli.place import Place
from grader.cli.run_command import next_step as of_the_terminal
from grader.cli.watch_command import _first_open
from grader.report.next_step import next_step as of_the_page
from grader.results.schema import Check, Environment, Exercise, Isolation, Results, Status
from grader.watch.files import Files
from grader.watch.watch import Screen, Watch

from .calling import ROOT, grade
from .test_notebook import edit, stub_line

STATES: list[Status] = ["failed", "error", "not_started", "passed"]
NAMES = ["masking", "attention", "layer_norm"]


class Hands:
    def __init__(self, *keys: str) -> None:
        self.keys = [*keys, "q"]

    def read(self, seconds: float) -> str | None:
        return self.keys.pop(0)


def results(states: tuple[Status, ...]) -> Results:
    none = ("grader", "python", "torch", "platform", "course", "submission", "salt")
    return Results(
        student="you", isolation=Isolation(level=2, name="x"), environment=Environment(**dict.fromkeys(none, "")),
        points=0, possible=0, seconds=0.1, exercises=[row(n, s) for n, s in zip(NAMES, states, strict=True)],
    )  # fmt: skip


def row(name: str, status: Status) -> Exercise:
    check = Check(id=f"{name}.c", task=name, title="T", status=status, points=0, possible=1)
    return Exercise(name=name, title=name, track="t", status=status, points=0, possible=1, checks=[check])


@pytest.fixture
def place(tmp_path: Path) -> Place:
    (tmp_path / "exercises").mkdir()
    for name in NAMES:
        shutil.copy(ROOT / "exercises" / f"{name}.py", tmp_path / "exercises")
    found = Place.find(str(ROOT))
    course = type(found.course)(
        found.course.root, tuple(e for e in found.course.exercises if e.name in NAMES), tuple(NAMES), True
    )
    return Place(course, tmp_path)


def of_watch(found: Results) -> str:
    """Where the key `n` leads from an exercise that passes; else where it does not stand already."""
    known = {exercise.name: exercise for exercise in found.exercises}
    shown: list[Screen] = []
    done = next((name for name, exercise in known.items() if exercise.status == "passed"), "")
    watch = Watch(NAMES, Files({}), Hands("n"), lambda names: found, str, shown.append, lambda: (80, 24), known)
    watch.run(done or NAMES[0])
    return shown[-1].name if done else ""


@pytest.mark.parametrize("states", list(itertools.product(STATES, repeat=3)), ids=" ".join)
def test_all_name_the_same(place: Place, states: tuple[Status, ...]) -> None:
    found = results(states)
    place.remember(found)
    step = of_the_page(found)
    sentence, first = of_the_terminal(place, found), _first_open(place)
    if set(states) == {"passed"}:
        assert (step, first) == (None, NAMES[0])
        assert sentence.startswith("Everything passes.")
        return
    assert step is not None
    assert first == step.exercise == NAMES[min((STATES.index(s), i) for i, s in enumerate(states))[1]]
    assert first in sentence
    assert of_watch(found) in ("", first)


def test_what_was_named_is_next_while_it_fails(toy: Path) -> None:
    for name in ("scale", "block"):
        (toy / "exercises" / f"{name}.py").write_text("def broken(:\n", "utf-8")
    assert "Next: fix exercises/block.py, then `grade block`" in grade(toy, "block", code=1)
    assert "Next: fix exercises/scale.py, then `grade scale`" in grade(toy, code=1)


def test_a_notebook_that_was_named_is_next_beside_a_file_of_its_exercise(toy: Path) -> None:
    path = toy / "exercises" / "scale.py"
    grade(toy, "notebook", "scale")
    path.write_text("def broken(:\n", "utf-8")
    assert "Next: write scale.ipynb, then `grade scale.ipynb`" in grade(toy, "scale.ipynb", code=1)
    edit(toy / "scale.ipynb", stub_line("scale"), "return x + factor")
    shutil.copy(toy / "scale.ipynb", toy / "week1.ipynb")
    assert "Next: fix week1.ipynb, then `grade week1.ipynb`" in grade(toy, "week1.ipynb", code=1)


def test_a_missing_file_is_said_to_be_missing_and_one_of_nearly_its_name_is_named(toy: Path) -> None:
    path = toy / "exercises" / "scale.py"
    for other in ("Scale.py", "scale (1).py"):
        path.rename(path.with_name(other))
        wanted = f"exercises/scale.py is not there, but exercises/{other} is: rename it to scale.py."
        assert wanted in " ".join(grade(toy, "scale", code=1).split())
        path.with_name(other).rename(path)
    path.unlink()
    shown = grade(toy, "scale", code=1)
    assert "exercises/scale.py is not there: `grade reset scale` brings the stub back." in shown


def test_a_task_that_is_taken_for_an_exercise_is_sent_to_its_exercise(toy: Path) -> None:
    assert "soften is a task of scale: name the exercise, as in `grade scale`." in grade(toy, "soften", code=2)


def test_a_forgotten_breakpoint_is_called_that(toy: Path) -> None:
    path = toy / "exercises" / "scale.py"
    path.write_text(path.read_text("utf-8").replace(stub_line("scale"), "breakpoint()"), "utf-8")
    shown = " ".join(grade(toy, "scale", code=1).replace("│", " ").split())
    assert "A `breakpoint()` stopped your code" in shown
    assert "BdbQuit" not in shown
