"""The entries of known bugs: pairs of lines, marks, and what a course with secret references publishes."""

from __future__ import annotations

import sys

import pytest

from grader.catalogue.bugs import load_bugs
from grader.catalogue.load import load_course

from .blocks import ROOT

sys.path.append(str(ROOT / "docs" / "_ext"))

import diagnoses
import marked
from pairs import Pair, pairs_of

RIGHT = "def f(x):\n    # BEGIN SOLUTION\n    y = x + 1\n    return y\n    # END SOLUTION\n"


@pytest.mark.parametrize(
    ("wrong", "pair"),
    [
        (RIGHT.replace("+", "-"), Pair(("y = x - 1",), ("y = x + 1",))),
        (RIGHT.replace("    y = x + 1\n", ""), Pair(("def f(x):",), ("def f(x):", "    y = x + 1"))),
        (RIGHT.replace("    return", "    y += 1\n    return"), Pair(("y = x + 1", "y += 1"), ("y = x + 1",))),
    ],
)
def test_lines_that_differ_stand_side_by_side(wrong: str, pair: Pair) -> None:
    assert pairs_of(RIGHT, wrong) == [pair]


def test_only_what_differs_is_marked_and_all_is_escaped() -> None:
    wrong, right = marked.both("a < b(1)", "a < c(1)")
    assert wrong.count("<mark>") == right.count("<mark>") == 1
    assert '<mark><span class="n">b</span></mark>' in wrong
    assert "&lt;" in wrong


def test_without_published_references_no_line_of_one_is_shown() -> None:
    course = load_course(ROOT, configured=False)
    masking = course.exercise("masking")
    told, secret = diagnoses.page(course, masking), diagnoses.page(course, masking, lines=False)
    assert "lines of the reference" in told
    assert "lines of the reference" not in secret
    assert "tril" in told
    assert 'class="highlight"' not in secret
    assert all(bug.name in secret for bug in load_bugs(course, masking))


def test_words_of_the_course_are_no_markup() -> None:
    assert diagnoses.said("a*b and `c*d` <i>") == r"a\*b and `c*d` \<i\>"
    assert diagnoses.sentence("your mask is wrong") == "Your mask is wrong."
