"""`grade accept OUT`: put regraded results in place of the old ones, or drop them."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console

from grader.batch import accept
from grader.batch.outcome import HISTORY
from grader.batch.tables import INDEX
from grader.language import N_, _
from grader.report import terminal
from grader.report.words import count


@click.command("accept", epilog="Example: `grade accept reports`")
@click.argument("out", metavar="OUT")
@click.option("--discard", is_flag=True, help="Drop the regraded results; the old ones stay.")
@click.option(
    "--why", default=N_("the course has changed"), metavar="TEXT",
    help="The reason, for the history; without it that the course has changed.",
)  # fmt: skip
def command(out: str, discard: bool, why: str) -> int:
    """Accept what `grade batch` has regraded since the course changed.

    The old results are kept in OUT/history.
    """
    console, folder = Console(highlight=False), Path(out)
    if discard:
        dropped = accept.discard(folder)
        told = _("The regraded results of {students} are dropped; the old ones stay.")
        console.print(told.format(students=count(dropped, "student")), soft_wrap=True)
        return 0
    changed = accept.accept(folder, why)
    console.print(terminal.accepted_table(changed))
    console.print(_("Accepted. Open {page}; the old results are in {history}.").format(
        page=folder / INDEX, history=folder / HISTORY), soft_wrap=True)  # fmt: skip
    return 0
