"""Help texts in the language of the reader: of a copy of a command, since the command itself is written in English."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Iterable

import click

from grader.language import _, current


def in_words(command: click.Command) -> click.Command:
    """`command` with its texts, its options' and its sub-commands' in the language that is chosen."""
    if current() == "en":
        return command
    made = copy.copy(command)
    made.help = _(inspect.cleandoc(made.help or ""))
    made.short_help = made.help.partition("\n")[0]
    made.epilog = _(made.epilog or "")
    made.params = [_in_words(parameter) for parameter in made.params]
    made._help_option = None  # click keeps the first one it made, in the language of that time
    made.context_class = Context
    if isinstance(made, click.Group):
        made.commands = {name: in_words(sub) for name, sub in made.commands.items()}
    return made


def _in_words(parameter: click.Parameter) -> click.Parameter:
    if not isinstance(parameter, click.Option):
        return parameter
    made = copy.copy(parameter)
    made.help = _(made.help or "")
    return made


class Formatter(click.HelpFormatter):
    """Breaks lines by the columns they take, where click counts letters: a Chinese one is two columns wide."""

    def write_text(self, text: str) -> None:
        super().write_text(_broken(text, self.width - self.current_indent))

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        listed = list(rows)
        first = min(max((len(name) for name, _ in listed), default=0), col_max) + col_spacing
        broken = [(name, _broken(text, max(self.width - first - 2, 10))) for name, text in listed]
        super().write_dl(broken, col_max, col_spacing)


class Context(click.Context):
    formatter_class = Formatter


def _broken(text: str, columns: int) -> str:
    """Paragraphs in lines, behind the mark that click leaves as they are."""
    from rich.console import Console
    from rich.text import Text

    paragraphs = (" ".join(paragraph.split()) for paragraph in text.split("\n\n"))
    lines = ("\n".join(line.plain.rstrip() for line in Text(p).wrap(Console(), columns)) for p in paragraphs)
    return "\n\n".join(f"\b\n{text}" for text in lines)
