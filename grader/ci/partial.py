"""Results of a run that is under way: every exercise has a row from the first moment on, judged or not yet."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from grader.catalogue.model import CheckSpec, Course, Exercise
from grader.language import N_
from grader.results import schema
from grader.results.codes import render
from grader.results.schema import Environment, Isolation, Results, total
from grader.submission.model import Submission

NOT_YET = N_("it is not graded yet")


def merged(
    course: Course, submission: Submission, environment: Environment, isolation: Isolation,
    graded: Mapping[str, Results], failed: Mapping[str, str],
) -> Results:  # fmt: skip
    """What is `graded`, exercise by exercise; `failed` says why one could not be."""
    rows = [
        graded[name].exercises[0] if name in graded else pending(course.exercise(name), failed.get(name, NOT_YET))
        for name in course.graded
    ]
    return Results(
        student=submission.student,
        origin=submission.origin,
        isolation=isolation,
        environment=msgspec.structs.replace(environment, submission=submission.fingerprint()),
        points=total(row.points for row in rows),
        possible=total(row.possible for row in rows),
        seconds=round(sum(results.seconds for results in graded.values()), 3),
        exercises=rows,
        problems=[*submission.problems, *_open(course, graded, failed)],
    )


def pending(exercise: Exercise, why: str) -> schema.Exercise:
    """Its checks are not judged: that is neither passed nor failed, and no report takes these points for final."""
    checks = [_check(exercise.name, task.name, check, why) for task in exercise.tasks for check in task.checks]
    return schema.Exercise(
        name=exercise.name, title=exercise.title, track=exercise.track, status="error",
        points=0, possible=exercise.points, checks=checks,
    )  # fmt: skip


def _check(exercise: str, task: str, check: CheckSpec, why: str) -> schema.Check:
    return schema.Check(
        id=f"{exercise}.{check.name}", task=task, title=check.name.replace("_", " ").capitalize(), status="error",
        code="engine", values={"problem": why}, message=render("engine", {"problem": why}),
        points=0, possible=check.points, hidden=check.hidden,
    )  # fmt: skip


def _open(course: Course, graded: Mapping[str, Results], failed: Mapping[str, str]) -> list[str]:
    """A sentence for each reason."""
    waiting = dict[str, list[str]]()
    for name in course.graded:
        if name not in graded:
            waiting.setdefault(failed.get(name, NOT_YET), []).append(name)
    return [
        N_(f"Not graded: {', '.join(names)} ({why}). These points are not final.") for why, names in waiting.items()
    ]
