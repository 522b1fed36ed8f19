"""One's own code is drawn at work; a class does not wait for that."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.catalogue.load import load_course
from grader.catalogue.stubs import as_submission
from grader.run.engine import Engine
from grader.submission.model import SourceFile, Submission

COURSE = load_course(Path(__file__).parents[2])


@pytest.mark.parametrize(("others", "drawn"), [(False, ["causal", "padding"]), (True, [])])
def test_pictures_are_for_those_who_grade_themselves(others: bool, drawn: list[str]) -> None:
    text = as_submission(COURSE.reference_path("masking").read_text("utf-8"))
    with Engine(COURSE, ["masking"], others=others) as engine:
        (masking,) = engine.grade(Submission("ada", {"masking": SourceFile("masking", text)})).exercises
    assert [picture.kind for picture in masking.pictures] == drawn
    assert masking.status == "passed"
