"""A regrade in the terminal: the sentence, the checks that move points, and a line for everybody whose points move."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from grader.language import _
from grader.report.changes import StudentChange, causes
from grader.report.changes_page import held, signed, stays, summary
from grader.report.terminal_page import foreign
from grader.report.words import count, listing, of

MOST = 12  # lines of each kind; changes.html has all


def changes_table(changes: Sequence[StudentChange]) -> RenderableType:
    """What waits to be accepted."""
    return Group(Text(f"{summary(changes)} {_('Nothing is replaced yet.')}", "bold"), accepted_table(changes))


def accepted_table(changes: Sequence[StudentChange]) -> RenderableType:
    """The same without a word on whether it is in place."""
    moved = [change for change in changes if change.delta]
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 1))
    table.add_column(justify="right", no_wrap=True)
    table.add_column(no_wrap=True, overflow="ellipsis", max_width=28)
    table.add_column(no_wrap=True)
    table.add_column(overflow="ellipsis", no_wrap=True)
    for change in moved[:MOST]:
        points = f"{of(change.before, change.possible_before)} → {of(change.after, change.possible_after)}"
        table.add_row(_signed(change.delta), Text(foreign(change.student)), Text(points), Text(_by(change), "dim"))
    return Group(*_causes(changes), table, *_more(len(moved)), *_by_hand(changes))


def _by_hand(changes: Sequence[StudentChange]) -> list[Text]:
    """Whose points stay, and why."""
    lines = [f"  {foreign(change.student)}: {foreign(held(one))}" for change in changes for one in change.held]
    return [Text(line) for line in (*filter(None, [stays(changes)]), *lines[:MOST], *(["  …"] if lines[MOST:] else []))]


def _causes(changes: Sequence[StudentChange]) -> list[Text]:
    told = _("  {check}: {gain} gain, {lose} lose")
    found = causes(changes)[:MOST]
    return [Text(told.format(check=cause.id, gain=cause.gained, lose=cause.lost), "dim") for cause in found]


def _by(change: StudentChange) -> str:
    """The checks that move this student's points."""
    checks = [check for exercise in change.exercises for check in exercise.checks if check.delta]
    told = listing([f"{check.id} {signed(check.delta)}" for check in checks[:3]])
    return foreign(told) + (" …" if checks[3:] else "")


def _more(moved: int) -> list[Text]:
    told = _("… and {students} more: see changes.html")
    return [Text(told.format(students=count(moved - MOST, "student")), "dim")] if moved > MOST else []


def _signed(points: float) -> Text:
    return Text(signed(points), "green" if points > 0 else "red")
