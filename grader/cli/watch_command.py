"""`grade watch`: one screen that follows what you save."""

from __future__ import annotations

import click
from rich.console import Console, Group, RenderableType
from rich.screen import Screen as Whole
from rich.text import Text

from grader.cli.hint_command import next_hint
from grader.cli.place import Place
from grader.cli.run_command import ISOLATION, graded
from grader.language import N_, _
from grader.report import terminal
from grader.report.next_step import still_open
from grader.report.text import clean
from grader.results.schema import Results
from grader.run.engine import Engine
from grader.watch.files import Files
from grader.watch.keys import of_terminal
from grader.watch.watch import Screen, Watch

KEYS = N_("h hint   n next   l list   a run all   q quit")


@click.command("watch", epilog="Example: `grade watch attention`")
@click.argument("name", required=False)
@ISOLATION
@click.pass_obj
def command(course: str | None, name: str | None, isolation: str) -> int:
    """Grade an exercise whenever you save it, on one screen."""
    place = Place.find(course)
    names = [*place.course.graded, *(n for n in place.course.names if n not in place.course.graded)]
    first = place.course.exercise(name).name if name else _first_open(place)
    console = Console(highlight=False)
    with of_terminal() as keys, Engine(place.course, names, isolation=isolation) as engine:
        with console.status(_("Loading PyTorch and the suites, some seconds …")):
            engine.ready()
        with console.screen() as screen:

            def show(what: Screen) -> None:
                screen.update(rendered(place, what, console.height))

            def grade(wanted: list[str]) -> Results:
                results = graded(place, engine, wanted)
                place.remember(results)
                return results

            Watch(
                names,
                Files({n: place.sources(n) for n in names}),
                keys,
                grade,
                lambda exercise: next_hint(place, exercise),
                show,
                lambda: console.size,
                place.known(),
            ).run(first)
    click.echo(_("Stopped watching. `grade` shows where you are."))
    return 0


def rendered(place: Place, screen: Screen, height: int) -> Whole:
    """The whole terminal: what is watched and the keys on top, so that no small window hides them."""
    path = place.shown(place.works_in(place.course.exercise(screen.name)))
    style = "bold yellow" if screen.busy else "bold"
    head = Text(screen.busy or _("Watching {path}").format(path=path), style, no_wrap=True, overflow="ellipsis")
    above = (head, Text(_(KEYS), "dim"), Text())
    return Whole(Group(*above, _body(place, screen, height - len(above))))


def _body(place: Place, screen: Screen, lines: int) -> RenderableType:
    row = screen.rows.get(screen.name)
    if screen.view in ("hint", "problem"):
        return Text(clean(screen.text))
    if screen.view == "list":
        return terminal.overview(place.listed(screen.rows))
    return terminal.exercise(row, lines=min(lines, terminal.LIMIT)) if row is not None else Text()


def _first_open(place: Place) -> str:
    """What comes next, as `grade` says it."""
    following = still_open(place.listed(place.known()))
    return following[0].name if following else place.course.graded[0]
