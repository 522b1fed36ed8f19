"""What the README shows is what the commands print."""

from __future__ import annotations

import re
from pathlib import Path

from grader.cli.main import COMMANDS

ROOT = Path(__file__).parents[3]
README = (ROOT / "README.md").read_text("utf-8")


def test_every_command_it_names_exists() -> None:
    from grader.catalogue.load import load_course

    exercises = set(load_course(ROOT).names)
    named = set(re.findall(r"^grade ([a-z]\w*)", README, re.MULTILINE)) | set(
        re.findall(r"`grade ([a-z]\w*)(?!\w|\.ipynb)", README)
    )
    assert named
    assert named <= set(COMMANDS) | exercises


def test_every_file_it_links_to_exists() -> None:
    for path in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / path).exists(), path


def test_make_targets_exist() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for target in re.findall(r"^make (\w+)", README, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_the_class_it_shows_is_the_one_in_examples() -> None:
    shown = re.findall(r"^[✓✗]  (\S+)", README, re.MULTILINE)
    assert shown == sorted(p.name for p in (ROOT / "examples" / "class").iterdir() if p.is_dir())
