"""`grade leaks PATH`: whether what students get gives an answer, a known bug or a hidden check away."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from grader.cli.place import Place
from grader.errors import UsageError
from grader.language import _
from grader.release.leaks import Search, search
from grader.release.secrets import Secrets, secrets_of
from grader.report.text import clean_line
from grader.report.words import count, listing
from grader.submission.intake.take import take_in


@click.command("leaks", epilog="Example: `grade leaks reports --submissions class`")
@click.argument("path", metavar="PATH")
@click.option(
    "--submissions", metavar="PATH", help="What students handed in, as batch takes it: their own lines are no leak."
)
@click.pass_obj
def command(course: str | None, path: str, submissions: str | None) -> int:
    """Search PATH, a file or a folder, for lines of references and stand-ins, edits of known bugs, and hidden checks.

    Ends with 3 if there is one. A student may have written the very line of a reference: --submissions tells.
    """
    place = Place.of_whole_course(course, "leaks")
    folder = Path(path)
    if not folder.exists():
        raise UsageError(f"There is no {path!r}.")
    own: dict[str, str] = {}
    handed_in = take_in(Path(submissions), place.wanted(), ignore=[folder]).submissions if submissions else ()
    for submission in handed_in:
        own[submission.student] = "\n".join(file.text or "" for file in submission.files.values())
    secrets = secrets_of(place.course)
    found = search(folder, secrets.kept, own)
    click.echo(told(found, secrets, folder))
    return 3 if found.leaks else 0


def told(found: Search, secrets: Secrets, folder: Path) -> str:
    """Each leak with its place, and what was compared with what."""
    lines = [
        _("{file}, line {line}: {kind} ({where}): {text}").format(
            file=Path(leak.file).relative_to(folder) if folder.is_dir() else leak.file,
            line=leak.line,
            kind=_(leak.secret.kind),
            where=leak.secret.where,
            text=clean_line(leak.secret.text),
        )
        for leak in found.leaks
    ]
    kinds = Counter(secret.kind for secret in secrets.kept)
    said = _("{head}: {files} searched for {compared}. {told} more are in a stub, a suite or a hint anyway.").format(
        head=_("Leaks found: {n}").format(n=len(lines)) if lines else _("No leak"),
        files=count(found.files, "file"),
        compared=listing(f"{n} × {_(kind)}" for kind, n in kinds.items()),
        told=len(secrets.told),
    )
    return "\n".join([*lines, said])
