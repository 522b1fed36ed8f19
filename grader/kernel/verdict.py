"""A verdict that a notebook shows as a page, and everything else as text."""

from __future__ import annotations

import html
import io

from rich.console import Console

from grader.language import _, said
from grader.report import terminal, verdict_page
from grader.report.text import clean
from grader.results.schema import Exercise, Results

WIDTH = 100
LOWEST, HIGHEST, OF_A_CHECK, OF_A_LINE = 260, 640, 150, 34  # pixels: a guess at the height of the page


class Verdict:
    """What `check` found. `results` has all of it."""

    def __init__(self, results: Results, where: str) -> None:
        self.results = results
        self.where = where

    @property
    def exercise(self) -> Exercise:
        return self.results.exercises[0]

    @property
    def passed(self) -> bool:
        return self.exercise.status == "passed"

    def __repr__(self) -> str:
        """As in the terminal, without colours."""
        console = Console(file=io.StringIO(), width=WIDTH, no_color=True, highlight=False, force_terminal=False)
        for problem in self.results.problems:
            console.print(f"! {clean(said(problem))}", markup=False)
        console.print(terminal.exercise(self.exercise))
        assert isinstance(console.file, io.StringIO)
        return console.file.getvalue().rstrip("\n")

    def _repr_html_(self) -> str:
        """The page in a frame of its own: no style gets in or out, and no script runs."""
        page = verdict_page.render(self.results, self.where)
        title = _("Verdict on {name}").format(name=self.exercise.name)
        checks = self.exercise.checks
        failed = sum(check.status == "failed" for check in checks)
        height = min(HIGHEST, LOWEST + OF_A_CHECK * failed + OF_A_LINE * len(checks))
        return (
            f'<iframe srcdoc="{html.escape(page)}" sandbox title="{html.escape(title)}" '
            f'style="width:100%;height:{height}px;border:0;resize:vertical"></iframe>'
        )
