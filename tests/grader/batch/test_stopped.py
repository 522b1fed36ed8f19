"""A batch that is stopped, by Ctrl-C or by a full disk: the tables say what is done, and the next run carries on."""

from __future__ import annotations

import errno
import os
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from grader.batch.progress import Done
from grader.errors import UsageError
from grader.report.rows import Row
from grader.submission.model import Submission

Batch = Callable[..., list[Row]]


def test_an_interrupt_writes_the_tables_of_what_is_done(
    batch: Batch, fake: ModuleType, trio: list[Submission], out: Path
) -> None:
    batch(trio[2:])
    grader = fake.Grader()

    def interrupt(done: Done) -> None:
        if done.row.student == "ada":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        batch([*trio, *map(fake.submission, "bcdefgh")], lambda s: time.sleep(0.05) or grader(s), progress=interrupt)
    assert len(grader.graded) < 4
    assert fake.listed(out) in [["ada", "linus"], ["ada", "grace", "linus"]]
    assert not list(out.rglob("*.tmp"))


def test_an_interrupt_counts_what_ended_before_it_and_nothing_after(
    batch: Batch, fake: ModuleType, trio: list[Submission], out: Path
) -> None:
    stopping, quick = threading.Event(), threading.Event()

    def grade(submission: Submission) -> Any:
        if submission.student == "grace":  # ends while the run is stopping, killed by the same Ctrl-C
            stopping.wait(10)
            time.sleep(0.2)
        if submission.student == "linus":  # ends before it, unheard
            quick.set()
        return fake.results(submission)

    def interrupt(done: Done) -> None:
        quick.wait(10)
        time.sleep(0.2)
        stopping.set()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        batch(trio, grade, jobs=2, progress=interrupt)
    assert sorted(os.listdir(out / "students")) == ["ada", "linus"]
    assert fake.listed(out) == ["ada", "linus"]


def test_an_interrupt_of_the_tables_waits_for_them(
    batch: Batch, fake: ModuleType, trio: list[Submission], out: Path
) -> None:
    calls: list[int] = []

    def gradebook(rows: list[Row]) -> str:
        calls.append(len(rows))
        if len(calls) == 1:
            raise KeyboardInterrupt
        return str(fake.PAGES.gradebook(rows))

    pages = replace(fake.PAGES, gradebook=gradebook)
    with pytest.raises(KeyboardInterrupt):
        batch(trio, pages=pages)
    assert len(fake.tables(out)[1]) == 3


def test_an_interrupt_inside_the_grader_ends_the_run(
    batch: Batch, fake: ModuleType, trio: list[Submission], out: Path
) -> None:
    with pytest.raises(KeyboardInterrupt):
        batch(trio, fake.Grader({"grace": KeyboardInterrupt()}))
    lines = fake.tables(out)[1]  # the call after it may have begun already
    assert lines[0] == "'ada', 2.0, students/ada/report.html"
    assert not any("grace" in line for line in lines)


def test_a_full_disk_ends_the_run_with_one_sentence(
    batch: Batch, grader: Any, trio: list[Submission], out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch(trio)
    before = {path: path.read_bytes() for path in out.rglob("*.*") if path.is_file()}

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(UsageError, match=r"no space left to write .*: free some and run the same command again"):
        batch(trio, grader, force=True)
    assert {path: path.read_bytes() for path in out.rglob("*.*") if path.is_file()} == before
