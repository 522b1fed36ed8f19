"""The course proves itself: `grade check` finds nothing, and the published figures are those of today."""

from __future__ import annotations

from pathlib import Path

from grader.audit.page import page
from grader.audit.prove import prove
from grader.catalogue.load import load_course

ROOT = Path(__file__).parents[2]
COURSE = load_course(ROOT)


def test_everything_holds_and_the_page_says_so() -> None:
    """Minutes long: every known bug and every right answer in another style is graded."""
    proof = prove(COURSE, COURSE.names)
    assert proof.findings == ()
    assert (ROOT / "docs" / "proof.md").read_text("utf-8") == page(COURSE, COURSE.names, proof), (
        "out of step: `grade check --write docs/proof.md`"
    )


def test_the_core_track_is_worth_a_hundred_points_as_published() -> None:
    core = {e.name: e.points for e in COURSE.exercises if e.track == "core"}
    assert core == {
        "masking": 12, "attention": 24, "layer_norm": 10, "positional_encoding": 10,
        "encoder": 16, "decoder": 14, "generate": 14,
    }  # fmt: skip
    assert sum(core.values()) == 100


def test_the_first_hint_does_not_hold_the_last() -> None:
    for exercise in COURSE.exercises:
        for task in exercise.tasks:
            first, _, last = task.hints
            assert len(first) < 200
            steps = [step.strip() for step in last.split(";") if len(step) > 15]
            assert not any(step in first for step in steps), task.name
