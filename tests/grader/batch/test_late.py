"""The late policy: instants, not clock faces; started days; caps; and a sentence with the same numbers."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from grader.batch.late import LatePolicy, explained, lateness, points_left

DUE = datetime.fromisoformat("2026-11-01T23:59:00+01:00")
POLICY = LatePolicy(DUE, percent_per_day=10, most_percent=50)


def late(after: timedelta, policy: LatePolicy = POLICY) -> tuple[int, float] | None:
    found = lateness(policy, policy.due + after)
    return (found.days, found.percent) if found else None


SECOND, HOUR, DAY = timedelta(seconds=1), timedelta(hours=1), timedelta(days=1)


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (-30 * DAY, None), (timedelta(0), None), (SECOND, (1, 10)), (DAY, (1, 10)), (DAY + SECOND, (2, 20)),
        (4.5 * DAY, (5, 50)), (5 * DAY + SECOND, (6, 50)), (300 * DAY, (300, 50)),
    ],
)  # fmt: skip
def test_a_day_that_has_begun_counts_up_to_the_cap(after: timedelta, expected: tuple[int, float] | None) -> None:
    assert late(after) == expected


def test_days_begin_after_the_grace_period() -> None:
    policy = LatePolicy(DUE, timedelta(minutes=30), 10)
    assert late(timedelta(minutes=30), policy) is None
    assert late(timedelta(minutes=30) + SECOND, policy) == (1, 10)
    assert late(DAY + timedelta(minutes=30), policy) == (1, 10)


def test_after_the_final_day_nothing_is_left_whatever_the_cap() -> None:
    policy = LatePolicy(DUE, percent_per_day=10, most_percent=50, final_day=7)
    assert late(7 * DAY, policy) == (7, 50)
    assert late(7 * DAY + SECOND, policy) == (8, 100)


def test_other_offsets_are_the_same_instant() -> None:
    in_time = [
        "2026-11-01T22:59:00+00:00",
        "2026-11-01T22:59:00Z",
        "2026-11-01T17:59:00-05:00",
        "2026-11-02T06:59+08:00",
    ]
    assert [lateness(POLICY, datetime.fromisoformat(text)) for text in in_time] == [None] * 4
    too_late = lateness(POLICY, datetime.fromisoformat("2026-11-02T07:00:00+08:00"))
    assert too_late is not None
    assert too_late.by == timedelta(minutes=1)


def test_a_night_of_25_hours_is_more_than_a_day() -> None:
    """In Berlin clocks went back on 25 October 2026: the same clock time a day later is 25 hours later."""
    berlin = ZoneInfo("Europe/Berlin")
    due = datetime(2026, 10, 24, 12, tzinfo=berlin).isoformat()
    handed_in = datetime(2026, 10, 25, 12, tzinfo=berlin).isoformat()
    assert (due[-6:], handed_in[-6:]) == ("+02:00", "+01:00")
    policy = LatePolicy(datetime.fromisoformat(due), percent_per_day=10)
    found = lateness(policy, datetime.fromisoformat(handed_in))
    assert found is not None
    assert (found.by, found.days) == (25 * HOUR, 2)
    in_spring = LatePolicy(datetime.fromisoformat("2026-03-28T12:00:00+01:00"), percent_per_day=10)
    shorter = lateness(in_spring, datetime.fromisoformat("2026-03-29T12:00:00+02:00"))
    assert shorter is not None
    assert (shorter.by, shorter.days) == (23 * HOUR, 1)


@pytest.mark.parametrize(
    ("policy", "after", "points", "left", "sentence"),
    [
        (POLICY, DAY + 3 * HOUR, 85, 68,
         "Handed in 1 day 3 h after the due time: 2 started days at 10 % each: 20 % of 85 points = -17."),
        (LatePolicy(DUE, timedelta(minutes=30), 12.5), HOUR, 9.5, 8.31,
         "Handed in 1 h (of which 30 min are free) after the due time: 1 started day at 12.5 % each: "
         "12.5 % of 9.5 points = -1.19."),
        (POLICY, 9 * DAY, 85, 42.5,
         "Handed in 9 days after the due time: 9 started days at 10 % each, at most 50 %: 50 % of 85 points = -42.5."),
        (LatePolicy(DUE, percent_per_day=10, final_day=3), 3 * DAY + SECOND, 85, 0,
         "Handed in 3 days 1 s after the due time: nothing counts after 3 days, so 85 points become 0."),
        (POLICY, SECOND, 0, 0, "Handed in 1 s after the due time: 1 started day at 10 % each: 10 % of 0 points = 0."),
    ],
)  # fmt: skip
def test_the_sentence_is_the_calculation(
    policy: LatePolicy, after: timedelta, points: float, left: float, sentence: str
) -> None:
    found = lateness(policy, policy.due + after)
    assert found is not None
    assert points_left(found, points) == left
    assert explained(policy, found, points) == sentence
