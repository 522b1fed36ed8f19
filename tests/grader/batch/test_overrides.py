"""overrides.toml: what can be meant is read, all else is one sentence with the entry in it; and what comes of it."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from types import ModuleType

import pytest
from msgspec.structs import replace

from grader.batch.adjust import adjusted
from grader.batch.overrides import Overrides, read
from grader.errors import UsageError
from grader.results.schema import Origin, Results

STUDENTS, EXERCISES = ["ada", "grace"], ["attention", "masking"]
FULL = """
[late]
due = 2026-11-01T23:59:00+01:00
grace_minutes = 30
percent_per_day = 10
most_percent = 50
final_day = 7

[extensions]
grace = 2026-11-04T23:59:00+01:00

[[overrides]]
student = "ada"
exercise = "attention"
points = 1.5
reason = "Explained at the board."
comment = "Well done."

[[overrides]]
student = "grace"
comment = "See me."
"""


def overrides(tmp_path: Path, text: str) -> Overrides:
    (tmp_path / "overrides.toml").write_text(text, "utf-8")
    return read(tmp_path / "overrides.toml", STUDENTS, EXERCISES, must_exist=True)


@pytest.fixture
def results(fake: ModuleType) -> Results:
    made: Results = fake.results(fake.submission("ada"))
    return made


def handed_in(results: Results, when: str | None, student: str = "ada") -> Results:
    return replace(results, student=student, origin=Origin(submitted=when))


def test_all_of_it(tmp_path: Path) -> None:
    found = overrides(tmp_path, FULL)
    assert found.policy is not None
    assert (found.policy.grace, found.policy.most_percent, found.policy.final_day) == (timedelta(minutes=30), 50, 7)
    extended = found.policy_for("grace")
    assert extended is not None
    assert extended.due == datetime.fromisoformat("2026-11-04T22:59:00+00:00")
    assert found.policy_for("ada") == found.policy
    assert [one.comment for one in found.of("grace")] == ["See me."]


def test_the_mark_that_windows_begins_a_file_with_is_no_fault(tmp_path: Path) -> None:
    assert overrides(tmp_path, f"\ufeff{FULL}") == overrides(tmp_path, FULL)


def test_no_file_is_no_override_unless_it_was_named(tmp_path: Path) -> None:
    assert read(tmp_path / "none.toml", STUDENTS, EXERCISES, must_exist=False) == Overrides()
    with pytest.raises(UsageError, match=r"no file .*none.toml': check --overrides"):
        read(tmp_path / "none.toml", STUDENTS, EXERCISES, must_exist=True)


ONE = '[[overrides]]\nstudent = "ada"\n'
LATE = "[late]\ndue = 2026-11-01T23:59:00+01:00\npercent_per_day = 10\n"
WRONG = {
    "no TOML": ("[late", "cannot be used"),
    "unknown field": (f"{ONE}pts = 3\n", r"unknown field `pts`.*overrides\[0\]"),
    "points in words": (f'{ONE}points = "3"\n', r"Expected `float \| null`, got `str`.*overrides\[0\].points"),
    "unknown student": ('[[overrides]]\nstudent = "adda"\ncomment = "x"\n', "no student 'adda'. Did you mean 'ada'"),
    "unknown exercise": (f'{ONE}exercise = "maskin"\ncomment = "x"\n', "'maskin'. Did you mean 'masking'"),
    "unlike anybody": ('[[overrides]]\nstudent = "zzz"\ncomment = "x"\n', "There are: ada, grace"),
    "unknown extension": (f"{LATE}[extensions]\ngrac = 2026-11-04T00:00:00Z\n", "'grac'. Did you mean 'grace'"),
    "nothing said": (ONE, "neither points nor a comment"),
    "no reason": (f"{ONE}points = 3\n", "without a reason"),
    "less than nothing": (f'{ONE}points = -1\nreason = "x"\n', "points=-1"),
    "not a number": (f'{ONE}points = nan\nreason = "x"\n', "points=nan"),
    "twice": ((f'{ONE}points = 1\nreason = "x"\n') * 2, "the whole submission of 'ada' twice"),
    "no offset": (LATE.replace("+01:00", ""), "late.due=2026-11-01T23:59:00 has no time zone"),
    "an extension without": (f"{LATE}[extensions]\nada = 2026-11-04T00:00:00\n", "extensions.ada=.* no time zone"),
    "a time of nobody": (f"{LATE}[submitted]\nadda = 2026-11-04T00:00:00Z\n", "'adda'. Did you mean 'ada'"),
    "a time without an offset": (f"{LATE}[submitted]\nada = 2026-11-04T00:00:00\n", "submitted.ada=.* no time zone"),
    "a time and no policy": ("[submitted]\nada = 2026-11-04T00:00:00Z\n", "has submitted, but no \\[late\\]"),
    "an extension of nothing": ("[extensions]\nada = 2026-11-04T00:00:00Z\n", "no \\[late\\]"),
    "too many percent": (LATE.replace("10", "110"), "percent_per_day=110"),
    "a final day before": (f"{LATE}final_day = -1\n", "final_day=-1"),
    "endless grace": (f"{LATE}grace_minutes = inf\n", "grace_minutes=inf"),
    "grace that no date is moved by": (f"{LATE}grace_minutes = 1e20\n", "grace_minutes=1e"),
    "too deep": (f"a = {'[' * 5000}{']' * 5000}\n", "cannot be used"),
}


@pytest.mark.parametrize(("text", "told"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_meant_is_one_sentence(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(UsageError, match=told) as caught:
        overrides(tmp_path, text)
    assert "overrides.toml" in str(caught.value)


def test_an_exercise_is_set_and_the_checks_stay(tmp_path: Path, results: Results) -> None:
    made = adjusted(results, overrides(tmp_path, FULL))
    assert made.exercises == results.exercises
    assert [(a.kind, a.exercise, a.before, a.after) for a in made.adjustments] == [("override", "attention", 2, 1.5)]
    assert (made.points, made.final) == (2, 1.5)


def test_late_points_are_taken_from_what_is_left_after_an_override(tmp_path: Path, results: Results) -> None:
    made = adjusted(handed_in(results, "2026-11-03T00:00:00Z"), overrides(tmp_path, FULL))
    assert [(a.kind, a.before, a.after) for a in made.adjustments] == [("override", 2, 1.5), ("late", 1.5, 1.2)]
    assert made.final == 1.2


@pytest.mark.parametrize("platform", [None, "2026-11-01T10:00:00Z"])
def test_a_time_that_the_instructor_enters_counts_and_is_said(
    tmp_path: Path, results: Results, platform: str | None
) -> None:
    entered = overrides(tmp_path, f"{LATE}[submitted]\nada = 2026-11-03T10:00:00+01:00\n")
    (made,) = adjusted(handed_in(results, platform), entered).adjustments
    assert (made.kind, made.before, made.after) == ("late", 2, 1.6)
    assert made.reason.endswith(
        "= -0.4. The time of the submission, 2026-11-03T10:00:00+01:00, was entered by your instructor."
    )
    in_time = overrides(tmp_path, f"{LATE}[submitted]\nada = 2026-11-01T10:00:00+01:00\n")
    assert adjusted(handed_in(results, "2026-11-09T10:00:00Z"), in_time).adjustments == []


def test_an_extension_moves_the_due_time_of_one(tmp_path: Path, results: Results) -> None:
    found = overrides(tmp_path, FULL)
    assert [a.kind for a in adjusted(handed_in(results, "2026-11-04T12:00:00Z", "grace"), found).adjustments] == [
        "comment"
    ]
    later = adjusted(handed_in(results, "2026-11-05T12:00:00Z", "grace"), found).adjustments
    assert [(a.kind, a.before, a.after) for a in later] == [("late", 2, 1.8), ("comment", 2, 2)]


def test_a_total_that_a_person_sets_is_the_last_word(tmp_path: Path, results: Results) -> None:
    text = FULL + f'{ONE}points = 7\nreason = "Oral exam."\n'
    made = adjusted(handed_in(results, "2026-11-09T00:00:00Z"), overrides(tmp_path, text))
    assert [(a.exercise, a.before, a.after) for a in made.adjustments] == [("attention", 2, 1.5), (None, 1.5, 7)]
    assert made.final == 7


@pytest.mark.parametrize("when", ["2026-11-03T00:00:00", "yesterday"])
def test_a_time_without_an_offset_takes_nothing_and_is_said(tmp_path: Path, results: Results, when: str) -> None:
    (made,) = adjusted(handed_in(results, when), overrides(tmp_path, LATE)).adjustments
    assert (made.before, made.after) == (2, 2)
    assert when in made.reason


def test_without_a_time_nothing_is_taken(tmp_path: Path, results: Results) -> None:
    assert adjusted(handed_in(results, None), overrides(tmp_path, LATE)).adjustments == []
    assert adjusted(results, overrides(tmp_path, LATE)).adjustments == []
