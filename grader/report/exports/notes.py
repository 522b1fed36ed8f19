"""Sentences for whoever exports: nobody is left out without being named."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal

from grader.language import _, ngettext
from grader.report.grades import unjudged, why_none
from grader.report.rows import Row
from grader.report.text import clean_line
from grader.report.words import listing, number
from grader.results.schema import Results

FIRST = 10  # names that a sentence gives; their number is always told
LONG = 60  # characters of a name
WHY = 120  # of a reason


def named(names: Sequence[str]) -> str:
    """The first few, and how many more there are. A name may hold commas: `Quill, Mara`."""
    shown = [clean_line(name, LONG + WHY) for name in names[:FIRST]]
    if len(names) > FIRST:
        shown.append(_("{n} more").format(n=len(names) - FIRST))
    return _("; ").join(shown)


def left_out(rows: Iterable[Row]) -> Iterator[str]:
    """Whose points are not known, and why."""
    told = [
        _("{student} ({reason})").format(
            student=clean_line(row.student, LONG), reason=clean_line(reason, WHY).removesuffix(".")
        )
        for row in rows
        if (reason := why_none(row))
    ]
    yield from _of(told, lambda n: ngettext(
        "{n} student is left out: {names}.", "{n} students are left out: {names}.", n))  # fmt: skip


def strangers(names: Sequence[str]) -> Iterator[str]:
    yield from _of(names, lambda n: ngettext(
        "{n} student of the class is not in the sheet: {names}.",
        "{n} students of the class are not in the sheet: {names}.", n))  # fmt: skip


def unclear(names: Sequence[str]) -> Iterator[str]:
    yield from _of(names, lambda n: ngettext(
        "{n} student fits no single row of the sheet, or shares one with another, and is left out: {names}.",
        "{n} students fit no single row of the sheet, or share one, and are left out: {names}.", n))  # fmt: skip


def missing(names: Sequence[str]) -> Iterator[str]:
    yield from _of(names, lambda n: ngettext(
        "{n} person in the sheet has no results: {names}.",
        "{n} people in the sheet have no results: {names}.", n))  # fmt: skip


def changed(names: Sequence[str]) -> Iterator[str]:
    yield from _of(names, lambda n: ngettext(
        "{n} grade that was in the sheet becomes another: {names}.",
        "{n} grades that were in the sheet become others: {names}.", n))  # fmt: skip


def kept(names: Sequence[str]) -> Iterator[str]:
    """Cells that say something a number must not overwrite."""
    yield from _of(names, lambda n: ngettext(
        "{n} cell is not filled, because of what it holds: {names}.",
        "{n} cells are not filled, because of what they hold: {names}.", n))  # fmt: skip


def too_many(names: Sequence[str], maximum: str) -> Iterator[str]:
    """The platform would skip them without a word."""
    yield from _of(names, lambda n: ngettext(
        "{n} student has points the column does not take (0 to {maximum}) and is left out: {names}.",
        "{n} students have points the column does not take (0 to {maximum}) and are left out: {names}.", n,
    ).replace("{maximum}", maximum))  # fmt: skip


def locked(names: Sequence[str]) -> Iterator[str]:
    yield from _of(names, lambda n: ngettext(
        "{n} grade is locked in the sheet and stays as it is: {names}.",
        "{n} grades are locked in the sheet and stay as they are: {names}.", n))  # fmt: skip


def no_participant(names: Sequence[str]) -> Iterator[str]:
    yield from _of(names, lambda n: ngettext(
        "{n} student has no participant number, and gets no feedback: {names}. The worksheet (--sheet) has it.",
        "{n} students have no participant number, and get no feedback: {names}. The worksheet (--sheet) has them.",
        n))  # fmt: skip


def no_page(names: Sequence[str]) -> Iterator[str]:
    yield from _of(names, lambda n: ngettext(
        "{n} page is not there: {names}. `grade batch` writes it again.",
        "{n} pages are not there: {names}. `grade batch` writes them again.", n))  # fmt: skip


def scale(results: Iterable[Results], maximum: Decimal | None, asked: bool) -> Iterator[str]:
    """Whether, and how, points were scaled to the most the column takes."""
    possible = sorted({r.possible for r in results})
    if maximum is None:
        yield _("The sheet does not say how many points the column takes: points are written as they are.")
        return
    other = [number(p) for p in possible if Decimal(str(p)) != maximum]
    if not other:
        return
    told = (
        _("Points are scaled from {possible} to the {maximum} that the column takes; `--no-scale` leaves them alone.")
        if asked
        else _("Points of {possible} are written into a column that takes {maximum}, unscaled.")
    )
    yield told.format(possible=listing(other), maximum=number(float(maximum)))


def gone(names: Sequence[str]) -> Iterator[str]:
    yield from _of(names, lambda n: ngettext(
        "{n} student is not in the last batch any more, and left out: {names}.",
        "{n} students are not in the last batch any more, and left out: {names}.", n))  # fmt: skip


def not_final(rows: Iterable[Row]) -> Iterator[str]:
    """For tables in which everyone has a line."""
    names = [row.student for row in rows if why_none(row)]
    yield from _of(names, lambda n: ngettext(
        "{n} student has no final points: {names}.", "{n} students have no final points: {names}.", n))  # fmt: skip


def left_open(results: Results) -> Iterator[str]:
    if n := unjudged(results):
        yield ngettext(
            "{n} check could not be judged: these points are not final.",
            "{n} checks could not be judged: these points are not final.", n).format(n=n)  # fmt: skip


def _of(names: Sequence[str], sentence: Callable[[int], str]) -> Iterator[str]:
    if names:
        yield sentence(len(names)).format(n=len(names), names=named(names))
