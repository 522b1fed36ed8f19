"""Every known bug, graded as a submission: it loses points where it is, nowhere else, and is called by its name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grader.audit.finding import Finding
from grader.audit.grading import Graded
from grader.catalogue.bugs import KnownBug
from grader.catalogue.model import Exercise

SHOWN = 4


@dataclass(frozen=True, slots=True)
class Kill:
    """What became of one known bug."""

    bug: KnownBug
    failed: tuple[str, ...]  # checks, by their names
    points: float  # lost in the bug's own task
    elsewhere: tuple[str, ...]  # checks of other tasks that were not passed
    named: str | None  # the diagnosis


def kill(bug: KnownBug, graded: Graded) -> Kill:
    checks = [c for c in graded.checks if c.status not in ("passed", "blocked")]
    own = [c for c in checks if c.task == bug.task]
    return Kill(
        bug,
        tuple(c.id.partition(".")[2] for c in own),
        sum(c.possible - c.points for c in graded.checks if c.task == bug.task),
        tuple(c.id for c in checks if c.task != bug.task),
        next((d.bug for d in graded.diagnoses if d.task == bug.task), None),
    )


def findings(kills: Sequence[Kill]) -> Iterator[Finding]:
    """Known bugs that live, cost somebody else, or are called by another name."""
    for k in kills:
        where = k.bug.exercise
        if not k.points:
            yield Finding(where, f"known bug {k.bug.name} loses no points in {k.bug.task}: {k.bug.what}")
        if k.elsewhere:
            yield Finding(where, f"known bug {k.bug.name} of {k.bug.task} also costs {', '.join(k.elsewhere[:SHOWN])}")
        if k.points and k.named != (None if k.bug.invariant else k.bug.name):
            yield Finding(where, f"known bug {k.bug.name} is called {k.named or 'nothing'}")


def without_a_victim(exercise: Exercise, failed: set[str]) -> Iterator[Finding]:
    """Checks that nothing ever fails prove nothing."""
    for task in exercise.tasks:
        for check in task.checks:
            if check.name not in failed:
                yield Finding(exercise.name, f"{check.name} of {task.name} is failed by no known bug and no shortcut")
