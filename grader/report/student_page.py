"""The student's page: one self-contained HTML file, laid out as a marked exam sheet."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import accumulate, chain, groupby, islice

from grader.language import N_, _
from grader.report import adjustments, grid, own_code, tasks
from grader.report.curve import BELOW, HEIGHT, LEFT, WIDTH, curve
from grader.report.drawing import Drawing
from grader.report.heat import heat_maps
from grader.report.next_step import next_step
from grader.report.page import environment
from grader.results.schema import Check, Exercise, Note, Results, Status, Training

INPUT_SIDE = 6  # rows and columns of an input that are shown
PRINTED = 60_000  # characters of what the student's code printed, over all checks
LEFT_OUT = N_("Left out here, since this page has shown so much output already: grade this exercise alone to see it.")
MAPS = 36  # failed checks with heat maps: enough for whoever reads them, and a page stays below a megabyte


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
        adjustments=adjustments.lines(results),
        by_hand=adjustments.by_hand(results),
        tasks=tasks.tasks,
        whole_file=tasks.whole_file,
        following=next_step(results),
        maps=_maps(results),
        plates=lambda exercise: [plate for picture in exercise.pictures if (plate := own_code.plate(picture))],
        inputs=lambda check: [g for array in check.evidence.inputs if (g := grid.single(array, INPUT_SIDE))],
        printed=_printed(results),
        anchors={exercise.name: f"exercise-{n}" for n, exercise in enumerate(results.exercises, 1)},
    )  # fmt: skip


def _maps(results: Results) -> Callable[[Check | Note], list[Drawing] | None]:
    """The heat maps of a check or note of this page; None after the first MAPS."""
    shown = (thing for exercise in results.exercises for thing in _with_evidence(exercise))
    drawn = {id(thing) for thing in islice(shown, MAPS)}

    def maps(thing: Check | Note) -> list[Drawing] | None:
        if thing.evidence is None or (thing.evidence.expected is None and thing.evidence.got is None):
            return []
        return heat_maps(thing.evidence) if id(thing) in drawn else None

    return maps


def _printed(results: Results) -> Callable[[Check], str]:
    """What a check of this page shows of its detail: all of it, while there is room."""
    checks = [check for exercise in results.exercises for check in exercise.checks if check.detail]
    sums = accumulate(len(check.detail) for check in checks)
    full = {id(check) for check, so_far in zip(checks, sums, strict=True) if so_far > PRINTED}
    return lambda check: _(LEFT_OUT) if id(check) in full else check.detail


def _with_evidence(exercise: Exercise) -> Iterator[Check | Note]:
    things: Iterator[Check | Note] = chain(exercise.notes, exercise.checks)
    return (thing for thing in things if thing.evidence and (thing.evidence.expected or thing.evidence.got))


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
        Share("passed", results.points, _("earned")),
        Share("failed", lost["failed"], _("lost to failed checks")),
        Share("not_started", lost["not_started"], _("not written yet")),
        Share("not_graded", sum(e.possible for e in results.exercises if not e.checks), _("not graded yet")),
        Share("error", lost["error"] + lost["blocked"], _("not judged yet")),
    ]
    return [part for part in parts if part.points > 0]
