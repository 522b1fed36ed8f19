"""A regrade: who gains, who loses, and by which checks, in data, on the page and in the terminal."""

from __future__ import annotations

import io
from typing import Any

import pytest
from msgspec.structs import replace
from rich.console import Console

from grader.report import changes_page
from grader.report.changes import CheckChange, causes, changes
from grader.report.terminal_changes import changes_table
from grader.results.schema import Adjustment, Check, Exercise, Isolation, Results, Status


def check(name: str, status: Status, possible: float, title: str = "It holds.") -> Check:
    earned = possible if status == "passed" else 0.0
    return Check(
        id=f"attention.{name}", task="t", title=title, status=status, points=earned, possible=possible
    )  # fmt: skip


def results(results: Results, student: str, *checks: Check) -> Results:
    points, possible = sum(c.points for c in checks), sum(c.possible for c in checks)
    row = Exercise(
        name="attention", title="Attention", track="core", status="passed", points=points, possible=possible,
        checks=list(checks),
    )  # fmt: skip
    return replace(
        results, student=student, exercises=[row], points=points, possible=possible, adjustments=[],
        isolation=Isolation(level=4, name="n"),
    )  # fmt: skip


@pytest.fixture
def pairs(sample: Results) -> list[tuple[Results, Results]]:
    def pair(student: str, before: list[Check], after: list[Check]) -> tuple[Results, Results]:
        return results(sample, student, *before), results(sample, student, *after)

    one, two = check("one", "passed", 2), check("two", "passed", 1)
    return [
        pair("same", [one], [one]),
        pair("gains", [check("one", "failed", 2)], [one]),
        pair("loses", [one, two], [check("one", "failed", 2), check("two", "passed", 1)]),
        pair("loses most", [one], []),
        pair("other words", [one], [replace(one, title="It holds now.")]),
        pair("no points", [check("one", "failed", 2)], [check("one", "not_started", 2)]),
    ]


def test_losses_come_first_and_the_unchanged_last(pairs: list[tuple[Results, Results]]) -> None:
    found = changes(pairs)
    assert [(change.student, change.delta, len(change.exercises)) for change in found] == [
        ("loses", -2, 1), ("loses most", -2, 1), ("gains", 2, 1), ("no points", 0, 1), ("other words", 0, 0),
        ("same", 0, 0),
    ]  # fmt: skip
    assert [check.statuses for check in found[0].exercises[0].checks] == [("passed", "failed")]
    assert found[1].exercises[0].checks[0].after is None


def test_checks_are_counted_over_the_class(pairs: list[tuple[Results, Results]]) -> None:
    assert [(c.id, c.gained, c.lost, c.points) for c in causes(changes(pairs))] == [("attention.one", 1, 2, -2)]


def test_points_are_those_of_the_gradebook(pairs: list[tuple[Results, Results]]) -> None:
    old, new = pairs[1]
    by_hand = Adjustment(kind="override", before=2, after=1.5, reason="r")
    (change,) = changes([(old, replace(new, adjustments=[by_hand]))])
    assert (change.before, change.after, change.delta) == (0, 1.5, 1.5)


def test_points_by_hand_that_stay_are_named_with_what_the_course_gave(sample: Results) -> None:
    """A check is worth more: the total of one and the exercise of another are set by hand."""
    before = [check("one", "passed", 2), check("two", "passed", 1)]
    after = [check("one", "passed", 4), check("two", "passed", 1)]
    total = Adjustment(kind="override", before=3, after=2.5, reason="r")
    part = Adjustment(kind="override", exercise="attention", before=3, after=1.5, reason="r")
    pairs = [
        (replace(results(sample, student, *before), adjustments=made),
         replace(results(sample, student, *after), adjustments=[replace(one, before=5) for one in made]))
        for student, made in (("whole", [total]), ("part", [part]), ("free", []))
    ]  # fmt: skip
    found = changes(pairs)
    assert [(change.student, change.delta) for change in found] == [("free", 2), ("part", 0), ("whole", 0)]
    assert [[changes_page.held(one) for one in change.held] for change in found] == [
        [],
        ["Attention set by hand: 1.5 stays. The course gave 3 points for it and gives 5."],
        ["Total set by hand: 2.5 stays. The course gave 3 points for it and gives 5."],
    ]
    console = Console(file=io.StringIO(), width=100, color_system=None)
    console.print(changes_table(found))
    page = changes_page.render("Class", found)
    for told in (
        "1 gain, 0 lose, 2 keep their points. Nothing",
        "2 students have points set by hand: they stay, whatever the checks say.",
        "Total set by hand: 2.5 stays. The course gave 3",
    ):
        assert told in " ".join(console.file.getvalue().split())  # type: ignore[attr-defined]
        assert told.removesuffix(" Nothing") in page
    old, _new = pairs[0]
    assert not changes([(old, old)])[0].held


def test_the_page_of_what_was_accepted_says_so_and_why(pairs: list[tuple[Results, Results]]) -> None:
    waits, accepted = (changes_page.render("Class", changes(pairs), why) for why in (None, "a <b>wrong</b> seed"))
    assert "Nothing is replaced yet." in waits
    assert "grade accept" in waits
    assert "Accepted, and in place: a &lt;b&gt;wrong&lt;/b&gt; seed" in accepted
    assert "replaced yet" not in accepted
    assert "grade accept" not in accepted


def test_the_page_names_everybody_and_is_not_fooled(pairs: list[tuple[Results, Results]], build: Any) -> None:
    old, new = pairs[1]
    odd = [
        (replace(old, student=text), results(new, text, check("one", "passed", 2, title=text)))
        for text in build.HOSTILE.values()
    ]
    page = changes_page.render(build.HOSTILE["html"], changes([*pairs, *odd]))
    assert "<script>" not in page
    assert "onerror=alert(1)>" not in page
    for words in ("Regrade", "loses most", "−2", "+2", "passed (2 of 2) → failed (0 of 2)", "not there"):
        assert words in page


@pytest.mark.parametrize(("points", "told"), [(3, "+3"), (-1.5, "−1.5"), (0, "±0")])
def test_signs(points: float, told: str) -> None:
    assert changes_page.signed(points) == told


def test_a_check_that_is_new_gives_its_points() -> None:
    new = CheckChange("a.b", "t", "T", None, check("b", "passed", 3))
    assert (new.delta, changes_page.verdict(new)) == (3, "not there → passed (3 of 3)")


def test_the_terminal_says_the_same_in_few_lines(pairs: list[tuple[Results, Results]]) -> None:
    console = Console(file=io.StringIO(), width=100, color_system=None)
    console.print(changes_table(changes(pairs * 4)))
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert "24 students with other results: 4 gain, 8 lose, 12 keep their points." in text
    assert "attention.one: 4 gain, 8 lose" in text
    assert len(text.splitlines()) == 2 + 12
