"""GitHub Classroom: the output `result` that its reporter reads.

The reporter adds up scores for Classroom, and shows passed ÷ total × max on the console. So that both agree, points are
cut into units of one size, an entry each: it has its whole score, or none.
"""

from __future__ import annotations

import base64
import json
import math
from fractions import Fraction
from typing import Any

from grader.language import _
from grader.report.exports.verdicts import to_tell, verdict
from grader.report.tasks import Task, tasks
from grader.report.text import clean_line, clean_output
from grader.results.schema import Exercise, Results

VERSION = 1  # that of Classroom's own command grader
MOST = 400  # entries: the payload travels in a variable of the environment
ROOM = 60_000  # characters of the payload; beyond it the messages are left out
LONG = 200  # of a message
NAME = 60  # of a name

Entry = dict[str, Any]


def result(results: Results) -> str:
    """The payload, as the reporter takes it."""
    tree = payload(results)
    if len(_encoded(tree)) > ROOM:
        tree = {**tree, "tests": [{**entry, "message": ""} for entry in tree["tests"]]}
    return _encoded(tree)


def payload(results: Results) -> dict[str, Any]:
    """Never without an entry, since the console divides by their number."""
    entries, note = _entries(results)
    return {
        "version": VERSION,
        "status": _status(results),
        "max_score": max(0.0, results.possible),
        **({"message": note} if note else {}),
        "tests": entries,
    }


def _entries(results: Results) -> tuple[list[Entry], str]:
    parts = [(exercise, task) for exercise in results.exercises for task in tasks(exercise)]
    unit = _unit([points for _exercise, task in parts for points in (task.points, task.possible)])
    whole = _exact(results.possible)
    if not unit or results.final != results.points:
        return _coarse(results), ""
    if whole / unit > MOST or sum(_exact(task.possible) for _exercise, task in parts) != whole:
        note = _("Points are shown in {n} steps: the exact ones are in the summary.").format(n=MOST)
        return _coarse(results), note
    return [entry for exercise, task in parts for entry in _of_task(exercise, task, unit)], ""


def _of_task(exercise: Exercise, task: Task, unit: Fraction) -> list[Entry]:
    count, earned = int(_exact(task.possible) / unit), int(_exact(task.points) / unit)
    name = f"{exercise.name}.{task.name}"
    failed = "error" if task.status == "error" else "fail"
    return [
        _entry(
            name if count == 1 else f"{name[:NAME]} ({n + 1} of {count})",
            "pass" if n < earned else failed, float(unit), _message(exercise, task) if n == earned else "",
        )
        for n in range(count)
    ]  # fmt: skip


def _coarse(results: Results) -> list[Entry]:
    """Equal steps of the whole, as many as there may be; what is earned is rounded down to one."""
    count = MOST if results.possible > 0 else 1
    share = _exact(results.final) / _exact(results.possible) if results.possible > 0 else Fraction(0)
    earned = math.floor(max(Fraction(0), min(share, Fraction(1))) * count)
    passed = earned if results.possible > 0 else int(_status(results) == "pass")
    unit = float(_exact(results.possible) / count)
    return [
        _entry(f"points ({n + 1} of {count})", "pass" if n < passed else "fail", max(0.0, unit), "")
        for n in range(count)
    ]


def _entry(name: str, status: str, unit: float, message: str) -> Entry:
    score = unit if status == "pass" else 0
    shown = {"message": message} if message else {}
    return {"name": clean_output(clean_line(name)), "status": status, "score": score, "line_no": 0, **shown}


def _message(exercise: Exercise, task: Task) -> str:
    """One line that begins with our own words: the reporter prints it, outside of our stop-commands."""
    told = to_tell(exercise, task)
    if not told:
        return _("not written yet")
    said = verdict(told[0])
    return "✗ " + clean_output(clean_line(f"{said.title} {said.what}", LONG))


def _status(results: Results) -> str:
    states = {exercise.status for exercise in results.exercises}
    return "error" if "error" in states else "pass" if states <= {"passed"} else "fail"


def _unit(values: list[float]) -> Fraction:
    """The largest number that divides all of them; 0 if all are 0."""
    exact = [_exact(value) for value in values if value > 0]
    if not exact:
        return Fraction(0)
    denominator = math.lcm(*(value.denominator for value in exact))
    return Fraction(math.gcd(*(int(value * denominator) for value in exact)), denominator)


def _exact(value: float) -> Fraction:
    """As written with four decimals, which is how points are kept."""
    return Fraction(round(value * 10_000), 10_000) if math.isfinite(value) else Fraction(0)


def _encoded(tree: dict[str, Any]) -> str:
    return base64.b64encode(json.dumps(tree, separators=(",", ":")).encode()).decode()
