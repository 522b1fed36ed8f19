"""What a batch says of what it was given: the platform, what belongs to nobody, and what was not plain."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console

from grader.language import _, ngettext, said
from grader.report.words import count
from grader.submission.intake.take import Intake

MOST = 12  # lines on students; all of them are on the students' own pages


def show_intake(intake: Intake, console: Console) -> None:
    for line in lines(intake):
        console.print(line, markup=False, soft_wrap=True)


def lines(intake: Intake) -> Iterator[str]:
    """Rows without a file are left out: the table of the class gives their reasons."""
    students, files = count(intake.students, "student"), count(intake.files, "file")
    yield _("{platform}: {students}, {files}.").format(platform=said(intake.title), students=students, files=files)
    yield from (f"! {said(problem)}" for problem in intake.problems)
    notes = [f"{s.student}: {said(problem)}" for s in intake.submissions if s.files for problem in s.problems]
    yield from (f"  {note}" for note in notes[:MOST])
    if more := len(notes[MOST:]):
        text = ngettext("{n} more note is on its student's page.", "{n} more notes are on their students' pages.", more)
        yield "  " + text.format(n=more)
