"""What a batch keeps of one student: report.html, and results.json, whose presence says that both are whole."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from grader.errors import ResultsError
from grader.results.schema import Results
from grader.results.store import TEMPORARY, load, refused, staged

REPORT, RESULTS = "report.html", "results.json"
STUDENTS, REGRADE, HISTORY = "students", "regrade", "history"  # folders, with one per student in each


def write(folder: Path, page: bytes, data: bytes) -> None:
    """Report and results. Until both are on the disk under other names the old ones stay: a full disk loses nothing."""
    report, commit = folder / REPORT, folder / RESULTS
    with refused(folder):
        folder.mkdir(parents=True, exist_ok=True)
    with staged(report, page) as new_report, staged(commit, data) as new_commit, refused(folder):
        commit.unlink(missing_ok=True)  # old results must never vouch for the new page
        os.replace(new_report, report)
        os.replace(new_commit, commit)


def in_language(folder: Path, language: str) -> bool:
    """Whether a kept page speaks it. One that says nothing of a language is left alone."""
    with (folder / REPORT).open("rb") as file:
        head = file.read(100)
    return b"<html lang=" not in head or f'<html lang="{language}">'.encode() in head


def read(folder: Path, student: str) -> Results | None:
    """What an earlier run has left here of this student; None where it is not whole."""
    if not (folder / REPORT).is_file():
        return None
    try:
        results = load(folder / RESULTS)
    except ResultsError:
        return None
    return results if results.student == student else None


def remove(folder: Path) -> None:
    """Both files, the results first: a page alone vouches for nothing."""
    for name in (RESULTS, REPORT):
        with refused(folder / name):
            (folder / name).unlink(missing_ok=True)
    with suppress(OSError):
        folder.rmdir()


def remove_leftovers(out: Path) -> None:
    """Temporary files of a run that was killed."""
    folders = (".", f"{STUDENTS}/*", REGRADE, f"{REGRADE}/*", HISTORY, f"{HISTORY}/*", f"{HISTORY}/*/*")
    for path in (path for folder in folders for path in out.glob(f"{folder}/{TEMPORARY}")):
        with refused(path):
            path.unlink(missing_ok=True)
