"""What text formats for students say of a check. Of a hidden one: its verdict, and the help its author wrote."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from grader.language import _, said
from grader.report.lead import lead_first
from grader.report.tasks import Task, whole_file
from grader.report.text import clean
from grader.report.words import WORDS, explanation, sentence
from grader.results.schema import Check, Exercise

PRINTED = 2000  # characters of what the student's code printed, of one check


@dataclass(frozen=True, slots=True)
class Verdict:
    """Texts are cleaned, with LF line ends, and not escaped for any format."""

    title: str
    what: str  # what happened; empty for what passed
    case: str  # the smallest failing case
    detail: str  # the student's traceback and output
    help: str


def verdict(check: Check) -> Verdict:
    title = _("A hidden check") if check.hidden else clean(said(check.title))
    if check.status == "passed":
        return Verdict(title, "", "", "", "")
    help_ = plain(said(check.help))
    if check.hidden:
        told = _("A hidden check failed.") if check.status == "failed" else WORDS[check.status].sentence
        return Verdict(title, told, "", "", help_)
    if check.status == "not_started":
        told = sentence(check) if check.code == "missing_file" else WORDS[check.status].sentence
        return Verdict(title, plain(told), "", "", "")
    what = plain(sentence(check)) or WORDS[check.status].sentence
    dims = check.evidence.dims if check.evidence else {}
    case = plain(", ".join(f"{name} = {said(str(value))}" for name, value in dims.items()))
    return Verdict(title, what, case, plain(check.detail, PRINTED), help_ or plain(explanation(check)))


def to_tell(exercise: Exercise, task: Task) -> list[Check]:
    """The checks of a task that need words, the most telling first; one alone if the file cannot be run."""
    worth = lead_first(task.of("failed")) + task.of("error", "blocked")
    whole = whole_file(exercise)
    return worth[:1] if whole and worth and not any(check.hidden for check in worth) else worth


def diagnoses(exercise: Exercise, task: str) -> Iterator[str]:
    """The known bugs of a task: what the code does, and why that is wrong."""
    for known in exercise.diagnoses:
        if known.task == task:
            yield plain(" ".join(filter(None, (f"{said(known.what).rstrip('.')}.", said(known.why)))))


def plain(text: str, limit: int = 0) -> str:
    """Cleaned, LF alone, and cut if a limit is given."""
    shown = clean(text.replace("\r\n", "\n")).strip()
    return shown if not limit or len(shown) <= limit else shown[: limit - 1].rstrip() + "…"
