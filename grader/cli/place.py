"""The folder a student works in: the course, the last results, and backups, in .grade/ beside the exercises."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from grader.catalogue.load import find_course, load_course
from grader.catalogue.model import Course, Exercise
from grader.catalogue.stubs import make_stub
from grader.errors import CourseError, ResultsError, UsageError
from grader.results import schema, store
from grader.results.schema import Results, Training


@dataclass(frozen=True)
class Place:
    course: Course
    state: Path

    @classmethod
    def find(cls, folder: str | None = None, *, configured: bool = True) -> Place:
        """The course in `folder`, or the one the current folder belongs to."""
        if folder is not None and not Path(folder).is_dir():
            raise UsageError(
                f"There is no folder {folder!r}; --course names the folder that holds exercises/ and solutions/."
            )
        find, place = (load_course, Path(folder)) if folder is not None else (find_course, Path.cwd())
        course = find(place, configured=configured)
        return cls(course, course.root / ".grade")

    @property
    def results(self) -> Path:
        """Where the last run is kept."""
        return self.state / "results.json"

    def stub(self, exercise: Exercise) -> str:
        path = self.course.reference_path(exercise.name)
        try:
            return make_stub(path.read_text("utf-8"), exercise.name)
        except (OSError, SyntaxError) as error:
            raise CourseError(f"{path} cannot be made into a stub: {error}") from error

    def started(self, exercise: Exercise) -> bool:
        """The student's file is there and differs from the stub, or there is a notebook."""
        path = self.course.stub_path(exercise.name)
        changed = path.is_file() and path.read_bytes() != self.stub(exercise).encode()
        return changed or self.notebook(exercise.name) is not None

    def is_stub(self, name: str, text: str) -> bool:
        return text == self.stub(self.course.exercise(name))

    def notebook(self, name: str) -> Path | None:
        """The student's notebook of an exercise, if there is one."""
        places = (self.course.root / f"{name}.ipynb", self.course.stub_path(name).with_suffix(".ipynb"))
        return next((path for path in places if path.is_file()), None)

    def works_in(self, exercise: Exercise) -> Path:
        """The file that a student writes in: a notebook, while NAME.py is missing or the stub still."""
        path, notebook = self.course.stub_path(exercise.name), self.notebook(exercise.name)
        is_stub = not path.is_file() or path.read_bytes() == self.stub(exercise).encode()
        return notebook if notebook is not None and is_stub else path

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

    def listed(self, rows: Mapping[str, schema.Exercise]) -> list[schema.Exercise]:
        """`rows` and what counts besides, in the course's order: what is there for practice only once it was tried."""
        counted = [e for e in self.course.exercises if e.name in self.course.graded or e.name in rows]
        return [rows.get(e.name) or not_started(e) for e in counted]

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
        self._write(self.results, store.dump(merged))
        return merged

    def hints_shown(self) -> dict[str, int]:
        try:
            return {str(k): int(v) for k, v in json.loads((self.state / "hints.json").read_text("utf-8")).items()}
        except (OSError, ValueError, AttributeError):
            return {}

    def remember_hint(self, task: str, step: int) -> None:
        shown = {**self.hints_shown(), task: step}
        self._write(self.state / "hints.json", json.dumps(shown, indent=1).encode())

    def training(self) -> Training | None:
        """What `grade show train` saw last."""
        try:
            return msgspec.json.decode((self.state / "training.json").read_bytes(), type=Training)
        except (OSError, msgspec.DecodeError):
            return None

    def remember_training(self, training: Training) -> None:
        self._write(self.state / "training.json", msgspec.json.encode(training))

    def case(self, check: str) -> Path:
        """Where the failing case of a check is recorded."""
        return self.state / "cases" / f"{check}.case"

    def remember_case(self, check: str, frames: bytes) -> None:
        self._write(self.case(check), frames)

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
        self._write(target, path.read_bytes())
        return target

    def _write(self, path: Path, data: bytes) -> None:
        with store.refused(path):
            path.parent.mkdir(parents=True, exist_ok=True)
        store.write_atomic(path, data)


def not_started(exercise: Exercise) -> schema.Exercise:
    """The row of an exercise that no run has seen."""
    return schema.Exercise(
        name=exercise.name, title=exercise.title, track=exercise.track, status="not_started",
        points=0, possible=exercise.points, checks=[],
    )  # fmt: skip
