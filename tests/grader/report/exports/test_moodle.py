"""The rules of Moodle's worksheet import, on worksheets in three languages."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from grader.errors import UsageError
from grader.report.exports.moodle import comment

SHEETS = ["moodle_en.csv", "moodle_de.csv", "moodle_zh.csv"]


@pytest.fixture
def rows(graded: Any) -> list[Any]:
    return [graded("mara", 80, moodle="8801"), graded("finn", 50, email="Finn@example.edu")]


@pytest.mark.parametrize(
    ("name", "grades"),
    [
        ("moodle_en.csv", ("16.00", "10.00")),
        ("moodle_de.csv", ('"32,00"', '"20,00"')),
        ("moodle_zh.csv", ("80.00", "50.00")),
    ],
)
def test_only_the_grades_change_and_not_a_letter_else(
    export: Any, data: Any, rows: Any, name: str, grades: tuple[str, str]
) -> None:
    before = data(name)
    told = export("moodle", rows, sheet=before)
    text = before.decode()
    held = '"12,50"' if name == "moodle_de.csv" else "12.50"
    lines = text.splitlines(keepends=True)
    empty = {"moodle_en.csv": ",20.00", "moodle_de.csv": ',"40,00"', "moodle_zh.csv": ",100.00"}[name]
    lines[1] = lines[1].replace(f",{empty}", f",{grades[0]}{empty}")
    lines[2] = lines[2].replace(held, grades[1])
    assert told.data.decode() == "".join(lines)
    assert any(note.startswith("1 grade that was in the sheet becomes another: finn (12") for note in told.notes)


@pytest.mark.parametrize("name", SHEETS)
def test_time_of_the_last_grade_is_what_moodle_wrote(export: Any, data: Any, rows: Any, cells: Any, name: str) -> None:
    before, after = cells(data(name)), cells(export("moodle", rows, sheet=data(name)).data)
    at = next(n for n, title in enumerate(before[0]) if title.endswith(("(grade)", "(Bewertung)", "（评分）")))
    assert [row[at] for row in after] == [row[at] for row in before]


def test_who_has_no_points_keeps_the_cell(export: Any, data: Any, graded: Any, cells: Any) -> None:
    rows = [graded("finn", 50, unjudged=2, moodle="8802"), graded("mara", 80, moodle="8801")]
    told = export("moodle", rows, sheet=data("moodle_en.csv"))
    assert [row[5] for row in cells(told.data)[1:]] == ["16.00", "12.50", "", ""]
    assert "1 student is left out: finn (2 checks not judged)." in told.notes
    assert "2 people in the sheet have no results: Liv Åström; Jan_Peter de_Wit." in told.notes


@pytest.mark.parametrize(
    ("name", "ids"), [("moodle_en.csv", {"roster": "s-0019"}), ("moodle_de.csv", {"moodle": "8803"})]
)
def test_a_locked_grade_is_told_since_moodle_skips_it(
    export: Any, data: Any, graded: Any, rows: Any, name: str, ids: dict[str, str]
) -> None:
    sheet = data(name)
    told = export("moodle", [*rows, graded("jan", 10, **ids)], sheet=sheet)
    assert told.data.splitlines()[-1] == sheet.splitlines()[-1]
    assert "1 grade is locked in the sheet and stays as it is: jan." in told.notes


def test_points_out_of_range_are_told_since_moodle_skips_them(export: Any, data: Any, graded: Any, rows: Any) -> None:
    told = export("moodle", [*rows, graded("liv", 99, moodle="8803", adjusted=6)], sheet=data("moodle_en.csv"))
    assert b"21.00" not in told.data
    assert "1 student has points the column does not take (0 to 20.00) and is left out: liv (21.00)." in told.notes


def test_unscaled_points_over_the_maximum_are_told_too(export: Any, data: Any, rows: Any) -> None:
    told = export("moodle", rows, sheet=data("moodle_en.csv"), scale=False)
    assert told.data == data("moodle_en.csv")
    assert any("mara (80.00); finn (50.00)" in note for note in told.notes)


def test_a_comment_goes_where_it_is_told_to(export: Any, data: Any, graded: Any, cells: Any) -> None:
    rows = [graded("mara", 80, moodle="8801", adjusted=-10)]
    told = cells(export("moodle", rows, sheet=data("moodle_en.csv"), comments="Feedback comments").data)
    assert told[1][-1] == "70 of 100 points in all. 0 of 1 exercise passed. Of 2 checks, 1 failed. two days late"
    assert told[2][-1] == '<p>see "notes",\nplease</p>'
    with pytest.raises(UsageError, match="no column 'Comments' for comments: its last one is 'Feedback comments'"):
        export("moodle", rows, sheet=data("moodle_en.csv"), comments="Comments")


def test_a_comment_is_no_markup(graded: Any) -> None:
    row = graded("mara", 80, adjusted=-10)
    late = msgspec.structs.replace(row.results.adjustments[0], comment="<b>=1+1</b>")
    assert "&lt;b&gt;" in comment(msgspec.structs.replace(row.results, adjustments=[late]))


def test_participants_are_found_by_number_or_by_the_whole_word(export: Any, data: Any, graded: Any) -> None:
    rows = [graded("a", 80, moodle="Teilnehmer/in8801"), graded("Finn O'Dell", 50)]
    told = export("moodle", rows, sheet=data("moodle_de.csv"))
    assert b'"32,00"' in told.data
    assert b'"20,00"' in told.data


def test_a_scale_of_words_takes_no_points(export: Any, data: Any, rows: Any) -> None:
    sheet = data("moodle_en.csv").replace(b",20.00,", b',"bad\ngood",')
    with pytest.raises(UsageError, match="set the assignment's grade type to points"):
        export("moodle", rows, sheet=sheet)


def test_a_sheet_of_another_kind_is_refused(export: Any, data: Any, rows: Any) -> None:
    with pytest.raises(UsageError, match="no grading worksheet of Moodle"):
        export("moodle", rows, sheet=data("canvas.csv"))


def test_where_two_columns_could_be_the_grade_one_is_asked_for(export: Any, rows: Any) -> None:
    sheet = b"Kood,Nimi,Hinne,Max,Boonus,Max2\nOsaleja8801,Mara,,20,,5\nOsaleja8802,Finn,1,20,,5\n"
    with pytest.raises(UsageError, match=r"Several columns could take the points \('Hinne', 'Boonus'\)"):
        export("moodle", rows, sheet=sheet)
    assert b"Osaleja8801,Mara,16.00,20," in export("moodle", rows, sheet=sheet, column="Hinne").data
