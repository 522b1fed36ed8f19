"""The student's page: one self-contained HTML file, laid out as a marked exam sheet."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from grader.report import grid, tasks
from grader.report.curve import BELOW, HEIGHT, LEFT, WIDTH, curve
from grader.report.page import environment
from grader.results.schema import Results, Status, Training

SIDE, INPUT_SIDE = 6, 6  # rows and columns of an array that are shown


def render(results: Results, training: Training | None = None) -> str:
    """The page as text, to be written as UTF-8. `training`: what `grade show train` saw, if there was one."""
    return page("student.html.j2", results, training=training)


def page(template: str, results: Results, training: Training | None = None, **more: str) -> str:
    """A template that shows exercises, with all that it may ask for."""
    return environment().get_template(template).render(
        **more,
        results=results,
        training=training,
        curve=curve(training) if training else None,
        size=(WIDTH, HEIGHT, LEFT, BELOW),
        tracks=[(track, list(group)) for track, group in groupby(results.exercises, lambda e: e.track)],
        shares=shares(results),
        tasks=tasks.tasks,
        whole_file=tasks.whole_file,
        pair=lambda check: grid.pair(check.evidence, SIDE),
        inputs=lambda check: [g for array in check.evidence.inputs if (g := grid.single(array, INPUT_SIDE))],
        anchors={exercise.name: f"exercise-{n}" for n, exercise in enumerate(results.exercises, 1)},
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Share:
    """A part of the possible points, for the bar."""

    kind: str
    points: float
    label: str


def shares(results: Results) -> list[Share]:
    """Where the points are: earned, lost to failed checks, and not decided yet. Empty parts are left out."""
    lost: dict[Status, float] = dict.fromkeys(("failed", "not_started", "blocked", "error"), 0.0)
    for check in (c for e in results.exercises for c in e.checks):
        lost["failed" if check.status == "passed" else check.status] += check.possible - check.points
    parts = [
        Share("passed", results.points, "earned"),
        Share("failed", lost["failed"], "lost to failed checks"),
        Share("not_started", lost["not_started"], "not written yet"),
        Share("error", lost["error"] + lost["blocked"], "not judged yet"),
    ]
    return [part for part in parts if part.points > 0]
