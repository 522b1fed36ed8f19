"""Where a student works, and where the course of that folder is.

In a course's own folder both are one. A folder that `grade init` has laid down has a grade.toml, which says where:

    course = "installed"     # the one that comes with grade, or the path of a course's folder
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

import grader
from grader.errors import UsageError
from grader.language import N_

FILE, INSTALLED = "grade.toml", "installed"
RELEASE = "release.json"
PACKAGE = Path(grader.__file__).parent


@dataclass(frozen=True, slots=True)
class Home:
    """`folder` has the student's exercises/, `course` has solutions/ and tests/, or is a release."""

    folder: Path
    course: Path


def find_home(start: Path) -> Home:
    """Of the folder `start`, or the nearest one above it that is a course or belongs to one."""
    if (home := nearest(start)) is not None:
        return home
    raise UsageError(
        f"No course (exercises/ and solutions/) in {start} or above it, nor a folder of your own that belongs to one. "
        "Go to one, name one with --course, or let `grade init DIR` lay a folder down for you."
    )


def nearest(start: Path) -> Home | None:
    """As find_home, or None where there is none."""
    homes = (home_at(folder) for folder in (start, *start.parents))
    return next((home for home in homes if home is not None), None)


def home_of(folder: Path) -> Home:
    """`folder` itself, which a caller has named."""
    if not folder.is_dir():
        raise UsageError(
            f"There is no folder {str(folder)!r}; --course names the folder that holds exercises/ and solutions/, "
            "or one that `grade init` has laid down."
        )
    home = home_at(folder)
    if home is None:
        raise UsageError(f"{folder} is not a course: it has no folder solutions/, and no {FILE} that names a course.")
    return home


def installed_course() -> Path:
    """The course that comes with grade: in the package when it was installed, beside it in the repository."""
    for folder in (PACKAGE / "course", PACKAGE.parent):
        if is_course(folder):
            return folder
    raise UsageError("This grade comes without a course; name the folder of one with --course.")


def named_course(folder: str | None) -> Path:
    """The course of a folder that was named, else the one that comes with grade; never looked for where one stands."""
    return (home_of(Path(folder)).course if folder else installed_course()).resolve()


def line_for(course: Path) -> str:
    """The grade.toml of a student's folder."""
    where = INSTALLED if course.resolve() == installed_course().resolve() else str(course.resolve())
    written = where.replace("\\", "\\\\").replace('"', '\\"')
    return (
        f'# Where the course is: a folder, or "{INSTALLED}" for the one that comes with grade.\ncourse = "{written}"\n'
    )


def home_at(folder: Path) -> Home | None:
    """What this very folder is, if anything."""
    if is_course(folder):
        return Home(folder, folder)
    path = folder / FILE
    return Home(folder, _named(path)) if path.is_file() else None


def _named(path: Path) -> Path:
    try:
        where = tomllib.loads(path.read_text("utf-8")).get("course")
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be read ({error}); {_mend(path)}") from error
    if where == INSTALLED:
        return installed_course()
    if not isinstance(where, str):
        raise UsageError(f"{path} says course={where!r}, which is no path; {_mend(path)}")
    course = path.parent / Path(where).expanduser()
    if not is_course(course):
        raise UsageError(f"{path} says the course is in {str(course)!r}, where none is; {_mend(path)}")
    return course


def _mend(path: Path) -> str:
    return N_(f'write course = "{INSTALLED}" or a folder there, or delete it and call `grade init {path.parent}`.')


def is_course(folder: Path) -> bool:
    return (folder / "exercises").is_dir() and ((folder / "solutions").is_dir() or (folder / RELEASE).is_file())
