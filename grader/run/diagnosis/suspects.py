"""The known bugs of a task, run here as if each were a submission: ours, so in this process."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import sys
import types
from pathlib import Path

from grader.catalogue.bugs import KnownBug, load_bugs
from grader.catalogue.model import Course, Exercise
from grader.errors import CourseError
from grader.run.diagnosis.answers import Answer, ask
from grader.run.diagnosis.landmarks import Reference
from grader.run.suite.cases import Case
from grader.run.suite.probes import Probe
from grader.subject.local import Local
from grader.subject.proxy import Proxy


class Suspects:
    """Probes, known bugs and right answers of one exercise; every answer is computed once."""

    def __init__(self, course: Course, exercise: Exercise) -> None:
        self.exercise = exercise
        self.bugs = load_bugs(course, exercise)
        self.probes = load_probes(course.probes_path(exercise.name))
        self._tasks = frozenset(course.tasks)
        self._module = importlib.import_module(f"solutions.{exercise.name}")
        self.reference = Proxy(Local(self._module, self._tasks))
        self._sides: dict[str, Proxy] = {}

    def of(self, task: str) -> list[KnownBug]:
        return [bug for bug in self.bugs if bug.task == task]

    def probes_of(self, task: str) -> list[Probe]:
        return [probe for probe in self.probes if probe.task == task]

    def right(self, task: str) -> list[Answer]:
        """The reference's answers to all cases of all probes of a task."""
        return self._answers(task, None)

    def answers(self, bug: KnownBug) -> list[Answer]:
        """A known bug's answers."""
        return self._answers(bug.task, bug)

    def cases(self, task: str) -> list[tuple[Probe, Case, Answer]]:
        """Every probe of a task with every case and the right answer to it."""
        asked = [(probe, case) for probe in self.probes_of(task) for case in probe.cases()]
        return [(probe, case, right) for (probe, case), right in zip(asked, self.right(task), strict=True)]

    def followed(self, task: str) -> Reference:
        """The reference once more, remembering its ways (landmarks.py)."""
        return Reference(Local(self._module, self._tasks), str(self._module.__file__), task)

    def remember_all(self) -> None:
        """Compute every answer now, so that no fork has to."""
        for task in self.exercise.tasks:
            self.right(task.name)
        for bug in self.bugs:
            self.answers(bug)

    @functools.cache  # noqa: B019  # one object for each exercise, for the life of the process
    def _answers(self, task: str, bug: KnownBug | None) -> list[Answer]:
        side = self.reference if bug is None else self.side(bug.text)
        return [ask(probe, case, side, self.reference) for probe in self.probes_of(task) for case in probe.cases()]

    def side(self, text: str) -> Proxy:
        """A reference with a mistake in it, as a proxy."""
        if text not in self._sides:
            module = types.ModuleType(f"solutions.{self.exercise.name}")
            try:
                exec(compile(text, f"{self.exercise.name} with a known bug", "exec"), module.__dict__)
            except Exception as error:
                raise CourseError(f"a known bug of {self.exercise.name} cannot be imported: {error!r}") from error
            self._sides[text] = Proxy(Local(module, self._tasks))
        return self._sides[text]


def load_probes(path: Path) -> list[Probe]:
    """All probes of a file, in its order; none if it does not exist."""
    if not path.is_file():
        return []
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return [value for value in vars(module).values() if isinstance(value, Probe)]
