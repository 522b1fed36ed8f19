"""Points on their way to a gradebook."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.report.grades import read, scaled, why_none, written
from grader.report.rows import Row
from grader.results.schema import Results


@pytest.mark.parametrize(
    ("cell", "number"),
    [
        ("20", "20"), (" 20.00 ", "20"), ("12,50", "12.5"), ("1,234.50", "1234.5"), ("1.234,50", "1234.5"),
        ("1,234", "1.234"), ("-1", "-1"), ("5.", "5"),
        ("", None), ("-", None), ("EX", None), ("1e3", None), ("nan", None), ("٣", None),
        ("(read only)", None), (".5", None),
    ],
)  # fmt: skip
def test_a_cell_is_read_as_the_platforms_read_it(cell: str, number: str | None) -> None:
    assert read(cell) == (None if number is None else Decimal(number))


@given(points=st.decimals(0, 10**7, places=2), mark=st.sampled_from(".,"))
def test_what_is_written_is_read_again(points: Decimal, mark: str) -> None:
    text = written(points, mark)
    assert read(text) == points
    assert set(text) <= set("0123456789" + mark)
    assert text.count(mark) == 1


@pytest.mark.parametrize(
    ("points", "maximum", "shown"),
    [(87.5, None, "87.50"), (87.5, "20", "17.50"), (66.67, "3", "2.00"), (33.125, None, "33.13"), (100, "7.5", "7.50")],
)
def test_points_are_scaled_and_rounded_as_a_person_would(
    build: Any, points: float, maximum: str | None, shown: str
) -> None:
    one = build.check("masking", "t", "c", "Holds.", "passed", 100.0, points=points)
    results = build.results("mara", [build.exercise("masking", "Masks", "failed", [one])])
    assert written(scaled(results, Decimal(maximum) if maximum else None)) == shown


def test_unknown_is_not_zero(sample: Results, build: Any) -> None:
    assert why_none(Row("a", None, "No file.", None)) == "No file."
    assert why_none(Row("a", None, None, None)) == "no results"
    assert why_none(Row("a", sample, None, None)) == "2 checks not judged"
    whole = msgspec.structs.replace(build.part("masking"), status="error")
    assert why_none(Row("a", build.results("a", [whole]), None, None)) == "not judged"
    assert why_none(Row("a", build.results("a", [build.part("masking")]), None, None)) is None
