"""A student's two files: whole, of one run, and kept only where grading again could not say anything else."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from msgspec.structs import replace

from grader.batch import outcome
from grader.batch.outcome import environment_key, kept, remove_leftovers, write
from grader.errors import UsageError
from grader.results.store import dump
from grader.submission.model import Submission


@pytest.fixture
def ada(fake: ModuleType) -> Submission:
    submission: Submission = fake.submission("ada")
    return submission


def tree(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_both_files_are_written_and_kept(fake: ModuleType, ada: Submission, tmp_path: Path) -> None:
    results = fake.results(ada)
    write(tmp_path / "students/ada", b"page", dump(results))
    assert tree(tmp_path / "students/ada") == {"report.html": b"page", "results.json": dump(results)}
    assert kept(tmp_path / "students/ada", ada, fake.KEY) == results


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
@pytest.mark.parametrize("failing", [1, 2])
def test_a_full_disk_leaves_the_old_files(
    fake: ModuleType, ada: Submission, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, failing: int
) -> None:
    write(tmp_path, b"old", dump(fake.results(ada)))
    before, calls = tree(tmp_path), []

    def fsync(descriptor: int) -> None:
        calls.append(descriptor)
        if len(calls) == failing:
            raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(UsageError, match="no space left"):
        write(tmp_path, b"new", dump(fake.results(ada, "failed")))
    assert tree(tmp_path) == before


@pytest.mark.parametrize("failing", [1, 2])
def test_old_results_never_stand_beside_a_new_page(
    fake: ModuleType, ada: Submission, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: int
) -> None:
    write(tmp_path, b"old", dump(fake.results(ada)))
    replace_file, calls = os.replace, []

    def dies(source: Path, target: Path) -> None:
        calls.append(target)
        if len(calls) == failing:
            raise KeyboardInterrupt
        replace_file(source, target)

    monkeypatch.setattr(os, "replace", dies)
    with pytest.raises(KeyboardInterrupt):
        write(tmp_path, b"new", b"{}")
    assert list(tree(tmp_path)) == ["report.html"]
    assert calls[0].name == "report.html"


def test_a_file_in_the_way_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "students").touch()
    with pytest.raises(UsageError, match="students/ada' cannot be written"):
        write(tmp_path / "students/ada", b"page", b"{}")


REASONS: dict[str, Any] = {
    "another text": lambda fake, ada: (fake.submission("ada", "y = 2\n"), fake.results(ada)),
    "another student's": lambda fake, ada: (ada, replace(fake.results(ada), student="grace")),
    "another problem": lambda fake, ada: (Submission("ada", ada.files, ("Twice.",)), fake.results(ada)),
    "another grader": lambda fake, ada: (ada, fake.results(ada, grader="2")),
    "another torch": lambda fake, ada: (ada, fake.results(ada, torch="3")),
    "another course": lambda fake, ada: (ada, fake.results(ada, course="d")),
    "another salt": lambda fake, ada: (ada, fake.results(ada, salt="")),
    "not judged": lambda fake, ada: (ada, fake.results(ada, "error")),
}


@pytest.mark.parametrize("case", REASONS.values(), ids=REASONS)
def test_what_may_differ_now_is_not_kept(fake: ModuleType, ada: Submission, tmp_path: Path, case: Any) -> None:
    submission, results = case(fake, ada)
    write(tmp_path, b"page", dump(results))
    assert kept(tmp_path, submission, fake.KEY) is None


def test_one_check_that_was_not_judged_is_enough(fake: ModuleType, ada: Submission, tmp_path: Path) -> None:
    results = fake.results(ada)
    exercise = results.exercises[0]
    checks = [replace(exercise.checks[0], status="error"), *exercise.checks]
    write(tmp_path, b"page", dump(replace(results, exercises=[replace(exercise, checks=checks)])))
    assert kept(tmp_path, ada, fake.KEY) is None


@pytest.mark.parametrize("status", ["passed", "failed", "not_started", "blocked"])
def test_every_judged_status_is_kept(fake: ModuleType, ada: Submission, tmp_path: Path, status: str) -> None:
    write(tmp_path, b"page", dump(fake.results(ada, status)))
    assert kept(tmp_path, ada, fake.KEY) is not None


@pytest.mark.parametrize("damage", ["report.html", "results.json"])
def test_half_an_outcome_is_not_kept(fake: ModuleType, ada: Submission, tmp_path: Path, damage: str) -> None:
    write(tmp_path, b"page", dump(fake.results(ada)))
    (tmp_path / damage).unlink()
    assert kept(tmp_path, ada, fake.KEY) is None


def test_broken_results_are_not_kept(fake: ModuleType, ada: Submission, tmp_path: Path) -> None:
    write(tmp_path, b"page", dump(fake.results(ada))[:-20])
    assert kept(tmp_path, ada, fake.KEY) is None


def test_the_key_is_everything_but_the_submission(fake: ModuleType) -> None:
    environment = fake.ENVIRONMENT
    for field in environment.__struct_fields__:
        changed = replace(environment, **{field: "other"})
        assert (environment_key(changed, 4) == environment_key(environment, 4)) == (field == "submission"), field


def test_results_of_another_isolation_level_are_graded_again(fake: ModuleType, ada: Submission, tmp_path: Path) -> None:
    write(tmp_path, b"page", dump(fake.results(ada)))
    assert kept(tmp_path, ada, environment_key(fake.ENVIRONMENT, 0)) is not None
    assert kept(tmp_path, ada, environment_key(fake.ENVIRONMENT, 4)) is None


def test_only_our_temporary_files_are_removed(tmp_path: Path) -> None:
    folder = tmp_path / outcome.STUDENTS / "ada"
    folder.mkdir(parents=True)
    ours = [tmp_path / ".grader-0123456789abcdef.tmp", folder / ".grader-fedcba9876543210.tmp"]
    others = [tmp_path / "notes.tmp", folder / "report.html", tmp_path / ".lock"]
    for path in [*ours, *others]:
        path.touch()
    remove_leftovers(tmp_path)
    assert not any(path.exists() for path in ours)
    assert all(path.exists() for path in others)
