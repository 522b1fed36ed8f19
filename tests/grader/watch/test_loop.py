"""What `grade watch` grades and shows: files and keys are given by hand here."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import structs

from grader.errors import EngineError
from grader.report.words import count
from grader.results.schema import Check, Environment, Exercise, Isolation, Results
from grader.watch.files import Files
from grader.watch.watch import Screen, Watch

Action = str | Callable[[], str | None]
NAMES = ["one", "two", "three"]


class Hands:
    """Presses keys and saves files, one a look, and quits."""

    def __init__(self, *actions: Action) -> None:
        self._actions = [*actions, "q"]

    def read(self, seconds: float) -> str | None:
        action = self._actions.pop(0)
        if isinstance(action, str):
            return action
        return action()


class Class:
    """Three exercises, graded by what their files say."""

    def __init__(self, folder: Path) -> None:
        self.paths = {name: folder / f"{name}.py" for name in NAMES}
        for path in self.paths.values():
            path.write_text("failed")
        self.graded: list[list[str]] = []
        self.screens: list[Screen] = []
        self.seconds = 0.1
        self.broken = False
        self.size = (100, 40)

    def grade(self, names: list[str]) -> Results:
        self.graded.append(names)
        if self.broken:
            raise EngineError("the grading process is gone;")
        return Results(
            student="you", isolation=Isolation(level=2, name="x"), environment=Environment(**dict.fromkeys(
                ("grader", "python", "torch", "platform", "course", "submission", "salt"), "")),
            points=0, possible=0, seconds=self.seconds, exercises=[self.row(name) for name in names],
        )  # fmt: skip

    def row(self, name: str) -> Exercise:
        status = self.paths[name].read_text()
        return Exercise(name=name, title=name, track="t", status=status, points=0, possible=1, checks=[])  # type: ignore[arg-type]

    def files(self) -> Files:
        return Files({name: [path, path.with_suffix(".ipynb")] for name, path in self.paths.items()})

    def run(self, *actions: Action, name: str = "one") -> list[Screen]:
        Watch(
            NAMES,
            self.files(),
            Hands(*actions),
            self.grade,
            lambda n: f"hint of {n}",
            self.screens.append,
            lambda: self.size,
        ).run(name)
        return self.screens

    def save(self, name: str, text: str) -> Callable[[], None]:
        return lambda: [self.paths[name].write_text(text), None][1]


@pytest.fixture
def course(tmp_path: Path) -> Class:
    return Class(tmp_path)


def test_a_window_of_another_size_is_drawn_anew(course: Class) -> None:
    def resize() -> None:
        course.size = (60, 20)

    screens = course.run("h", lambda: None, resize, lambda: None)
    assert [screen.view for screen in screens if not screen.busy] == ["verdict", "hint", "hint"]


def test_it_grades_at_once_and_whenever_a_file_is_saved(course: Class) -> None:
    screens = course.run(course.save("one", "passed"), course.save("two", "failed, still"))
    assert course.graded == [["one"], ["one"], ["two"]]
    assert [(s.name, s.view) for s in screens if not s.busy] == [
        ("one", "verdict"),
        ("one", "verdict"),
        ("two", "verdict"),
    ]
    assert screens[0].busy == "Grading one …"


def test_the_same_bytes_again_are_no_change(course: Class) -> None:
    course.run(course.save("one", "failed"))
    assert course.graded == [["one"]]


def test_a_file_that_is_replaced_is_not_missing_in_between(course: Class) -> None:
    def replace() -> None:
        course.paths["one"].unlink()

    course.run(replace, course.save("one", "passed"))
    assert course.graded == [["one"], ["one"]]


def test_two_saves_in_one_tick_of_the_file_systems_clock_are_two(course: Class) -> None:
    now = time.time()
    course.paths["one"].write_text("failed")
    os.utime(course.paths["one"], (now, now))

    def save() -> None:
        with course.paths["one"].open("r+") as file:  # the same file, of the same length
            file.write("passed")
        os.utime(course.paths["one"], (now, now))

    course.run(save)
    assert course.graded == [["one"], ["one"]]


def test_keys(course: Class) -> None:
    screens = course.run("h", "l", "x", "n", "a")
    shown = [(s.name, s.view) for s in screens if not s.busy]
    assert shown == [
        ("one", "verdict"), ("one", "hint"), ("one", "list"), ("one", "verdict"), ("two", "verdict"), ("one", "list"),
    ]  # fmt: skip
    assert screens[2].text == "hint of one"
    assert course.graded[-1] == NAMES


def test_a_key_that_is_pressed_while_a_file_is_saved_is_not_lost(course: Class) -> None:
    save = course.save("two", "passed")
    screens = course.run(lambda: (save(), "h")[1])
    assert [(s.name, s.view) for s in screens if not s.busy] == [
        ("one", "verdict"),
        ("two", "verdict"),
        ("two", "hint"),
    ]


def test_next_skips_what_passes_and_begins_again_at_the_end(course: Class) -> None:
    course.paths["two"].write_text("passed")
    course.run("a", "n", "n")
    assert course.graded == [["one"], NAMES, ["three"], ["one"]]


def test_a_done_exercise_that_breaks_is_open_again(course: Class) -> None:
    course.paths["one"].write_text("passed")
    screens = course.run(course.save("one", "failed"), "n", "n", "n")
    assert screens[-1].rows["one"].status == "failed"
    assert course.graded == [["one"], ["one"], ["two"], ["three"], ["one"]]


def test_a_slow_run_is_announced(course: Class) -> None:
    course.seconds = 4.2
    screens = course.run(course.save("one", "passed"))
    assert screens[-2].busy == "Grading one, about 4 s …"


def test_a_run_that_was_slow_in_an_earlier_session_is_announced(course: Class) -> None:
    check = Check(id="one.c", task="one", title="T", status="failed", points=0, possible=1, seconds=7.2)
    rows = {"one": structs.replace(course.row("one"), checks=[check])}
    Watch(NAMES, course.files(), Hands(), course.grade, str, course.screens.append, rows=rows).run("one")
    assert course.screens[0].busy == "Grading one, about 7 s …"


def test_our_own_fault_is_shown_and_ends_nothing(course: Class) -> None:
    course.broken = True
    screens = course.run(course.save("one", "passed"))
    assert [s.view for s in screens if not s.busy] == ["problem", "problem"]
    assert count(len(course.graded), "run") == "2 runs"


def test_of_exercises_in_one_notebook_the_one_on_the_screen_comes_first(course: Class) -> None:
    both = course.paths["one"].with_name("week1.ipynb")
    files = Files({name: [path, both] for name, path in course.paths.items()})
    hands = Hands(lambda: [both.write_text("{}"), None][1])
    Watch(NAMES, files, hands, course.grade, str, course.screens.append).run("two")
    assert course.graded == [["two"], ["two", "one", "three"]]
    assert course.screens[-1].name == "two"


def test_a_notebook_that_appears_or_is_saved_is_followed_too(course: Class) -> None:
    notebook = course.paths["two"].with_suffix(".ipynb")

    def save(text: str) -> Callable[[], None]:
        return lambda: [notebook.write_text(text), None][1]

    course.run(save("{}"), save("{} "))
    assert course.graded == [["one"], ["two"], ["two"]]
