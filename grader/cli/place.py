"""The folder a student works in: its files, the course, and the last results and backups, in .grade/."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import msgspec

from grader.catalogue.folder import given_files, stub_of
from grader.catalogue.home import Home, find_home, home_of, installed_course, nearest
from grader.catalogue.load import load_course
from grader.catalogue.model import Course, Exercise
from grader.errors import ResultsError, UsageError
from grader.results import schema, store
from grader.results.schema import Results, Training
from grader.submission.files import exercises_in
from grader.submission.intake.model import Wanted


@dataclass(frozen=True)
class Place:
    course: Course
    folder: Path  # in a course's own folder, that one

    @classmethod
    def find(
        cls, folder: str | None = None, *, configured: bool = True, empty: bool = False, installed: bool = False
    ) -> Place:
        """`folder`, or the one that the current folder lies in: a course, or a student's folder that belongs to one.

        `empty`: the course may be without exercises. `installed`: the one that comes with grade will do.
        """
        if folder is None and installed and nowhere():
            home = Home(Path.cwd(), installed_course())
        else:
            home = home_of(Path(folder)) if folder is not None else find_home(Path.cwd())
        return cls(load_course(home.course, configured=configured, empty=empty), home.folder.resolve())

    @classmethod
    def of_whole_course(
        cls, folder: str | None, command: str, *, configured: bool = True, installed: bool = False
    ) -> Place:
        """As `find`, for a command that needs the references. UsageError for a release, which has none."""
        place = cls.find(folder, configured=configured, installed=installed)
        if place.course.released:
            root = place.course.root
            raise UsageError(
                f"`grade {command}` needs the whole course with its references, and {root} is a release of it."
            )
        return place

    @property
    def state(self) -> Path:
        return self.folder / ".grade"

    def file(self, name: str) -> Path:
        """The student's file of an exercise."""
        return self.folder / "exercises" / f"{name}.py"

    @property
    def results(self) -> Path:
        """Where the last run is kept."""
        return self.state / "results.json"

    def stub(self, exercise: Exercise) -> str:
        return stub_of(self.course, exercise.name)

    def started(self, exercise: Exercise) -> bool:
        """The student's file is there and differs from the stub, or there is a notebook."""
        path = self.file(exercise.name)
        changed = path.is_file() and path.read_bytes() != self.stub(exercise).encode()
        return changed or self.notebook(exercise.name) is not None

    def is_stub(self, name: str, text: str) -> bool:
        return text == self.stub(self.course.exercise(name))

    def wanted(self) -> Wanted:
        """What files of a class are matched with: tasks of what is graded, and what every student was given."""
        given = frozenset(path.name for path in given_files(self.course))
        tasks = {task: name for task, name in self.course.tasks.items() if name in self.course.graded}
        return Wanted(tuple(self.course.names_by_weight), tasks, given, self.is_stub)

    def notebook(self, name: str) -> Path | None:
        """The student's notebook of an exercise, if there is one: NAME.ipynb, or another that defines a task of it."""
        return next((path for path in self.notebooks(name) if path.is_file()), None)

    def notebooks(self, name: str) -> list[Path]:
        """Where it is looked for, first things first."""
        own = [folder / f"{name}.ipynb" for folder in (self.folder, self.folder / "exercises")]
        return [*own, *(path for path, found in self._other_notebooks() if name in found)]

    def _other_notebooks(self) -> list[tuple[Path, list[str]]]:
        """Those that are called like no exercise, and which they define."""
        found = [p for folder in (self.folder, self.folder / "exercises") for p in sorted(folder.glob("*.ipynb"))]
        tasks = tuple((name, tuple(names)) for name, names in self.course.tasks_of.items())
        return [(path, _exercises_in(path, _time(path), tasks)) for path in found if path.stem not in self.course.names]

    def sources(self, name: str) -> list[Path]:
        """Every file that may hold the student's answer to an exercise."""
        return [self.file(name), *self.notebooks(name)]

    def works_in(self, exercise: Exercise) -> Path:
        """The file that a student writes in: a notebook, while NAME.py is missing or the stub still."""
        path, notebook = self.file(exercise.name), self.notebook(exercise.name)
        is_stub = not path.is_file() or path.read_bytes() == self.stub(exercise).encode()
        return notebook if notebook is not None and is_stub else path

    def in_notebooks(self) -> dict[str, Path]:
        """The exercises that the student works on in a notebook, and in which."""
        found = {e.name: self.works_in(e) for e in self.course.exercises}
        return {name: path for name, path in found.items() if path.suffix == ".ipynb"}

    def shown(self, path: Path) -> str:
        """A path as a student types it."""
        try:
            return str(path.resolve().relative_to(Path.cwd()))
        except ValueError:
            return str(path)

    # Remembered between runs. A file that cannot be read is as good as none: a run finds it all again.

    def last(self) -> Results | None:
        try:
            return store.load(self.results)
        except ResultsError:
            return None

    def known(self) -> dict[str, schema.Exercise]:
        """The verdicts of the last run on files that have not been changed since: a changed one is open again."""
        last = self.last()
        rows = [row for row in last.exercises if row.checks] if last else []
        return {row.name: row for row in rows if max(map(_time, self.sources(row.name))) <= _time(self.results)}

    def listed(self, rows: Mapping[str, schema.Exercise]) -> list[schema.Exercise]:
        """`rows` and what counts besides, in the course's order: what is there for practice only once it was tried."""
        counted = [e for e in self.course.exercises if e.name in self.course.graded or e.name in rows]
        return [_as_now(rows[e.name], e) if e.name in rows else not_started(e) for e in counted]

    def remember(self, results: Results) -> Results:
        """Merge a run into what is known, and keep it: what counts and what was tried, with the newest verdict."""
        old = self.last()
        exercises = self.listed({e.name: e for e in [*(old.exercises if old else []), *results.exercises]})
        merged = msgspec.structs.replace(
            results,
            exercises=exercises,
            points=schema.total(e.points for e in exercises),
            possible=schema.total(e.possible for e in exercises),
        )
        store.write_with_folder(self.results, store.dump(merged))
        return merged

    def hints_shown(self) -> dict[str, int]:
        try:
            told = json.loads((self.state / "hints.json").read_text("utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        return {k: v for k, v in told.items() if type(v) is int and v > 0} if isinstance(told, dict) else {}

    def remember_hint(self, task: str, step: int) -> None:
        shown = {**self.hints_shown(), task: step}
        store.write_with_folder(self.state / "hints.json", json.dumps(shown, indent=1).encode())

    def training(self) -> Training | None:
        """What `grade show train` saw last."""
        try:
            return msgspec.json.decode((self.state / "training.json").read_bytes(), type=Training)
        except (OSError, msgspec.DecodeError):
            return None

    def remember_training(self, training: Training) -> None:
        store.write_with_folder(self.state / "training.json", msgspec.json.encode(training))

    def case(self, check: str) -> Path:
        """Where the failing case of a check is recorded."""
        return self.state / "cases" / f"{check}.case"

    def remember_case(self, check: str, frames: bytes) -> None:
        store.write_with_folder(self.case(check), frames)

    def forget_cases(self, exercises: Iterable[str]) -> None:
        """They are graded now: what fails is recorded anew."""
        for name in exercises:
            for path in (self.state / "cases").glob(f"{name}.*"):
                path.unlink(missing_ok=True)

    def back_up(self, path: Path) -> Path | None:
        """Copy a student's file to .grade/backup before it is replaced; None when there is none."""
        if not path.exists():
            return None
        folder = self.state / "backup"
        stamp = time.strftime("%Y%m%d-%H%M%S")
        copies = (
            folder / f"{path.stem}-{stamp}{extra}{path.suffix}" for extra in ("", *(f"-{i}" for i in range(1, 1000)))
        )
        target = next(c for c in copies if not c.exists())
        store.write_with_folder(target, path.read_bytes())
        return target


def nowhere() -> bool:
    """Neither a course nor a student's folder is where one stands, or above it."""
    return nearest(Path.cwd()) is None


@lru_cache
def _exercises_in(path: Path, written: float, tasks: tuple[tuple[str, tuple[str, ...]], ...]) -> list[str]:
    """Read again only when it was `written` again."""
    return exercises_in(path, dict(tasks))


def _time(path: Path) -> float:
    """When it was written; never, if it is not there."""
    try:
        return path.stat().st_mtime
    except OSError:
        return float("-inf")


def _as_now(row: schema.Exercise, exercise: Exercise) -> schema.Exercise:
    """A verdict of an older course keeps its state, and is worth what the exercise is worth now."""
    if row.possible == exercise.points and row.title == exercise.title:
        return row
    share = row.points / row.possible if row.possible else float(row.status == "passed")
    points = round(share * exercise.points, 2)
    return msgspec.structs.replace(row, title=exercise.title, points=points, possible=exercise.points)


def not_started(exercise: Exercise) -> schema.Exercise:
    """The row of an exercise that no run has seen."""
    return schema.Exercise(
        name=exercise.name, title=exercise.title, track=exercise.track, status="not_started",
        points=0, possible=exercise.points, checks=[],
    )  # fmt: skip
