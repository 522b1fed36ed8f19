"""`grade show`: the student's own files at work. Illustrations, no verdicts."""

from __future__ import annotations

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn
from rich.text import Text

from grader.cli.place import Place
from grader.report.curve import sparkline
from grader.report.text import clean


@click.group("show", epilog="Example: `grade show train`")
def command() -> None:
    """See your own files at work; nothing here is graded."""


@command.command("train", epilog="Example: `grade show train --seconds 20`")
@click.option(
    "--seconds", default=40.0, show_default=True, type=click.FloatRange(1, 600), help="How long it may learn."
)  # fmt: skip
@click.pass_obj
def train(course: str | None, seconds: float) -> int:
    """Train your own GPT (exercises/gpt.py) on a small text, and let it write before and after."""
    from grader.show import train as training
    from grader.show.student import Files

    place = Place.find(course)
    console = Console(highlight=False)
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f} %"))
    with Progress(*columns, console=Console(stderr=True, highlight=False), transient=True) as bar:
        line = bar.add_task("loading", total=1.0)

        def show(step: int, loss: float, share: float) -> None:
            bar.update(line, completed=min(share, 1.0), description=f"step {step}, loss {loss:.3f}")

        result = training.train(Files(place.course.root), seconds, show)
    place.remember_training(result)
    for title, text in (("Before", result.before), (f"After {result.steps[-1]} steps", result.after)):
        console.print(Text(title, "bold"))
        console.print(Text(clean(text)), "")
    console.print(f"Loss {result.losses[0]:.2f} to {result.losses[-1]:.2f}  {sparkline(result.losses)}")
    console.print(f"A guess among all letters has {training.GUESS:.2f}. `grade report` shows the curve.")
    return 0
