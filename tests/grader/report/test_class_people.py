"""Misconceptions, who may need help, what moved since the last run, and the spread of each exercise."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from grader.report import class_numbers, student_page
from grader.report.class_page import render
from grader.report.misconceptions import misconceptions
from grader.report.needs import needs
from grader.report.rows import Row
from grader.report.since_last import compared
from grader.results.schema import Adjustment, Status

from .test_class_page import cells, table_rows


def test_misconceptions_name_each_student_once_and_the_commonest_comes_first(build: Any, parse: Any) -> None:
    attention = build.part("attention")
    other = [msgspec.structs.replace(attention.diagnoses[0], bug="other", what="another bug")]
    twice = msgspec.structs.replace(attention, diagnoses=attention.diagnoses * 2)
    both = msgspec.structs.replace(attention, diagnoses=[*other, *attention.diagnoses])
    rows = [
        Row(n, build.results(n, [build.part("masking"), e]), None, f"students/{n}/report.html")
        for n, e in (("ada", both), ("ben", twice))
    ]
    found = misconceptions(rows)
    assert [[row.student for row in one.rows] for one in found] == [["ada", "ben"], ["ada"]]
    section = re.search(r'(?s)<section id="misconceptions".*?</section>', render("Class", rows))
    assert section
    links = [(a.text, a.attributes["href"]) for a in parse(section[0]).all("a")]
    first = [(n, f"students/{n}/report.html#exercise-2") for n in ("ada", "ben")]
    assert links == [*first, first[0]]
    assert rows[0].results
    assert 'id="exercise-2"' in student_page.render(rows[0].results)


def test_many_students_of_a_misconception_are_folded(make_class: Any) -> None:
    assert "students</summary>" in render("Class", make_class(60))
    assert "students</summary>" not in render("Class", make_class(8))


def begun(build: Any, name: str, *statuses: Status) -> Row:
    """A student with exercises e0, e1, … of one check each."""
    exercises = [
        build.exercise(f"e{n}", f"Exercise {n}", s, [build.check(f"e{n}", "t", "c", "T", s)])
        for n, s in enumerate(statuses)
    ]
    return Row(name, build.results(name, exercises), None, None)


def test_who_may_need_help_and_why(build: Any) -> None:
    broken = build.failure("e0", "t", "c", "T", "crash", "syntax_error", "e0.py is not valid Python.")
    passed = build.exercise("e1", "Exercise 1", "passed", [build.check("e1", "t", "c", "T")])
    rows = [
        *(begun(build, f"good{n}", "passed", "passed", "passed", "passed") for n in range(5)),
        begun(build, "last one open", "passed", "passed", "passed", "failed"),
        begun(build, "skipped one", "passed", "failed", "passed", "failed"),
        Row("nothing", None, "It is empty.", None),
        begun(build, "stubs", "not_started", "not_started", "blocked", "not_started"),
        begun(build, "stuck", "passed", "failed", "not_started", "failed"),
        begun(build, "few", "passed", "not_started", "not_started", "blocked"),
        begun(build, "unjudged", "passed", "passed", "passed", "error"),
        Row("broken", build.results("broken", [build.exercise("e0", "E", "failed", [broken]), passed]), None, None),
    ]
    assert [(need.row.student, [reason.text for reason in need.reasons]) for need in needs(rows)] == [
        ("nothing", ["Nothing could be graded: It is empty."]),
        ("stubs", ["Nothing is written yet."]),
        ("broken", ["e0.py is not valid Python."]),
        ("stuck", ["Stuck at Exercise 1, which 8 of 12 have passed, and nothing after it is passed."]),
        ("few", ["Among the lowest quarter, and 3 of 4 exercises are not written yet."]),
        ("unjudged", ["1 check could not be judged, which is the grader's fault: run the batch again."]),
    ]


def test_practice_makes_nobody_need_help(build: Any) -> None:
    one = begun(build, "ada", "passed", "failed", "not_started")
    assert one.results
    free = [msgspec.structs.replace(e, possible=0.0) for e in one.results.exercises[1:]]
    rows = [Row("ada", build.results("ada", [one.results.exercises[0], *free]), None, None)]
    assert needs(rows) == []


def test_what_changed_since_the_last_run(build: Any, parse: Any) -> None:
    before = [
        begun(build, "ada", "failed", "passed"),
        begun(build, "ben", "passed", "passed"),
        begun(build, "eve", "passed", "failed"),
        begun(build, "gone", "passed", "passed"),
    ]
    now = [
        begun(build, "ada", "passed", "passed"),
        begun(build, "ben", "passed", "failed"),
        begun(build, "eve", "passed", "failed"),
        begun(build, "new", "passed", "failed"),
        Row("none", None, "It is empty.", None),
    ]
    found = compared(now, before)
    assert found
    assert found.points == {"ada": 2, "ben": -2, "eve": 0}
    assert (found.gained, found.lost, found.joined, found.gone) == (1, 1, 1, 1)
    assert (found.before, found.now) == (2, 2)
    assert [(m.name, m.gained, m.lost) for m in found.exercises] == [("e0", 1, 0), ("e1", 0, 1)]
    html = render("Class", now, before)
    assert [cells(line)[3] for line in table_rows(html)] == ["↑ 2", "↓ 2", "", "", ""]
    assert "Of 3 students with results in both runs, 1 have more points now and 1 fewer" in html
    assert parse(html).all("table", "change")


def test_students_with_more_points_are_counted_as_in_the_totals(build: Any) -> None:
    """A check is worth more: whoever passed it has more points, whoever failed it a smaller share and no fewer."""

    def row(name: str, worth: float, status: Status, **more: Any) -> Row:
        checks = [build.check("e", "t", "a", "A"), build.check("e", "t", "b", "B", status, worth)]
        made = build.results(name, [build.exercise("e", "E", status, checks)])
        return Row(name, msgspec.structs.replace(made, **more), None, None)

    by_hand = {"adjustments": [Adjustment(kind="override", before=4, after=3, reason="r")]}
    held = {"adjustments": [Adjustment(kind="override", before=8, after=3, reason="r")]}
    before = [row("ada", 2, "passed"), row("ben", 2, "failed"), row("eve", 2, "passed", **by_hand)]
    now = [row("ada", 6, "passed"), row("ben", 6, "failed"), row("eve", 6, "passed", **held)]
    found = compared(now, before)
    assert found
    (moved,) = found.exercises
    assert (found.gained, found.lost, found.held) == (1, 0, 1)
    assert (moved.gained, moved.lost) == (2, 0)
    html = render("Class", now, before)
    assert "gave 4 points, gives 8" in html
    assert "1 more has points set by hand, which stay although checks moved." in html


def test_without_an_earlier_run_nothing_is_compared(build: Any, make_class: Any) -> None:
    rows = make_class(3)
    assert compared(rows, None) is None
    assert compared(rows, []) is None
    assert compared(rows, [begun(build, "stranger", "passed")]) is None
    assert render("Class", rows) == render("Class", rows, [])


def test_an_exercise_is_spread_over_tenths_and_those_who_have_not_written_it(build: Any) -> None:
    rows = [begun(build, n, s) for n, s in (("a", "passed"), ("b", "failed"), ("c", "not_started"), ("d", "error"))]
    (found,) = class_numbers.spreads(rows)
    assert (found.passed, found.not_written, found.students) == (1, 1, 4)
    assert [b.students for b in found.bins] == [1, 0, 0, 0, 0, 0, 0, 0, 0, 1]
