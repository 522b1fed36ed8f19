"""Results of now, made of verdicts that are kept and of new ones. Nothing here reads, writes or runs anything."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import replace as replace_fields

from msgspec.structs import replace

from grader.batch.job import Job, Present
from grader.results.schema import Exercise, Isolation, Results, total
from grader.run.verdict import broken_tasks
from grader.submission.model import Submission


@dataclass(frozen=True, slots=True)
class Kept:
    """A verdict that is still good, and the results that it stands in."""

    row: Exercise
    source: Results

    @property
    def failed(self) -> frozenset[str]:
        """Tasks that had failed in other exercises when its notes were made."""
        return broken_tasks(row for row in self.source.exercises if row.name != self.row.name)


@dataclass(frozen=True, slots=True)
class Plan:
    """One student: the verdicts that are kept, and the exercises that have to be graded."""

    submission: Submission
    keys: Mapping[str, str]
    kept: Mapping[str, Kept]
    missing: tuple[str, ...]
    rest: Results | None = None  # exercises that this run leaves alone stay as they are in these

    @property
    def untouched(self) -> list[Exercise]:
        looked_at = {*self.kept, *self.missing}
        return [row for row in self.rest.exercises if row.name not in looked_at] if self.rest else []

    @property
    def job(self) -> Job:
        return Job(self.submission, self.missing, self.failed)

    @property
    def failed(self) -> frozenset[str]:
        """Tasks that fail in exercises that are not graded now."""
        return broken_tasks(self.others)

    @property
    def others(self) -> list[Exercise]:
        return [*(kept.row for kept in self.kept.values()), *self.untouched]


def plan(
    present: Present, submission: Submission, earlier: Sequence[Results], only: Collection[str] | None, force: bool
) -> Plan:
    """`earlier`: results that verdicts may be taken from, the newest last. `only`: exercises to look at, if not all."""
    keys = present.keys(submission)
    looked_at = [name for name in present.exercises if only is None or name in only]
    kept = {} if force else {name: found for name in looked_at if (found := _kept(name, keys[name], earlier))}
    missing = tuple(name for name in looked_at if name not in kept)
    return Plan(submission, keys, kept, missing, earlier[-1] if only is not None and earlier else None)


def graded_anew(plan: Plan, exercises: Collection[str] | None = None) -> Plan:
    """The same with these exercises missing, too; by default all that the run looks at."""
    kept = {name: kept for name, kept in plan.kept.items() if exercises is not None and name not in exercises}
    missing = tuple(name for name in plan.keys if name in {*plan.kept, *plan.missing} and name not in kept)
    return replace_fields(plan, kept=kept, missing=missing)


def _kept(name: str, key: str, earlier: Sequence[Results]) -> Kept | None:
    for results in earlier:
        for row in results.exercises:
            if row.name == name and row.key == key and not is_unjudged(row):
                return Kept(row, results)
    return None


def is_unjudged(row: Exercise) -> bool:
    """Whether the grader failed somewhere: the next run tries again."""
    return row.status == "error" or any(check.status == "error" for check in row.checks)


def notes_out_of_date(present: Present, plan: Plan, new: Results) -> tuple[str, ...]:
    """Kept exercises with a note (or without) that other parts' new verdicts contradict: they are graded, too."""
    rows = {row.name: row for row in (*plan.others, *new.exercises)}
    broken = broken_tasks(rows.values())
    return tuple(name for name, kept in plan.kept.items() if (kept.failed ^ broken) & present.needs(name))


def graded(present: Present, plan: Plan, grade: Callable[[Job], Results]) -> Results:
    """A plan carried out: what is missing, and then what has a note that the new verdicts contradict."""
    new = grade(plan.job)
    again = notes_out_of_date(present, plan, new)
    if again:
        later = graded_anew(plan, again)
        others = [row for row in (*new.exercises, *later.others) if row.name not in again]
        more = grade(Job(plan.submission, again, broken_tasks(others)))
        new = replace(
            new, isolation=_lowest([new.isolation, more.isolation]), seconds=round(new.seconds + more.seconds, 3),
            exercises=[*new.exercises, *more.exercises],
        )  # fmt: skip
        plan = later
    return composed(present, plan, new)


def composed(present: Present, plan: Plan, graded: Results | None) -> Results:
    """All of a student's verdicts, in the words and at the worth of now. `graded`: what was missing."""
    earlier = [*(kept.source for kept in plan.kept.values()), *([plan.rest] if plan.rest else [])]
    sources = [graded, *earlier] if graded else earlier
    base = sources[0]
    new = {row.name: row for row in graded.exercises} if graded else {}
    rows = {row.name: row for row in plan.untouched}
    for name in (*plan.kept, *plan.missing):
        row = new[name] if name in new else plan.kept[name].row
        rows[name] = present.refreshed(replace(row, key=plan.keys[name]))
    order = {name: place for place, name in enumerate(present.exercises)}
    exercises = sorted(rows.values(), key=lambda row: order.get(row.name, len(order)))
    return replace(
        base,
        student=plan.submission.student,
        origin=plan.submission.origin,
        isolation=_lowest([results.isolation for results in sources]),
        environment=replace(
            base.environment, course=present.environment.course, submission=plan.submission.fingerprint()
        ),
        points=total(row.points for row in exercises),
        possible=total(row.possible for row in exercises),
        exercises=exercises,
        problems=list(plan.submission.problems),
        adjustments=[],
    )


def _lowest(levels: Sequence[Isolation]) -> Isolation:
    """What can be said of all verdicts together."""
    return min(levels, key=lambda isolation: isolation.level)
