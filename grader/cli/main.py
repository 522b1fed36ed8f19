"""The command `grade`: finds the command, turns our errors into one sentence, and knows the exit codes.

0 all passed, 1 something failed or not started, 2 wrong use, 3 broken course, 4 our own fault, 130 interrupted.
"""

from __future__ import annotations

import difflib
import importlib
import io
import os
import sys
from typing import Any

import click

from grader import __version__
from grader.cli.help import in_words
from grader.cli.wrong_use import show
from grader.errors import GraderError, UsageError
from grader.language import LANGUAGES, N_, _, of_environment, said, use

# Each command lives in a module of its own, loaded when it is called: `grade --help` loads none of the engine.
COMMANDS = {
    "init": N_("Lay down a folder of your own, with the stubs."),
    "run": N_("Grade exercises: `grade attention` is short for `grade run attention`."),
    "watch": N_("Grade an exercise whenever you save it."),
    "list": N_("List the exercises, their points and how far you are."),
    "hint": N_("Show a hint, one step further each time."),
    "replay": N_("Run the last failing case again, with your own prints and breakpoints."),
    "notebook": N_("Write an exercise as a Jupyter notebook."),
    "solution": N_("Show the reference of an exercise you have passed."),
    "reset": N_("Put an exercise back to its stub; your file is kept as a backup."),
    "show": N_("See your own files at work: train your GPT, continue a text."),
    "report": N_("Write the page of your last run."),
    "explain": N_("Explain the code of a verdict."),
    "doctor": N_("Check that this machine can grade, and say what to do if not."),
    "batch": N_("Grade a folder of submissions: one page a student, one for the class."),
    "accept": N_("Put the results of a regrade in place, or drop them."),
    "export": N_("Write points and verdicts in another system's format."),
    "ci": N_("Grade a student's checkout on a CI platform, and write what that reads."),
    "gradescope": N_("Write the zip of a Gradescope autograder."),
    "similar": N_("List pairs of submissions that have more in common than right answers do."),
    "new": N_("Lay down an exercise that works, to be changed into your own; or an empty course."),
    "check": N_("Prove the course: stubs are not started, references earn everything."),
    "release": N_("Make the students' folder of the course, without a line that answers it."),
    "leaks": N_("Search what students get for answers, known bugs and hidden checks."),
    "stubs": N_("Make the stubs from the references."),
    "messages": N_("Keep the translations in step with the sentences."),
}


RUN_OPTIONS = ("--all", "--json", "-v", "--verbose", "--isolation")


class Grade(click.Group):
    """A group whose first argument may also be the name of an exercise, or an option of `run`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        course = 2 if args[:1] == ["--course"] else int(args[:1] != [] and args[0].startswith("--course="))
        if args[course : course + 1] and args[course].partition("=")[0] in RUN_OPTIONS:
            args = [*args[:course], "run", *args[course:]]
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"grader.cli.{name}_command").command
        return in_words(command)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        first = args[0]
        if first in COMMANDS:
            return super().resolve_command(ctx, args)
        near = difflib.get_close_matches(first, COMMANDS, 3, 0.75)
        near.sort(key=lambda name: sorted(name) != sorted(first))  # `hnit` is hint rather than init
        if near and not _is_exercise(ctx, first):
            raise UsageError(f"No command or exercise {first!r}. Did you mean `grade {near[0]}`?")
        return "run", self.get_command(ctx, "run"), args

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section(_("Commands")):
            formatter.write_dl([(name, _(text)) for name, text in COMMANDS.items()])


@click.group(
    cls=Grade,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Example: `grade attention` grades exercises/attention.py.",
)
@click.version_option(__version__, prog_name="grade")
@click.option(
    "--course", metavar="DIR", help="The course's folder, or yours; by default the one you stand in, or above it."
)
@click.option(
    "--lang", type=click.Choice(LANGUAGES), expose_value=False,
    help="The language of all words; by default that of your locale, else English.",
)  # fmt: skip
@click.pass_context
def grade(ctx: click.Context, course: str | None) -> None:
    """Grade the exercises of "write a Transformer from scratch in PyTorch".

    Without a command: where you are, and the first thing to fix.
    """
    ctx.obj = course
    if ctx.invoked_subcommand is None:
        run = importlib.import_module("grader.cli.run_command")
        ctx.exit(run.overview(course))


def main(argv: list[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a redirected console that knows no ✓ still gets the words
    try:
        arguments, language = without_language(sys.argv[1:] if argv is None else argv)
        use(of_environment(os.environ))
        if language is not None:
            use(language)
        code = in_words(grade).main(course_first(arguments), prog_name="grade", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except click.ClickException as error:
        show(error)
        return 2
    except (KeyboardInterrupt, click.Abort):
        click.echo(_("Stopped. What was finished before is kept."), err=True)
        return 130
    except GraderError as error:
        click.echo(f"grade: {said(str(error))}", err=True)
        return error.exit_code
    except BrokenPipeError:  # the reader of our output has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        told = _("grade: the system refuses: {reason} ({file}).")
        file = error.filename or _("no file")
        click.echo(told.format(reason=error.strerror or error, file=file), err=True)
        return 2
    except Exception as error:
        if os.environ.get("GRADE_DEBUG"):
            raise
        told = _("grade: a fault of our own: {kind}: {error}")
        click.echo(told.format(kind=type(error).__name__, error=error), err=True)
        click.echo(_("Please report it, with what `GRADE_DEBUG=1 grade …` prints."), err=True)
        return 4


def without_language(arguments: list[str]) -> tuple[list[str], str | None]:
    """`--lang zh` may stand anywhere, and is needed before anything is said: help texts, errors."""
    rest, language = list[str](), None
    waiting = iter(arguments)
    for argument in waiting:
        name, is_joined, value = argument.partition("=")
        if argument == "--":
            return [*rest, argument, *waiting], language
        if name == "--lang":
            language = value if is_joined else next(waiting, "")
        else:
            rest.append(argument)
    return rest, language


def course_first(arguments: list[str]) -> list[str]:
    """`--course DIR` may stand anywhere, as an option of `grade`; behind `new` it is one of its own."""
    front, rest = list[str](), list[str]()
    waiting = iter(arguments)
    for argument in waiting:
        if argument == "--" or rest[:1] == ["new"]:
            return [*front, *rest, argument, *waiting]
        name, is_joined, folder = argument.partition("=")
        if name != "--course":
            rest.append(argument)
        elif named := folder if is_joined else next(waiting, ""):
            front += [name, named]
        else:
            raise UsageError("--course needs a folder behind it, as in `grade list --course DIR`.")
    return [*front, *rest]


def _is_exercise(ctx: click.Context, name: str) -> bool:
    from grader.cli.place import Place

    try:
        return name in Place.find(ctx.params.get("course")).course.names
    except GraderError:
        return False


if __name__ == "__main__":
    sys.exit(main())
