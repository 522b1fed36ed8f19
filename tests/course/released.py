"""A release beside the course that it was made of: what both say of the same files."""

from __future__ import annotations

import re
import shutil
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from grader.audit.idioms import load_idioms
from grader.catalogue.bugs import load_bugs
from grader.catalogue.model import Course
from grader.catalogue.pack import packed
from grader.catalogue.stubs import as_submission, make_stub
from grader.results.schema import Check
from grader.run.engine import Engine
from grader.submission.model import SourceFile, Submission

DIGITS = 1e-2  # of a number: its last ones follow the student's own parts
ENTRY = "[[bugs]]\n"
NUMBER = re.compile(r"-?\d+\.\d+(?:e[-+]\d+)?|-?\d+e[-+]\d+")
OPEN = ("not_started", "blocked")


class Message(str):
    """The same words with the same numbers, but for their last digits."""

    def __eq__(self, other: object) -> bool:
        mine, theirs = (list(map(float, NUMBER.findall(text))) for text in (self, str(other)))
        return NUMBER.sub("#", self) == NUMBER.sub("#", str(other)) and mine == pytest.approx(theirs, rel=DIGITS)

    __hash__ = str.__hash__


@dataclass(frozen=True, slots=True)
class File:
    """One that replaces the reference of `exercise`. `tasks`: those that are graded, if not all are."""

    exercise: str
    name: str
    text: str
    tasks: tuple[str, ...] = ()


def sample(root: Path, folder: Path, most: int) -> Path:
    """A copy of a course with few known bugs of each task, spread over all, and few right answers in other styles."""
    for name, data in packed(root):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    idioms = Path("tests", "course", "idioms")
    for there in (root / idioms).iterdir():
        (folder / idioms / there.name).mkdir(parents=True)
        for path in sorted(there.glob("*.py"))[:most]:
            shutil.copy(path, folder / idioms / there.name)
    for path in (folder / "solutions").glob("*.bugs.toml"):
        head, *entries = path.read_text("utf-8").split(ENTRY)
        by_task = defaultdict[str, list[str]](list)
        for entry in entries:
            by_task[tomllib.loads(entry)["task"]].append(entry)
        kept = [entry for some in by_task.values() for entry in some[:: -(-len(some) // most)]]
        path.write_text(ENTRY.join([head, *kept]), "utf-8")
    return folder


def files(course: Course, name: str) -> Iterator[File]:
    """Of one exercise: the reference, the stub, every known bug, and right answers in other styles."""
    exercise, reference = course.exercise(name), course.reference_path(name).read_text("utf-8")
    yield File(name, "reference", as_submission(reference))
    yield File(name, "stub", make_stub(reference, name) + "# \n")  # else nothing of it would be run
    for bug in load_bugs(course, exercise):
        yield File(name, f"bug {bug.name}", as_submission(bug.text), (bug.task,))
    for idiom in load_idioms(course, name):
        yield File(name, f"idiom {idiom.name}", as_submission(idiom.text))


def said(course: Course, engine: Engine, file: File) -> tuple[list[tuple[object, ...]], object]:
    """Of this file beside right ones: of the checks that a release runs, and of known bugs."""
    texts = {name: as_submission(course.reference_path(name).read_text("utf-8")) for name in course.names}
    texts[file.exercise] = file.text
    submission = Submission("s", {name: SourceFile(name, text) for name, text in texts.items()})
    (row,) = engine.grade(submission, [file.exercise], tasks=list(file.tasks) or None).exercises
    return [_seen(check) for check in row.checks if not check.hidden], row.diagnoses


def _seen(check: Check) -> tuple[object, ...]:
    """Left out: the words of an exception, since it may come from inside a part, and for which part a check waits."""
    status = "open" if check.status in OPEN else check.status
    told = () if check.code in ("raised", *OPEN) else (check.code, Message(check.message))
    return check.id, check.title, check.points, check.possible, check.help, status, *told
