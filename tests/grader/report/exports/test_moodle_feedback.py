"""The zip is read here as Moodle reads it: by pieces between underscores."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import pytest

from grader.errors import UsageError
from grader.report.exports.model import Export

PAGES = {"page": lambda row: f"page of {row.student}".encode()}


def as_moodle_reads(export: Export) -> dict[int, tuple[str, str]]:
    """By participant: what the file is called, and what is in it."""
    found = {}
    with zipfile.ZipFile(io.BytesIO(export.data)) as archive:
        for path in archive.namelist():
            folder, name = path.split("/")
            pieces = folder.split("_", 4)
            assert len(pieces) >= 4, path
            assert pieces[2].startswith("assign")
            assert not name.startswith((".", "~"))
            found[int(pieces[1])] = (name, archive.read(path).decode())
    return found


def test_each_page_comes_to_its_participant(export: Any, data: Any, graded: Any) -> None:
    rows = [
        graded("mara", 1, folder="Mara Quill_8801_assignsubmission_file_"),
        graded("jan", 2, folder="Jan_Peter de_Wit_8804_assignsubmission_file"),
        graded("finn", 3, email="finn@example.edu"),
        graded("liv", 4, name="Liv_Åström", moodle="8803"),
    ]
    told = export("moodle-feedback", rows, sheet=data("moodle_en.csv"), **PAGES)
    assert as_moodle_reads(told) == {
        8801: ("report.html", "page of mara"),
        8802: ("report.html", "page of finn"),
        8803: ("report.html", "page of liv"),
        8804: ("report.html", "page of jan"),
    }
    assert told.notes == ()


def test_the_platforms_own_folder_keeps_its_name(export: Any, graded: Any) -> None:
    told = export("moodle-feedback", [graded("mara", 1, folder="Mara Quill_8801_assignsubmission_file_")], **PAGES)
    with zipfile.ZipFile(io.BytesIO(told.data)) as archive:
        assert archive.namelist() == ["Mara Quill_8801_assignsubmission_file_/report.html"]


@pytest.mark.parametrize("name", ["../../etc", "/a\\b:c", ".", "", "~", "a/../b"])
def test_a_folder_never_leads_out_of_the_archive(export: Any, graded: Any, name: str) -> None:
    told = export("moodle-feedback", [graded("mara", 1, folder=f"{name}_8801_assignsubmission_file_")], **PAGES)
    with zipfile.ZipFile(io.BytesIO(told.data)) as archive:
        (path,) = archive.namelist()
    assert path.count("/") == 1
    assert not set(path) & set("\\:")
    assert not path.startswith((".", "~", "_"))
    assert as_moodle_reads(told) == {8801: ("report.html", "page of mara")}


def test_equal_pages_are_equal_bytes(export: Any, data: Any, graded: Any) -> None:
    rows = [graded("mara", 1, moodle="8801"), graded("finn", 3, moodle="8802")]
    first, second = (export("moodle-feedback", order, **PAGES).data for order in (rows, rows[::-1]))
    assert first == second


def test_who_gets_none_is_named(export: Any, graded: Any) -> None:
    rows = [
        graded("mara", 1, moodle="8801"),
        graded("finn", 3),
        graded("liv", 1, moodle="8803", unjudged=1),
        graded("jan", 1, moodle="8804"),
        graded("jan2", 1, moodle="8804", name="jan"),
    ]
    rows[4] = graded("jan2", 1, folder="jan_8804_assignfeedback_file")
    told = export("moodle-feedback", rows, page=lambda row: None if row.student == "nobody" else b"x")
    assert set(as_moodle_reads(told)) == {8801}
    assert told.notes == (
        "1 student is left out: liv (1 check not judged).",
        "1 student has no participant number, and gets no feedback: finn. The worksheet (--sheet) has it.",
        "2 students fit no single row of the sheet, or share one, and are left out: jan; jan2.",
    )


def test_a_page_that_is_not_there_is_named(export: Any, graded: Any) -> None:
    rows = [graded("mara", 1, moodle="8801"), graded("finn", 3, moodle="8802")]
    told = export("moodle-feedback", rows, page=lambda row: b"x" if row.student == "mara" else None)
    assert told.notes == ("1 page is not there: finn. `grade batch` writes it again.",)


def test_an_empty_archive_is_refused(export: Any, graded: Any) -> None:
    with pytest.raises(UsageError, match="give the assignment's worksheet with --sheet"):
        export("moodle-feedback", [graded("finn", 3)], **PAGES)
