"""What whoever runs a job is told: its exit code on each platform, and a warning where code is hardly kept apart."""

from __future__ import annotations

from collections.abc import Iterator

from grader.ci.settings import Settings
from grader.language import _, said
from grader.results.schema import Isolation, Results

GRADED, NOT_ALL, OUR_FAULT = 0, 1, 4


def exit_code(settings: Settings, results: Results) -> int:
    """Gradescope and Classroom read files: there 0 means that these are written. Elsewhere 0 means that all passed."""
    if settings.platform == "gradescope" or settings.exit_zero:
        return GRADED
    if settings.platform == "classroom":
        return OUR_FAULT if all(e.status == "error" for e in results.exercises) else GRADED
    return GRADED if all(e.status == "passed" for e in results.exercises) else NOT_ALL


def warning(isolation: Isolation) -> Iterator[str]:
    """A sentence if a submission can do harm. On Gradescope only instructors see what is printed."""
    if not isolation.is_safe:
        why = "".join(f" ({said(reason)})" for reason in isolation.downgrades)
        yield _(
            "Warning: isolation level {level}{why}: a submission can read and change what this job can; "
            "`grade doctor` says what a better level needs."
        ).format(level=isolation.level, why=why)
