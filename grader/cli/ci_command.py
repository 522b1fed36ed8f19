"""`grade ci [DIR]`: grade a student's checkout on a CI platform, and write what that platform reads."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager

import click
from rich.console import Console, RenderableType

from grader.catalogue.home import named_course
from grader.ci import files, github, restart, run
from grader.ci.ending import OUR_FAULT, exit_code, warning
from grader.ci.settings import PLATFORMS, Settings, in_range, settings
from grader.ci.workflow_commands import Annotation, Quiet
from grader.ci.workflow_commands import command as workflow_command
from grader.cli.run_command import ISOLATION
from grader.errors import GraderError
from grader.language import _, current, said
from grader.report import terminal
from grader.report.next_step import next_step
from grader.report.text import clean_line, clean_output
from grader.results.schema import Exercise, Results

WIDTH = 100  # columns of a log


@click.command("ci", epilog="Example: `grade ci`, `grade ci submission --platform github --out results`")
@click.argument("folder", metavar="[DIR]", required=False)
@click.option(
    "--platform", default="auto", show_default=True, type=click.Choice(("auto", *PLATFORMS)),
    help="What is written, and what exit codes mean.",
)  # fmt: skip
@click.option("--out", metavar="OUT", help="Where results go; by default grade-results.")
@click.option(
    "--seconds", default=0.0, type=click.FloatRange(min=0), metavar="N",
    help="Stop after N seconds with what is graded by then; choose less than the platform's own limit.",
)  # fmt: skip
@click.option("--exit-zero", is_flag=True, help="End with 0 also if something failed.")
@ISOLATION
@click.pass_obj
def command(
    course: str | None, folder: str | None, platform: str, out: str | None, seconds: float, exit_zero: bool,
    isolation: str,
) -> int:  # fmt: skip
    """Grade DIR, the student's checkout; by default the one of the platform.

    The course is that of --course or GRADE_COURSE, else the one that comes with grade; never what lies in DIR.
    """
    told = restart.received(os.environ)
    if told is None:
        chosen = settings(
            os.environ, named_course(course or os.environ.get("GRADE_COURSE")), folder, platform, out,
            isolation=isolation, seconds=in_range(seconds), exit_zero=exit_zero, language=current(),
        )  # fmt: skip
        restart.again(chosen)
    return _run(told)


def _run(told: Settings) -> int:
    quiet = Quiet() if told.platform in ("github", "classroom") else None
    with _quiet(quiet):
        try:
            results, found = _grade(told)
            code = exit_code(told, results)
        except Exception as error:
            if quiet is None:
                raise
            lines = [workflow_command(Annotation("error", "grade", said(str(error)) or type(error).__name__))]
            code = error.exit_code if isinstance(error, GraderError) else OUR_FAULT
        else:
            lines = list(github.closing(told, results, found)) if quiet else []
    for line in lines:
        click.echo(line)
    return code


@contextmanager
def _quiet(quiet: Quiet | None) -> Iterator[None]:
    """Nothing that is printed in between is obeyed by GitHub's runner."""
    if quiet:
        click.echo(quiet.begin)
    try:
        yield
    finally:
        if quiet:
            click.echo(quiet.end)


def _grade(told: Settings) -> tuple[Results, dict[str, tuple[str, str]]]:
    files.prepare(told)  # first of all: what a student has committed there is never taken for our results
    course, checkout = run.read(told)

    def on_results(results: Results, new: Exercise | None) -> None:
        files.write(told, results)
        if new is None:
            for words in warning(results.isolation):
                _show(words)
        else:
            _show(terminal.exercise(new))
            click.echo("")

    results = run.grade(told, course, checkout, on_results)
    files.write(told, results)
    step = next_step(results)
    _show(terminal.progress(results, _("Next: {what}").format(what=clean_line(step.what)) if step else ""))
    _show(files.told(told))
    return results, checkout.files


def _show(what: RenderableType) -> None:
    """As plain lines, in which no runner finds a command."""
    console = Console(file=io.StringIO(), width=WIDTH, no_color=True, force_terminal=False, highlight=False)
    console.print(what, markup=False, soft_wrap=isinstance(what, str))
    assert isinstance(console.file, io.StringIO)
    for line in console.file.getvalue().splitlines():
        click.echo(clean_output(line))
