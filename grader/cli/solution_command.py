"""`grade solution NAME`: the reference, once you have passed, or when you ask for it twice."""

from __future__ import annotations

import click

from grader.catalogue.stubs import BEGIN, END, as_submission
from grader.cli.place import Place
from grader.language import _


@click.command("solution", epilog="Example: `grade solution masking`")
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask, although the exercise is not passed yet.")
@click.pass_obj
def command(course: str | None, name: str, yes: bool) -> int:
    """Show the reference of NAME."""
    place = Place.of_whole_course(course, "solution")
    exercise = place.course.exercise(name)
    last = place.last()
    passed = last is not None and any(e.name == name and e.status == "passed" for e in last.exercises)
    if not passed and not yes:
        question = _("{name} does not pass yet, and reading the answer ends the exercise. Show it?")
        click.confirm(question.format(name=name), abort=True)
    text = as_submission(place.course.reference_path(exercise.name).read_text("utf-8"))
    click.echo("\n".join(line for line in text.splitlines() if line.strip() not in (BEGIN, END)))
    return 0
