"""What was given or taken beside the checks is shown as such, and the checks as they are."""

from __future__ import annotations

import io
import re

import pytest
from msgspec.structs import replace
from rich.console import Console

from grader.report import class_page, student_page
from grader.report.adjustments import briefly, lines
from grader.report.rows import Row
from grader.report.terminal import class_table
from grader.results.schema import Adjustment, Results


@pytest.fixture
def adjusted(sample: Results) -> Results:
    name = sample.exercises[0].name
    return replace(sample, adjustments=[
        Adjustment(kind="override", exercise=name, before=1, after=3.5, reason="Oral <b>exam</b>.", comment="Good."),
        Adjustment(kind="late", before=10, after=8, reason="Handed in 1 day after the due time."),
        Adjustment(kind="comment", before=5, after=5, reason="", comment="See me.\u202e"),
    ])  # fmt: skip


def test_lines(adjusted: Results) -> None:
    title = adjusted.exercises[0].title
    assert [(line.what, line.points) for line in lines(adjusted)] == [
        (f"{title}: points set by your instructor", "1 → 3.5"), ("Late submission", "10 → 8"),
        ("The whole submission: a comment by your instructor", ""),
    ]  # fmt: skip


def test_the_page_shows_them_beside_the_checks(sample: Results, adjusted: Results) -> None:
    before, after = student_page.render(sample), student_page.render(adjusted)
    assert "Beside the checks" not in before
    assert f"{adjusted.final:g} count." in after
    assert "Oral &lt;b&gt;exam&lt;/b&gt;." in after
    assert "See me.\\u202e" in after
    assert before[before.index("<main") :] == after[after.index("<main") :], "no check is shown otherwise"


def test_the_row_of_an_exercise_shows_what_was_set_by_hand(adjusted: Results) -> None:
    page = student_page.render(adjusted)
    assert page.count("by hand <span") == 1
    assert f'{adjusted.exercises[0].points:g} → 3.5 by hand <span class="soft">' in page


def test_a_comment_alone_moves_nothing(sample: Results) -> None:
    said = replace(sample, adjustments=[Adjustment(kind="comment", before=5, after=5, reason="", comment="Hello.")])
    assert briefly(said) == ""
    page = student_page.render(said)
    assert "Hello." in page
    assert "count.</p>" not in page
    assert "by hand" not in page
    assert "*" not in re.sub(
        "(?s)<(style|script)>.*?</", "", class_page.render("Class", [Row("ada", said, None, None)])
    )


def test_the_terminal_shows_both_sums(adjusted: Results) -> None:
    console = Console(file=io.StringIO(), width=160, color_system=None)
    console.print(class_table([Row("ada", adjusted, None, None)]))
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert f"{adjusted.points:g} by the checks, {adjusted.final:g} with what was adjusted" in text
    assert f"{adjusted.final:g} of {adjusted.possible:g}" in text
