"""A verdict that is kept, in the words and at the worth that the course gives it now. No code of a student is run."""

from __future__ import annotations

import ast
from functools import cached_property

from msgspec.structs import replace

from grader.catalogue.bugs import KnownBug, load_bugs
from grader.catalogue.model import CheckSpec, Course, Exercise, Task
from grader.results.codes import CODES
from grader.results.schema import Check, Diagnosis
from grader.results.schema import Exercise as Row
from grader.run.verdict import help_of, title_of, with_sums, without_own_work


class Refresh:
    """For one exercise of the course as it is now. Rows must have its key (keys.py), so that their checks are its."""

    def __init__(self, course: Course, exercise: Exercise) -> None:
        self.course = course
        self.exercise = exercise

    def __call__(self, row: Row) -> Row:
        checks = {check.id: check for check in row.checks}
        now = [check for task in self.exercise.tasks for check in self._task(task, checks)]
        named = replace(
            row, title=self.exercise.title, track=self.exercise.track,
            diagnoses=[self._diagnosis(d) for d in row.diagnoses],
        )  # fmt: skip
        return with_sums(named, now)

    def _task(self, task: Task, checks: dict[str, Check]) -> list[Check]:
        return without_own_work(task, [self._check(spec, checks[f"{self.exercise.name}.{spec.name}"])
                                       for spec in task.checks])  # fmt: skip

    def _check(self, spec: CheckSpec, check: Check) -> Check:
        passed = check.status == "passed"
        return replace(
            check,
            title=title_of(self._docstrings.get(f"test_{spec.name}"), spec),
            help="" if passed else help_of(spec, CODES.get(check.code or "")),
            points=spec.points if passed else 0,
            possible=spec.points,
        )

    def _diagnosis(self, diagnosis: Diagnosis) -> Diagnosis:
        bug = self._bugs.get(diagnosis.bug)
        return replace(diagnosis, what=bug.what, why=bug.why, help=bug.hint) if bug else diagnosis

    @cached_property
    def _docstrings(self) -> dict[str, str | None]:
        tree = ast.parse(self.course.suite_path(self.exercise.name).read_text("utf-8"))
        tests = (node for node in tree.body if isinstance(node, ast.FunctionDef))
        return {test.name: ast.get_docstring(test, clean=False) for test in tests}

    @cached_property
    def _bugs(self) -> dict[str, KnownBug]:
        return {bug.name: bug for bug in load_bugs(self.course, self.exercise)}
