"""`grade show`: the student's own files at work. Illustrations, no verdicts."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn
from rich.text import Text

from grader.cli.place import Place
from grader.language import _
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
        line = bar.add_task(_("loading"), total=1.0)

        def show(step: int, loss: float, share: float) -> None:
            said = _("step {step}, loss {loss:.3f}").format(step=step, loss=loss)
            bar.update(line, completed=min(share, 1.0), description=said)

        result = training.train(Files(place.folder, place.in_notebooks(), place.course.tasks_of), seconds, show)
    place.remember_training(result)
    after = _("After {n} steps").format(n=result.steps[-1])
    for title, text in ((_("Before"), result.before), (after, result.after)):
        console.print(Text(title, "bold"))
        console.print(Text(clean(text)), "")
    loss = _("Loss {first:.2f} to {last:.2f}").format(first=result.losses[0], last=result.losses[-1])
    console.print(f"{loss}  {sparkline(result.losses)}")
    guess = _("A guess among all letters has {guess:.2f}. `grade report` shows the curve.")
    console.print(guess.format(guess=training.GUESS), soft_wrap=True)
    return 0


@command.command("continuation", epilog="Example: `grade show continuation --steps 10`")
@click.option("--tokenizer", metavar="PATH", help="Folder of a BERT vocabulary; by default the course's own.")
@click.option("--text", help="What is continued.")
@click.option("--steps", default=10, show_default=True, type=click.IntRange(1, 400), help="How many tokens.")
@click.pass_obj
def continuation(course: str | None, tokenizer: str | None, text: str | None, steps: int) -> int:
    """Run the notes' last script on your own files: tokenise, forward, argmax, append."""
    from grader.show import continuation as script
    from grader.show.student import Files

    place = Place.find(course)
    files = Files(place.folder, place.in_notebooks(), place.course.tasks_of)
    own = place.course.root / "exercises" / "vocabulary.txt"
    words = script.bert_tokenizer(Path(tokenizer)) if tokenizer else script.given_tokenizer(own)
    prompt = text or script.TEXT
    said = script.continued(files, words, prompt, steps)
    console = Console(highlight=False)
    console.print(Text(clean(prompt), "bold") + Text(clean(said.removeprefix(prompt))), soft_wrap=True)
    console.print(
        "\n"
        + _(
            "{steps} tokens of a vocabulary of {size}. The model is untrained: what counts is that it runs, "
            "and that every step reads the text so far."
        ).format(steps=steps, size=len(words)),
        soft_wrap=True,
    )
    return 0


@command.command("pretrained", epilog="Example: `grade show pretrained --model gpt2`")
@click.option("--model", metavar="PATH", help="Folder of a GPT-2 checkpoint.")
@click.option("--text", help="What is continued.")
@click.option("--steps", default=20, show_default=True, type=click.IntRange(1, 400), help="How many tokens.")
@click.pass_obj
def pretrained(course: str | None, model: str | None, text: str | None, steps: int) -> int:
    """Continue a text with real GPT-2 weights in your own GPT."""
    from grader.show import pretrained as script

    place, folder = Place.find(course), script.checked(model)
    from grader.show.student import Files

    console = Console(highlight=False)
    with Console(stderr=True).status(_("Loading the checkpoint …")):
        files = Files(place.folder, place.in_notebooks(), place.course.tasks_of)
        result = script.continued(files, folder, text or script.TEXT, steps)
    console.print(clean(result.text), soft_wrap=True, markup=False)
    console.print(
        "\n"
        + _(
            "{parameters:,} parameters in your own GPT. Largest difference of a logit from transformers: {apart:.1e}."
        ).format(parameters=result.parameters, apart=result.apart),
        soft_wrap=True,
    )
    return 0
