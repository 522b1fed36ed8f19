"""Find the submissions of a class: one folder per student, or one file per student and exercise."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

from grader.errors import UsageError
from grader.submission.files import NOTEBOOK, IsStub, listing, read_folder, read_source, with_file
from grader.submission.intake.model import label as label_of
from grader.submission.model import SourceFile, Submission
from grader.submission.notebook.extract import Tasks

_JUNK = {"__pycache__", "__MACOSX"}


def discover(
    root: Path, names: Collection[str], ignore: Iterable[Path] = (), is_stub: IsStub = lambda name, text: False,
    tasks: Tasks | None = None,
) -> list[Submission]:  # fmt: skip
    """Every submission in `root`, sorted by student. What cannot be read is a row with its reason, never left out.

    Flat files are called STUDENT_NAME.py or STUDENT-NAME.py, or .ipynb. Folders in `ignore` (the results of an
    earlier batch, say) are no submissions. `tasks` of each exercise: see `read_folder`.
    """
    entries = [entry for entry in listing(root) if not _skipped(entry, {path.resolve() for path in ignore})]
    found: dict[str, Submission] = {}
    for entry in entries:
        if _is_folder(entry):
            submission = _from_folder(entry, names, is_stub, tasks)
            found[submission.student] = submission
    for entry in entries:
        if not _is_folder(entry) and entry.name.lower().endswith((".py", NOTEBOOK)):
            add_flat(found, entry.name, names, partial(read_source, Path(entry.path)))
    return [found[student] for student in sorted(found)]


def _skipped(entry: os.DirEntry[str], ignore: set[Path]) -> bool:
    return entry.name.startswith(".") or entry.name in _JUNK or (bool(ignore) and Path(entry.path).resolve() in ignore)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    """A link that does not lead to a file counts: it stands where a student's folder should be."""
    return entry.is_dir(follow_symlinks=False) or (entry.is_symlink() and not os.path.isfile(entry.path))


def _from_folder(entry: os.DirEntry[str], names: Collection[str], is_stub: IsStub, tasks: Tasks | None) -> Submission:
    student = label_of(entry.name)
    if entry.is_symlink():
        problem = f"{student!r} is a symbolic link, and links are not followed: copy the folder itself."
        return Submission(student, {}, (problem,))
    try:
        return read_folder(Path(entry.path), names, student, is_stub, tasks)
    except UsageError as error:
        return Submission(student, {}, (str(error),))


def add_flat(
    found: dict[str, Submission], file: str, names: Collection[str], read: Callable[[str], SourceFile]
) -> None:
    """Put one file into the submission of its student. `read` gets the name of its exercise."""
    student, name = _split(os.path.splitext(file)[0], names)
    label = label_of(student if name else file)
    there = found.get(label, Submission(label))
    if not name:
        problem = f"{label!r} names no student, or no exercise: call it like {_example(names)}."
        found[label] = replace(there, problems=(*there.problems, problem))
    elif name in there.files:
        problem = f"{label_of(file)!r} is not graded: there is another {there.files[name].file} of {label!r}."
        found[label] = replace(there, problems=(*there.problems, problem))
    else:
        found[label] = with_file(there, read(name))


def _split(stem: str, names: Collection[str]) -> tuple[str, str]:
    """Student and exercise; both empty if the stem does not end in an exercise. The longest name wins."""
    for name in sorted(names, key=len, reverse=True):
        for separator in "_-":
            student = stem.removesuffix(separator + name)
            if student and student != stem:
                return student, name
    return "", ""


def _example(names: Collection[str]) -> str:
    return f"STUDENT_{next(iter(names), 'NAME')}.py"
