"""The directive `keys`: the table of a file's keys, made from the ones that the loader accepts."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from grader.catalogue.table import Key


class Keys(SphinxDirective):
    """Its argument names a table of keys, as `grader.catalogue.load:TASK_KEYS`."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        module, _, name = self.arguments[0].partition(":")
        return self.parse_text_to_nodes(markdown(getattr(importlib.import_module(module), name)))


def markdown(keys: Mapping[str, Key]) -> str:
    """A table: key, what it is, what it means, and what holds without it."""
    rows = [f"| `{name}` | {key.kind} | {key.meaning} | {key.default} |" for name, key in keys.items()]
    return "\n".join(["| key | what | meaning | without it |", "| --- | --- | --- | --- |", *rows])


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_directive("keys", Keys)
    return {"parallel_read_safe": True}
