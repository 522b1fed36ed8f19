"""`grade`, `grade NAME…`, `grade --all`: grade the exercises in this folder and say what to do next."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path

import click
from rich.console import Console

from grader.catalogue.model import Course
from grader.cli.place import Place
from grader.errors import UsageError
from grader.language import _, ngettext, said
from grader.report import terminal
from grader.report.next_step import UNJUDGED, still_open
from grader.results import store
from grader.results.schema import Exercise, Results
from grader.run.engine import Engine, OnCheck
from grader.subject.isolation.ladder import CHOICES
from grader.submission.files import NOTEBOOK, exercises_in, read_folder, read_source, with_file
from grader.submission.intake.called import meant
from grader.submission.model import Submission

ISOLATION = click.option(
    "--isolation", default="auto", show_default=True, type=click.Choice(CHOICES),
    help="How far the student's code is kept apart; asking for more than the machine gives is refused.",
)  # fmt: skip


@click.command("run", epilog="Example: `grade attention layer_norm`, `grade attention.ipynb`")
@click.argument("names", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="Grade every exercise and show each in full.")
@click.option("--json", "as_json", is_flag=True, help="Print results.json instead of words.")
@click.option("-v", "--verbose", is_flag=True, help="Show every failed check in full.")
@ISOLATION
@click.pass_obj
def command(
    course: str | None, names: tuple[str, ...], everything: bool, as_json: bool, verbose: bool, isolation: str
) -> int:
    """Grade exercises in this folder."""
    place = Place.find(course)
    chosen = list(dict.fromkeys(exercise for name in names for exercise in _exercises(place, name)))
    wanted = list(place.course.graded) if everything or not names else chosen
    notebooks = {e: _notebook(place, name) for name in names if _is_notebook(name) for e in _exercises(place, name)}
    results = _grade(place, wanted, quiet=as_json, isolation=isolation, notebooks=notebooks)
    known = place.remember(results)
    if as_json:
        sys.stdout.buffer.write(store.dump(results))
        return _exit_code(results.exercises)
    console = Console(highlight=False)
    if len(results.exercises) == 1:
        below = terminal.standing(known, next_step(place, known, chosen, notebooks))
        console.print(terminal.answer(results.exercises[0], below, verbose))
        return _exit_code(results.exercises)
    for exercise in results.exercises:
        console.print(terminal.exercise(exercise, verbose=verbose))
        console.print()
    console.print(terminal.progress(known, next_step(place, known, chosen, notebooks)))
    return _exit_code(results.exercises)


def overview(course: str | None) -> int:
    """`grade` alone: where you are, and the first thing to fix."""
    place = Place.find(course)
    console = Console(highlight=False)
    started = [e.name for e in place.course.exercises if place.started(e)]
    if not started:
        console.print(_welcome(place), soft_wrap=True)
        return 1
    results = _grade(place, started, quiet=False)
    known = place.remember(results)
    rows = place.listed({e.name: e for e in results.exercises})
    first = next((e for e in still_open(rows) if e.status != "not_started"), None)
    below = terminal.progress(known, next_step(place, known))
    console.print(terminal.answer(first, below) if first is not None else below)
    return _exit_code(rows)


def next_step(
    place: Place, results: Results, named: Collection[str] = (), notebooks: Mapping[str, Path] | None = None
) -> str:
    """The one command or file that comes next, in a sentence: of what was `named` first, in the notebook it was in."""
    following = still_open(results.exercises, named)
    if not following:
        return _("Everything passes. `grade report --open` shows the whole of it.")
    row = following[0]
    wrong = any(check.status == "failed" for check in row.checks)
    named_file = (notebooks or {}).get(row.name)
    file = named_file or place.works_in(place.course.exercise(row.name))
    if row.status == "error":
        told = _(UNJUDGED)
    elif file.name not in _names_in(file.parent):
        return _missing(place, file, row.name)
    elif named_file is not None and not wrong:
        told = _("Next: write {path}, then `grade {path}`. Stuck? `grade hint {name}`.")
    elif named_file is not None:
        told = _("Next: fix {path}, then `grade {path}`. Stuck? `grade hint {name}`.")
    elif not wrong:
        told = _("Next: write {path}, then `grade {name}`. Stuck? `grade hint {name}`.")
    else:
        told = _("Next: fix {path}, then `grade {name}`. Stuck? `grade hint {name}`.")
    return told.format(path=place.shown(file), name=row.name)


def _missing(place: Place, file: Path, exercise: str) -> str:
    """What to do about a file that is not there, or only under a name like its own: Masking.py, masking (1).py."""
    for folder in dict.fromkeys((file.parent, place.folder)):
        for called in _names_in(folder):
            stem, _dot, ending = called.rpartition(".")
            if ending.lower() == "py" and meant(stem, [exercise]):
                told = _("{path} is not there, but {file} is: rename it to {name}.")
                return told.format(path=place.shown(file), file=place.shown(folder / called), name=file.name)
    told = _("{path} is not there: `grade reset {name}` brings the stub back.")
    return told.format(path=place.shown(file), name=exercise)


def _names_in(folder: Path) -> list[str]:
    """As they are written, which `is_file` does not tell where Masking.py and masking.py are one file."""
    return sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []


def graded(
    place: Place, engine: Engine, names: list[str], on_check: OnCheck | None = None,
    notebooks: Mapping[str, Path] | None = None,
) -> Results:  # fmt: skip
    """The folder's files, and before them a notebook for some exercises; the cases that fail are kept for replays."""
    named = notebooks or {}
    submission = read_folder(
        place.folder, place.course.names_by_weight, "you",
        lambda name, text: name in named or place.is_stub(name, text), place.course.tasks_of,
    )  # fmt: skip
    for called in {path.name for path in named.values()}:
        submission = replace(submission, problems=tuple(p for p in submission.problems if not p.startswith(called)))
    for name, path in named.items():
        submission = with_file(submission, read_source(path, name, place.course.tasks_of))
    submission = replace(submission, problems=_about(submission, names))
    place.forget_cases(names)
    return engine.grade(submission, names, on_check, on_case=place.remember_case)


