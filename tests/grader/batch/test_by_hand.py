"""Points and words of a person for somebody who handed in nothing: they count, and stand on a page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from grader.batch.overrides import Override, Overrides
from grader.batch.pages import standard
from grader.batch.reread import reread
from grader.errors import EngineError
from grader.report.rows import Row
from grader.results.schema import Origin
from grader.submission.model import Submission

Batch = Callable[..., list[Row]]
NOBODY = Submission("ada", {}, ("Not handed in.",), Origin(ids={"canvas": "7"}))


def by_hand(**said: Any) -> Overrides:
    return Overrides(overrides=(Override(student="ada", **said),))


def graded_as_nothing(fake: ModuleType) -> Callable[[Submission], Any]:
    return lambda submission: fake.results(submission, "not_started")


@pytest.mark.parametrize(("said", "final"), [({"points": 0}, 0), ({"points": 1.5, "exercise": "attention"}, 1.5)])
def test_points_by_hand_of_somebody_who_handed_in_nothing_count(
    batch: Batch, fake: ModuleType, out: Path, said: dict[str, Any], final: float
) -> None:
    decided = by_hand(reason="Oral exam.", comment="Well told.", **said)
    for _again in range(2):
        (row,) = batch([NOBODY], graded_as_nothing(fake), overrides=decided, pages=standard())
        assert row.results
        assert (row.results.final, row.problem, row.href) == (final, "Not handed in.", "students/ada/report.html")
    page = (out / "students/ada/report.html").read_text("utf-8")
    assert "Well told." in page
    assert "Not handed in." in page
    book = (out / "gradebook.csv").read_text("utf-8")
    assert f'"by hand","Not handed in.",{final:g},"Oral exam."' in book
    index = (out / "index.html").read_text("utf-8")
    assert [told for told in ("By hand", "Oral exam. Well told.", "Not handed in.") if told not in index] == []
    ((again,), gone) = reread(out)
    assert (again.results, again.problem, gone) == (row.results, row.problem, [])
    assert again.whose == NOBODY.origin


def test_a_comment_alone_makes_a_page_and_no_zero(batch: Batch, fake: ModuleType, out: Path) -> None:
    (row,) = batch([NOBODY], graded_as_nothing(fake), overrides=by_hand(comment="Come and see me."), pages=standard())
    assert (row.results, row.problem, row.href) == (None, "Not handed in.", "students/ada/report.html")
    assert "Come and see me." in (out / "students/ada/report.html").read_text("utf-8")
    assert '"no results","Not handed in.",""' in (out / "gradebook.csv").read_text("utf-8")
    assert reread(out) == ([row], [])


def test_results_by_hand_alone_go_with_their_override(batch: Batch, fake: ModuleType, grader: Any, out: Path) -> None:
    batch([NOBODY], graded_as_nothing(fake), overrides=by_hand(points=1, reason="Oral."))
    (row,) = batch([NOBODY], grader)
    assert (row.results, row.problem, grader.graded) == (None, "Not handed in.", [])
    assert not (out / "students/ada").exists()
    (row,) = batch([fake.submission("ada")], grader, overrides=by_hand(points=1, reason="Oral."))
    assert (row.problem, grader.graded) == (None, ["ada"])
    batch([NOBODY], grader)
    assert (out / "students/ada/report.html").is_file(), "what was graded is kept"


def test_points_by_hand_wait_where_grading_fails(batch: Batch, fake: ModuleType) -> None:
    fails = fake.Grader({"ada": EngineError("Down.")})
    (row,) = batch([fake.submission("ada")], fails, overrides=by_hand(points=3, reason="x"))
    assert row.problem == "Down. Points of an override wait until there are results."
