"""The class at a glance: one self-contained HTML file that works without its script; the script sorts and searches."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Sequence

from markupsafe import Markup

from grader.report import class_cells, class_numbers
from grader.report.adjustments import moves_points
from grader.report.heat_map import heat_map
from grader.report.misconceptions import misconceptions
from grader.report.needs import needs
from grader.report.page import TEMPLATES, environment, safe_href
from grader.report.rows import Row, exercises_of, results_of
from grader.report.since_last import compared
from grader.report.text import clean
from grader.report.words import isolations

SHOWN = 12  # of a list; the rest is folded


def render(title: str, rows: Sequence[Row], previous: Sequence[Row] | None = None) -> str:
    """The page as text, to be written as UTF-8. `previous`: the rows of an earlier run, to compare with."""
    script = (TEMPLATES / "class.js").read_text(encoding="utf-8")
    exercises = exercises_of(rows)
    return environment().get_template("class.html.j2").render(
        title=title,
        rows=rows,
        exercises=list(exercises.values()),
        names=list(exercises),
        script=Markup(script),
        digest=digest(script),
        numbers=class_numbers,
        table=class_cells,
        moves_points=moves_points,
        any_adjusted=any(map(moves_points, results_of(rows))),
        bins=class_numbers.histogram(rows),
        spreads=class_numbers.spreads(rows),
        hardest=class_numbers.hardest(rows),
        misconceptions=misconceptions(rows),
        needs=needs(rows),
        change=compared(rows, previous),
        heat=heat_map(rows),
        isolation=isolations(results.isolation.level for results in results_of(rows)),
        link=link,
        links=links,
        shown=SHOWN,
    )  # fmt: skip


def digest(script: str) -> str:
    """What a Content-Security-Policy calls this script."""
    return f"sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}"


def link(row: Row, exercise: str = "") -> Markup:
    """The student's name, leading to their page, or to an exercise in it; only the name where there is no page."""
    href = safe_href(row.href)
    if href is None:
        return Markup("{}").format(clean(row.student))
    return Markup('<a href="{}">{}</a>').format(clean(href + _anchor(row, exercise)), clean(row.student))


def links(rows: Iterable[Row], exercise: str) -> Markup:
    return Markup(", ").join(link(row, exercise) for row in rows)


def _anchor(row: Row, exercise: str) -> str:
    """Of an exercise in a student's page, which numbers them."""
    names = [one.name for one in row.results.exercises] if row.results else []
    return f"#exercise-{names.index(exercise) + 1}" if exercise in names else ""
