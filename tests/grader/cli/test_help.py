"""Every command's help has an example, and the example is a command that exists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from grader.catalogue.load import load_course
from grader.cli.main import COMMANDS, grade

EXERCISES = set(load_course(Path(__file__).parents[3]).names)


def commands() -> Iterator[tuple[str, ...]]:
    """All of them, those of groups too."""
    yield ()
    for name in COMMANDS:
        yield (name,)
        command = grade.get_command(click.Context(grade), name)
        if isinstance(command, click.Group):
            yield from ((name, inner) for inner in command.commands)


def test_every_module_of_a_command_is_one_of_them() -> None:
    """So that none is without these tests."""
    modules = (Path(__file__).parents[3] / "grader" / "cli").glob("*_command.py")
    assert {path.stem.removesuffix("_command") for path in modules} == set(COMMANDS)


@pytest.mark.parametrize("path", list(commands()), ids=" ".join)
def test_the_help_has_an_example_of_this_very_command(path: tuple[str, ...]) -> None:
    done = CliRunner().invoke(grade, [*path, "--help"], standalone_mode=False)
    assert done.exception is None
    text = " ".join(done.output.split())
    examples = re.findall(r"`(grade[^`]*)`", text.partition("Example: ")[2])
    assert examples, done.output
    for example in examples:
        words = example.split()[1:]
        short = path in ((), ("run",)) and words[0].removesuffix(".ipynb") in EXERCISES
        assert short or tuple(words[: len(path)]) == path, example


@pytest.mark.parametrize("path", list(commands()), ids=" ".join)
def test_the_example_is_taken(path: tuple[str, ...]) -> None:
    """Its options and arguments are ones that the command knows."""
    done = CliRunner().invoke(grade, [*path, "--help"], standalone_mode=False)
    for example in re.findall(r"`grade ([^`]*)`", " ".join(done.output.split()).partition("Example: ")[2]):
        words = example.split()
        context = grade.make_context("grade", list(words))
        name, command, rest = grade.resolve_command(context, words)
        if isinstance(command, click.Group):
            name, command, rest = command.resolve_command(click.Context(command, parent=context), rest)
        assert command is not None
        command.make_context(name, rest, parent=context)
