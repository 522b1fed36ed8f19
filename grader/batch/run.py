"""Grade a class: a few at a time, each result on the disk at once, nothing graded twice, nothing lost to a crash."""

from __future__ import annotations

import threading
import time
from collections.abc import Collection, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field, replace
from pathlib import Path

from grader.batch.accept import finish, remove_dropped
from grader.batch.compose import Plan, composed, graded, graded_anew, plan
from grader.batch.estimate import Estimate
from grader.batch.job import Backend, Grader, Job, Present
from grader.batch.lock import one_batch
from grader.batch.names import assign
from grader.batch.outcome import remove_leftovers
from grader.batch.overrides import Overrides
from grader.batch.pages import Pages, standard
from grader.batch.progress import Done, How, Progress
from grader.batch.records import Found, Prepared, Records
from grader.batch.tables import NOT_LOOKED_AT, row_of, write_tables
from grader.errors import GraderError, UsageError
from grader.language import N_
from grader.report.changes import StudentChange
from grader.report.rows import Row
from grader.results.schema import Isolation, Origin
from grader.submission.model import Submission

NOTHING = N_("There is no file to grade: ask for it, and run the batch again.")


@dataclass(frozen=True, slots=True)
class Choice:
    """What a run looks at. `only`: exercises; `students`: all others' rows stay as they are. `isolation`: asked for."""

    only: Collection[str] | None = None
    students: Collection[str] | None = None
    force: bool = False
    isolation: str = "auto"


@dataclass(frozen=True, slots=True)
class Ended:
    """A run that is over: a row a student, and what waits to be accepted."""

    rows: list[Row]
    changes: list[StudentChange]


def run_batch(
    submissions: Sequence[Submission],
    backend: Backend,
    present: Present,
    out: Path,
    jobs: int,
    *,
    title: str,
    choice: Choice | None = None,
    overrides: Overrides | None = None,
    roster: str | None = None,
    progress: Progress = lambda done: None,
    pages: Pages | None = None,
) -> Ended:
    """Grade what changed with `jobs` jobs at a time; write OUT/students, OUT/regrade, the class page and the gradebook.

    `roster`: its path relative to OUT, to be remembered. `backend` is entered only if something is to be graded. A
    student whose grading fails is a row with its reason. What ends the run is a disk that cannot be written, or Ctrl-C:
    the tables of what is done are written, and the exception goes on.
    """
    names = _distinct(submissions)
    with one_batch(out):
        remove_leftovers(out)
        remove_dropped(out)
        finish(out)
        folders = assign(names)
        records = Records(out, folders, pages or standard(), overrides or Overrides())
        batch = _Batch(present, records, choice or Choice(), jobs, progress)
        changes: list[StudentChange] = []
        try:
            batch.run(submissions, backend)
        finally:
            rows = [batch.rows[name] for name in names if name in batch.rows]
            changes = write_tables(out, title, rows, folders, records.pages, records.overrides.file, roster)
    return Ended(rows, changes)


@dataclass(slots=True)
class _Task:
    """A student with something to grade, or to ask the grader about."""

    plan: Plan
    found: Found


