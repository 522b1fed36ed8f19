"""The directive `pages`: a table of contents of those of its pages that are there.

A page of the navigation that does not exist is a warning with `toctree`, and a page outside of it is one in any case.
"""

from __future__ import annotations

from typing import Any

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.directives.other import TocTree


class Pages(TocTree):
    def run(self) -> list[nodes.Node]:
        there = [name for name in self.content if name in self.env.found_docs]
        self.content = StringList(there, self.state.document.current_source)
        return super().run() if there else []


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_directive("pages", Pages)
    return {"parallel_read_safe": True}
