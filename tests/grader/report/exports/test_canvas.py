"""The rules of Canvas's importer, on exports as Canvas makes them."""

from __future__ import annotations

from typing import Any

import pytest

from grader.errors import UsageError


@pytest.fixture
def rows(graded: Any) -> list[Any]:
    return [
        graded("1", 90, canvas="90071"),
        graded("2", 50, roster="S-0013"),
        graded("3", 80, login="LAstrom@example.edu"),
        graded("4", 70, unjudged=1, canvas="90074"),
    ]


def test_identity_cells_are_the_bytes_of_the_export_and_one_column_is_added(export: Any, data: Any, rows: Any) -> None:
    told = export("canvas", rows, sheet=data("canvas.csv"), column="Transformer (4711)")
    assert told.data.decode().splitlines() == [
        "Student,ID,SIS User ID,SIS Login ID,Section,Transformer (4711)",
        ",,,,,Manual Posting",
        "    Points Possible,,,,,20.00",
        '"Quill, Mara",90071,s-0012,mquill,Deep Learning A,18.00',
        '"O\'Dell, Finn",90072,s-0013,fodell,"Deep Learning A, Deep Learning B",10.00',
    ]


def test_who_has_no_points_is_not_in_the_file_but_named(export: Any, data: Any, rows: Any) -> None:
    """An empty cell would clear what Canvas has."""
    told = export("canvas", rows, sheet=data("canvas.csv"), column="4711")
    assert told.notes == (
        "3 people in the sheet have no results: Quill, Mara; Silva, Rui; Student, Test.",
        "1 student is left out: 4 (1 check not judged).",
        "1 cell is not filled, because of what it holds: 3 (EX).",
        "1 grade that was in the sheet becomes another: 2 (12.50 → 10.00).",
        "Points are scaled from 100 to the 20 that the column takes; `--no-scale` leaves them alone.",
    )


def test_semicolons_mark_two_names_and_decimal_commas(export: Any, data: Any, graded: Any, cells: Any) -> None:
    rows = [graded("x", 12.345, name="mara  QUILL"), graded("y", 87.5, canvas="90072")]
    told = export("canvas", rows, sheet=data("canvas_semicolon.csv"))
    assert told.data.startswith(b"\xef\xbb\xbf")
    assert told.data.endswith(b"\r\n")
    assert cells(told.data, ";") == [
        ["LastName", "FirstName", "ID", "SIS Login ID", "Section", "Transformer; Teil 2 (51)"],
        ["", "", "", "", "", "Manual Posting (scores hidden from students)"],
        ["    Points Possible", "", "", "", "", "100,00"],
        ["Quill", "Mara", "90071", "mquill", "DL", "12.35"],
        ["O'Dell", "Finn", "90072", "fodell", "DL", "87.50"],
    ]
    assert told.notes == ("1 person in the sheet has no results: Liv Åström.",)


def test_no_thousands_separator(export: Any, data: Any, graded: Any) -> None:
    sheet = data("canvas.csv").replace(b"10.00,20.00", b'10.00,"12,000.00"')
    told = export("canvas", [graded("x", 90, canvas="90071")], sheet=sheet, column="4711")
    assert b"Deep Learning A,10800.00\n" in told.data
    assert b'"12,000.00"' in told.data


def test_points_may_stay_unscaled_and_it_is_said(export: Any, data: Any, rows: Any) -> None:
    told = export("canvas", rows, sheet=data("canvas.csv"), column="4711", scale=False)
    assert b",90.00\n" in told.data
    assert told.notes[-1] == "Points of 100 are written into a column that takes 20, unscaled."


def test_final_points_count_not_those_of_the_checks(export: Any, data: Any, graded: Any) -> None:
    rows = [graded("x", 90, canvas="90071", adjusted=-10)]
    assert b",80.00\n" in export("canvas", rows, sheet=data("canvas.csv"), column="4711", scale=False).data


@pytest.mark.parametrize("column", ["Transformer (4711)", "4711", "Transformer", " Transformer "])
def test_a_column_is_named_by_title_or_id(export: Any, data: Any, rows: Any, column: str) -> None:
    told = export("canvas", rows, sheet=data("canvas.csv"), column=column)
    assert told.data.splitlines()[0].endswith(b"Section,Transformer (4711)")


@pytest.mark.parametrize(
    ("column", "told"),
    [
        (None, r"Several columns could take the points \('Warm-up \(4710\)', 'Transformer \(4711\)'\)"),
        ("Transformr (4711)", r"Did you mean 'Transformer \(4711\)'\?"),
        ("Final Score (2026)", "no column 'Final Score"),  # a total that looks like an assignment
        ("2026", "no column '2026'"),
        ("Notes", "no column 'Notes'"),
        ("Essays Current Score", "no column"),
    ],
)
def test_no_other_column_is_filled(export: Any, data: Any, rows: Any, column: str | None, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        export("canvas", rows, sheet=data("canvas.csv"), column=column)


def test_read_only_assignments_take_nothing(export: Any, data: Any, rows: Any) -> None:
    sheet = data("canvas.csv").replace(b",10.00,20.00,", b",(read only),20.00,")
    assert b"Transformer (4711)" in export("canvas", rows, sheet=sheet).data.splitlines()[0]


def test_a_name_that_two_have_is_not_guessed(export: Any, data: Any, graded: Any) -> None:
    rows = [graded("x", 10, name="Mara Quill"), graded("y", 20, canvas="90072")]
    told = export("canvas", rows, sheet=data("canvas.csv"), column="4711")
    assert b"Quill" not in told.data
    assert "1 student fits no single row of the sheet, or shares one with another, and is left out: x." in told.notes


def test_two_submissions_of_one_person_are_both_left_out(export: Any, data: Any, graded: Any) -> None:
    rows = [graded("x", 10, canvas="90071"), graded("mquill", 20), graded("y", 20, canvas="90072")]
    told = export("canvas", rows, sheet=data("canvas.csv"), column="4711")
    assert b"Quill" not in told.data
    assert "2 students fit no single row of the sheet, or share one, and are left out: x; mquill." in told.notes


def test_the_folder_may_be_called_like_the_login(export: Any, data: Any, graded: Any) -> None:
    told = export("canvas", [graded("fodell", 10), graded("nobody", 3)], sheet=data("canvas.csv"), column="4711")
    assert b"90072" in told.data
    assert "1 student of the class is not in the sheet: nobody." in told.notes


def test_the_sheet_of_another_course_is_refused(export: Any, data: Any, graded: Any) -> None:
    with pytest.raises(UsageError, match="The sheet has nobody of this class"):
        export("canvas", [graded("nobody", 10)], sheet=data("canvas.csv"), column="4711")


def test_a_sheet_of_another_kind_is_refused(export: Any, data: Any, rows: Any) -> None:
    with pytest.raises(UsageError, match=r"no gradebook export of Canvas \(it begins with Identifier"):
        export("canvas", rows, sheet=data("moodle_en.csv"))


def test_without_points_possible_nothing_is_scaled(export: Any, data: Any, rows: Any) -> None:
    sheet = data("canvas.csv").replace(b",10.00,20.00,", b",10.00,,")
    told = export("canvas", rows, sheet=sheet, column="4711")
    assert b",90.00\n" in told.data
    assert told.notes[-1].startswith("The sheet does not say how many points")
