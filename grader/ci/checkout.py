"""The submission in a student's checkout, and where its files lie there. Nothing in it is run, and no link followed."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec

from grader.language import N_
from grader.results.schema import Origin
from grader.submission.files import INNER, NOTEBOOK, IsStub, read_folder
from grader.submission.model import Submission
from grader.submission.notebook.extract import Tasks

DEPTH = 3  # folders below the checkout that a submission is looked for in
MOST = 500  # and how many of them
METADATA_LIMIT = 4 << 20  # bytes; it lists all earlier submissions


@dataclass(frozen=True, slots=True)
class Checkout:
    """`files`: of each exercise that was handed in, its file's path in the checkout and its text."""

    submission: Submission
    files: dict[str, tuple[str, str]] = field(default_factory=dict)


def read_checkout(root: Path, tasks: Tasks, student: str, is_stub: IsStub) -> Checkout:
    """The files at the top or in exercises/; else those of the folder below that has most of them.

    `tasks`: of each exercise, since a notebook may hold several.
    """
    folder = best_folder(root, tasks)
    submission = read_folder(folder, tasks, student, is_stub, tasks)
    prefix = folder.relative_to(root)
    if folder != root:
        note = N_(f"The files in {str(prefix)!r} are graded: there are none at the top of what was handed in.")
        submission = replace(submission, problems=(note, *submission.problems))
    files = {}
    for name, source in submission.files.items():
        inner = Path() if os.path.lexists(folder / source.file) else Path(INNER)
        files[name] = ((prefix / inner / source.file).as_posix(), source.text or "")
    return Checkout(submission, files)


def best_folder(root: Path, names: Collection[str]) -> Path:
    """The first, in the order of names, of those that have most files."""
    wanted = {f"{name}{end}" for name in names for end in (".py", NOTEBOOK)}
    if _count(root, wanted):
        return root
    found = [(folder, _count(folder, wanted)) for _, folder in zip(range(MOST), _below(root, DEPTH), strict=False)]
    most = max((count for _, count in found), default=0)
    return next((folder for folder, count in found if count == most), root) if most else root


def _count(folder: Path, wanted: set[str]) -> int:
    inner = folder / INNER
    listed = _names(folder) | (_names(inner) if not inner.is_symlink() else set())
    return len(listed & wanted)


def _names(folder: Path) -> set[str]:
    try:
        return set(os.listdir(folder))
    except OSError:
        return set()


def _below(folder: Path, depth: int) -> Iterator[Path]:
    """Folders, nearer ones first in each branch; hidden ones and links are none."""
    for name in sorted(_names(folder)):
        path = folder / name
        if name.startswith((".", "__")) or path.is_symlink() or not path.is_dir():
            continue
        yield path
        if depth > 1:
            yield from _below(path, depth - 1)


def of_gradescope(submission: Submission, metadata: Path) -> Submission:
    """Whose it is and when it was handed in, as Gradescope's file says; unchanged if that says nothing we know."""
    try:
        with metadata.open("rb") as file:
            told = msgspec.json.decode(file.read(METADATA_LIMIT))
    except (OSError, ValueError, RecursionError):
        return submission
    users = [user for user in _list(told, "users") if isinstance(user, dict)]
    name = ", ".join(filter(None, (_text(user, "name") for user in users)))
    email = _text(users[0], "email") if len(users) == 1 else ""  # a group is nobody's row in a gradebook
    submitted = _text(told, "created_at") or None
    origin = Origin(name=name, ids={"email": email} if email else {}, submitted=submitted)
    return replace(submission, student=name or submission.student, origin=origin)


def _list(told: Any, key: str) -> list[Any]:
    value = told.get(key) if isinstance(told, dict) else None
    return value if isinstance(value, list) else []


def _text(told: Any, key: str) -> str:
    value = told.get(key) if isinstance(told, dict) else None
    return str(value)[:300] if type(value) in (str, int) else ""
