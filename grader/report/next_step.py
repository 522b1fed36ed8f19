"""What a student should do next: the first thing to fix, or the next exercise to write, with its command."""

from __future__ import annotations

from dataclasses import dataclass

from grader.language import _, said
from grader.report.lead import lead_first
from grader.report.tasks import whole_file
from grader.report.words import explanation, sentence
from grader.results.schema import Exercise, Results


@dataclass(frozen=True, slots=True)
class Step:
    """`command` stands alone; the texts are the course's words, names in backticks."""

    exercise: str  # its name; empty when nothing is left
    title: str
    what: str
    detail: str
    help: str
    command: str


def next_step(results: Results) -> Step | None:
    """In the order of the course, what was tried before what was not. None where there is nothing to say."""
    for exercise in results.exercises:
        if exercise.status == "failed":
            return _to_fix(exercise)
    for exercise in results.exercises:
        if exercise.status == "not_started":
            what = _("Write the first function of {name}.py, and grade it.").format(name=exercise.name)
            return Step(exercise.name, said(exercise.title), what, "", "", f"grade hint {exercise.name}")
    if results.exercises and all(exercise.status == "passed" for exercise in results.exercises):
        return Step("", "", _("Every check passed. See your own GPT learn a small text."), "", "", "grade show train")
    return None


def _to_fix(exercise: Exercise) -> Step:
    command, title = f"grade {exercise.name}", said(exercise.title)
    whole = whole_file(exercise)
    failed = lead_first([check for check in exercise.checks if check.status == "failed"])
    if not failed:  # failed as a whole: some of it is not written yet
        todo = next((c.task for c in exercise.checks if c.status == "not_started"), "")
        what = _("Write `{task}`.").format(task=todo) if todo else _("Look at its checks.")
        return Step(exercise.name, title, what, "", "", f"grade hint {exercise.name}")
    check = whole or failed[0]
    for known in exercise.diagnoses:
        if known.task == check.task:
            return Step(exercise.name, title, said(known.what), said(known.why), said(known.help), command)
    if check.hidden:
        return Step(exercise.name, title, _("A hidden check failed."), "", said(check.help), command)
    what, detail = (sentence(check), "") if whole else (said(check.title), sentence(check))
    return Step(exercise.name, title, what, detail, said(check.help) or explanation(check), command)
