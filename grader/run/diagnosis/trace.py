"""Where a forward first goes wrong: up to which line it has the reference's values, and which one it never makes.

This is help and no verdict: it compares values whatever their layout, and says nothing when it finds no way in common.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from grader.language import N_
from grader.results.codes import render
from grader.results.schema import Array, Evidence, Note
from grader.run.diagnosis.answers import Answer, ask, distance, seen
from grader.run.diagnosis.landmarks import Landmark, Way, alike
from grader.run.diagnosis.suspects import Answers
from grader.run.suite.compare import EXPECTED_CORNER, corner
from grader.subject.failure import CheckFailed, SubjectLost
from grader.subject.proxy import Proxy, Transport
from grader.subject.worker.record import MAX_STEPS

SIDE = 12  # of the picture of the student's own values


@dataclass(frozen=True)
class Step:
    """A value the student's code made, and the line that made it."""

    file: str
    line: int
    source: str
    value: Tensor


class Recording(Proxy):
    """A proxy that asks for the steps of every call, too."""

    def __init__(self, transport: Transport) -> None:
        super().__init__(transport)
        self.calls: list[tuple[list[Step], Any]] = []  # with the answer, or None for what it raised

    def _ask(self, op: str, /, **fields: Any) -> Any:
        if op == "call":
            fields.pop("want_inputs", None)
            asked = {key: fields[key] for key in ("target", "method", "args", "kwargs") if key in fields}
            told = super()._ask(op, **asked, record=True)
            self.calls.append((_steps(told), None))
        answer = super()._ask(op, **fields)
        if op == "call":
            self.calls[-1] = (self.calls[-1][0], answer)
        return answer


def first_wrong(suspects: Answers, task: str, subject: Proxy, mine: Sequence[Answer]) -> Note | None:
    """Of the first case that `subject`, whose answers are `mine`, has wrong; None if nothing certain can be said.

    An exception has told its own line already.
    """
    for index, (answer, right) in enumerate(zip(mine, suspects.right(task), strict=True)):
        if distance(answer, right) > 1:
            return None if "raised" in answer.parts else _of_case(suspects, task, index, subject)
    return None


def _of_case(suspects: Answers, task: str, index: int, subject: Proxy) -> Note | None:
    probe, case = suspects.cases(task)[index]
    student = Recording(subject.transport)
    try:
        ways = suspects.ways(task, index)
        ask(probe, case, student, suspects.reference)
    except (CheckFailed, SubjectLost):
        return None
    for (steps, answer), way in zip(student.calls, ways, strict=False):
        if distance(seen(answer), way.answer) > 1:  # the first call that goes wrong
            return _compare(task, steps, way)
    return None


def _compare(task: str, steps: list[Step], way: Way) -> Note | None:
    marks = way.landmarks
    at = [next((i for i, step in enumerate(steps) if alike(step.value, mark.value)), None) for mark in marks]
    wrong = _first_missing(marks, at)
    if wrong is None or len(steps) >= MAX_STEPS:  # what comes after so many is not recorded
        return None
    mark, values = marks[wrong], {"task": task, "missing": marks[wrong].name}
    namesake = next((step for step in reversed(steps) if _has_its_name(step, mark)), None)
    if namesake is not None:
        return _note("other_value", {**values, **_shown(namesake)}, mark, namesake)
    after = _right_until(steps, mark, [at[p] for p in mark.parents], way)
    if after is None and not any(_is_right(step, way) for step in steps):
        return None  # nothing in common: another way altogether, or nothing to begin with
    first = next((step for step in steps[after or 0 :] if _is_its_place(step, mark, way)), None)
    if after is None:
        return _note("never_made", {**values, "look": _look(first)}, mark, first)
    last = steps[after]
    could_be = [step for step in (last, first) if step is not None and step.value.numel() == mark.value.numel()]
    compared = min(could_be, key=lambda step: _apart(step.value, mark.value), default=None)
    if first is not None and first.line == last.line:
        return _note("leaves_in", {**values, **_shown(last)}, mark, compared)
    return _note("right_until", {**values, **_shown(last), "look": _look(first)}, mark, compared)


def _note(code: str, values: dict[str, Any], mark: Landmark, step: Step | None) -> Note:
    return Note(
        task=values["task"], code=code, values=values, message=render(code, values), evidence=_evidence(mark, step)
    )


def _has_its_name(step: Step, mark: Landmark) -> bool:
    """The student gives the name to it that the reference gives to the mark, and it could be that."""
    named = re.match(rf"{re.escape(mark.name)}\s*(:[^=]+)?=(?!=)", step.source)
    return named is not None and step.value.numel() == mark.value.numel()


def _right_until(steps: list[Step], mark: Landmark, parents: list[int | None], way: Way) -> int | None:
    """The last step with a value that the mark is made of."""
    between = [way.values[place] for place in mark.between]
    passed = (i for i, step in enumerate(steps) if any(alike(step.value, value) for value in between))
    return max((place for place in (*parents, *passed) if place is not None), default=None)


def _shown(step: Step) -> dict[str, Any]:
    return {"line": _line(step), "source": step.source}


def _look(step: Step | None) -> str:
    return N_(f" Look at line {step.line} of {step.file}: `{step.source}`") if step is not None else ""


def _first_missing(marks: list[Landmark], at: list[int | None]) -> int | None:
    """The first that is found nowhere though all it is made of is, and of which nothing is made that is found."""
    needed = set[int]()
    for place in range(len(marks) - 1, -1, -1):
        if at[place] is not None or place in needed:
            needed |= set(marks[place].parents)
    for place, mark in enumerate(marks):
        if at[place] is None and place not in needed and all(at[p] is not None or p in needed for p in mark.parents):
            return place
    return None


def _is_its_place(step: Step, mark: Landmark, way: Way) -> bool:
    return step.value.numel() == mark.value.numel() and not _is_right(step, way)


def _apart(value: Tensor, known: Tensor) -> float:
    """0 for a multiple of it, in any layout, and 1 for what has nothing in common: scores without a scale are near."""
    x, y = (t.detach().double().nan_to_num(0.0).clamp(-1e4, 1e4).flatten().sort().values for t in (value, known))
    lengths = float(x.norm() * y.norm())
    return 1 - abs(float(x @ y)) / lengths if lengths else 1.0


def _line(step: Step) -> int | str:
    """Its number; in a notebook with the cell that it is counted in."""
    cell = step.file.partition(", ")[2]
    return f"{step.line} of {cell}" if cell else step.line


def _is_right(step: Step, way: Way) -> bool:
    """A value that the reference makes too, under a name or not."""
    return any(alike(step.value, value) for value in way.values)


def _evidence(mark: Landmark, step: Step | None) -> Evidence | None:
    if step is None:
        return None
    mine: Array = corner(step.value, N_(f"yours, line {_line(step)}"), SIDE, SIDE**2)
    return Evidence(
        expected=corner(mark.value, N_(f"{mark.name} of the reference"), EXPECTED_CORNER, EXPECTED_CORNER**2), got=mine
    )


def _steps(told: Any) -> list[Step]:
    """What a subject says of itself, taken at no more than its word."""
    steps = told.get("steps") if type(told) is dict else None
    found = []
    for step in steps if type(steps) is list else []:
        if type(step) is dict and type(step.get("line")) is int and isinstance(step.get("value"), Tensor):
            file, source = str(step.get("file"))[:80], str(step.get("source"))[:200]
            found.append(Step(file, step["line"], source, step["value"]))
    return found
