"""The salt of official runs: a secret file of the course, with which inputs are drawn that no student can foresee."""

from __future__ import annotations

from pathlib import Path

from grader.catalogue.model import Course
from grader.errors import CourseError

LEAST = 32  # signs: 16 random bytes in hexadecimal. Whoever knows inputs of a run can try out a shorter one
MAKE = 'python -c "import secrets; print(secrets.token_hex(16))"'


def read_salt(course: Course) -> bytes:
    """Of the file that the course's configuration names as `salt`; empty if it names none. Raises CourseError."""
    if not course.salt:
        return b""
    path = course.root / course.salt
    if Path(course.salt).is_absolute() or path.resolve() != course.root.resolve() / course.salt:
        # That folder is hidden from submissions, and goes along into a zip for Gradescope.
        raise CourseError(f"salt = {course.salt!r} should name a file in the course's own folder, {course.root}")
    try:
        salt = path.read_bytes().strip()
    except OSError as error:
        raise CourseError(
            f"{path}, the salt of official runs, cannot be read ({error}); make one with `{MAKE}`"
        ) from error
    if len(salt) < LEAST:
        raise CourseError(f"{path} has {len(salt)} signs, and a salt that short can be guessed: make one with `{MAKE}`")
    return salt
