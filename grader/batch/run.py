"""Grade a class: a few at a time, each result on the disk at once, nothing graded twice, nothing lost to a crash."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from grader.batch.lock import one_batch
from grader.batch.names import assign
from grader.batch.outcome import REPORT, STUDENTS, encoded, in_language, kept, remove_leftovers, write
from grader.batch.pages import Pages, standard
from grader.errors import GraderError, UsageError
from grader.language import N_, current
from grader.report.rows import Row
from grader.results.schema import Results
from grader.results.store import dump, write_atomic
from grader.submission.model import Submission

INDEX, GRADEBOOK = "index.html", "gradebook.csv"
NOTHING = N_("There is no file to grade: ask for it, and run the batch again.")

Grade = Callable[[Submission], Results]
Progress = Callable[[Row, bool], None]  # a student is done; True: kept from an earlier run


def run_batch(
    submissions: Sequence[Submission],
    grade: Grade,
    out: Path,
    jobs: int,
    *,
    title: str,
    environment_key: str,
    force: bool = False,
    progress: Progress = lambda row, was_kept: None,
    pages: Pages | None = None,
) -> list[Row]:
    """Grade everyone with `jobs` calls of `grade` at a time, and write OUT/students, index.html and gradebook.csv.

    `environment_key` is that of the environment `grade` works in (outcome.environment_key). A student whose grading
    fails is a row with its reason. What ends the run is a disk that cannot be written, or Ctrl-C: the tables of what
    is done are written, and the exception goes on.
    """
    names = _distinct(submissions)
    with one_batch(out):
        remove_leftovers(out)
        batch = _Batch(grade, out, pages or standard(), assign(names), environment_key, progress)
        try:
            batch.grade_all(batch.needs_grading(submissions, force), jobs)
        finally:
            rows = [batch.rows[name] for name in names if name in batch.rows]
            _write_tables(out, title, rows, batch.pages)
    return rows


@dataclass(frozen=True, slots=True)
class _Batch:
    grade: Grade
    out: Path
    pages: Pages
    folders: dict[str, str]
    key: str
    progress: Progress
    rows: dict[str, Row] = field(default_factory=dict)
    stopped: threading.Event = field(default_factory=threading.Event)

    def needs_grading(self, submissions: Sequence[Submission], force: bool) -> list[Submission]:
        """All whose row needs no grading are done first: they are in the tables, however soon the run is ended."""
        return [s for s in submissions if not self._done_already(s, force)]

    def grade_all(self, submissions: Iterable[Submission], jobs: int) -> None:
        pool = ThreadPoolExecutor(max(1, jobs))
        futures: list[Future[Row | None]] = []
        try:
            futures.extend(pool.submit(self._grade, submission) for submission in submissions)
            for future in as_completed(futures):
                if row := future.result():
                    self._done(row, False)
        except BaseException:
            self.stopped.set()
            pool.shutdown(cancel_futures=True)  # waits for the calls that are running
            self.rows.update((row.student, row) for row in map(_row_of, futures) if row)
            raise
        pool.shutdown()

    def _grade(self, submission: Submission) -> Row | None:
        try:
            results = self.grade(submission)
            page, data = encoded(self.pages.student(results)), dump(results)
        except Exception as error:
            return None if self.stopped.is_set() else Row(submission.student, None, _reason(error), None)
        if self.stopped.is_set():  # Ctrl-C reaches processes that graders start: this verdict may be its doing
            return None
        write(self.folder(submission.student), page, data)
        return self._row(submission.student, results)

    def _done_already(self, submission: Submission, force: bool) -> bool:
        student = submission.student
        if not submission.files:
            reason = " ".join(submission.problems) or NOTHING
            self._done(Row(student, None, reason, None, submission.origin), False)
            return True
        results = None if force else kept(self.folder(student), submission, self.key)
        if results:
            if not in_language(self.folder(student), current()):
                write(self.folder(student), encoded(self.pages.student(results)), dump(results))
            self._done(self._row(student, results), True)
        return results is not None

    def _done(self, row: Row, was_kept: bool) -> None:
        self.rows[row.student] = row
        self.progress(row, was_kept)

    def _row(self, student: str, results: Results) -> Row:
        return Row(student, results, None, f"{STUDENTS}/{quote(self.folders[student])}/{REPORT}")

    def folder(self, student: str) -> Path:
        return self.out / STUDENTS / self.folders[student]


def _row_of(future: Future[Row | None]) -> Row | None:
    """The row of a call that ended before the run was stopped."""
    return None if future.cancelled() or future.exception() else future.result()


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


def _write_tables(out: Path, title: str, rows: list[Row], pages: Pages) -> None:
    """Both are rendered before either is written, and a Ctrl-C on the way waits, so that they belong together."""

    def write_both() -> None:
        documents = {INDEX: pages.overview(title, rows), GRADEBOOK: pages.gradebook(rows)}
        for name, text in documents.items():
            write_atomic(out / name, encoded(text))

    try:
        write_both()
    except KeyboardInterrupt:
        write_both()
        raise
