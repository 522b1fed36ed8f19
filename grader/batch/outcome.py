"""What a batch keeps of one student: report.html, and results.json, whose presence says that both are whole."""

from __future__ import annotations

import os
from pathlib import Path

from grader.errors import ResultsError
from grader.results.schema import Environment, Results
from grader.results.store import TEMPORARY, load, refused, staged
from grader.submission.model import Submission

REPORT, RESULTS, STUDENTS = "report.html", "results.json", "students"


def environment_key(environment: Environment, level: int) -> str:
    """Everything but the submission that a verdict may depend on, and the isolation level it was reached at."""
    e = environment
    return "\n".join([e.grader, e.python, e.torch, e.platform, e.course, e.salt, str(level)])


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


def kept(folder: Path, submission: Submission, key: str) -> Results | None:
    """The results of an earlier run, if grading again could not give others."""
    if not (folder / REPORT).is_file():
        return None
    try:
        results = load(folder / RESULTS)
    except ResultsError:
        return None
    environment = results.environment
    same = (
        results.student == submission.student  # the fingerprint does not know whose files they are
        and environment.submission == submission.fingerprint()
        and results.problems == list(submission.problems)  # nor what else was wrong with the submission
        and environment_key(environment, results.isolation.level) == key
        and not unjudged(results)
    )
    return results if same else None


def unjudged(results: Results) -> bool:
    """Whether the grader failed somewhere: the next run tries again."""
    return any(e.status == "error" or any(c.status == "error" for c in e.checks) for e in results.exercises)


def remove_leftovers(out: Path) -> None:
    """Temporary files of a run that was killed."""
    for pattern in (TEMPORARY, f"{STUDENTS}/*/{TEMPORARY}"):
        for path in out.glob(pattern):
            with refused(path):
                path.unlink(missing_ok=True)


def encoded(page: str) -> bytes:
    return page.encode("utf-8", "backslashreplace")
