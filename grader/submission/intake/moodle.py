"""Moodle, "Download all submissions": folders NAME_PARTICIPANT_assignsubmission_file_, or files so called."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from grader.language import N_
from grader.results.schema import Origin
from grader.submission.intake.model import Handin, Item, Source, Wanted, label, shown

# A group that nobody chose has no number. What follows the kind is the name of the file, where there are no folders.
_NAME = re.compile(r"(?P<who>.+?)(?:_(?P<id>\d+))?_assignsubmission_(?P<kind>[a-z]+)(?:_(?P<file>.*))?", re.DOTALL)


@dataclass
class _Student:
    who: str
    items: list[Item] = field(default_factory=list)
    online: bool = False
    folder: str = ""


def recognises(source: Source) -> bool:
    names = [*source.folders, *(item.path for item in source.items if not item.top)]
    return any(_NAME.fullmatch(name) for name in names)


def handins(source: Source, wanted: Wanted) -> list[Handin]:
    """One for each participant."""
    found: dict[tuple[str, str], _Student] = {}
    rows: list[Handin] = []
    for folder in source.folders:
        if match := _NAME.fullmatch(folder):
            student = _student(found, match)
            student.folder = folder if match["kind"] == "file" else student.folder
    for item in source.items:
        top, _, below = item.path.partition("/")
        match = _NAME.fullmatch(top)
        if match is None:
            file = shown(item.path)
            problem = N_(f"{file} is not called as Moodle calls files, so it is nobody's.")
            rows.append(Handin(label(item.path), problems=(problem,)))
        elif match["kind"] == "file":
            _student(found, match).items.append(Item(below or match["file"] or top, item.read))
        else:
            _student(found, match).online = True
    return [*(_handin(number, student) for (_, number), student in found.items()), *rows]


def _student(found: dict[tuple[str, str], _Student], match: re.Match[str]) -> _Student:
    key = ("", match["id"]) if match["id"] else (match["who"], "")
    return found.setdefault(key, _Student(match["who"]))


def _handin(number: str, student: _Student) -> Handin:
    folder = student.folder or "_".join(part for part in (student.who, number, "assignsubmission_file_") if part)
    origin = Origin(name=student.who, ids={"moodle": number} if number else {}, folder=folder)
    problems = (N_("A text that was entered in Moodle is not graded: hand in the file."),) if student.online else ()
    return Handin(label(student.who), tuple(student.items), origin, problems)
