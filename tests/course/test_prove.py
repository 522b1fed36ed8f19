"""The course proves itself: stubs are not started, references earn everything, stubs are in step."""

from __future__ import annotations

from pathlib import Path

from grader.audit.prove import prove
from grader.catalogue.load import load_course

COURSE = load_course(Path(__file__).parents[2])


def test_everything_holds() -> None:
    assert prove(COURSE, COURSE.names).findings == ()


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
