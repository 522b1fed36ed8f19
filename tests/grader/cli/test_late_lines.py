"""Who has no hand-in time is told shortly, with what to write where."""

from __future__ import annotations

from datetime import datetime
from types import SimpleNamespace
from typing import Any

from grader.batch.late import LatePolicy
from grader.batch.overrides import Override, Overrides
from grader.cli.late_lines import without_time
from grader.report.rows import Row
from grader.results.schema import Origin

POLICY = LatePolicy(datetime.fromisoformat("2026-11-01T23:59:00+01:00"), percent_per_day=10)


def row(student: str, origin: Origin | None = None, problem: str | None = None) -> Row:
    results: Any = SimpleNamespace(student=student, origin=origin)
    return Row(student, results, problem, None)


def test_canvas_names_only_those_it_marks_as_late() -> None:
    rows = [row(f"s{n}", Origin(late=False)) for n in range(40)]
    late = [row('Li "Lee" Wei', Origin(late=True)), row("Ada", Origin(late=True))]
    assert list(without_time([*rows, *late], Overrides(POLICY))) == [
        "[late]: no hand-in time is known for 42 students: nothing was taken. "
        'The platform marks as late: Li "Lee" Wei, Ada.',
        "  Write into the overrides, below [submitted], when somebody handed in: "
        '"Li \\"Lee\\" Wei" = 2026-11-02T23:59:00+01:00',
    ]
    assert list(without_time(rows, Overrides(POLICY))) == [
        "[late]: no hand-in time is known for 40 students: nothing was taken. The platform marks none of them as late."
    ]


def test_nothing_is_missed_where_a_time_or_a_total_is_entered_or_nothing_was_handed_in() -> None:
    entered = Overrides(
        POLICY, submitted=(("ada", POLICY.due),), overrides=(Override(student="ben", points=3, reason="Oral."),)
    )
    rows = [row("ada"), row("ben"), row("cleo", Origin(submitted="2026-11-01T00:00:00Z")), row("dan", None, "Nothing.")]
    assert list(without_time(rows, entered)) == []
    assert list(without_time(rows, Overrides())) == []
