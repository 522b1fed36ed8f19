"""Gradescope: results.json of an autograder. Points by task, text that is shown as text, and no entry is hidden.

A hidden entry would hide the student's total. What must stay secret of a hidden check is not in the file at all.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

from grader.language import _, said
from grader.report import words
from grader.report.exports import notes
from grader.report.exports.model import Export, Request
from grader.report.exports.verdicts import Verdict, diagnoses, plain, to_tell, verdict
from grader.report.grades import unjudged
from grader.report.next_step import next_step
from grader.report.tasks import Task, tasks
from grader.report.words import WORDS
from grader.results.schema import Adjustment, Exercise, Results

LONG = 8000  # characters of a task's text
TEXT = "text"  # the other formats would run markup of a student's


def render(request: Request) -> Export:
    results = request.rows[0].results
    assert results is not None, "the command line asks for a student with results"
    told = json.dumps(_tree(results), indent=2, ensure_ascii=False, allow_nan=False)
    return Export(told.encode() + b"\n", tuple(notes.left_open(results)))


def _tree(results: Results) -> dict[str, Any]:
    numbered = [
        _task(exercise, task, f"{e}.{t}")
        for e, exercise in enumerate(results.exercises, 1)
        for t, task in enumerate(tasks(exercise), 1)
    ]
    return {
        "score": max(0.0, _finite(results.final)),  # of checks and adjustments: it overrides the sum
        "execution_time": round(_finite(results.seconds), 3),
        "output": _summary(results),
        "output_format": TEXT,
        "test_output_format": TEXT,
        "test_name_format": TEXT,
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": numbered + [_beside(a) for a in results.adjustments],
    }


def _task(exercise: Exercise, task: Task, number: str) -> dict[str, Any]:
    most = max(0.0, _finite(task.possible))
    return {
        "name": plain(f"{exercise.name}: {task.name}"),
        "number": number,
        "score": min(max(0.0, _finite(task.points)), most),
        "max_score": most,
        "status": "passed" if task.status == "passed" else "failed",
        "output": plain("\n\n".join(_lines(exercise, task)), LONG),
        "tags": [plain(exercise.name)],
        "visibility": "visible",
    }


def _lines(exercise: Exercise, task: Task) -> Iterator[str]:
    done = len(task.of("passed"))
    if done == len(task.checks):
        yield words.all_passed(done)
    elif not task.of("failed", "error", "blocked"):
        yield plain(words.unwritten(exercise))
    yield from diagnoses(exercise, task.name)
    for check in to_tell(exercise, task):
        yield "\n".join(_of_check(WORDS[check.status].mark, verdict(check)))
    if task.note:
        yield task.note


def _of_check(mark: str, told: Verdict) -> Iterator[str]:
    yield f"{mark} {told.title}"
    if told.what:
        yield told.what
    if told.case:
        yield _("smallest failing case: {dims}").format(dims=told.case)
    if told.help:
        yield _("Try: ") + told.help
    if told.detail:
        yield told.detail


def _summary(results: Results) -> str:
    told = [_("{points} in all.").format(points=words.points(results.final, results.possible)), words.summary(results)]
    if n := unjudged(results):
        told.append(_("These points are not final: {checks} could not be judged. Hand in again.").format(
            checks=words.count(n, "check")))  # fmt: skip
    step = next_step(results)
    if step:
        told.append(
            " ".join([_("Next: {what}").format(what=f"{step.what.rstrip('.')}."), step.detail, step.help]).strip()
        )
    return plain("\n\n".join([*told, *map(said, results.problems)]), LONG)


def _beside(adjustment: Adjustment) -> dict[str, Any]:
    """A row without points: they are in the total."""
    change = words.number(adjustment.after - adjustment.before)
    what = _("Adjusted: {change} points").format(change=change if change.startswith("-") else f"+{change}")
    text = "\n".join(filter(None, (said(adjustment.reason), said(adjustment.comment))))
    name = _("Comment") if adjustment.kind == "comment" else what
    return {"name": name, "output": plain(text), "visibility": "visible"}


def _finite(value: float) -> float:
    return value if math.isfinite(value) else 0.0
