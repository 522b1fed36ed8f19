"""What a course consists of, as frozen data."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from grader.errors import CourseError, UsageError
from grader.near import hint
from grader.results.schema import total
from grader.subject.limits import Limits


@dataclass(frozen=True, slots=True)
class CheckSpec:
    """One check: `name` is that of its test function without `test_`."""

    name: str
    points: float
    help: str
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class OwnWork:
    """What a task must not take from PyTorch. `required`: without it the task earns nothing; else it is a note."""

    check: str  # the check that watches, one of the task's, worth no points itself
    forbids: tuple[str, ...]  # families of worker/watch.py
    required: bool


@dataclass(frozen=True, slots=True)
class Task:
    """One function or class a student writes. `needs` are tasks replaced by stand-ins while it is graded."""

    name: str
    needs: tuple[str, ...]
    hints: tuple[str, ...]
    checks: tuple[CheckSpec, ...]
    own_work: OwnWork | None = None

    @property
    def points(self) -> float:
        return total(c.points for c in self.checks)


@dataclass(frozen=True, slots=True)
class Exercise:
    """One topic, one file."""

    name: str
    title: str
    track: str
    order: int
    summary: str
    limits: Limits
    tasks: tuple[Task, ...]

    @property
    def points(self) -> float:
        return total(t.points for t in self.tasks)

    def task_of(self, check: str) -> Task:
        for task in self.tasks:
            if any(c.name == check for c in task.checks):
                return task
        raise CourseError(
            f"solutions/{self.name}.toml lists no check {check!r}; add [tasks.checks.{check}] to its task"
        )


@dataclass(frozen=True, slots=True)
class Course:
    """A folder with exercises/, solutions/ and tests/exercises/; if `released`, one without solutions (release.py)."""

    root: Path
    exercises: tuple[Exercise, ...]
    graded: tuple[str, ...]  # what counts; the others are there for practice, and worth no points
    configured: bool = False  # by grade.toml or pyproject.toml
    released: bool = False
    salt: str = ""  # the file of official runs, if there is one (salt.py)

    @property
    def names(self) -> list[str]:
        return [e.name for e in self.exercises]

    @property
    def names_by_weight(self) -> list[str]:
        """What counts, then what is there for practice: the first is the best example of a file to hand in."""
        return sorted(self.names, key=lambda name: name not in self.graded)

    @property
    def tasks(self) -> dict[str, str]:
        """Every task, with the exercise it belongs to."""
        return {t.name: e.name for e in self.exercises for t in e.tasks}

    @property
    def tasks_of(self) -> dict[str, list[str]]:
        """The tasks of each exercise: the same the other way round."""
        return {e.name: [t.name for t in e.tasks] for e in self.exercises}

    def exercise(self, name: str) -> Exercise:
        """Raises UsageError with the nearest name when there is none."""
        for exercise in self.exercises:
            if exercise.name == name:
                return exercise
        if name in self.tasks:
            owner = self.tasks[name]
            raise UsageError(f"{name} is a task of {owner}: name the exercise, as in `grade {owner}`.")
        near = hint(name, self.names, "`grade list`")
        raise UsageError(f"No exercise {name!r}. {near}")

    def stub_path(self, name: str) -> Path:
        return self.root / "exercises" / f"{name}.py"

    def reference_path(self, name: str) -> Path:
        return self.root / "solutions" / f"{name}.py"

    @property
    def standins_path(self) -> Path:
        return self.root / "solutions" / "standins.py"

    def suite_path(self, name: str) -> Path:
        return self.root / "tests" / "exercises" / f"test_{name}.py"

    def probes_path(self, name: str) -> Path:
        return self.root / "tests" / "exercises" / f"probes_{name}.py"

    def recorded_path(self, name: str) -> Path:
        """In a release: what the reference answered, as a .safetensors file and a .json file beside it."""
        return self.root / "recorded" / f"{name}.safetensors"

    def pristine_path(self, name: str) -> Path:
        """In a release: the stub as it was, since students work in exercises/."""
        return self.root / "stubs" / f"{name}.py"
