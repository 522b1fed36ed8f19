"""What each row is called: nobody's name twice, and of two people of one name both with what tells them apart."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace

from grader.results.schema import Origin
from grader.submission.intake.model import label, same_name
from grader.submission.model import Submission

# Letters that are no letter with an accent to Unicode.
_LETTERS = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h"})
_TELLING = ("roster", "canvas", "moodle", "gradescope", "github", "login", "email")


def distinct(submissions: Iterable[Submission]) -> list[Submission]:
    """The same, with an id behind the names of those who share one."""
    rows = _told_apart(list(submissions), _by_id)
    rows = _told_apart(rows, lambda row: label(row.origin.folder) if row.origin else "", exactly=True)
    counted: Counter[str] = Counter()
    for number, row in enumerate(rows):
        counted[row.student] += 1
        if counted[row.student] > 1:
            rows[number] = _renamed(row, f"{row.student} [{counted[row.student]}]")
    return rows


def alphabetic(submission: Submission) -> tuple[str, str]:
    """As people sort names: case and accents are no difference, unless nothing else is."""
    name = unicodedata.normalize("NFKD", submission.student.casefold())
    plain = "".join(c for c in name if not unicodedata.combining(c)).translate(_LETTERS)
    return plain, submission.student


def _told_apart(
    rows: list[Submission], tell: Callable[[Submission], str], *, exactly: bool = False
) -> list[Submission]:
    keys = [row.student if exactly else same_name(row.student) for row in rows]
    shared = Counter(keys)
    return [
        _renamed(row, f"{row.student} ({told})") if shared[key] > 1 and (told := tell(row)) else row
        for row, key in zip(rows, keys, strict=True)
    ]


def _renamed(row: Submission, student: str) -> Submission:
    return replace(row, student=student, called=row.called or row.student)


def _by_id(row: Submission) -> str:
    ids = (row.origin or Origin()).ids
    kind = next((kind for kind in _TELLING if kind in ids), "")
    return label(ids[kind] if kind == "roster" else f"{kind} {ids[kind]}") if kind else ""
