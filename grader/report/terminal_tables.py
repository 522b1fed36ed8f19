"""Progress of one student, and a class, as tables for the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from grader.language import N_, _, said
from grader.report.rows import Row
from grader.report.terminal_page import STYLES, Behind, foreign, mark
from grader.report.words import isolation, of, points_in_all, state, summary, tally
from grader.results.schema import Exercise, Results, total

BAR = 16


def progress(results: Results, next_step: str) -> RenderableType:
    """One line per exercise, the total, and what to do next."""
    table = overview(results.exercises)
    problems = [Behind(Text(foreign(said(problem)), "yellow"), "! ") for problem in results.problems]
    how = Behind(Text(foreign(isolation(results.isolation)), "dim"), "· ")
    return Group(table, *problems, Text(summary(results)), how, Text(next_step, "bold"))


def standing(results: Results, next_step: str) -> RenderableType:
    """`progress` without its table: where the student is in all, and what to do next."""
    points = Text.assemble((points_in_all(results), "bold"), " ", summary(results))
    how = Behind(Text(foreign(isolation(results.isolation, briefly=True)), "dim"), "· ")
    problems = [Behind(Text(foreign(said(problem)), "yellow"), "! ") for problem in results.problems]
    return Group(points, *problems, how, Text(next_step, "bold"))


def overview(exercises: Sequence[Exercise]) -> Table:
    """One line per exercise, and the total."""
    table = _table()
    for exercise in exercises:
        table.add_row(
            mark(exercise.status),
            Text(foreign(exercise.name)),
            _bar(exercise.points, exercise.possible),
            Text(of(exercise.points, exercise.possible)),
            Text(tally(exercise.checks) if exercise.checks else _("not graded yet"), STYLES[exercise.status]),
        )
    points, possible = total(e.points for e in exercises), total(e.possible for e in exercises)
    table.add_section()
    table.add_row("", Text(_("total"), "bold"), _bar(points, possible), Text(of(points, possible), "bold"), Text())
    return table


def class_table(rows: Sequence[Row]) -> RenderableType:
    """One line per student: points, and what is not passed or why there are no results."""
    table = _table()
    for row in rows:
        name = Text(foreign(row.student))
        if row.results is None:
            why = foreign(said(row.problem or N_("the reason is not known.")))
            reason = Text(_("no results: {reason}").format(reason=why), "red")
            table.add_row(Text("!", "red"), name, "", "", reason)
            continue
        done = row.results.points >= row.results.possible
        told = state(row.results) + (f"; {foreign(said(row.problem))}" if row.problem else "")
        table.add_row(
            mark("passed" if done else "failed"),
            name,
            _bar(row.results.points, row.results.possible),
            Text(of(row.results.points, row.results.possible)),
            Text(told, "dim"),
        )
    return table


def _table() -> Table:
    table = Table(box=None, show_header=False, expand=True, pad_edge=False, padding=(0, 1))
    table.add_column(width=1)
    table.add_column(no_wrap=True, overflow="ellipsis", max_width=28)
    table.add_column(width=BAR, no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
    return table


def _bar(points: float, possible: float) -> ProgressBar:
    total = max(possible, 1e-9)  # 0 would pulse
    return ProgressBar(total=total, completed=points, width=BAR, complete_style="green", finished_style="green")
