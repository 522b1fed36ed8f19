"""The time left: by what exercises took before, at the pace of this run."""

from __future__ import annotations

from types import ModuleType

from msgspec.structs import replace

from grader.batch.estimate import Estimate
from grader.batch.job import Job


def test_before_anything_is_known_nothing_is_said_and_then_the_pace_counts(fake: ModuleType) -> None:
    job = Job(fake.submission("ada"), ("attention", "masking"))
    estimate = Estimate([], 2)
    estimate.expect([job] * 4)
    assert estimate.seconds_left(0) is None
    estimate.finished(job)
    assert estimate.seconds_left(10) == 30
    for _ in range(3):
        estimate.finished(job)
    assert estimate.seconds_left(40) == 0


def test_earlier_results_say_how_long_each_exercise_takes(fake: ModuleType) -> None:
    results = fake.results(fake.submission("ada"))
    exercise = results.exercises[0]
    timed = replace(results, exercises=[replace(exercise, checks=[replace(exercise.checks[0], seconds=3.0)])])
    long, short = Job(fake.submission("ada"), ("attention",)), Job(fake.submission("ben"), ("masking",))
    estimate = Estimate([timed], 2)
    estimate.expect([long, short])
    assert estimate.seconds_left(0) == 2
    estimate.finished(short)
    assert estimate.seconds_left(1) == 3
