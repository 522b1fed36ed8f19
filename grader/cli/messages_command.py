"""`grade messages`: keep the translations in step with the sentences of code and course. For developers."""

from __future__ import annotations

import importlib.util

import click

from grader.cli.place import Place
from grader.errors import UsageError
from grader.language import FOLDER, LANGUAGES, _

TRACK = "core"  # complete in every language; other exercises where somebody has begun a file for them


@click.command("messages", epilog="Example: `grade messages --check`")
@click.option("--check", "only_check", is_flag=True, help="Write nothing; fail if a translation is missing or stale.")
@click.pass_obj
def command(course: str | None, only_check: bool) -> int:
    """Find all sentences, bring the catalogues in step with them, and say which have no translation yet."""
    if importlib.util.find_spec("babel") is None:
        raise UsageError("`grade messages` needs Babel: `pip install transformer-grader[dev]`.")
    if not all((FOLDER / language / "grader.po").is_file() for language in LANGUAGES[1:]):
        raise UsageError("`grade messages` works on the sources of the grader: run it in a checkout.")
    from grader.messages import catalogues

    place = Place.of_whole_course(course, "messages", configured=False)
    core = [e.name for e in place.course.exercises if e.track == TRACK]
    findings = []
    for language in LANGUAGES[1:]:
        templates = catalogues.templates(place.course.root, core, place.course.names, language)
        if not only_check:
            catalogues.update(templates, language)
        findings += catalogues.findings(templates, language)
    for finding in findings:
        click.echo(f"{finding.file}: {finding.problem}: {finding.text}")
    if not findings:
        click.echo(_("All translations in {folder} are in step.").format(folder=place.shown(FOLDER)))
    return 1 if findings else 0
