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

from .calling import ROOT

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
    watch = Watch(NAMES, Files({}), Hands("n"), lambda names: found, str, shown.append, known)
    watch.run(done or NAMES[0])
    return shown[-1].name if done else ""


@pytest.mark.parametrize("states", list(itertools.product(STATES, repeat=3)), ids=" ".join)
def test_all_name_the_same(place: Place, states: tuple[Status, ...]) -> None:
    found = results(states)
    place.remember(found)
    step = of_the_page(found)
    assert step is not None
    sentence, first = of_the_terminal(place, found), _first_open(place)
    if set(states) == {"passed"}:
        assert (step.exercise, first) == ("", NAMES[0])
        assert sentence.startswith("Everything passes.")
        return
    assert first == step.exercise == NAMES[min((STATES.index(s), i) for i, s in enumerate(states))[1]]
    assert first in sentence
    assert of_watch(found) in ("", first)
