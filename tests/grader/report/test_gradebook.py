"""The gradebook is CSV that spreadsheets and programs read alike."""

from __future__ import annotations

import csv
import io
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.report.gradebook import render, safe
from grader.report.rows import Row
from grader.report.text import clean_line
from grader.results.schema import Adjustment, Origin, Results


def read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text), strict=True))


def test_golden(make_class: Any, golden: Any) -> None:
    golden("gradebook.csv", render(make_class(6)))


def test_points_are_numbers_and_text_is_quoted(make_class: Any) -> None:
    rows = make_class(4)
    text = render(rows)
    for row, found in zip(rows[:-1], read(text), strict=False):
        assert float(found["points"]) == row.results.points
        assert float(found["possible"]) == row.results.possible
        assert [float(found[e.name]) for e in row.results.exercises] == [e.points for e in row.results.exercises]
        assert found["status"] == "graded"
    assert text.splitlines()[1].startswith('"student-0001",39,84,')


def test_without_results_the_points_are_empty_not_zero(make_class: Any) -> None:
    last = read(render(make_class(4)))[-1]
    assert last["points"] == last["possible"] == last["masking"] == ""
    assert last["status"] == "no results"
    assert last["problem"] == "attention.zip is not a zip archive."


def test_what_could_not_be_judged_is_said(sample: Results, build: Any) -> None:
    rows = [Row("a", sample, None, None), Row("b", build.results("b", [build.part("masking")]), None, None)]
    first, second = read(render(rows))
    assert first["status"] == "graded, 2 not judged"
    assert (second["masking"], second["attention"]) == ("12", "")


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n=", " =", '"=', "' =", "＝", "\u00a0="])
def test_text_that_a_spreadsheet_would_run_is_marked(start: str) -> None:
    assert safe(f"{start}1+1").startswith("'")


def test_harmless_text_stays_as_it_is() -> None:
    for text in ("Ada", "a=b", "O'Neil", "007", "", "Zoë - x"):
        assert safe(text) == text


def test_ids_and_addresses_have_columns_where_they_are_known(build: Any) -> None:
    ada, ben = (build.results(name, [build.part("masking")]) for name in ("ada", "ben"))
    rows = [
        Row("ada", msgspec.structs.replace(ada, origin=Origin(ids={"roster": "0071", "canvas": "3"})), None, None),
        Row("ben", ben, None, None),
        Row("eve", None, "Not handed in.", None, Origin(ids={"roster": "=1+1"})),
    ]
    assert [row["id"] for row in read(render(rows))] == ["0071", "", "'=1+1"]
    assert "email" not in read(render(rows))[0]
    assert "id" not in read(render(rows[1:2]))[0]


def test_hostile_text_stays_in_its_cell(hostile: tuple[str, Results]) -> None:
    text, results = hostile
    out = render([Row(text, results, text, None), Row(text, None, text, None)])
    found = read(out)
    assert [row["status"] for row in found] == ["graded, 1 not judged", "no results"]
    assert all(None not in row for row in found)
    for cell in (cell for row in found for cell in row.values()):
        assert cell.isprintable()
        assert not cell.lstrip(' "').startswith(("=", "+", "-", "@"))
    out.encode("utf-8")


def test_final_points_come_last_and_only_where_they_are_known(sample: Results, build: Any) -> None:
    good = build.results("b", [build.part("masking")])
    late = Adjustment(kind="late", exercise=None, before=12, after=9.5, reason="=two days late")
    adjusted = msgspec.structs.replace(good, adjustments=[late])
    rows = [Row("a", sample, None, None), Row("b", good, None, None), Row("c", None, "No file.", None)]
    assert [row["final"] for row in read(render(rows))] == ["", "12", ""]
    assert "adjustments" not in read(render(rows))[0]
    last = read(render([*rows, Row("d", adjusted, None, None)]))[-1]
    assert (last["points"], last["final"], last["adjustments"]) == ("12", "9.5", "'=two days late")


@given(text=st.text(st.one_of(st.sampled_from("=+-@＝＋－＠ \t\r\n\"'\u00a0\u3000,;"), st.characters()), max_size=12))
def test_no_text_is_a_formula_or_another_cell(text: str) -> None:
    """A spreadsheet looks at the first character that is neither blank nor a quote it takes off."""
    (row,) = read(render([Row(text, None, text, None)]))
    for cell in (row["student"], row["problem"]):
        assert not cell.lstrip(' "\u00a0\u3000').startswith(tuple("=+-@＝＋－＠\t\r\n"))
        assert clean_line(cell) == cell
