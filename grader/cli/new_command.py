"""`grade new NAME`: an exercise that works, to be changed into one's own; `grade new --course DIR`: an empty course."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path

import click

from grader.catalogue.home import home_at
from grader.catalogue.new import EMPTY, course_files, exercise_files
from grader.cli.main import COMMANDS
from grader.cli.place import Place
from grader.errors import UsageError
from grader.language import N_, _
from grader.results.store import refused, write_with_folder

WHAT = {
    "solutions/{name}.py": N_("the reference, from which the stub is made"),
    "solutions/{name}.toml": N_("title, points, hints"),
    "solutions/{name}.bugs.toml": N_("known bugs, and what is said to those who make them"),
    "tests/exercises/test_{name}.py": N_("the checks"),
    "tests/exercises/probes_{name}.py": N_("questions that tell the bugs apart"),
    "tests/course/idioms/{name}/": N_("right answers in other styles"),
}


@click.command("new", epilog="Example: `grade new rms_norm --task RMSNorm`, `grade new --course my-course`")
@click.argument("name", required=False, metavar="[NAME]")
@click.option(
    "--task", "tasks", multiple=True, metavar="TASK", help="A function, or with a capital a class; again for more."
)
@click.option("--track", metavar="TRACK", help="By default that of the course's last exercise.")
@click.option("--course", "folder", metavar="DIR", help="Lay down an empty course of your own instead.")
@click.pass_obj
def command(course: str | None, name: str | None, tasks: tuple[str, ...], track: str | None, folder: str | None) -> int:
    """Lay down an exercise that works as it stands, to be changed into your own; nothing is overwritten.

    The guide, with an exercise made step by step, is docs/authoring.md.
    """
    if folder is not None:
        if name or tasks or track:
            raise UsageError("`grade new --course DIR` takes nothing else: `cd` there, then `grade new NAME`.")
        return _course(Path(folder))
    if name is None:
        raise UsageError("Name the exercise, as in `grade new rms_norm`; `grade new --course DIR` begins a course.")
    return _exercise(Place.find(course, configured=False, empty=True), name, tasks, track)


def _exercise(place: Place, name: str, tasks: tuple[str, ...], track: str | None) -> int:
    root = place.course.root
    if place.folder != root:
        raise UsageError(f"{str(place.folder)!r} is a student's folder: go to the course, {str(root)!r}, or begin one.")
    _lay_down(root, exercise_files(place.course, name, tasks, track, COMMANDS))
    click.echo(_("{name} is laid down. It works as it stands; change it into your own:").format(name=name))
    width = max(len(path.format(name=name)) for path in WHAT)
    for path, what in WHAT.items():
        click.echo(f"  {path.format(name=name):{width}}  {_(what)}")
    following = _("Next: `grade check {name}`, which proves it. After a change of the reference first `{stubs}`.")
    click.echo(following.format(name=name, stubs=f"grade stubs {name} --force"))
    return 0


def _course(folder: Path) -> int:
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{str(folder)!r} is a file, not a folder: choose another name.")
    if folder.is_dir() and home_at(folder) is not None:
        raise UsageError(f"{str(folder)!r} is a course already, or belongs to one: choose another folder.")
    _lay_down(folder, course_files())
    for name in EMPTY:
        with refused(folder / name):
            (folder / name).mkdir(parents=True, exist_ok=True)
    told = _("{folder}: a course without exercises. Next: `cd {quoted}`, then `grade new NAME`.")
    click.echo(told.format(folder=folder, quoted=shlex.quote(str(folder))))
    return 0


def _lay_down(root: Path, texts: Mapping[str, str]) -> None:
    """All of them, or none where one is there already."""
    there = [path for path in texts if (root / path).exists() or (root / path).is_symlink()]
    if there:
        raise UsageError(
            f"There is {', '.join(there)} in {str(root)!r} already, and nothing is overwritten: move it away."
        )
    for path, text in texts.items():
        write_with_folder(root / path, text.encode())
