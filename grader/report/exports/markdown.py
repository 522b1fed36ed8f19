"""A summary in GitHub-flavoured Markdown, for a step summary or a comment.

It is never over GitHub's limit, beyond which the whole summary would be dropped. Text that the student can reach stands
in fences longer than any run of backticks in it; the course's words are escaped, so that nobody is mentioned, nothing
is linked, and no HTML is left. The student's name is not in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from grader.language import _, said
from grader.report import words
from grader.report.exports import notes
from grader.report.exports.model import Export, Request
from grader.report.exports.verdicts import diagnoses, to_tell, verdict
from grader.report.next_step import Step, next_step
from grader.report.tasks import tasks
from grader.report.text import clean, clean_line
from grader.report.words import WORDS
from grader.results.schema import Check, Exercise, Results

LIMIT = 1_000_000  # bytes; GitHub's is 1 MiB for all summaries of a step
LONG = 400  # characters of a line of prose
_MARKS = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~&$^=:])")
_LIVE = re.compile(r"(?<=[@#/])(?=\S)|(?<=[wW])(?=\\?\.)|(?<=GH)(?=\\?-)", re.IGNORECASE)
_APART = "\u200b"  # breaks a mention, an address and a reference, and cannot be seen


def render(request: Request) -> Export:
    results = request.rows[0].results
    assert results is not None, "the command line asks for a student with results"
    return Export(document(results).encode(), tuple(notes.left_open(results)))


def document(results: Results, limit: int = LIMIT) -> str:
    """Whole blocks, as many as there is room for in `limit` bytes."""
    cut = "\n" + prose(_("More is left out here, since GitHub takes no longer summary.")) + "\n"
    room, told = limit - len(cut.encode()), list[str]()
    for block in _blocks(results):
        room -= len(block.encode())
        if room < 0:
            return "".join([*told, cut])
        told.append(block)
    return "".join(told)


def _blocks(results: Results) -> Iterator[str]:
    yield f"## {prose(words.points(results.final, results.possible))}\n\n{prose(words.summary(results))}\n"
    if results.problems:
        yield "\n" + fenced("\n".join(map(said, results.problems))) + "\n"
    step = next_step(results)
    if step:
        yield _next(step)
    yield f"\n| {prose(_('Exercise'))} | {prose(_('Points'))} | {prose(_('Checks'))} |\n| --- | ---: | --- |\n"
    for exercise in results.exercises:
        score = words.of(exercise.points, exercise.possible)
        mark, state = WORDS[exercise.status].mark, words.tally(exercise.checks)
        yield f"| {mark} {prose(said(exercise.title))} | {prose(score)} | {prose(state)} |\n"
    for adjustment in results.adjustments:
        yield f"\n{fenced(said(adjustment.reason))}\n"
    for exercise in results.exercises:
        yield from _exercise(exercise)


def _next(step: Step) -> str:
    return f"\n**{prose(_('Next: {what}').format(what=''))}** {prose(step.what)}\n" + (
        f"\n{fenced(step.detail)}\n" if step.detail else ""
    )


def _exercise(exercise: Exercise) -> Iterator[str]:
    heading = f"\n### {prose(said(exercise.title))}\n"
    for task in tasks(exercise):
        for known in diagnoses(exercise, task.name):
            yield f"{heading}\n{prose(known)}\n"
            heading = ""
        for check in to_tell(exercise, task):
            if check.status == "failed":
                yield heading + _check(check)
                heading = ""


def _check(check: Check) -> str:
    told = verdict(check)
    case = _("smallest failing case: {dims}").format(dims=told.case) if told.case else ""
    text = "\n".join(filter(None, (told.what, case, told.detail)))
    help_ = f"\n{prose(_('Try: ') + told.help)}\n" if told.help else ""
    return f"\n{WORDS[check.status].mark} **{prose(told.title)}**\n\n{fenced(text)}\n{help_}"


def fenced(text: str) -> str:
    """A block that nothing in `text` can end."""
    shown = clean(text)
    longest = max((len(run) for run in re.findall("`+", shown)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{shown}\n{fence}"


def prose(text: str) -> str:
    """One line of the course's words: `names` in backticks stay code, all other marks lose their meaning."""
    parts = clean_line(text, LONG).split("`")
    if len(parts) % 2 == 0:
        return _escaped("`".join(parts))
    return "".join(_code(part) if n % 2 else _escaped(part) for n, part in enumerate(parts))


def _code(text: str) -> str:
    """Also in a table, where only the escaped bar does not end the cell."""
    return f"`{text.replace('|', chr(92) + '|')}`" if text.strip() else _escaped(f"`{text}`")


def _escaped(text: str) -> str:
    return _LIVE.sub(_APART, _MARKS.sub(r"\\\1", text))
