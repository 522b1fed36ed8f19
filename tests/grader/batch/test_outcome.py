"""A student's two files: whole, and of one run."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from types import ModuleType

import pytest

from grader.batch import outcome
from grader.batch.outcome import read, remove, remove_leftovers, write
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
    assert read(tmp_path / "students/ada", "ada") == results


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


@pytest.mark.parametrize("damage", ["report.html", "results.json"])
def test_half_an_outcome_is_none(fake: ModuleType, ada: Submission, tmp_path: Path, damage: str) -> None:
    write(tmp_path, b"page", dump(fake.results(ada)))
    (tmp_path / damage).unlink()
    assert read(tmp_path, "ada") is None


def test_broken_results_and_those_of_another_are_none(fake: ModuleType, ada: Submission, tmp_path: Path) -> None:
    write(tmp_path, b"page", dump(fake.results(ada)))
    assert read(tmp_path, "ada") == fake.results(ada)
    assert read(tmp_path, "grace") is None
    write(tmp_path, b"page", dump(fake.results(ada))[:-20])
    assert read(tmp_path, "ada") is None


def test_removed_are_both_files_and_an_empty_folder(fake: ModuleType, ada: Submission, tmp_path: Path) -> None:
    for other in (False, True):
        write(tmp_path / "ada", b"page", dump(fake.results(ada)))
        if other:
            (tmp_path / "ada" / "notes.txt").touch()
        remove(tmp_path / "ada")
        assert [path.name for path in tmp_path.glob("ada/*")] == ["notes.txt"] * other
    remove(tmp_path / "nobody")


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
