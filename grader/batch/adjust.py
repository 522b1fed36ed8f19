"""Results with what people and the late policy give or take. Checks are never changed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from msgspec.structs import replace

from grader.batch.late import LatePolicy, explained, lateness, points_left
from grader.batch.overrides import Override, Overrides
from grader.language import N_
from grader.results.schema import Adjustment, Results, total


def adjusted(results: Results, overrides: Overrides) -> Results:
    """In this order: exercises that a person has set, the late policy, a total that a person has set, comments.

    A total that a person has set is the last word: then lateness takes nothing more.
    """
    mine = overrides.of(results.student)
    made = [_exercise(results, one) for one in mine if one.points is not None and one.exercise is not None]
    subtotal = total([results.points, *(a.after - a.before for a in made)])
    whole = next((one for one in mine if one.points is not None and one.exercise is None), None)
    if whole:
        made.append(_override(whole, subtotal))
    elif policy := overrides.policy_for(results.student):
        made += _late(results, policy, subtotal, overrides.submitted_by(results.student))
    return replace(results, adjustments=[*made, *(_comment(results, one) for one in mine if one.points is None)])


def _exercise(results: Results, override: Override) -> Adjustment:
    return _override(override, _points_of(results, override.exercise))


def _override(override: Override, before: float) -> Adjustment:
    return Adjustment(
        kind="override", exercise=override.exercise, before=before, after=override.points or 0.0,
        reason=override.reason, comment=override.comment,
    )  # fmt: skip


def _comment(results: Results, override: Override) -> Adjustment:
    points = _points_of(results, override.exercise)
    return Adjustment(
        kind="comment", exercise=override.exercise, before=points, after=points,
        reason=override.reason, comment=override.comment,
    )  # fmt: skip


def _points_of(results: Results, exercise: str | None) -> float:
    if exercise is None:
        return results.points
    return next((row.points for row in results.exercises if row.name == exercise), 0.0)


def _late(results: Results, policy: LatePolicy, points: float, by_hand: datetime | None) -> Iterator[Adjustment]:
    """`by_hand`: when it was handed in, by the instructor's word, which is before the platform's."""
    told = by_hand.isoformat() if by_hand else results.origin.submitted if results.origin else None
    if told is None:
        return
    submitted = _instant(told)
    if submitted is None:
        reason = N_(f"The time of the submission, {told!r}, has no time zone: lateness was not counted.")
        yield Adjustment(kind="late", before=points, after=points, reason=reason)
    elif late := lateness(policy, submitted):
        reason = explained(policy, late, points)
        if by_hand:
            reason = N_(f"{reason} The time of the submission, {told}, was entered by your instructor.")
        yield Adjustment(kind="late", before=points, after=points_left(late, points), reason=reason)


def _instant(text: str) -> datetime | None:
    """Of an ISO time with an offset."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.utcoffset() is not None else None
