"""A class whose people are in the sheets of tests/grader/data/exports, and how an export is asked for."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from grader.report.exports.formats import FORMATS
from grader.report.exports.model import Export, Request
from grader.report.rows import Row
from grader.results.schema import Adjustment, Origin, Results

DATA = Path(__file__).parents[2] / "data" / "exports"
SECRET = "the mask of row 3 is [1, 0, 0]"


@pytest.fixture
def data() -> Callable[[str], bytes]:
    """A file as the platform made it."""
    return lambda name: (DATA / name).read_bytes()


@pytest.fixture
def graded(build: Any) -> Callable[..., Row]:
    """graded("mara", 40, canvas="90071"): a row with that many of 100 points, and ids of that person."""

    def make(
        student: str, points: float, name: str = "", folder: str = "", adjusted: float = 0.0,
        unjudged: int = 0, **ids: str,
    ) -> Row:  # fmt: skip
        first = build.check("masking", "causal_mask", "rows", "Rows hold.", "passed", points)
        second = build.check("masking", "causal_mask", "columns", "Columns hold.", "failed", 100 - points)
        broken = [
            build.check("masking", "causal_mask", f"broken_{n}", "Holds.", "error", 0.0, code="engine")
            for n in range(unjudged)
        ]
        exercise = build.exercise("masking", "Masks", "failed", [first, second, *broken])
        made = [
            Adjustment(kind="late", exercise=None, before=points, after=points + adjusted, reason="two days late")
        ]  # fmt: skip
        results = msgspec.structs.replace(
            build.results(student, [exercise]),
            origin=Origin(name=name, ids=ids, folder=folder) if name or ids or folder else None,
            adjustments=made if adjusted else [],
        )
        return Row(student, results, None, f"students/{student}/report.html")

    return make


@pytest.fixture
def export() -> Callable[..., Export]:
    """export("canvas", rows, sheet=…): the file and the notes."""
    return lambda name, rows, **more: FORMATS[name].write(Request(rows, **more))


@pytest.fixture
def cells() -> Callable[..., list[list[str]]]:
    """What any program reads in a CSV file."""
    return lambda data, delimiter=",": list(
        csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""), delimiter=delimiter, strict=True)
    )


@pytest.fixture
def hidden(build: Any) -> Results:
    """Results with a hidden check that failed, and knows more than it may say."""
    secret = build.failure(
        "masking", "causal_mask", "secret_check", SECRET, "gradient", "property", SECRET, hidden=True,
        values={"seen": SECRET}, detail=SECRET, help="Look at short rows.", seconds=0.123,
        evidence=build.Evidence(dims={"T": SECRET}),
    )  # fmt: skip
    return build.results("mara", [build.exercise("masking", "Masks", "failed", [secret])])
