"""Progress of one student, and a class, as tables for the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from grader.language import N_, _, said
from grader.report.adjustments import briefly
from grader.report.rows import Row
from grader.report.terminal_page import STYLES, Behind, foreign, mark
from grader.report.words import isolation, of, own_parts, points_in_all, state, summary, tally
from grader.results.schema import Exercise, Results, total

BAR = 16


def progress(results: Results, next_step: str) -> RenderableType:
    """One line per exercise, the total, and what to do next."""
    table, what = overview(results.exercises), Text(summary(results))
    return Group(table, *_problems(results), what, *_how(results), _next(next_step))


def standing(results: Results, next_step: str) -> RenderableType:
    """`progress` without its table: where the student is in all, and what to do next."""
    points = Text.assemble((points_in_all(results), "bold"), " ", summary(results))
    return Group(points, *_problems(results), *_how(results, briefly=True), _next(next_step))


def _next(step: str) -> Behind:
    return Behind(Text(step, "bold"), "")


def _problems(results: Results) -> list[Behind]:
    return [Behind(Text(foreign(said(problem)), "yellow"), "! ") for problem in results.problems]


def _how(results: Results, briefly: bool = False) -> list[Behind]:
    """At which level it was graded, and whether with a release."""
    told = (isolation(results.isolation, briefly), own_parts(results))
    return [Behind(Text(foreign(sentence), "dim"), "· ") for sentence in told if sentence]


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
    """One line per student: points, and what is not passed. Why there are no results is said below, in full."""
    table = _table(wrap=True)
    for row in rows:
        _class_line(table, row)
    below = [(row, row.problem or N_("the reason is not known.")) for row in rows if row.results is None]
    below += [(row, row.problem) for row in rows if row.results and row.problem]
    told = (Text.assemble((foreign(row.student), "bold"), _(": "), foreign(said(problem))) for row, problem in below)
    return Group(table, *(Behind(text, "! ") for text in told))


def _class_line(table: Table, row: Row) -> None:
    name, results = Text(foreign(row.student)), row.results
    if results is None:
        table.add_row(Text("!", "red"), name, "", "", Text(_("no results"), "red"))
        return
    table.add_row(
        mark("passed" if results.points >= results.possible else "failed"),
        name,
        _bar(results.final, results.possible),
        Text(of(results.final, results.possible)),
        Text("; ".join(part for part in (briefly(results), state(results)) if part), "dim"),
    )


def _table(wrap: bool = False) -> Table:
    table = Table(box=None, show_header=False, expand=True, pad_edge=False, padding=(0, 1))
    table.add_column(width=1)
    table.add_column(no_wrap=True, overflow="ellipsis", max_width=28)
    table.add_column(width=BAR, no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(no_wrap=not wrap, overflow="fold" if wrap else "ellipsis", ratio=1)
    return table


def _bar(points: float, possible: float) -> ProgressBar:
    total = max(possible, 1e-9)  # 0 would pulse
    return ProgressBar(total=total, completed=points, width=BAR, complete_style="green", finished_style="green")
