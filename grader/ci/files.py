"""The files of a run, each of them whole at any moment: results, page, JUnit, summary, and Gradescope's own."""

from __future__ import annotations

import shutil
from pathlib import Path

from grader.ci.settings import Settings
from grader.language import _
from grader.report import student_page
from grader.report.exports import gradescope, junit, markdown
from grader.report.exports.model import Request
from grader.report.rows import Row
from grader.report.words import listing
from grader.results import store
from grader.results.schema import Results

NAMES = ("results.json", "report.html", "junit.xml", "summary.md")
GRADESCOPE = Path("results") / "results.json"  # below the autograder's folder


def prepare(settings: Settings) -> None:
    """Make the folder, and remove what an earlier run, or a student's commit, has left in it."""
    out = Path(settings.out)
    with store.refused(out):
        out.mkdir(parents=True, exist_ok=True)
        for path in (out / name for name in NAMES):
            if path.is_dir() and not path.is_symlink():  # it would keep the files beside it, forged ones, alive
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)


def write(settings: Settings, results: Results) -> None:
    """results.json comes last: whoever sees it finds the others at least as far."""
    out = Path(settings.out)
    contents = (
        store.encoded(student_page.render(results)),
        junit.document(results),
        store.encoded(markdown.document(results)),
    )
    data = store.dump(results)
    for name, content in zip(NAMES[1:], contents, strict=True):
        store.write_atomic(out / name, content)
    if settings.root:
        request = Request([Row(results.student, results, None, NAMES[1])])
        store.write_with_folder(Path(settings.root) / GRADESCOPE, gradescope.render(request).data)
    store.write_atomic(out / NAMES[0], data)


def told(settings: Settings) -> str:
    """Where they are, in a sentence."""
    return _("Written to {folder}: {names}.").format(folder=settings.out, names=listing(NAMES))
