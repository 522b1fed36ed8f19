"""Wrong use that click has found, in one sentence as all other errors: what is wrong, and what may have been meant."""

from __future__ import annotations

import difflib

import click

from grader.language import _, said
from grader.near import hint

NEAR = 0.75  # of names without their dashes: --out is not what --roster meant


def show(error: click.ClickException) -> None:
    """On standard error. `grade show` alone shows its help, which is no error but for click 8.2 and newer."""
    if isinstance(error, getattr(click.exceptions, "NoArgsIsHelpError", ())):
        error.show()
    else:
        click.echo(f"grade: {sentence(error)}", err=True)


def sentence(error: click.ClickException) -> str:
    """Click's own words, and where to go from there."""
    context = getattr(error, "ctx", None)
    if context is None:
        return error.format_message()
    if isinstance(error, click.NoSuchOption):
        return f"{error.message} {_meant(error.option_name, context)}"
    if (name := getattr(error, "command_name", None)) is not None:  # of click 8.4 and newer
        return f"{error.message} {said(hint(name, context.command.commands))}"
    return f"{error.format_message()} {_help(context)}"


def _meant(name: str, context: click.Context) -> str:
    options = {
        option.lstrip("-"): option
        for command in (context.command, context.find_root().command)  # --course and --lang may stand anywhere
        for parameter in command.params
        for option in parameter.opts
    }
    near = difflib.get_close_matches(name.lstrip("-"), options, 1, NEAR)
    return _("Did you mean {option}?").format(option=options[near[0]]) if near else _help(context)


def _help(context: click.Context) -> str:
    return _("`{command} --help` shows how it is used.").format(command=context.command_path)
