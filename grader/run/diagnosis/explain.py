"""What is said of the failed checks of an exercise beyond their own sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from grader.catalogue.model import Exercise, Task
from grader.results.schema import Check, Diagnosis, Note
from grader.run.diagnosis.diagnose import answers_of, diagnose
from grader.run.diagnosis.suspects import Answers
from grader.run.diagnosis.trace import first_wrong
from grader.run.pool import SubjectPool

EXPLAINED = ("value", "gradient", "shape", "side effect", "structure", "crash")  # reasons of checks


def explain(
    exercise: Exercise,
    checks: Sequence[Check],
    pool_of: Callable[[Exercise], SubjectPool],
    suspects: Answers,
    *,
    notes: bool = True,
) -> tuple[list[Diagnosis], list[Note]]:
    """For every task with a failed check: the known bug it has, if any, and (`notes`) where its forward goes wrong."""
    failed = {c.task for c in checks if c.reason in EXPLAINED}
    if not failed:
        return [], []
    diagnoses: list[Diagnosis] = []
    ways: list[Note] = []
    pool = pool_of(exercise)
    for task in (t for t in exercise.tasks if t.name in failed):
        if pool.cpu_seconds() > exercise.limits.exercise:
            break
        known, note = _of_task(task, pool, suspects, notes)
        if pool.killed:  # from outside: ask once more
            known, note = _of_task(task, pool, suspects, notes)
        diagnoses += known
        ways += [note] if note else []
    pool.close()
    return diagnoses, ways


def _of_task(task: Task, pool: SubjectPool, suspects: Answers, notes: bool) -> tuple[list[Diagnosis], Note | None]:
    pool.start_check(first_check(task))
    mine = answers_of(suspects, task.name, pool.proxy)
    if not mine:
        return [], None
    note = first_wrong(suspects, task.name, pool.proxy, mine) if notes else None
    return diagnose(suspects, task.name, mine), note


def first_check(task: Task) -> str:
    """One that runs with right neighbours."""
    return next(c.name for c in task.checks if not (task.own_work and c.name == task.own_work.check))
