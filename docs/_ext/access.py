"""What the theme leaves out for those who use a keyboard or a screen reader: everything that scrolls can be reached."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

REACHED = (
    (re.compile(r"<pre>"), '<pre tabindex="0">'),
    (re.compile(r'<div class="table-wrapper'), '<div tabindex="0" class="table-wrapper'),
)
CAPTION = 'class="caption" role="heading"'  # of a part of the navigation


def complete(app: Sphinx, page: str, template: str, context: dict[str, Any], tree: nodes.document | None) -> None:
    """In the HTML of a page and of the navigation beside it."""
    for pattern, more in REACHED:
        if "body" in context:
            context["body"] = pattern.sub(more, context["body"])
    navigation = context.get("furo_navigation_tree")
    if navigation:
        context["furo_navigation_tree"] = navigation.replace(CAPTION, f'{CAPTION} aria-level="2"')


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("html-page-context", complete, priority=900)  # after the theme, which makes the navigation
    return {"parallel_read_safe": True}
