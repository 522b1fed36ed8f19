"""How a suite says that a check failed: a code of grader.results.codes and its values, never a sentence."""

from __future__ import annotations

from typing import Any

from grader.results.codes import render
from grader.results.schema import Evidence


class CheckFailed(AssertionError):
    """The student's code does not do what the check's title says."""

    def __init__(self, code: str, values: dict[str, Any], evidence: Evidence | None = None, detail: str = "") -> None:
        super().__init__(render(code, values))
        self.code = code
        self.values = values
        self.evidence = evidence
        self.detail = detail


class NotStarted(Exception):
    """The stub's own NotImplementedError came out: the student has not written this task yet."""


class Blocked(Exception):
    """The check cannot be judged, because another part of the student's own does not run."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class NotRecorded(Exception):
    """A suite asks the reference what a release has no answer to: the question was made from the student's answer."""


class SubjectLost(BaseException):
    """The student's process is gone: crash, time-out, flood. A BaseException: Hypothesis asks no second time."""

    def __init__(self, code: str, values: dict[str, Any], detail: str = "") -> None:
        super().__init__(render(code, values))
        self.code = code
        self.values = values
        self.detail = detail


def fail(code: str, **values: Any) -> None:
    """End the check with `code`."""
    raise CheckFailed(code, values)


def holds(condition: bool, seen: str) -> None:
    """The check's title must hold; `seen` is a whole sentence with the numbers, for when it does not."""
    if not condition:
        raise CheckFailed("property", {"seen": seen})
