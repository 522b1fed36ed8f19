"""docs/results.md documents every field, status, reason and code. `GOLDEN=write` writes the list of codes anew."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import get_args

import pytest

from grader.results import schema
from grader.results.codes import CODES

FILE = Path(__file__).parents[3] / "docs" / "results.md"
BEGIN, END = "<!-- codes: begin -->\n", "<!-- codes: end -->"
STRUCTS = [schema.Results, schema.Isolation, schema.Environment, schema.Exercise, schema.Check, schema.Evidence,
           schema.Array, schema.Diagnosis, schema.Note, schema.Picture]  # fmt: skip


def section(title: str) -> str:
    return FILE.read_text(encoding="utf-8").split(f"## {title}\n", 1)[1].split("\n## ", 1)[0]


def named(title: str) -> list[str]:
    """What the first column of a section's table names."""
    first = [line.split("|")[1] for line in section(title).splitlines() if line.startswith("| `")]
    return re.findall(r"`([^`]+)`", " ".join(first))


def codes() -> str:
    rows = [f"| `{c.slug}` | {c.reason or '-'} | {c.sentence} |" for c in CODES.values()]
    return "\n".join(["| code | reason | sentence |", "| --- | --- | --- |", *rows]) + "\n"


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: struct.__name__)
def test_every_field_is_documented(struct: type[schema.Results]) -> None:
    assert named(struct.__name__) == list(struct.__struct_fields__)


def test_every_status_and_reason_is_documented() -> None:
    assert named("Statuses") == list(get_args(schema.Status))
    assert named("Reasons") == list(get_args(schema.Reason))


def test_every_kind_of_picture_is_documented() -> None:
    listed = section("Picture").split("| what it shows")[1]
    assert re.findall(r"`([^`]+)`", listed) == list(get_args(schema.PictureKind))


def test_the_version_is_documented() -> None:
    assert f"version of this format, now {schema.SCHEMA} |" in section("Results")


def test_the_codes_are_in_step() -> None:
    head, rest = FILE.read_text(encoding="utf-8").split(BEGIN)
    listed, tail = rest.split(END)
    if os.environ.get("GOLDEN") == "write":
        FILE.write_text(head + BEGIN + (listed := codes()) + END + tail, encoding="utf-8")
    assert listed == codes(), f"the codes of {FILE.name} are not those of the grader: run this test with GOLDEN=write"
