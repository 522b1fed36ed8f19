"""The course, the machine and the run as they are now: which kept verdicts are still good, and what they are worth."""

from __future__ import annotations

import importlib.metadata
import platform
from collections.abc import Collection, Sequence

import grader
from grader.catalogue.model import Course
from grader.results import schema
from grader.run.engine import course_fingerprint, salt_fingerprint
from grader.run.keys import Keys
from grader.run.refresh import Refresh
from grader.submission.model import Submission

OPTIONS = "notes, no pictures"  # of a batch; other runs keep no keys


class Present:
    """Of some `exercises` of a course. Known without the engine: nothing is imported and nothing started for it."""

    def __init__(self, course: Course, exercises: Sequence[str], *, salt: bytes = b"") -> None:
        self.exercises = tuple(exercises)
        self.environment = environment(course, salt)
        self._keys = Keys(course, exercises, self.environment, OPTIONS)
        self._refresh = {name: Refresh(course, course.exercise(name)) for name in exercises}
        self._owners = course.tasks
        self._needs = {
            name: frozenset(
                need for task in course.exercise(name).tasks for need in task.needs if self._owners[need] != name
            )
            for name in exercises
        }

    def keys(self, submission: Submission) -> dict[str, str]:
        """What each verdict on this submission depends on now."""
        return self._keys.of(submission)

    def refreshed(self, row: schema.Exercise) -> schema.Exercise:
        """A verdict that has its key of now, in today's words and points."""
        return self._refresh[row.name](row)

    def needs(self, exercise: str) -> frozenset[str]:
        """Tasks of other exercises whose failure a note of this exercise may speak of."""
        return self._needs[exercise]

    def with_dependents(self, exercises: Collection[str]) -> frozenset[str]:
        """These, and those with notes on their tasks."""
        tasks = {task for task, owner in self._owners.items() if owner in exercises}
        return frozenset(exercises) | {name for name, needs in self._needs.items() if needs & tasks}


def environment(course: Course, salt: bytes = b"") -> schema.Environment:
    """As the engine says it of its results, without the submission's part."""
    return schema.Environment(
        grader=grader.__version__,
        python=platform.python_version(),
        torch=importlib.metadata.version("torch"),
        platform=f"{platform.system()} {platform.machine()}",
        course=course_fingerprint(course),
        submission="",
        salt=salt_fingerprint(salt),
    )
