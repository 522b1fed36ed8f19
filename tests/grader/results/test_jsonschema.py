"""docs/results.schema.json is the schema of the structs, and real files follow it. `GOLDEN=write` writes it anew."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from msgspec.structs import replace

from grader.results.jsonschema import render
from grader.results.schema import Results
from grader.results.store import dump

FILE = Path(__file__).parents[3] / "docs" / "results.schema.json"


@pytest.fixture(scope="module")
def validator() -> Any:
    schema = json.loads(FILE.read_bytes())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def test_the_file_is_in_step() -> None:
    if os.environ.get("GOLDEN") == "write":
        FILE.write_bytes(render())
    assert FILE.read_bytes() == render(), f"{FILE.name} is not the structs' schema: run this test with GOLDEN=write"


def test_real_files_follow_it(results: Results, validator: Any) -> None:
    validator.validate(json.loads(dump(results)))
    validator.validate(json.loads(dump(replace(results, exercises=[], problems=[]))))


def test_other_files_do_not(results: Results, validator: Any) -> None:
    good = json.loads(dump(results))
    check = good["exercises"][0]["checks"][0]
    assert validator.is_valid(good)
    for where, key, wrong in [(good, "points", "2"), (good, "student", None), (check, "status", "fine")]:
        right, where[key] = where[key], wrong
        assert not validator.is_valid(good), (key, wrong)
        where[key] = right
    del good["environment"]
    assert not validator.is_valid(good)
