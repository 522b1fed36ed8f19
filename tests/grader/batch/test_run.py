"""A batch: everyone gets a row, nobody is graded twice, and no single failure ends it."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import unquote

import pytest

from grader.batch.lock import one_batch
from grader.errors import EngineError, UsageError
from grader.report.rows import Row
from grader.results.store import load
from grader.submission.model import Submission

Batch = Callable[..., list[Row]]


def test_everyone_has_a_row_two_files_and_a_line(
    batch: Batch, fake: ModuleType, trio: list[Submission], out: Path
) -> None:
    rows = batch(trio, jobs=3)
    assert [(row.student, row.problem, row.href) for row in rows] == [
        (student, None, f"students/{student}/report.html") for student in ("ada", "grace", "linus")
    ]
    for row in rows:
        assert load(out / "students" / row.student / "results.json") == row.results
        assert (out / str(row.href)).is_file()
    lines = [f"'{row.student}', 2.0, {row.href}" for row in rows]
    assert fake.tables(out) == (["Class", *lines], lines)


def test_jobs_are_graded_at_the_same_time(batch: Batch, fake: ModuleType, trio: list[Submission]) -> None:
    together = threading.Barrier(3, timeout=10)

    def grade(submission: Submission) -> Any:
        together.wait()
        return fake.results(submission)

    assert all(row.results for row in batch(trio, grade, jobs=3))


def test_rows_keep_the_order_of_the_submissions(
    batch: Batch, fake: ModuleType, trio: list[Submission], out: Path
) -> None:
    def grade(submission: Submission) -> Any:
        time.sleep(0.05 if submission.student == "ada" else 0)
        return fake.results(submission)

    assert [row.student for row in batch(trio, grade, jobs=3)] == ["ada", "grace", "linus"]
    assert fake.listed(out) == ["ada", "grace", "linus"]


def test_a_second_run_grades_nobody_and_changes_nothing(
    batch: Batch, grader: Any, trio: list[Submission], out: Path
) -> None:
    def tree() -> dict[Path, tuple[bytes, int]]:
        files = [path for path in out.rglob("*") if path.is_file()]
        return {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in files if path.parent != out}

    first, before = batch(trio), tree()
    assert batch(trio, grader) == first
    assert grader.graded == []
    assert tree() == before


def test_only_what_changed_is_graded_again(
    batch: Batch, fake: ModuleType, grader: Any, trio: list[Submission], out: Path
) -> None:
    batch(trio)
    trio[1] = fake.submission("grace", "y = 2\n")
    (out / "students/linus/results.json").write_bytes(b"{")
    batch([*trio, fake.submission("new")], grader)
    assert sorted(grader.graded) == ["grace", "linus", "new"]


def test_another_course_or_force_grades_everyone(
    batch: Batch, fake: ModuleType, grader: Any, trio: list[Submission]
) -> None:
    batch(trio)
    batch(trio, grader, present=fake.Present("another"))
    batch(trio, grader, force=True)
    assert sorted(grader.graded) == ["ada", "ada", "grace", "grace", "linus", "linus"]


def test_what_could_not_be_judged_is_tried_again(
    batch: Batch, fake: ModuleType, grader: Any, trio: list[Submission]
) -> None:
    batch(trio, lambda s: fake.results(s, "error" if s.student == "grace" else "failed"))
    batch(trio, grader)
    assert grader.graded == ["grace"]


def test_progress_hears_of_everyone_once(batch: Batch, fake: ModuleType, trio: list[Submission]) -> None:
    heard: list[tuple[str, str]] = []
    batch(trio[:1])
    batch([*trio, Submission("empty")], progress=lambda done: heard.append((done.row.student, done.how)))
    assert sorted(heard) == [("ada", "kept"), ("empty", "failed"), ("grace", "graded"), ("linus", "graded")]


def test_a_failure_is_a_row_and_the_others_go_on(
    batch: Batch, fake: ModuleType, trio: list[Submission], out: Path
) -> None:
    fails = {"ada": EngineError("The sandbox did not start: run `grade doctor`."), "grace": ValueError("x" * 1000)}
    ada, grace, linus = batch(trio, fake.Grader(fails))
    assert ada == Row("ada", None, "The sandbox did not start: run `grade doctor`.", None)
    assert grace.problem == f"The grader failed (ValueError: {'x' * 200}): run the batch again, or report this."
    assert linus.results is not None
    assert os.listdir(out / "students") == ["linus"]
    assert len(fake.tables(out)[1]) == 3
    again = fake.Grader()
    assert all(row.results for row in batch(trio, again))
    assert again.graded == ["ada", "grace"]


def test_a_failed_regrade_leaves_the_old_files(
    batch: Batch, fake: ModuleType, trio: list[Submission], out: Path
) -> None:
    batch(trio)
    before = (out / "students/ada/results.json").read_bytes()
    rows = batch(trio, fake.Grader({"ada": EngineError("Down.")}), force=True)
    assert rows[0] == Row("ada", None, "Down.", None)
    assert (out / "students/ada/results.json").read_bytes() == before


def test_results_that_cannot_be_shown_or_saved_are_a_row(
    batch: Batch, fake: ModuleType, trio: list[Submission]
) -> None:
    def grade(submission: Submission) -> Any:
        odd = {"ada": None, "grace": fake.results(submission, "odd")}
        return odd.get(submission.student, fake.results(submission))

    ada, grace, linus = batch(trio, grade)
    assert "AttributeError" in (ada.problem or "")
    assert "no valid results" in (grace.problem or "")
    assert linus.results


def test_a_submission_without_files_is_a_row_with_its_problems(batch: Batch, grader: Any, out: Path) -> None:
    rows = batch([Submission("ada", {}, ("It is a link.", "It is empty.")), Submission("grace")], grader)
    assert rows[0] == Row("ada", None, "It is a link. It is empty.", None)
    assert "There is no file to grade" in (rows[1].problem or "")
    assert grader.graded == []
    assert not (out / "students").exists()


def test_a_submission_that_vanished_stays_on_disk_only(batch: Batch, trio: list[Submission], out: Path) -> None:
    batch(trio)
    rows = batch(trio[1:])
    assert [row.student for row in rows] == ["grace", "linus"]
    assert "ada" not in (out / "index.html").read_text() + (out / "gradebook.csv").read_text()
    assert (out / "students/ada/results.json").is_file()


def test_without_others_the_pages_are_the_courses_own(
    batch: Batch, fake: ModuleType, trio: list[Submission], out: Path
) -> None:
    rows = batch([*trio, Submission("empty")], pages=None, title="Spring <class>")
    index = (out / "index.html").read_text(encoding="utf-8")
    assert "Spring &lt;class&gt;" in index
    assert "students/ada/report.html" in index
    assert "ada" in (out / str(rows[0].href)).read_text(encoding="utf-8")
    assert len((out / "gradebook.csv").read_text(encoding="utf-8").splitlines()) == 5


def test_odd_names_have_files_of_their_own(batch: Batch, fake: ModuleType, out: Path) -> None:
    students = [
        "A",
        "a",
        "con",
        "x" * 200,
        "de la Cruz",
        "a\"b'c",
        "注意",
        "a\nb",
        "..",
        "",
        "../../escape",
        "50%",
        "a#?",
    ]
    rows = batch([fake.submission(student) for student in students])
    assert rows[4].href == "students/de%20la%20Cruz/report.html"
    pages = [unquote(str(row.href)) for row in rows]
    assert len({page.lower() for page in pages}) == len(students)
    for student, page in zip(students, pages, strict=True):
        assert load((out / page).with_name("results.json")).student == student
    assert sorted(p.name for p in out.parent.iterdir()) == ["out"]
    assert {p.name for p in out.iterdir()} == {".lock", "students", "index.html", "gradebook.csv", "class.json"}


def test_results_of_another_student_are_never_kept(batch: Batch, fake: ModuleType, grader: Any, out: Path) -> None:
    batch([fake.submission("a")])
    (out / "students/a").rename(out / "students/b")  # as on a disk that takes two names for one
    batch([fake.submission("b")], grader)
    assert grader.graded == ["b"]


def test_two_students_of_one_name_are_wrong_use(batch: Batch, trio: list[Submission], out: Path) -> None:
    with pytest.raises(UsageError, match="Two submissions are called 'ada'"):
        batch([*trio, trio[0]])
    assert not out.exists()


def test_a_second_batch_is_refused_and_does_no_harm(
    batch: Batch, grader: Any, trio: list[Submission], out: Path
) -> None:
    with one_batch(out):
        (out / ".grader-0123456789abcdef.tmp").touch()
        with pytest.raises(UsageError, match="Another batch"):
            batch(trio, grader)
    assert grader.graded == []
    assert (out / ".grader-0123456789abcdef.tmp").exists()


def test_leftovers_of_a_killed_run_are_removed(batch: Batch, trio: list[Submission], out: Path) -> None:
    (out / "students/ada").mkdir(parents=True)
    for path in [out / ".grader-0123456789abcdef.tmp", out / "students/ada/.grader-0123456789abcdef.tmp"]:
        path.touch()
    batch(trio)
    assert not list(out.rglob("*.tmp"))
