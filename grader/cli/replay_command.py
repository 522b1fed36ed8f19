"""`grade replay`: the last failing case again, with the student's own prints and breakpoints."""

from __future__ import annotations

import re
import traceback
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.text import Text

from grader.cli.place import Place
from grader.errors import UsageError
from grader.language import _, said
from grader.report.text import clean
from grader.report.words import sentence
from grader.results.schema import Check
from grader.submission.files import read_folder


@click.command("replay", epilog="Example: `grade replay attention`, `grade replay attention.attention_values --pdb`")
@click.argument("name", required=False, metavar="[NAME]")
@click.option("--pdb", "debugger", is_flag=True, help="Stop in your own first line of it, or where it raises.")
@click.pass_obj
def command(course: str | None, name: str | None, debugger: bool) -> int:
    """Run the last failing case of NAME, an exercise or EXERCISE.CHECK, in your own files as they are now."""
    place = Place.find(course)
    check = _chosen(place, name)
    from grader.replay.case import Case
    from grader.replay.play import play
    from grader.replay.snippet import Snippet

    case = Case(place.case(check.id))
    files = read_folder(place.folder, place.course.names, "you", place.is_stub, place.course.tasks_of).files
    console = Console(highlight=False)
    console.print(Text(f"{check.id}: {said(check.title)}", "bold"), soft_wrap=True)
    texts = {n: f.text for n, f in files.items() if f.text is not None}
    played = play(case, texts, spans={n: files[n].spans for n in texts}, debugger=debugger)
    if played.asked:
        parts = case.imported["tasks"] if case.replaced else ()
        exercise = check.id.partition(".")[0]
        lines = Snippet(exercise, played, _tensors(place, check), own_parts=parts, flat=_flat(texts))
        _show_snippet(console, place, check, lines, case.replaced)
    if played.error is None:
        console.print(Text(_("It gives"), "bold"))
        console.print(Text(clean(_shown(played.answer))))
    else:
        console.print(Text(_("It raises"), "bold"))
        console.print(Text(clean("".join(traceback.format_exception_only(played.error)).strip())))
        console.print(Text(clean(_own_lines(played.error))))
    verdict = _("The verdict was: {sentence}").format(sentence=clean(sentence(check)))
    console.print(Text(verdict, "dim"), soft_wrap=True)
    return 0


def _chosen(place: Place, name: str | None) -> Check:
    """The first failed check of NAME, or of all, whose case was recorded."""
    last = place.last()
    failed = [c for e in (last.exercises if last else []) for c in e.checks if c.status == "failed"]
    if name is not None and "." not in name:
        name = place.course.exercise(name).name
    for check in failed:
        if (name is None or name in (check.id, check.id.partition(".")[0])) and place.case(check.id).is_file():
            return check
    if name is None:
        raise UsageError("No failing case is recorded: `grade NAME` records one when a check fails.")
    again = name.partition(".")[0]
    raise UsageError(f"No failing case of {name} is recorded: `grade {again}` records one when a check fails.")


def _flat(texts: dict[str, str]) -> bool:
    """Some file imports another by its bare name: `from masking import …`."""
    names = "|".join(map(re.escape, texts)) or "none"
    return any(re.search(rf"^\s*(from|import) ({names})\b", text, re.MULTILINE) for text in texts.values())


def _tensors(place: Place, check: Check) -> str:
    return place.shown(place.case(check.id).with_suffix(".pt"))


def _show_snippet(console: Console, place: Place, check: Check, snippet: Any, replaced: list[str]) -> None:
    if snippet.tensors:
        import torch

        torch.save(snippet.tensors, Path(place.case(check.id).with_suffix(".pt")))
    console.print(Text("\n" + _("The same in plain Python, for the folder above exercises/:"), "bold"))
    if replaced:
        told = _("(It was graded with right ones in place of your {tasks}.)").format(tasks=_(", ").join(replaced))
        console.print(told, soft_wrap=True)
    for line in snippet.lines:
        console.print(Text(f"    {clean(line)}"), soft_wrap=True)
    console.print()


def _shown(answer: Any) -> str:
    """The output of a call; where gradients were asked for, those of the inputs."""
    if not isinstance(answer, dict) or "value" not in answer:
        return str(answer)
    gradients = [
        _("gradient of input {key}: {value}").format(key=key, value=value)
        for key, value in answer.get("input_grads", {}).items()
    ]
    return "\n".join(gradients) or str(_detached(answer["value"]))


def _detached(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_detached, value))
    return value.detach() if hasattr(value, "detach") else value


def _own_lines(error: BaseException) -> str:
    from grader.subject.worker.failures import student_frames
    from grader.subject.worker.places import PACKAGE_PREFIX

    frames = student_frames(error.__traceback__)
    return "\n".join(
        "  " + _("{file}, line {line}: {source}").format(**{**f, "file": PACKAGE_PREFIX + f["file"]}) for f in frames
    )
