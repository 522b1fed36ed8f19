"""What a student should do next: the first thing to fix, or the next exercise to write, with its command.

`in_order` decides for all: the terminal, the keys of `grade watch`, and the page.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from grader.language import N_, _, said
from grader.report.lead import lead_first
from grader.report.tasks import whole_file
from grader.report.words import explanation, sentence
from grader.results.schema import Exercise, Results, Status

UNJUDGED = N_("The grader could not judge {name}. Run `grade {name}` again; if it stays, `grade doctor`.")
TRAINED = "gpt"  # the exercise that `grade show train` trains
_ORDER = ("failed", "error", "not_started")  # what can be mended, what we owe a verdict, what is to be begun


@dataclass(frozen=True, slots=True)
class Step:
    """`command` stands alone; the texts are the course's words, names in backticks."""

    exercise: str  # its name; empty when nothing is left
    title: str
    what: str
    detail: str
    help: str
    command: str


def in_order(states: Mapping[str, Status], named: Collection[str] = ()) -> list[str]:
    """Of exercises by name, in the course's order: those that do not pass yet, the next thing to do first.

    Those that were `named` by whoever asked come before all others.
    """
    open_ones = (name for name, state in states.items() if state in _ORDER)
    return sorted(open_ones, key=lambda name: (name not in named, _ORDER.index(states[name])))


def still_open(exercises: Iterable[Exercise], named: Collection[str] = ()) -> list[Exercise]:
    """The same of their rows."""
    rows = {exercise.name: exercise for exercise in exercises}
    return [rows[name] for name in in_order({name: row.status for name, row in rows.items()}, named)]


def next_step(results: Results) -> Step | None:
    """None where there is nothing to say."""
    if not results.exercises:
        return None
    following = still_open(results.exercises)
    if not following and all(exercise.name != TRAINED for exercise in results.exercises):
        return None
    if not following:
        return Step("", "", _("Every check passed. See your own GPT learn a small text."), "", "", "grade show train")
    exercise = following[0]
    if exercise.status == "failed":
        return _to_fix(exercise)
    if exercise.status == "error":
        what = _not_judged(exercise)
        return Step(exercise.name, said(exercise.title), what, "", "", f"grade {exercise.name}")
    what = _("Write the first function of {name}.py, and grade it.").format(name=exercise.name)
    return Step(exercise.name, said(exercise.title), what, "", "", f"grade hint {exercise.name}")


def _not_judged(exercise: Exercise) -> str:
    """With the reason, where one holds for the whole of it, as when the time of a run was up."""
    reasons = {str(check.values.get("problem", "")) for check in exercise.checks}
    if len(reasons) != 1 or not (reason := reasons.pop()):
        return _(UNJUDGED).format(name=exercise.name)
    told = _("{name} is not graded: {reason}. `grade {name}` grades it alone.")
    return told.format(name=exercise.name, reason=said(reason))


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