@dataclass(slots=True)
class _Batch:
    present: Present
    records: Records
    choice: Choice
    jobs: int
    progress: Progress
    rows: dict[str, Row] = field(default_factory=dict)
    nothing: dict[str, str] = field(default_factory=dict)  # why there is no file, by student
    stopped: threading.Event = field(default_factory=threading.Event)
    began: float = 0.0
    estimate: Estimate = field(default_factory=lambda: Estimate([], 1))

    def run(self, submissions: Sequence[Submission], backend: Backend) -> None:
        """All whose row needs no grading are done first: they are in the tables, however soon the run is ended."""
        waiting = [task for submission in submissions if (task := self._looked_at(submission))]
        if not waiting:
            return
        with backend(self._exercises_of(waiting)) as grader:
            waiting = [task for one in waiting if (task := self._still_waiting(one, grader))]
            known = (row.results for row in self.rows.values() if row.results)
            self.jobs = grader.jobs or self.jobs
            self.estimate = Estimate(known, self.jobs)
            self.estimate.expect([task.plan.job for task in waiting])
            self.began = time.monotonic()
            self._grade_all(waiting, grader)

    def _looked_at(self, submission: Submission) -> _Task | None:
        """None if nothing is to be done any more."""
        student = submission.student
        found = self.records.find(student)
        if not submission.files:
            reason = " ".join(submission.problems) or NOTHING
            if not self.records.overrides.of(student):
                self.records.forget(found, submission.fingerprint())
                self._tell(Done(Row(student, None, reason, None, submission.origin), "failed"))
                return None
            self.nothing[student] = reason  # what a person says stands on a page, beside checks that nobody wrote for
        if self.choice.students is not None and student not in self.choice.students:
            self._skip(found, submission.origin)
            return None
        made = plan(self.present, submission, found.newest_last, self.choice.only, self.choice.force)
        if made.missing or _is_doubtful(made, self.choice.isolation):
            return _Task(made, found)
        self._keep(_Task(made, found))
        return None

    def _still_waiting(self, task: _Task, grader: Grader) -> _Task | None:
        """With the level of now known: verdicts of a lower one are not kept, where that was not the best there is."""
        if _is_doubtful(task.plan, self.choice.isolation, grader.level):
            return _Task(graded_anew(task.plan), task.found)
        if task.plan.missing:
            return task
        self._keep(task)
        return None

    def _keep(self, task: _Task) -> None:
        self._tell(self._committed(self.records.prepare(task.found, composed(self.present, task.plan, None)), "kept"))

    def _skip(self, found: Found, origin: Origin | None) -> None:
        if found.counts is None:
            self._tell(Done(_no_results(found.student, NOT_LOOKED_AT, self.records, origin), "skipped"))
        else:
            self._tell(self._committed(self.records.unchanged(found, found.counts), "skipped"))

    def _exercises_of(self, waiting: Iterable[_Task]) -> list[str]:
        """Those that may be asked for."""
        missing = {name for task in waiting for name in task.plan.missing or task.plan.kept}
        return [name for name in self.present.exercises if name in self.present.with_dependents(missing)]

    def _grade_all(self, waiting: Iterable[_Task], grader: Grader) -> None:
        pool = ThreadPoolExecutor(max(1, self.jobs))
        futures: dict[Future[Done | None], Job] = {}
        try:
            for task in waiting:
                futures[pool.submit(self._grade, task, grader)] = task.plan.job
            for future in as_completed(futures):
                if done := future.result():
                    self.estimate.finished(futures[future])
                    self._tell(done)
        except BaseException:
            self.stopped.set()
            pool.shutdown(cancel_futures=True)  # waits for the calls that are running
            ended = (_result_of(future) for future in futures)
            self.rows.update((one.row.student, one.row) for one in ended if one)
            raise
        pool.shutdown()

    def _grade(self, task: _Task, grader: Grader) -> Done | None:
        student = task.found.student
        try:
            prepared = self.records.prepare(task.found, graded(self.present, task.plan, grader.grade))
        except Exception as error:
            failed = Done(_no_results(student, _reason(error), self.records, task.plan.submission.origin), "failed")
            return None if self.stopped.is_set() else failed
        if self.stopped.is_set():  # Ctrl-C reaches processes that graders start: this verdict may be its doing
            return None
        return self._committed(prepared, "graded")

    def _committed(self, prepared: Prepared, how: How) -> Done:
        self.records.commit(prepared)
        student = prepared.student
        row = row_of(student, self.records.folders[student], prepared.counts, self.nothing.get(student))
        return Done(row, how, prepared.is_staged)

    def _tell(self, done: Done) -> None:
        self.rows[done.row.student] = done.row
        left = self.estimate.seconds_left(time.monotonic() - self.began) if self.began else None
        self.progress(replace(done, seconds_left=left))


def _is_doubtful(made: Plan, requested: str, level: int | None = None) -> bool:
    """Whether kept verdicts may have been reached at a lower isolation level than this run's.

    Without `level` of this run: whether it has to be asked. A run that got its first choice need not be; one that was
    asked for a level keeps what was reached at that one, or at a better one.
    """
    found = [kept.source.isolation for kept in made.kept.values()]
    if requested != "auto":
        return any(isolation.level < int(requested) for isolation in found)
    return any(isolation.level < level if level is not None else _may_be_better(isolation) for isolation in found)


def _may_be_better(isolation: Isolation) -> bool:
    """Than what that run got: it was told to take less, or the best was not to be had."""
    return isolation.requested != "auto" or bool(isolation.downgrades)


def _result_of(future: Future[Done | None]) -> Done | None:
    """Of a call that ended before the run was stopped."""
    return None if future.cancelled() or future.exception() else future.result()


def _no_results(student: str, reason: str, records: Records, origin: Origin | None) -> Row:
    points = any(override.points is not None for override in records.overrides.of(student))
    unused = N_("Points of an override wait until there are results.") if points else ""
    return Row(student, None, f"{reason} {unused}".strip(), None, origin)


def _reason(error: Exception) -> str:
    if isinstance(error, GraderError):
        return str(error)
    return N_(f"The grader failed ({type(error).__name__}: {str(error)[:200]}): run the batch again, or report this.")


def _distinct(submissions: Iterable[Submission]) -> list[str]:
    names: dict[str, None] = {}
    for submission in submissions:
        if submission.student in names:
            raise UsageError(f"Two submissions are called {submission.student!r}: rename one of them.")
        names[submission.student] = None
    return list(names)
