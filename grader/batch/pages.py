"""The documents of a batch, as functions: its tests put others in their place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from grader.report.changes import StudentChange
from grader.report.rows import Row
from grader.results.schema import Results


@dataclass(frozen=True, slots=True)
class Pages:
    student: Callable[[Results], str]
    overview: Callable[[str, list[Row], list[Row] | None], str]  # the last: rows before the newest change
    gradebook: Callable[[list[Row]], str]
    changes: Callable[[str, list[StudentChange], str | None], str]  # the last: why they were accepted; None: they wait


def standard() -> Pages:
    """The course's own reports. Imported late: a batch that is refused at the door needs no template engine."""
    from grader.report import changes_page, class_page, gradebook, student_page

    return Pages(student_page.render, class_page.render, gradebook.render, changes_page.render)
