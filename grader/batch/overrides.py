"""overrides.toml: what people decide beside the checks, read and checked word by word before anything is graded."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

import msgspec

from grader.batch.late import LatePolicy
from grader.errors import UsageError
from grader.near import hint

FILE = "overrides.toml"
LONGEST = 366 * 24 * 60  # minutes of grace; without a bound there are numbers that no date can be moved by


class Override(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Without `points` it is a comment; without `exercise` it is about the whole submission."""

    student: str
    exercise: str | None = None
    points: float | None = None
    reason: str = ""
    comment: str = ""


class Late(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    due: datetime
    percent_per_day: float
    grace_minutes: float = 0
    most_percent: float = 100
    final_day: int | None = None


class File(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    late: Late | None = None
    extensions: dict[str, datetime] = {}  # student: another due time
    submitted: dict[str, datetime] = {}  # student: when the work was handed in, whatever the platform says
    overrides: list[Override] = []


@dataclass(frozen=True, slots=True)
class Overrides:
    """What is decided, by student. `policy`: without extensions."""

    policy: LatePolicy | None = None
    extensions: tuple[tuple[str, datetime], ...] = ()
    submitted: tuple[tuple[str, datetime], ...] = ()
    overrides: tuple[Override, ...] = ()
    file: str | None = None  # relative to OUT, where it is not the one in OUT

    def of(self, student: str) -> list[Override]:
        return [override for override in self.overrides if override.student == student]

    def policy_for(self, student: str) -> LatePolicy | None:
        due = dict(self.extensions).get(student)
        return replace(self.policy, due=due) if self.policy and due else self.policy

    def submitted_by(self, student: str) -> datetime | None:
        return dict(self.submitted).get(student)


def read(path: Path, students: Collection[str], exercises: Sequence[str], *, must_exist: bool) -> Overrides:
    """Raises UsageError with file and entry for what cannot be meant."""
    shown = repr(str(path))
    try:
        file = msgspec.convert(tomllib.loads(path.read_text("utf-8-sig")), File)  # Windows' editor begins with a mark
    except FileNotFoundError:
        if must_exist:
            raise UsageError(f"There is no file {shown}: check --overrides.") from None
        return Overrides()
    except (OSError, ValueError, RecursionError) as error:  # of tomllib, of UTF-8, and msgspec's, which names the entry
        raise UsageError(f"{shown} cannot be used ({error}): mend it, and run the batch again.") from error
    _check(shown, file, students, exercises)
    return Overrides(
        _policy(file.late), tuple(file.extensions.items()), tuple(file.submitted.items()), tuple(file.overrides)
    )


def _policy(late: Late | None) -> LatePolicy | None:
    if late is None:
        return None
    grace = timedelta(minutes=late.grace_minutes)
    return LatePolicy(late.due, grace, late.percent_per_day, late.most_percent, late.final_day)


def _check(shown: str, file: File, students: Collection[str], exercises: Sequence[str]) -> None:
    for table, times in (("extensions", file.extensions), ("submitted", file.submitted)):
        for student, time in times.items():
            _known(shown, table, "student", student, students)
            _has_offset(shown, f"{table}.{student}", time)
        if times and file.late is None:
            raise UsageError(f"{shown} has {table}, but no [late] with a due time: add it, or remove them.")
    for override in file.overrides:
        _known(shown, "overrides", "student", override.student, students)
        if override.exercise is not None:
            _known(shown, "overrides", "exercise", override.exercise, exercises)
        _can_be_meant(shown, override)
    _once(shown, file.overrides)
    if file.late is not None:
        _has_offset(shown, "late.due", file.late.due)
        _in_range(shown, file.late)


def _known(shown: str, entry: str, what: str, name: str, names: Collection[str]) -> None:
    if name not in names:
        near = hint(name, sorted(names))
        raise UsageError(f"{shown}, {entry}: there is no {what} {name!r}. {near}")


def _can_be_meant(shown: str, override: Override) -> None:
    whose = f"{shown}, the override of {override.student!r}"
    if override.points is None and not override.comment.strip():
        raise UsageError(f"{whose} has neither points nor a comment: give it one of them.")
    if override.points is not None and not override.reason.strip():
        raise UsageError(f"{whose} sets points without a reason: give it one, the student reads it.")
    if override.points is not None and not 0 <= override.points < float("inf"):
        raise UsageError(f"{whose} has points={override.points}: points are 0 or more.")


def _once(shown: str, overrides: Sequence[Override]) -> None:
    set_already = set[tuple[str, str | None]]()
    for override in (one for one in overrides if one.points is not None):
        if (override.student, override.exercise) in set_already:
            what = override.exercise or "the whole submission"
            raise UsageError(f"{shown} sets {what} of {override.student!r} twice: keep one of the two.")
        set_already.add((override.student, override.exercise))


def _has_offset(shown: str, entry: str, time: datetime) -> None:
    if time.utcoffset() is None:
        raise UsageError(f"{shown}: {entry}={time.isoformat()} has no time zone: add its offset, like +01:00 or Z.")


def _in_range(shown: str, late: Late) -> None:
    wrong = [
        f"{name}={value}"
        for name, value, most in (
            ("grace_minutes", late.grace_minutes, LONGEST),
            ("percent_per_day", late.percent_per_day, 100),
            ("most_percent", late.most_percent, 100),
            ("final_day", late.final_day or 0, float("inf")),
        )
        if not 0 <= value <= most
    ]
    if wrong:
        raise UsageError(
            f"{shown}, late: {wrong[0]} is out of range: it is 0 or more, and at most 100 for percent, "
            "a year for the grace."
        )
