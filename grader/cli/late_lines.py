"""What a batch says where a late policy could take nothing: nobody told when the work was handed in."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import timedelta

from grader.batch.overrides import Overrides
from grader.language import _, ngettext
from grader.report.rows import Row, results_of
from grader.report.terminal_page import foreign

MOST = 5  # names


def without_time(rows: Sequence[Row], decided: Overrides) -> Iterator[str]:
    """Two lines at most. A total set by hand is the last word: whose it is, misses no time."""
    if decided.policy is None:
        return
    known = {one.student for one in decided.overrides if one.points is not None and one.exercise is None}
    known |= {student for student, _time in decided.submitted}
    handed_in = results_of(row for row in rows if not row.problem)
    untimed = [r for r in handed_in if r.student not in known and not (r.origin and r.origin.submitted)]
    if not untimed:
        return
    told = ngettext(
        "[late]: no hand-in time is known for {n} student: nothing was taken.",
        "[late]: no hand-in time is known for {n} students: nothing was taken.",
        len(untimed),
    ).format(n=len(untimed))
    late = [r.student for r in untimed if r.origin and r.origin.late]
    if late:
        told += " " + _("The platform marks as late: {names}.").format(names=few_names(late))
    elif all(r.origin and r.origin.late is False for r in untimed):
        yield f"{told} {_('The platform marks none of them as late.')}"
        return
    yield told
    day_after = (decided.policy.due + timedelta(days=1)).isoformat()
    entry = f"{json.dumps((late or [untimed[0].student])[0], ensure_ascii=False)} = {day_after}"
    yield "  " + _("Write into the overrides, below [submitted], when somebody handed in: {entry}").format(
        entry=foreign(entry)
    )


def few_names(students: Sequence[str]) -> str:
    return _(", ").join([*map(foreign, students[:MOST]), *(["…"] if len(students) > MOST else [])])
