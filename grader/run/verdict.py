"""From what a check raised to its verdict."""

from __future__ import annotations

import traceback
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import msgspec

from grader.catalogue.model import CheckSpec, Exercise, Task
from grader.language import N_
from grader.results.codes import CODES, Code, render
from grader.results.schema import Check, Evidence, Status, total
from grader.results.schema import Exercise as Row
from grader.subject.failure import Blocked, CheckFailed, NotStarted, SubjectLost

NO_CASE = ("syntax_error", "import_failed", "missing_name")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one check came to, before it has points."""

    status: Status
    code: str | None = None
    values: dict[str, Any] = field(default_factory=dict)
    evidence: Evidence | None = None
    detail: str = ""


def judge(error: BaseException | None, dims: dict[str, Any]) -> Outcome:
    """`dims`: the case that was running. An exception that is none of ours is an error, never a zero."""
    if error is None:
        return Outcome("passed")
    if isinstance(error, NotStarted):
        return Outcome("not_started", "not_started", {"task": str(error)})
    if isinstance(error, Blocked):
        return Outcome("blocked", "blocked", {"why": error.why})
    if isinstance(error, CheckFailed):
        seen = error.evidence or Evidence()
        # A file that cannot be run, or lacks a name, fails on no case in particular.
        shown = {} if error.code in NO_CASE else {name: _shown(value) for name, value in dims.items()}
        return Outcome("failed", error.code, error.values, _with_dims(seen, shown), error.detail)
    if isinstance(error, SubjectLost):
        return Outcome("failed", error.code, error.values, None, error.detail)
    problem = f"{type(error).__name__}: {error}"[:500]
    return Outcome("error", "engine", {"problem": problem}, None, "".join(traceback.format_exception(error))[-4000:])


def make_check(
    exercise: Exercise, task: Task, spec: CheckSpec, title: str, outcome: Outcome, seconds: float | None
) -> Check:
    """The row of results.json."""
    passed = outcome.status == "passed"
    code = CODES.get(outcome.code or "")
    return Check(
        id=f"{exercise.name}.{spec.name}",
        task=task.name,
        title=title,
        status=outcome.status,
        reason=code.reason if code and outcome.status == "failed" else None,
        code=outcome.code,
        values=outcome.values,
        evidence=None if spec.hidden else outcome.evidence,
        points=spec.points if passed else 0,
        possible=spec.points,
        message=render(outcome.code, outcome.values),
        help="" if passed else help_of(spec, code),
        detail=outcome.detail,
        seconds=None if spec.hidden or seconds is None else round(seconds, 3),
        hidden=spec.hidden,
    )


def title_of(doc: str | None, spec: CheckSpec) -> str:
    """The first paragraph of a check's docstring, on one line."""
    return " ".join((doc or spec.name).split("\n\n")[0].split())


def help_of(spec: CheckSpec, code: Code | None) -> str:
    """The check's own advice, where its subject was reached; else what the kind of failure itself suggests."""
    elsewhere = ("crash", "time-out", "memory", "output", "protocol", "structure")
    return code.explain if code is not None and code.reason in elsewhere else spec.help


def _shown(value: Any) -> int | float | str:
    """An entry of a case as a student reads it."""
    if isinstance(value, bool):
        return N_("yes") if value else N_("no")
    if isinstance(value, (int, float, str)):
        return value
    if isinstance(value, (tuple, list)):
        return " × ".join(map(str, value)) or N_("none")
    return str(value).removeprefix("torch.")


def without_own_work(task: Task, checks: list[Check]) -> list[Check]:
    """A task that breaks its own-work rule earns nothing: passed checks stay passed, with 0 points."""
    rule = task.own_work
    if rule is None or not rule.required:
        return checks
    broken = any(c.id.endswith(f".{rule.check}") and c.status == "failed" for c in checks)
    return [msgspec.structs.replace(c, points=0) for c in checks] if broken else checks


def with_sums(row: Row, checks: list[Check]) -> Row:
    """The row with these checks, and with what follows from them."""
    return msgspec.structs.replace(
        row,
        status=summed(checks),
        points=total(c.points for c in checks),
        possible=total(c.possible for c in checks),
        checks=checks,
    )


def broken_tasks(rows: Iterable[Row]) -> frozenset[str]:
    """Tasks with a failed check. Not those of a file that cannot be run: it breaks everything, and says so itself."""
    checks = [check for row in rows for check in row.checks]
    whole = {check.task for check in checks if check.code in NO_CASE}
    return frozenset(check.task for check in checks if check.status == "failed") - whole


def summed(checks: list[Check]) -> Status:
    """The status of an exercise, or of several."""
    states = {c.status for c in checks}
    if "error" in states:
        return "error"
    if states <= {"passed", "blocked"}:  # what is blocked waits for another exercise, and costs nothing
        return "passed"
    return "not_started" if states <= {"not_started"} else "failed"


def _with_dims(evidence: Evidence, dims: dict[str, Any]) -> Evidence:
    return Evidence(
        dims=dims, expected=evidence.expected, got=evidence.got, worst=evidence.worst, inputs=evidence.inputs
    )
