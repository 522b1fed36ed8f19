"""The course proves itself, as far as there is time for it in every run; `grade check` goes all the way."""

from __future__ import annotations

from pathlib import Path

from grader.audit.prove import prove
from grader.catalogue.bugs import load_bugs
from grader.catalogue.load import load_course

COURSE = load_course(Path(__file__).parents[2], configured=False)


def test_a_part_of_the_proof_holds() -> None:
    """Three known bugs of every task and every right answer in another style; `grade check` takes all of them."""
    proof = prove(COURSE, COURSE.names, quick=True)
    assert proof.findings == ()
    assert len(proof.kills) >= 3 * len(COURSE.tasks) - 1
    assert len(proof.idioms) >= 60


def test_there_are_known_bugs_of_every_task() -> None:
    bugs = [bug for exercise in COURSE.exercises for bug in load_bugs(COURSE, exercise)]
    assert {bug.task for bug in bugs} == set(COURSE.tasks)
    assert len(bugs) >= 150
    assert sum(bool(bug.invariant) for bug in bugs) <= 0.05 * len(bugs)


def test_the_core_track_is_worth_a_hundred_points_as_published() -> None:
    core = {e.name: e.points for e in COURSE.exercises if e.track == "core"}
    assert core == {
        "masking": 12, "attention": 24, "layer_norm": 10, "positional_encoding": 10,
        "encoder": 16, "decoder": 14, "generate": 14,
    }  # fmt: skip
    assert sum(core.values()) == 100


def test_the_first_hint_is_short() -> None:
    assert not [t.name for e in COURSE.exercises for t in e.tasks if len(t.hints[0]) >= 200]
