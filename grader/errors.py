"""Every error this project raises on purpose.

GraderError
├── UsageError        exit 2: the caller named something that is not there, or may not be
├── CourseError       exit 3: the course itself is broken (a mark, a table, a missing check)
├── ResultsError      exit 2: a results file that cannot be read
└── EngineError       exit 4: our own processes failed; never the student's fault
"""

from __future__ import annotations


class GraderError(Exception):
    """Something went wrong that one sentence can explain; `exit_code` is what the CLI ends with."""

    exit_code = 4

    def _render_traceback_(self) -> list[str]:
        """What IPython shows instead of a traceback."""
        return [f"grade: {self}"]


class UsageError(GraderError):
    exit_code = 2


class CourseError(GraderError):
    exit_code = 3


class ResultsError(GraderError):
    exit_code = 2


class EngineError(GraderError):
    exit_code = 4
