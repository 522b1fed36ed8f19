"""The files that make up a course: what has to be taken along for grading somewhere else."""

from __future__ import annotations

from pathlib import Path

from grader.catalogue.config import OWN_FILE, SHARED_FILE

FOLDERS = ("exercises", "solutions", "tests/exercises", "tests/course/bugs")


def packed(root: Path) -> tuple[tuple[str, bytes], ...]:
    """By their path in the course, sorted within each folder."""
    paths = [p for folder in FOLDERS for p in sorted((root / folder).rglob("*")) if _part(p)]
    paths += [path for name in (OWN_FILE, SHARED_FILE) if (path := root / name).is_file()]
    return tuple((path.relative_to(root).as_posix(), path.read_bytes()) for path in paths)


def _part(path: Path) -> bool:
    return path.is_file() and "__pycache__" not in path.parts
