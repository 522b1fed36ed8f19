"""What a batch left behind is the class of its last run, and nobody else's."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

import msgspec
import pytest

from grader.batch.names import assign
from grader.batch.reread import reread
from grader.batch.tables import Class, Member
from grader.errors import UsageError
from grader.report.rows import Row
from grader.results.store import dump, load

SAMPLE = load(Path(__file__).parents[1] / "report" / "sample.json")
LOST = Row("zoe", None, "'zoe.zip' is damaged.", None)


def row(student: str) -> Row:
    folder = assign([student])[student]
    results = msgspec.structs.replace(SAMPLE, student=student)
    return Row(student, results, None, f"students/{quote(folder)}/report.html")


def leave(out: Path, rows: Sequence[Row]) -> list[Row]:
    """As a batch does: a folder a student, old ones stay, and class.json is of this run."""
    for one in rows:
        if one.results:
            folder = out / "students" / assign([one.student])[one.student]
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "results.json").write_bytes(dump(one.results))
    folders = assign([one.student for one in rows])
    members = [Member(student=one.student, folder=folders[one.student], problem=one.problem) for one in rows]
    (out / "class.json").write_bytes(msgspec.json.encode(Class(title="t", members=members)))
    return list(rows)


def test_rows_are_those_of_the_batch_in_its_order(tmp_path: Path) -> None:
    rows = leave(tmp_path, [row("mara"), LOST, row("finn")])
    assert reread(tmp_path) == (rows, [])


def test_old_results_do_not_stand_for_who_could_not_be_graded_again(tmp_path: Path) -> None:
    leave(tmp_path, [row("zoe"), row("finn")])
    rows = leave(tmp_path, [LOST, row("finn")])
    assert (tmp_path / "students/zoe/results.json").exists()
    assert reread(tmp_path) == (rows, [])


def test_who_left_the_class_is_told_apart(tmp_path: Path) -> None:
    leave(tmp_path, [row("mara"), row("finn")])
    rows = leave(tmp_path, [row("finn")])
    assert reread(tmp_path) == (rows, ["mara"])


@pytest.mark.parametrize("name", ["=1+1", "a\u202eb", "two  blanks", "梅", "x" * 600])
def test_names_that_folders_cannot_have_are_found_again(tmp_path: Path, name: str) -> None:
    rows = leave(tmp_path, [row(name), row("finn")])
    assert reread(tmp_path) == (rows, [])


def test_damaged_and_missing_results_are_rows_with_a_reason(tmp_path: Path) -> None:
    leave(tmp_path, [row("mara"), row("finn"), row("liv")])
    (tmp_path / "students/mara/results.json").write_bytes(b"{")
    (tmp_path / "students/finn/results.json").unlink()
    rows, gone = reread(tmp_path)
    assert [(one.student, one.results is None) for one in rows] == [("mara", True), ("finn", True), ("liv", False)]
    assert "is not JSON" in str(rows[0].problem)
    assert "has no results of this student" in str(rows[1].problem)
    assert gone == []


@pytest.mark.parametrize("known", [None, b"{}", b"\xff\xfe"])
def test_without_the_list_of_the_class_all_results_count(tmp_path: Path, known: bytes | None) -> None:
    rows = leave(tmp_path, [row("finn"), row("mara")])
    (tmp_path / "class.json").unlink()
    if known:
        (tmp_path / "class.json").write_bytes(known)
    assert reread(tmp_path) == (rows, [])


def test_another_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is no folder of a batch"):
        reread(tmp_path)
