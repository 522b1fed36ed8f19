"""The class at a glance: one self-contained HTML file that works without its script and sorts with it."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence

from markupsafe import Markup

from grader.language import said
from grader.report import class_numbers
from grader.report.heat_map import heat_map
from grader.report.page import TEMPLATES, environment, safe_href
from grader.report.rows import Row, exercises_of
from grader.report.text import clean_line
from grader.report.words import WORDS, isolations, state
from grader.results.schema import Exercise

LONG = 200  # characters of a reason; the student's own page says all


def render(title: str, rows: Sequence[Row]) -> str:
    """The page as text, to be written as UTF-8."""
    script = (TEMPLATES / "class.js").read_text(encoding="utf-8")
    return environment().get_template("class.html.j2").render(
        title=title,
        rows=rows,
        exercises=list(exercises_of(rows).values()),
        script=Markup(script),
        digest=digest(script),
        numbers=class_numbers,
        bins=class_numbers.histogram(rows),
        heat=heat_map(rows),
        isolation=isolations(row.results.isolation.level for row in rows if row.results),
        by_name=lambda results: {exercise.name: exercise for exercise in results.exercises},
        cell=cell,
        state=state,
        reason=lambda problem: clean_line(said(problem), LONG),
        letters=json.dumps({word.letter: word.label for word in WORDS.values()}, ensure_ascii=False),
        href=safe_href,
    )  # fmt: skip


def digest(script: str) -> str:
    """What a Content-Security-Policy calls this script."""
    return f"sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}"


def cell(exercise: Exercise) -> str:
    """The class of a cell of the table: how much of the points was earned, or why none could be."""
    if exercise.status in ("not_started", "blocked", "error"):
        return {"not_started": "n", "blocked": "w", "error": "e"}[exercise.status]
    if exercise.status == "passed":
        return "p"
    return "h" if exercise.points > 0 else "f"
