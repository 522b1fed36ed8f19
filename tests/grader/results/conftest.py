"""Results with one check in every status."""

from __future__ import annotations

import pytest

from grader.results.codes import render
from grader.results.schema import Array, Check, Diagnosis, Environment, Evidence, Exercise, Isolation, Results

VALUES = {"what": "the output", "got": 2.5, "want": 1.0, "index": [0, 1], "error": 1.5, "limit": 1e-5}


@pytest.fixture
def results() -> Results:
    failed = Check(
        id="attention.softmax_values", task="softmax", title="Each row adds up to one.", status="failed",
        reason="value", code="wrong_value", values=VALUES, message=render("wrong_value", VALUES),
        points=0, possible=2, seconds=0.01,
        evidence=Evidence(
            dims={"T": 2, "kind": "large", "scale": 0.5},
            expected=Array(label="expected", shape=[2, 2], corner=[2, 2], values=[1.0, 0.0, 0.5, 0.5]),
            got=Array(label="yours", shape=[2, 2], corner=[1, 2], values=["nan", "-inf"]),
            worst=[0, 1],
        ),
    )  # fmt: skip
    passed = Check(id="attention.mask", task="attention", title="It hides.", status="passed", points=2, possible=2)
    others = [
        Check(id=f"attention.{status}", task="MultiHeadAttention", title="…", status=status, points=0, possible=1)
        for status in ("not_started", "blocked", "error")
    ]
    bug = Diagnosis(task="softmax", bug="wrong_axis", what="It runs over rows.", why="dim is -1.", evidence="12 of 12")
    exercise = Exercise(
        name="attention", title="Attention", track="core", status="failed", points=2, possible=7,
        checks=[failed, passed, *others], diagnoses=[bug],
    )  # fmt: skip
    return Results(
        student="Ömer", points=2, possible=7, seconds=0.5, exercises=[exercise], problems=["One file is missing."],
        isolation=Isolation(level=4, name="bubblewrap", features={"network": False}),
        environment=Environment(grader="0", python="3", torch="2", platform="x", course="c", submission="s", salt="t"),
    )  # fmt: skip
