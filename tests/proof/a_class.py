"""A generated class: honest and hostile texts of kinds.py, and folders that are malformed in every known way."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

from ..grader.attacks.conftest import ALL
from .kinds import KINDS, SAMPLE_POINTS, Given

HOSTILE, MALFORMED = 50, 20  # one in so many
WAYS = ("no file", "a link", "a folder", "NUL bytes", "too large", "UTF-16", "a pipe")


def mixed_class(size: int) -> Iterator[tuple[Given, str]]:
    """Each submission, and in which way it is malformed, if it is."""
    honest, hostile = list(KINDS.items()), [sample for sample in ALL.values() if sample.name != "good_control"]
    for number in range(size):
        student = f"s{number:05}"
        if number % MALFORMED == 7:
            yield Given(student, "", 0), WAYS[number // MALFORMED % len(WAYS)]
        elif number % HOSTILE == 0:
            sample = hostile[number // HOSTILE % len(hostile)]
            yield Given(student, sample.text, SAMPLE_POINTS[sample.name], sample), ""
        else:
            (_, points), text = honest[number % len(honest)]
            yield Given(student, f"{dedent(text)}\n# {number}\n", points), ""


def write(folder: Path, size: int) -> list[tuple[Given, str]]:
    """The class as folders, one a student."""
    given = list(mixed_class(size))
    for one, way in given:
        (folder / one.student).mkdir(parents=True)
        path = folder / one.student / "softmax.py"
        if way:
            _malformed(path, way)
        else:
            path.write_text(one.text, "utf-8")
    return given


def _malformed(path: Path, way: str) -> None:
    if way == "a link":
        path.symlink_to("/etc/passwd")
    elif way == "a folder":
        path.mkdir()
    elif way == "a pipe":
        os.mkfifo(path)
    elif way != "no file":
        data = {"NUL bytes": b"x = 1\0\n", "too large": b"#" * 300_000, "UTF-16": "x = 1\n".encode("utf-16")}
        path.write_bytes(data[way])


def expected_row(one: Given, way: str) -> tuple[str, str, str]:
    """Student, points and status, as the gradebook has them."""
    return (one.student, "" if way == "no file" else str(one.points), "no results" if way == "no file" else "graded")
