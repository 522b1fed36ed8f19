"""Every block of every page: commands are run, edits made, output compared, Python executed, data read by the grader.

A block that cannot be run here says why in a comment above it (blocks.py); these are counted.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from . import claims
from .blocks import PAGES, Block, blocks_of, name, place_of
from .places import PLACES, repository
from .session import Session, commands, unlike

RUN = ("console", "sh", "before", "diff", "python")
LOOKED_AT = ("text", "csv", "html")
MOST_NOT_RUN = 20  # lines and blocks; a page that cannot be tried is a page that grows false
MOST_OF_NO_KIND = 4  # data that nothing of ours reads


def all_blocks() -> Iterator[tuple[Path, Block]]:
    for path in PAGES:
        yield from ((path, block) for block in blocks_of(path.read_text("utf-8")))


def blocks_run(path: Path) -> list[Block]:
    return [b for b in blocks_of(path.read_text("utf-8")) if (b.kind in RUN or b.file) and b.reason("") is None]


def data(path: Path) -> list[Block]:
    """Without files of the page's commands: these read them."""
    found = blocks_of(path.read_text("utf-8"))
    return [b for b in found if b.kind in claims.DATA and not b.file and b.reason("") is None]


@pytest.mark.parametrize("path", [p for p in PAGES if blocks_run(p)], ids=name)
def test_what_a_page_shows_is_what_happens(path: Path, tmp_path: Path) -> None:
    session = Session(PLACES[place_of(path.read_text("utf-8"))](tmp_path))
    for block in blocks_run(path):
        try:
            session.run(block)
        except Exception as error:
            pytest.fail(f"{name(path)}, line {block.line}: {type(error).__name__}: {error}")


@pytest.mark.parametrize("path", [p for p in PAGES if data(p)], ids=name)
def test_data_is_what_it_claims_to_be(path: Path, tmp_path: Path) -> None:
    course = repository(tmp_path)
    for block in data(path):
        try:
            claims.check(block.kind, block.text, course)
        except Exception as error:
            pytest.fail(f"{name(path)}, line {block.line}: {type(error).__name__}: {error}")


def test_every_block_is_of_a_kind_that_is_tried() -> None:
    for path, block in all_blocks():
        known = block.kind in (*RUN, *LOOKED_AT, *claims.DATA) or block.kind.startswith("{")
        assert known, f"{name(path)}, line {block.line}: kind {block.kind!r}; try console, sh, python, toml or text"


def test_text_hides_no_commands() -> None:
    for path, block in all_blocks():
        if block.kind in LOOKED_AT:
            typed = [line for line in block.text.splitlines() if line.startswith(("$ ", "grade ", "make ", "pip "))]
            assert not typed, (
                f"{name(path)}, line {block.line}: {typed[0]!r} is a command; call the block sh or console"
            )


def test_few_blocks_are_not_run() -> None:
    skipped = [
        f"{name(path)}, line {block.line}: {start or 'all of it'}: {reason}"
        for path, block in all_blocks()
        for start, reason in block.skipped.items()
    ]
    sys.stdout.write("\n".join(["not run:", *skipped, ""]))  # pytest -s lists them
    assert len(skipped) <= MOST_NOT_RUN, "\n".join(skipped)


def test_a_marker_stands_above_what_it_speaks_of() -> None:
    for path, block in all_blocks():
        lines = [command for command, _ in commands(block)] if block.kind in ("console", "sh") else []
        for start in block.skipped:
            fits = not start or any(line.startswith(start) for line in lines)
            assert fits, f"{name(path)}, line {block.line}: no line begins with {start!r}"


def test_little_data_is_of_no_kind(tmp_path: Path) -> None:
    course = repository(tmp_path)
    unread = [b for path in PAGES for b in data(path) if not claims.check(b.kind, b.text, course)]
    assert len(unread) <= MOST_OF_NO_KIND


def test_pages_with_commands_are_found() -> None:
    assert {"README.md", "docs/start-student.md", "docs/start-instructor.md", "docs/authoring.md"} <= {
        name(p) for p in PAGES if blocks_run(p)
    }


@pytest.mark.parametrize("command", ["test -f nothing", "grade bathc", "cd nowhere"])
def test_a_command_that_fails_is_seen(command: str, tmp_path: Path) -> None:
    with pytest.raises(AssertionError):
        Session(tmp_path).run(Block("sh", f"{command}\n", 1, "", {}))


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("one\ntwo\n", "one  \ntwo\n", True),
        ("one\n…\nfour\n", "one\ntwo\nthree\nfour\n", True),
        ("one\n…\n", "one\n", True),
        ("took 1.2 s\n", "took 33 s\n", True),
        ("one\n…\nfour\n", "one\ntwo\nfive\n", False),
        ("one\ntwo\n", "one\n", False),
        ("one\n", "one\ntwo\n", False),
    ],
)
def test_the_comparison_sees_differences(shown: str, printed: str, same: bool) -> None:
    assert (unlike(shown, printed) == "") == same
