"""GitHub Actions, and Classroom on it: the lines around a run, the step summary and the step's outputs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from grader.ci.annotations import Files, annotate
from grader.ci.classroom import result
from grader.ci.settings import Settings
from grader.ci.workflow_commands import Annotation, command, output
from grader.language import _
from grader.report import words
from grader.report.exports import markdown
from grader.results.schema import Results
from grader.results.store import refused

SUMMARY = 1 << 20  # bytes: beyond them all summaries of the step are dropped
LEAST = 2000  # below that a summary says nothing worth having


def closing(settings: Settings, results: Results, files: Files) -> Iterator[str]:
    """Fill summary and outputs; the commands that are to be printed."""
    yield from map(command, annotate(results, files))
    if settings.summary and not _summarise(Path(settings.summary), results):
        told = _("The summary of this step is full already, and says nothing of this run: see summary.md.")
        yield command(Annotation("notice", "grade", told))
    if settings.outputs:
        _append(Path(settings.outputs), _outputs(settings, results))


def _summarise(path: Path, results: Results) -> bool:
    """Behind what is there, if it has room."""
    taken = path.stat().st_size if path.exists() else 0
    room = min(markdown.LIMIT, SUMMARY - taken - 1)
    if room < LEAST:
        return False
    _append(path, markdown.document(results, room))
    return True


def _outputs(settings: Settings, results: Results) -> str:
    told = output("points", words.number(results.final)) + output("possible", words.number(results.possible))
    return told + output("result", result(results)) if settings.platform == "classroom" else told


def _append(path: Path, text: str) -> None:
    with refused(path), path.open("a", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
        file.write(text)
