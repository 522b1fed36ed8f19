"""One batch per folder of results."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.batch import lock
from grader.batch.lock import one_batch
from grader.errors import UsageError


def test_the_folder_is_made_and_locked_once(tmp_path: Path) -> None:
    with one_batch(tmp_path / "a/out"):
        with (
            pytest.raises(UsageError, match=r"Another batch is writing to .*out': wait"),
            one_batch(tmp_path / "a/out"),
        ):
            pass
        with one_batch(tmp_path / "a/other"):
            pass
    with one_batch(tmp_path / "a/out"):
        pass


def test_the_lock_ends_with_an_exception(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), one_batch(tmp_path):
        raise KeyboardInterrupt
    with one_batch(tmp_path):
        pass


def test_a_file_in_the_way_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "out").touch()
    for out in [tmp_path / "out", tmp_path / "out/below"]:
        with pytest.raises(UsageError, match=r"No batch can write to .*: choose another folder"), one_batch(out):
            pass


def test_a_file_system_without_locks_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class NoLocks:
        def __init__(self, *args: object, **kwargs: object) -> None: ...

        def acquire(self) -> None:
            raise NotImplementedError("FileSystem does not appear to support flock")

    monkeypatch.setattr(lock, "FileLock", NoLocks)
    with pytest.raises(UsageError, match="does not appear to support flock"), one_batch(tmp_path):
        pass


def test_an_error_inside_is_not_taken_for_the_locks(tmp_path: Path) -> None:
    with pytest.raises(PermissionError), one_batch(tmp_path):
        raise PermissionError
