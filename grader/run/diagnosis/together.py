"""A task that is right with right neighbours: does it stay right with the student's own, and which one breaks it?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from grader.catalogue.model import Course, Exercise, Task
from grader.results.codes import render
from grader.results.schema import Exercise as Row
from grader.results.schema import Note
from grader.run.diagnosis.answers import ask, distance
from grader.run.diagnosis.suspects import Suspects
from grader.run.plan import Kind, kinds
from grader.run.pool import Launch, SubjectPool
from grader.run.verdict import broken_tasks
from grader.subject.failure import NotStarted


class Together:
    """Over all exercises of one submission, once each of them has been graded.

    `failed`: tasks of other exercises that an earlier run saw fail.
    """

    def __init__(
        self, course: Course, files: dict[str, str], rows: Sequence[Row], spans: dict[str, Any] | None = None,
        failed: Iterable[str] = (),
    ) -> None:  # fmt: skip
        self.course = course
        self.files = files
        self.spans = spans
        checks = [check for row in rows for check in row.checks]
        self.failed = broken_tasks(rows) | set(failed)
        self.right = {check.task for check in checks} - {check.task for check in checks if check.status != "passed"}

    def notes(self, exercise: Exercise, suspects: Suspects, launch: Launch) -> list[Note]:
        """One for each right task that the student's own parts break."""
        return [note for task in exercise.tasks for note in self._of_task(exercise, task, suspects, launch)]

    def _of_task(self, exercise: Exercise, task: Task, suspects: Suspects, launch: Launch) -> Iterator[Note]:
        suspected = [need for need in task.needs if need in self.failed and self.course.tasks[need] in self.files]
        if task.name not in self.right or not suspected or not suspects.cases(task.name):
            return
        if self._holds(exercise, task, suspects, launch, self._own(exercise, task, task.needs)):
            return
        guilty = [
            n for n in suspected if not self._holds(exercise, task, suspects, launch, self._own(exercise, task, (n,)))
        ]
        values = {"task": task.name, "parts": " and ".join(guilty or suspected)}
        yield Note(task=task.name, code="part_breaks_it", values=values, message=render("part_breaks_it", values))

    def _own(self, exercise: Exercise, task: Task, parts: Sequence[str]) -> Kind:
        """A process in which `parts` are the student's own, as far as they were handed in, and the rest stands in."""
        modules = {self.course.tasks[part] for part in parts}
        usual = next(kind for check, kind in kinds(self.course, exercise).items() if exercise.task_of(check) is task)
        siblings = tuple((m, tasks) for m, tasks in usual.siblings if m not in modules or m not in self.files)
        return Kind(tuple(need for need in task.needs if need not in parts), siblings)

    def _holds(
        self, exercise: Exercise, task: Task, suspects: Suspects, launch: Launch, kind: Kind, last: bool = False
    ) -> bool:
        plan = {check.name: kind for check in task.checks}
        pool = SubjectPool(self.course, exercise, self.files, launch, plan, self.spans)
        try:
            pool.start_check(task.checks[0].name)
            asked = zip(suspects.cases(task.name), suspects.right(task.name), strict=True)
            holds = all(distance(ask(*case, pool.proxy, suspects.reference), right) <= 1 for case, right in asked)
            again = pool.killed and not last  # from outside: ask once more
            return self._holds(exercise, task, suspects, launch, kind, last=True) if again else holds
        except NotStarted:  # which says nothing against the part
            return True
        finally:
            pool.close()
