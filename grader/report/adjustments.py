"""What was given or taken beside the checks, in words, for page and terminal."""

from __future__ import annotations

from dataclasses import dataclass

from grader.language import _, said
from grader.report.words import number
from grader.results.schema import Adjustment, Results


@dataclass(frozen=True, slots=True)
class Line:
    """`points`: `85 → 68`; empty for a comment."""

    what: str
    points: str
    reason: str
    comment: str


def lines(results: Results) -> list[Line]:
    """One for each adjustment, in their order."""
    titles = {exercise.name: said(exercise.title) for exercise in results.exercises}
    return [_line(adjustment, titles) for adjustment in results.adjustments]


def by_hand(results: Results) -> dict[str, float]:
    """The exercises whose points a person has set, and to what."""
    return {one.exercise: one.after for one in results.adjustments if one.kind == "override" and one.exercise}


def moves_points(results: Results) -> bool:
    """Whether a person or a rule had a hand in the total. A comment alone, or a lateness that took nothing, has not."""
    return any(one.kind == "override" or one.before != one.after for one in results.adjustments)


def briefly(results: Results) -> str:
    """For a line of a table: `60 of the checks, 55 after adjustments`; empty without any that moves points."""
    if not moves_points(results):
        return ""
    told = _("{points} by the checks, {final} with what was adjusted")
    return told.format(points=number(results.points), final=number(results.final))


def _line(adjustment: Adjustment, titles: dict[str, str]) -> Line:
    name = adjustment.exercise
    about = titles.get(name, name) if name else _("The whole submission")
    kinds = {
        "override": _("{about}: points set by your instructor"),
        "late": _("Late submission"),
        "comment": _("{about}: a comment by your instructor"),
    }
    moved = adjustment.kind != "comment"
    points = f"{number(adjustment.before)} → {number(adjustment.after)}" if moved else ""
    return Line(kinds[adjustment.kind].format(about=about), points, said(adjustment.reason), adjustment.comment)
