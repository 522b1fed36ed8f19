"""Which process a check runs in: one kind of process for every set of stand-ins, made of plain data."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from grader.catalogue.model import Course, Exercise
from grader.catalogue.standins import compile_standins


@dataclass(frozen=True, slots=True)
class Kind:
    """What a process is given. `rebind`: stand-ins under names of the graded file; `siblings`: of other files.

    `watched`: families of calls that are noted for the own-work check of `task`. There the student's own parts run, and
    only files that were not handed in at all are replaced.
    """

    rebind: tuple[str, ...] = ()
    siblings: tuple[tuple[str, tuple[str, ...]], ...] = ()
    watched: tuple[str, ...] = ()
    task: str = ""

    def given(self, files: Collection[str]) -> Kind:
        """This kind for a submission of these files: what watches runs its own files, where they were handed in."""
        if not self.watched:
            return self
        return replace(self, siblings=tuple((m, tasks) for m, tasks in self.siblings if m not in files))

    @property
    def replaced(self) -> frozenset[str]:
        """Tasks that stand-ins are given for."""
        return frozenset(self.rebind) | {task for _, tasks in self.siblings for task in tasks}

    def standins(self, course: Course) -> bytes:
        return compile_standins(course.standins_path, self.replaced)


def kinds(course: Course, exercise: Exercise, tasks: Collection[str] | None = None) -> dict[str, Kind]:
    """The kind of process for each check of an exercise, or of some `tasks` of it.

    Other files are replaced by stand-ins for the whole exercise, so that a sibling that cannot be imported costs its
    own points only. Tasks of the same file are replaced just where a task needs them. An own-work check runs the
    student's own parts, in a process of its own. A release has no stand-ins.
    """
    if course.released:
        return _own_parts(exercise, tasks)
    owner = course.tasks
    own = {task.name for task in exercise.tasks}
    outside: dict[str, list[str]] = {}
    for need in sorted({need for task in exercise.tasks for need in task.needs} - own):
        outside.setdefault(owner[need], []).append(need)
    siblings = tuple((module, tuple(tasks)) for module, tasks in sorted(outside.items()))
    return {
        check.name: Kind((), siblings, task.own_work.forbids, task.name)
        if task.own_work and task.own_work.check == check.name
        else Kind(task.needs, siblings)
        for task in exercise.tasks
        if tasks is None or task.name in tasks
        for check in task.checks
    }


def _own_parts(exercise: Exercise, tasks: Collection[str] | None) -> dict[str, Kind]:
    """The student's own parts everywhere; what watches has a process of its own all the same."""
    return {
        check.name: Kind((), (), task.own_work.forbids, task.name)
        if task.own_work and task.own_work.check == check.name
        else Kind()
        for task in exercise.tasks
        if tasks is None or task.name in tasks
        for check in task.checks
    }
