"""The JSON Schema of a results file, made from the structs; docs/results.schema.json is kept in step by a test."""

from __future__ import annotations

import msgspec

from grader.results.schema import Results

DRAFT = "https://json-schema.org/draft/2020-12/schema"


def render() -> bytes:
    """The schema as indented JSON. Unknown fields are allowed: a reader of an old schema skips them."""
    schema = {"$schema": DRAFT, "title": "Results", **msgspec.json.schema(Results)}
    return msgspec.json.format(msgspec.json.encode(schema, order="sorted"), indent=2) + b"\n"
