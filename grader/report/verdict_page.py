"""The verdict on one exercise as a page of its own, for the frame below a notebook's cell."""

from __future__ import annotations

from grader.report import student_page
from grader.results.schema import Results


def render(results: Results, where: str) -> str:
    """`where`: what was graded, in words."""
    return student_page.page("verdict.html.j2", results, where=where)
