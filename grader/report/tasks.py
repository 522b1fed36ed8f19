"""The checks of an exercise by task, and what a task as a whole says."""

from __future__ import annotations

from dataclasses import dataclass

from grader.language import _
from grader.results.schema import Check, Exercise, Status, total


@dataclass(frozen=True, slots=True)
class Task:
    name: str
    checks: tuple[Check, ...]

    @property
    def points(self) -> float:
        return total(check.points for check in self.checks)

    @property
    def possible(self) -> float:
        return total(check.possible for check in self.checks)

    @property
    def status(self) -> Status:
        """The worst thing that happened; `passed` only if every check did."""
        found = {check.status for check in self.checks}
        order: tuple[Status, ...] = ("failed", "error", "not_started", "blocked")
        return next((status for status in order if status in found), "passed")

    def of(self, *statuses: Status) -> list[Check]:
        return [check for check in self.checks if check.status in statuses]

    def repeats(self, check: Check) -> bool:
        """It ended in the same exception, on the same line, as a check of this task that is told before it."""
        told = self.of("failed")
        before = told[: next(n for n, other in enumerate(told) if other is check)]
        same = (check.code, check.message)
        return check.reason == "crash" and any((c.code, c.message) == same for c in before if not c.hidden)

    @property
    def note(self) -> str:
        """Why checks that passed earned less than they could."""
        if all(check.points >= check.possible for check in self.of("passed")):
            return ""
        if any(check.reason == "forbidden" for check in self.of("failed")):
            return _("The checks that passed earn nothing yet: this task must be your own work, see the failed check.")
        return _("The checks that passed earn less than they could.")


# Codes of a file that cannot be run at all: they say the same of each of its checks.
WHOLE_FILE = ("syntax_error", "import_failed", "unreadable_file")


def whole_file(exercise: Exercise) -> Check | None:
    """The verdict that all failed checks share because their file cannot be run; to be said once."""
    failed = [check for check in exercise.checks if check.status == "failed" and not check.hidden]
    if len({(check.code, check.message) for check in failed}) != 1:
        return None
    stopped = failed[0].values.get("task") == f"{exercise.name}.py"  # by a limit, while it was imported
    return failed[0] if failed[0].code in WHOLE_FILE or stopped else None


def tasks(exercise: Exercise) -> list[Task]:
    """In the order in which the tasks first occur."""
    found: dict[str, list[Check]] = {}
    for check in exercise.checks:
        found.setdefault(check.task, []).append(check)
    return [Task(name, tuple(checks)) for name, checks in found.items()]
