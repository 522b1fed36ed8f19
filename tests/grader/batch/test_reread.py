"""What a batch left behind is the class of its last run, and nobody else's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from grader.batch.pages import Pages, standard
from grader.batch.reread import reread
from grader.errors import UsageError
from grader.report.rows import Row
from grader.submission.model import Submission

Batch = Callable[..., list[Row]]


@pytest.fixture
def pages(fake: ModuleType) -> Pages:
    """With the real gradebook: it is what is read."""
    return Pages(fake.PAGES.student, fake.PAGES.overview, standard().gradebook)


def test_rows_are_those_of_the_batch(batch: Batch, trio: list[Submission], out: Path, pages: Pages) -> None:
    rows = batch(trio, pages=pages)
    assert reread(out) == (rows, [])


def test_old_results_do_not_stand_for_who_could_not_be_graded_again(
    batch: Batch, fake: ModuleType, trio: list[Submission], out: Path, pages: Pages
) -> None:
    batch(trio, pages=pages)
    trio[0] = Submission("ada", {}, ("'ada.zip' is damaged.",))
    rows = batch(trio, pages=pages)
    assert (out / "students/ada/results.json").exists()
    assert reread(out) == (rows, [])
    assert rows[0].results is None
    assert rows[0].problem == "'ada.zip' is damaged."


def test_who_left_the_class_is_told_apart(batch: Batch, trio: list[Submission], out: Path, pages: Pages) -> None:
    batch(trio, pages=pages)
    rows = batch(trio[1:], pages=pages)
    assert reread(out) == (rows, ["ada"])


def test_names_that_a_spreadsheet_would_run_are_found_again(
    batch: Batch, fake: ModuleType, out: Path, pages: Pages
) -> None:
    rows = batch([fake.submission("=1+1"), fake.submission("a\u202eb")], pages=pages)
    assert reread(out) == (rows, [])


def test_damaged_and_missing_results_are_rows_with_a_reason(
    batch: Batch, trio: list[Submission], out: Path, pages: Pages
) -> None:
    batch(trio, pages=pages)
    (out / "students/ada/results.json").write_bytes(b"{")
    (out / "students/grace/results.json").unlink()
    rows, gone = reread(out)
    assert [row.results is None for row in rows] == [True, True, False]
    assert "is not JSON" in str(rows[0].problem)
    assert "has no results of this student" in str(rows[1].problem)
    assert gone == []


def test_without_a_gradebook_all_results_count(batch: Batch, trio: list[Submission], out: Path, pages: Pages) -> None:
    rows = batch(trio, pages=pages)
    (out / "gradebook.csv").unlink()
    assert reread(out) == (rows, [])


def test_another_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is no folder of a batch"):
        reread(tmp_path)


def test_another_csv_is_no_gradebook(
    batch: Batch, trio: list[Submission], out: Path, pages: Pages, tmp_path: Any
) -> None:
    rows = batch(trio, pages=pages)
    (out / "gradebook.csv").write_bytes(b"a;b\n1;2\n")
    assert reread(out) == (rows, [])
