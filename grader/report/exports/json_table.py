"""The gradebook as strict JSON. Of a person it has the submission's name alone; verdicts are in results.json."""

from __future__ import annotations

import json
from typing import Any

from grader.report.exports import notes
from grader.report.exports.model import Export, Request
from grader.report.gradebook import status_of
from grader.report.grades import why_none
from grader.report.rows import Row
from grader.report.text import clean
from grader.results.schema import Adjustment, Results

SCHEMA = 1  # 1: first version


def render(request: Request) -> Export:
    tree = {"schema": SCHEMA, "students": [_student(row) for row in request.rows]}
    told = json.dumps(tree, indent=2, ensure_ascii=False, allow_nan=False)
    return Export(told.encode() + b"\n", tuple(notes.not_final(request.rows)))


def _student(row: Row) -> dict[str, Any]:
    known = {"student": clean(row.student), "status": status_of(row), "problem": clean(row.problem or "") or None}
    return known | (_points(row.results, why_none(row) is None) if row.results else {})


def _points(results: Results, is_final: bool) -> dict[str, Any]:
    return {
        "points": results.points,
        "possible": results.possible,
        "final": results.final if is_final else None,  # unknown is not zero
        "exercises": {
            exercise.name: {"points": exercise.points, "possible": exercise.possible, "status": exercise.status}
            for exercise in results.exercises
        },
        "adjustments": [_adjustment(a) for a in results.adjustments],
    }


def _adjustment(a: Adjustment) -> dict[str, Any]:
    return {"kind": a.kind, "exercise": a.exercise, "before": a.before, "after": a.after, "reason": clean(a.reason)}
