"""Sheets as platforms write them: separators, marks, quotes, and what is no sheet."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import UsageError
from grader.report.exports.sheet import parse, value

CELLS = st.text(st.sampled_from('ab1 ,;"\t\n=ä'), max_size=8)


@given(
    rows=st.lists(st.lists(CELLS, min_size=4, max_size=6), min_size=1, max_size=6),
    delimiter=st.sampled_from(",;"),
    newline=st.sampled_from(["\n", "\r\n"]),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    bom=st.booleans(),
)
def test_cells_mean_what_any_reader_reads_and_come_back_as_they_were(
    rows: list[list[str]], delimiter: str, newline: str, quoting: int, bom: bool
) -> None:
    """The header of a real sheet has no delimiter of another kind; it decides which one it is."""
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator=newline, quoting=quoting).writerows(
        [["Student", "ID", "Section", "Title (1)"], *rows]
    )
    data = b"\xef\xbb\xbf" * bom + out.getvalue().encode()
    sheet = parse(data)
    assert [[value(cell) for cell in row] for row in sheet.rows[1:]] == rows
    assert sheet.dump(sheet.rows) == data


@given(text=CELLS)
def test_a_cell_of_ours_is_read_as_it_was_meant(text: str) -> None:
    sheet = parse(b"a,b,c\n")
    assert next(csv.reader(io.StringIO(f"x,{sheet.cell(text)}\n", newline=""), strict=True)) == ["x", text]


def test_short_rows_are_as_long_as_the_header() -> None:
    sheet = parse(b"a,b,c\n1\n")
    assert sheet.values(1) == ["1", "", ""]
    assert sheet.raw(1, (0, 2)) == ["1", ""]


def test_the_last_line_needs_no_end() -> None:
    assert parse(b"a;b\n1;").rows == (("a", "b"), ("1", ""))


def test_a_line_that_ends_within_a_cell_says_nothing_of_the_others() -> None:
    data = b'Student,"Week\n1 (2)"\r\nada,3\r\n'
    sheet = parse(data)
    assert sheet.dump(sheet.rows) == data


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"PK\x03\x04", "a workbook or an archive, not CSV"),
        ("名,分".encode("gbk"), "not text in UTF-8"),
        ("Student,ID".encode("utf-16"), "not text in UTF-8"),
        (b"", "is empty"),
        (b"\xef\xbb\xbf \n", "is empty"),
        (b'a,b\n"open,1\n', "not CSV at line 2: a quote is open"),
        (b'a,b\n"x"y,1\n', "not CSV at line 2"),
    ],
)
def test_what_is_no_sheet_says_what_to_do(data: bytes, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        parse(data)
