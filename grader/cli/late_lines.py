"""What a batch says where a late policy could take nothing: nobody told when the work was handed in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grader.batch.overrides import Overrides
from grader.language import _, ngettext
from grader.report.rows import Row, results_of
from grader.report.terminal_page import foreign

MOST = 5  # names


def without_time(rows: Sequence[Row], decided: Overrides) -> Iterator[str]:
    """One line, or none. A total set by hand is the last word: whose it is, misses no time."""
    if decided.policy is None:
        return
    by_hand = {one.student for one in decided.overrides if one.points is not None and one.exercise is None}
    handed_in = results_of(row for row in rows if not row.problem)
    untimed = [r for r in handed_in if r.student not in by_hand and not (r.origin and r.origin.submitted)]
    if not untimed:
        return
    told = ngettext(
        "[late]: no hand-in time is known for {n} student ({names}): nothing was taken.",
        "[late]: no hand-in time is known for {n} students ({names}): nothing was taken.",
        len(untimed),
    )
    sentences = [told.format(n=len(untimed), names=few_names([r.student for r in untimed]))]
    if flagged := [r.student for r in untimed if r.origin and r.origin.late]:
        sentences.append(_("The platform marks as late: {names}.").format(names=few_names(flagged)))
    sentences.append(_("Set points by hand under [[overrides]]; docs/intake.md says which platforms give times."))
    yield " ".join(sentences)


def few_names(students: Sequence[str]) -> str:
    return _(", ").join([*map(foreign, students[:MOST]), *(["…"] if len(students) > MOST else [])])
