"""The known bugs of an exercise, and what they and the reference answer to its probes.

`Suspects` runs them here, as if each were a submission: they are ours. A release has their answers only
(run/recorded/suspects.py).
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import sys
import types
from collections.abc import Iterator, Sequence
from pathlib import Path

from grader.catalogue.bugs import KnownBug, both, load_bugs
from grader.catalogue.model import Course, Exercise
from grader.errors import CourseError
from grader.run.diagnosis.answers import Answer, ask, distance
from grader.run.diagnosis.endless import Endless, at_most
from grader.run.diagnosis.landmarks import Reference, Way
from grader.run.suite.cases import Case
from grader.run.suite.probes import Probe
from grader.subject.local import Local
from grader.subject.proxy import Proxy

ENDLESS = Answer({"raised": "endless"})


class Answers:
    """Probes, known bugs and right answers of one exercise. Every answer is found once, when first asked for."""

    def __init__(self, course: Course, exercise: Exercise, bugs: Sequence[KnownBug], reference: Proxy) -> None:
        self.exercise = exercise
        self.bugs = bugs
        self.reference = reference
        self._cases: dict[str, list[tuple[Probe, Case]]] = {}
        for probe in load_probes(course.probes_path(exercise.name)):
            self._cases.setdefault(probe.task, []).extend((probe, case) for case in probe.cases())
        self._answers: dict[tuple[str, str, int], Answer] = {}
        self._differs: dict[str, int] = {}  # where a known bug first answers otherwise than the reference

    def of(self, task: str) -> list[KnownBug]:
        return [bug for bug in self.bugs if bug.task == task]

    def cases(self, task: str) -> list[tuple[Probe, Case]]:
        """Every probe of a task with every case of it."""
        return self._cases.get(task, [])

    def telling(self, task: str, count: int) -> list[int]:
        """Places of at most `count` cases: the first of every probe, then the others."""
        probes = [probe.name for probe, _ in self.cases(task)]
        places = sorted(range(len(probes)), key=lambda place: (probes[place] in probes[:place], place))
        return sorted(places[:count])

    def right(self, task: str) -> Iterator[Answer]:
        """The reference's answers to the cases of a task, one by one."""
        return (self._answer(task, None, index) for index in range(len(self.cases(task))))

    def answers(self, bug: KnownBug, places: Sequence[int] | None = None) -> Iterator[Answer]:
        """A known bug's answers, one by one: most differ from a submission's in the first."""
        wanted = range(len(self.cases(bug.task))) if places is None else places
        return (self._answer(bug.task, bug, index) for index in wanted)

    def prepare(self) -> None:
        """Find what nearly every diagnosis asks for, so that no fork has to: what sets each known bug apart."""
        right = {task.name: list(self.right(task.name)) for task in self.exercise.tasks}
        for bug in self.bugs:
            for index, wanted in enumerate(right[bug.task]):
                if distance(self._answer(bug.task, bug, index), wanted) > 1:
                    self._differs[bug.name] = index
                    break
                del self._answers[bug.task, bug.name, index]  # as good as the reference's, and large

    def is_refuted(self, bug: KnownBug, mine: Sequence[Answer]) -> bool:
        """What sets `bug` apart is prepared, and the answers `mine` do not have it."""
        index = self._differs.get(bug.name)
        return index is not None and distance(mine[index], self._answer(bug.task, bug, index)) > 1

    def together(self, first: KnownBug, second: KnownBug) -> Iterator[Answer] | None:
        """What two known bugs at once answer, one by one; None where that is not known."""
        raise NotImplementedError

    def ways(self, task: str, index: int) -> list[Way]:
        """What the reference makes on its way in each call of a case (landmarks.py)."""
        raise NotImplementedError

    def _answer(self, task: str, bug: KnownBug | None, index: int) -> Answer:
        key = (task, bug.name if bug else "", index)
        if key not in self._answers:
            self._answers[key] = self._found(task, bug, index)
        return self._answers[key]

    def _found(self, task: str, bug: KnownBug | None, index: int) -> Answer:
        raise NotImplementedError


class Suspects(Answers):
    """Computes all of it."""

    def __init__(self, course: Course, exercise: Exercise) -> None:
        self._tasks = frozenset(course.tasks)
        self._module = importlib.import_module(f"solutions.{exercise.name}")
        super().__init__(course, exercise, load_bugs(course, exercise), Proxy(self.local()))
        self._sides: dict[str, Proxy] = {}

    def together(self, first: KnownBug, second: KnownBug) -> Iterator[Answer] | None:
        text = both(first, second)
        if text is None:
            return None
        try:
            side = self.run(text)
        except CourseError:  # two edits that do not go together
            return None
        return self._while_it_ends(first.task, side)

    def _while_it_ends(self, task: str, side: Proxy) -> Iterator[Answer]:
        """Up to a case that never ends, and from there an answer that no submission gives."""
        answer: Answer | None = None
        for probe, case in self.cases(task):
            if answer is not ENDLESS:
                try:
                    with at_most():
                        answer = ask(probe, case, side, self.reference)
                except Endless:
                    answer = ENDLESS
            yield answer

    def ways(self, task: str, index: int) -> list[Way]:
        probe, case = self.cases(task)[index]
        followed = Reference(self.local(), str(self._module.__file__), task)
        ask(probe, case, followed, self.reference)
        return followed.ways

    def local(self) -> Local:
        """A transport of its own to the reference."""
        return Local(self._module, self._tasks)

    def run(self, text: str) -> Proxy:
        """A reference with mistakes in it, as a proxy. CourseError if it cannot be imported."""
        module = types.ModuleType(f"solutions.{self.exercise.name}")
        try:
            exec(compile(text, f"{self.exercise.name} with a known bug", "exec"), module.__dict__)
        except Exception as error:
            raise CourseError(f"a known bug of {self.exercise.name} cannot be imported: {error!r}") from error
        return Proxy(Local(module, self._tasks))

    def _found(self, task: str, bug: KnownBug | None, index: int) -> Answer:
        probe, case = self.cases(task)[index]
        return ask(probe, case, self._side(bug) if bug else self.reference, self.reference)

    def _side(self, bug: KnownBug) -> Proxy:
        if bug.name not in self._sides:
            self._sides[bug.name] = self.run(bug.text)
        return self._sides[bug.name]


@functools.cache
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
