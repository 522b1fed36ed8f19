"""The gradebook as CSV: the file that a batch writes, made again from its results."""

from __future__ import annotations

from grader.report import gradebook
from grader.report.exports import notes
from grader.report.exports.model import Export, Request


def render(request: Request) -> Export:
    return Export(gradebook.render(request.rows).encode(), tuple(notes.not_final(request.rows)))