def _grade(
    place: Place, names: list[str], quiet: bool, isolation: str = "auto", notebooks: Mapping[str, Path] | None = None
) -> Results:
    done = itertools.count(1)
    total = _number_of_checks(place.course, names)
    console = Console(stderr=True, highlight=False, quiet=quiet)
    running = Engine(place.course, names, isolation=isolation)
    with running as engine, console.status(_("Loading {names} …").format(names=", ".join(names))) as status:
        engine.ready()

        def on_check(identifier: str, status_of_it: str) -> None:
            status.update(_("{n} of {total} checks: {check}").format(n=next(done), total=total, check=identifier))

        return graded(place, engine, names, on_check, notebooks)


def _is_notebook(name: str) -> bool:
    return name.endswith(NOTEBOOK)


def _exercises(place: Place, name: str) -> list[str]:
    """`exercises/attention.py` is attention, and so is `attention.ipynb`; `week1.ipynb` is all that it defines."""
    bare = Path(name).stem if name.endswith((".py", NOTEBOOK)) else name
    if not _is_notebook(name) or bare in place.course.names:
        return [place.course.exercise(bare).name]
    path = _notebook(place, name)
    if found := exercises_in(path, place.course.tasks_of):
        return found
    if problem := read_source(path, bare).problem:
        raise UsageError(f"{path.name} cannot be read: {problem}.")
    raise UsageError(f"{path.name} defines no task of any exercise: `grade hint NAME` tells what those of NAME are.")


def _notebook(place: Place, name: str) -> Path:
    """The file that was named, from where one stands or in the folder of the exercises."""
    path = Path(name)
    own = (path, place.folder / path.name, place.folder / "exercises" / path.name)
    found = next((file for file in own if file.is_file()), None)
    if found is not None:
        return found
    example = path.stem if path.stem in place.course.names else place.course.graded[0]
    raise UsageError(f"There is no notebook {name!r}: `grade notebook {example}` writes one.")


def _about(submission: Submission, names: list[str]) -> tuple[str, ...]:
    """What is said about files of these exercises, or about no file in particular."""
    ends = (".py", NOTEBOOK)
    mine = {f"{name}{end}" for name in names for end in ends}
    mine |= {file.file for name, file in submission.files.items() if name in names}
    first = {problem: problem.split()[0].rstrip(":") for problem in submission.problems}
    others = {f"{f.file}: {note}" for name, f in submission.files.items() if name not in names for note in f.notes}
    kept = [p for p in submission.problems if first[p] in mine or not first[p].endswith(ends)]
    return tuple(problem for problem in dict.fromkeys(kept) if problem not in others)


def _number_of_checks(course: Course, names: list[str]) -> int:
    return sum(len(t.checks) for n in names for t in course.exercise(n).tasks)


def _exit_code(exercises: list[Exercise]) -> int:
    return 0 if all(e.status == "passed" for e in exercises) else 1


def _welcome(place: Place) -> str:
    first = place.course.exercise(place.course.graded[0])
    path = place.shown(place.file(first.name))
    count, points = len(place.course.graded), sum(e.points for e in place.course.exercises)
    return ngettext(
        "Nothing is written yet: {count} exercise, {points:g} points, all still to come.\n\n"
        "Start with {name}: {summary}\n"
        "  file     {path}\n"
        "  grade    grade {name}\n"
        "  stuck?   grade hint {name}\n",
        "Nothing is written yet: {count} exercises, {points:g} points, all still to come.\n\n"
        "Start with {name}: {summary}\n"
        "  file     {path}\n"
        "  grade    grade {name}\n"
        "  stuck?   grade hint {name}\n",
        count,
    ).format(count=count, points=points, name=first.name, summary=said(first.summary), path=path)
