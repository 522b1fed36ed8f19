"""`grade notebook NAME`: an exercise as a Jupyter notebook, made from the student's file or from the stub."""

from __future__ import annotations

from pathlib import Path

import click

from grader.catalogue.model import Exercise
from grader.cli.place import Place
from grader.errors import UsageError
from grader.language import _, said
from grader.report.words import count, number
from grader.results.store import refused, write_atomic
from grader.submission.files import NOTEBOOK, read_source


@click.command("notebook", epilog="Example: `grade notebook attention`, `grade notebook --all --out notebooks`")
@click.argument("names", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="Every exercise that counts.")
@click.option("--out", metavar="DIR", help="Where notebooks go; by default beside the folder exercises/.")
@click.option("--force", is_flag=True, help="Replace notebooks that differ, after a backup.")
@click.pass_obj
def command(course: str | None, names: tuple[str, ...], everything: bool, out: str | None, force: bool) -> int:
    """Write exercises as Jupyter notebooks: what to do, your file or its stub in cells, a cell that grades it.

    In a notebook, `%load_ext grader` and `%grade attention`, or `grader.check("attention")`, grade what its cells
    define. Here `grade attention.ipynb` does, without running any other line.
    """
    place = Place.find(course)
    if not names and not everything:
        raise UsageError("Name an exercise: `grade notebook attention`, or all with `grade notebook --all`.")
    folder = Path(out) if out else place.folder
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"DIR {str(folder)!r} is a file, not a folder: choose another place.")
    with refused(folder):
        folder.mkdir(parents=True, exist_ok=True)
    chosen = [place.course.exercise(n) for n in (place.course.graded if everything else names)]
    return max([_write(place, exercise, folder, force) for exercise in chosen])


def _write(place: Place, exercise: Exercise, folder: Path, force: bool) -> int:
    from grader.submission.notebook.write import notebook

    path = folder / f"{exercise.name}.ipynb"
    headings = {task.name: f"### {_worth(task.name, task.points)}" for task in exercise.tasks}
    data = notebook(_text(place, exercise), exercise.name, _introduction(exercise), headings).encode()
    if path.is_file() and path.read_bytes() == data:
        click.echo(_("{path} is there already, as it should be.").format(path=place.shown(path)))
        return 0
    if path.is_file() and not force:
        differs = _(
            "{path} is there already, and yours differs. `grade notebook {name} --force` replaces it, after a backup."
        )
        click.echo(differs.format(path=place.shown(path), name=exercise.name))
        return 1
    backup = place.back_up(path)
    write_atomic(path, data)
    written = _("{path} written. `grade {path}` grades it, and so does its last cell.")
    click.echo(written.format(path=place.shown(path)))
    if path in place.notebooks(exercise.name):
        click.echo(_graded(place, exercise))
    if backup:
        click.echo(_("The old one is {path}.").format(path=place.shown(backup)))
    return 0


def _graded(place: Place, exercise: Exercise) -> str:
    """Which of the two files counts from now on."""
    if place.works_in(exercise).suffix == NOTEBOOK:
        told = _("`grade {name}` grades the notebook from now on, as long as {file} is the stub or is not there.")
    else:
        told = _("`grade {name}` grades {file} as before; with the stub in it (`grade reset {name}`), the notebook.")
    return told.format(name=exercise.name, file=place.shown(place.file(exercise.name)))


def _text(place: Place, exercise: Exercise) -> str:
    """The student's file as it is; the stub where there is none."""
    path = place.file(exercise.name)
    if not path.exists():
        return place.stub(exercise)
    file = read_source(path, exercise.name)
    if file.text is None:
        raise UsageError(f"{place.shown(path)} cannot be read: {file.problem}.")
    return file.text


def _introduction(exercise: Exercise) -> str:
    worth = _("{tasks}, {points} points.").format(
        tasks=count(len(exercise.tasks), "task"), points=number(exercise.points)
    )
    return f"# {said(exercise.title)}\n\n{said(exercise.summary.strip())}\n\n{worth}"


def _worth(name: str, points: float) -> str:
    return _("`{name}` ({points} points)").format(name=name, points=number(points)) if points else f"`{name}`"
