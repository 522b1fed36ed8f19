"""What a page names: its spans of code and lines of its blocks, sorted into commands, options, paths, variables."""

from __future__ import annotations

import re
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

import click

from grader.catalogue.load import load_course
from grader.cli.main import COMMANDS, grade

from .blocks import ROOT, blocks_of

SUFFIXES = "py|toml|md|json|html|csv|ipynb|css|js|txt|yml|yaml|svg|po|mo"
PLACEHOLDER = r"(?<![A-Z])(?:NAME|LANGUAGE|EXERCISE|STUDENT|OUT|NNNN)(?![A-Z])"
MADE = {"OUT", "reports", "students", "history", "regrade", "stubs", "recorded", "grade-results", ".grade", "build"}
UNTRACKED = {".git", ".venv", "build", "reports", ".grade", "__pycache__"}


def spans(path: Path) -> set[str]:
    """What stands between single backticks, outside of blocks."""
    prose = re.sub(r"^( *)```.*?^\1```", "", path.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    return {" ".join(span.split()) for span in re.findall(r"`([^`]+)`", prose)}


def typed(path: Path) -> set[str]:
    """Commands of the blocks, without comments."""
    found = set()
    for block in blocks_of(path.read_text("utf-8")):
        if block.kind in ("sh", "console"):
            lines = (
                re.findall(r"^\$ (.*)", block.text, re.MULTILINE)
                if block.kind == "console"
                else block.text.splitlines()
            )
            found |= {re.sub(r"(^|\s)#.*", "", line).strip() for line in lines}
    return found - {""}


def calls_of_grade(path: Path) -> set[str]:
    """`grade …` wherever it is named, without variables set before it or a folder in front."""
    named = (re.sub(r"^([A-Z_]+=\S+ )*(\.venv/bin/)?", "", text) for text in spans(path) | typed(path))
    return {text for text in named if re.match(r"grade( |$)", text)}


@cache
def exercises() -> set[str]:
    course = load_course(ROOT)
    return {*course.names, *course.tasks}


def command_of(words: list[str]) -> tuple[click.Command, list[str]] | None:
    """The command these words call, with those that remain; None if there is none of this name."""
    first = next((word for word in words if not word.startswith("-")), "")
    context = click.Context(grade)
    if first in COMMANDS:
        command = grade.get_command(context, first)
        rest = words[words.index(first) + 1 :]
        if isinstance(command, click.Group) and rest and not rest[0].startswith("-"):
            inner = command.get_command(context, rest[0])
            return (inner, rest[1:]) if inner else None
        return (command, rest) if command else None
    stem = first.removeprefix("exercises/").removesuffix(".py")
    placeholder = not stem or stem.endswith(".ipynb") or stem.isupper() or stem == "…" or stem.startswith("NAME")
    run = grade.get_command(context, "run")
    return (run, words) if run and (placeholder or stem in exercises()) else None


def options_of(command: click.Command) -> set[str]:
    """Its own and those of `grade`."""
    parameters = [*command.params, *grade.params]
    return {name for p in parameters if isinstance(p, click.Option) for name in (*p.opts, *p.secondary_opts)} | {
        "-h",
        "--help",
    }


def every_option() -> set[str]:
    found = set[str]()
    for name in COMMANDS:
        command = grade.get_command(click.Context(grade), name)
        assert command is not None
        for one in (command, *(command.commands.values() if isinstance(command, click.Group) else ())):
            found |= options_of(one)
    return found


def paths(path: Path) -> set[str]:
    """Spans that are names of files or folders."""
    return {
        span for span in spans(path)
        if re.fullmatch(rf"[\w.\-/*]+\.({SUFFIXES})", span) or re.fullmatch(r"[\w.\-]+/[\w.\-/]*", span)
    }  # fmt: skip


@cache
def tracked() -> frozenset[str]:
    """Files and folders of the repository, by their paths from its root."""
    inside = (p.relative_to(ROOT) for p in ROOT.rglob("*"))
    return frozenset(str(p) for p in inside if not UNTRACKED & set(p.parts))


@cache
def folders() -> frozenset[str]:
    """Names of the folders at the root, and of all below grader/."""
    found = [*ROOT.iterdir(), *(ROOT / "grader").rglob("*")]
    return frozenset(p.name for p in found if p.is_dir() and p.name not in UNTRACKED)


def is_ours(name: str) -> bool:
    """Named as a file of the repository or of the grader; what else a page names is a student's or a platform's file.

    In a folder: ours is what lies in a folder of ours. Alone: no notebook, and no other spelling of an exercise's name.
    """
    first, *below = name.split("/")
    if below:
        return first in folders() | MADE
    stem, _, suffix = name.rpartition(".")
    known = stem in exercises() or stem.startswith(("test_", "probes_"))
    return suffix != "ipynb" and (known or not any(exercise in stem.lower() for exercise in load_course(ROOT).names))


@cache
def code() -> str:
    """Of the grader and the tools around it, for names that are made at run time."""
    files = [*(ROOT / "grader").rglob("*.py"), *(ROOT / "grader").rglob("*.j2"), ROOT / "Makefile", ROOT / ".gitignore"]
    return "\n".join(p.read_text("utf-8") for p in files)


def is_there(name: str, page: Path) -> bool:
    """In the repository, from its root, beside the page or in a folder; or something that the grader makes."""
    wanted = name.rstrip("/")
    pattern = re.sub(PLACEHOLDER, "*", wanted)
    if (page.parent / wanted).exists() or any(
        fnmatch(path, pattern) or fnmatch(path, f"*/{pattern}") for path in tracked()
    ):
        return True
    return is_made(wanted)


def is_made(name: str) -> bool:
    """The code calls it so: a path in a folder of the repository as a whole, any other by its last part."""
    inside = (ROOT / name.split("/")[0]).is_dir() and "/" in name
    *before, end = re.split(PLACEHOLDER, name if inside else name.split("/")[-1])
    return any(made in code() for made in ([f'{end}"'] if before else [f'"{end}"', f"/{end}", f"{end}/"]))


def fields_of_tables(text: str) -> set[str]:
    """First columns of tables whose first heading is "field"."""
    tables = re.findall(r"^\| field \|.*\n\|[- :|]+\n((?:\|.*\n)+)", text, re.MULTILINE)
    return {name for rows in tables for row in rows.splitlines() for name in re.findall(r"`(\w+)`", row.split("|")[1])}
