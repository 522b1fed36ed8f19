"""What an export is asked for, and what it gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from grader.report.rows import Row


@dataclass(frozen=True, slots=True)
class Request:
    """A class, or one student's results as a class of one; and for a round trip the instructor's own sheet."""

    rows: Sequence[Row]
    sheet: bytes | None = None
    column: str | None = None  # of the sheet: where the points go
    comments: str | None = None  # of the sheet: where a short text for the student goes
    scale: bool = True  # to the most that the sheet's column takes
    page: Callable[[Row], bytes | None] = lambda row: None  # the student's page, where there is one


@dataclass(frozen=True, slots=True)
class Export:
    """A file, and a sentence for everything that whoever exports has to know: who was left out, what was scaled."""

    data: bytes
    notes: tuple[str, ...] = ()
