"""The page of a regrade: who gains, who loses, and by which checks. Self-contained, and without a script."""

from __future__ import annotations

from collections.abc import Sequence

from grader.language import _, ngettext, said
from grader.report.changes import CheckChange, Held, StudentChange, causes, gained, lost
from grader.report.page import environment
from grader.report.words import WORDS, count, number
from grader.results.schema import Check

ACCEPT = "grade accept OUT"


def render(title: str, changes: Sequence[StudentChange], why: str | None = None) -> str:
    """The page as text, to be written as UTF-8. `changes`: of report/changes.py, those without a difference too.

    `why` they were accepted; None: they wait.
    """
    return environment().get_template("changes.html.j2").render(
        title=title,
        summary=summary(changes),
        causes=causes(changes),
        changed=[change for change in changes if change.exercises or change.delta],
        held=held,
        stays=stays(changes),
        why=why,
        same=[change.student for change in changes if not change.exercises and not change.delta],
        signed=signed,
        verdict=verdict,
        students=lambda n: count(n, "student"),
        accept=ACCEPT,
    )  # fmt: skip


def summary(changes: Sequence[StudentChange]) -> str:
    """The regrade in a sentence."""
    told = _("{students} with other results: {gain} gain, {lose} lose, {rest} keep their points.")
    up, down = len(gained(changes)), len(lost(changes))
    return told.format(
        students=count(len(changes), "student"), gain=up, lose=down, rest=len(changes) - up - down
    )  # fmt: skip


def stays(changes: Sequence[StudentChange]) -> str:
    """Why checks may move more students' points than totals do; empty where no points are set by hand."""
    n = sum(bool(change.held) for change in changes)
    told = ngettext(
        "{n} student has points set by hand: they stay, whatever the checks say.",
        "{n} students have points set by hand: they stay, whatever the checks say.", n,
    )  # fmt: skip
    return told.format(n=n) if n else ""


def held(one: Held) -> str:
    """`Total set by hand: 41.4 stays. It could be 46 and can be 48 now.`"""
    what = said(one.title) if one.title else _("Total")
    told = _("{what} set by hand: {points} stays.").format(what=what, points=number(one.points))
    if one.possible_before == one.possible_after:
        return told
    most = _("The course gave {before} points for it and gives {now}.")
    return f"{told} {most.format(before=number(one.possible_before), now=number(one.possible_after))}"


def signed(points: float) -> str:
    """`+3`, `−1.5`, `±0`."""
    return f"+{number(points)}" if points > 0 else f"\u2212{number(-points)}" if points < 0 else "\u00b10"


def verdict(change: CheckChange) -> str:
    """What became of one check: `passed (2 of 2) → failed (0 of 2)`."""
    return f"{_side(change.before)} → {_side(change.after)}"


def _side(check: Check | None) -> str:
    if check is None:
        return _("not there")
    of = _("{earned} of {possible}").format(earned=number(check.points), possible=number(check.possible))
    return f"{WORDS[check.status].label} ({of})"
