"""Which stand-ins a process is given: none that a submission brings itself, where its own work is watched."""

from __future__ import annotations

from pathlib import Path

from grader.catalogue.load import load_course
from grader.run.plan import Kind, kinds

COURSE = load_course(Path(__file__).parents[1] / "data" / "toy")


def test_a_watched_process_holds_stand_ins_for_missing_files_only() -> None:
    kind = Kind((), (("scale", ("scale",)),), ("softmax",), "Block")
    assert kind.given({"scale", "block"}).standins(COURSE) == b""
    assert kind.given({"block"}) == kind
    assert kind.standins(COURSE) != b""


def test_a_graded_process_always_holds_its_stand_ins() -> None:
    kind = kinds(COURSE, COURSE.exercise("block"))["block_values"]
    assert kind.given({"scale", "block"}) == kind
    assert kind.standins(COURSE) != b""


def test_a_task_alone_has_the_processes_of_its_own_checks() -> None:
    block, scale = COURSE.exercise("block"), COURSE.exercise("scale")
    task = block.tasks[0]
    assert kinds(COURSE, block, [task.name]) == {c.name: kinds(COURSE, block)[c.name] for c in task.checks}
    assert kinds(COURSE, scale, [task.name]) == {}
