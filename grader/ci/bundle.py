"""The zip of a Gradescope autograder: two scripts, this package, and the course; equal bytes for equal content."""

from __future__ import annotations

import io
import re
import zipfile
from importlib.metadata import PackageNotFoundError, requires
from importlib.resources import files

from grader.catalogue.home import PACKAGE
from grader.catalogue.model import Course
from grader.catalogue.pack import packed
from grader.catalogue.salt import read_salt
from grader.errors import UsageError

DISTRIBUTION = "transformer-grader"
SCRIPTS = ("setup.sh", "run_autograder")
TIME = (2020, 1, 1, 0, 0, 0)  # of every member: a zip knows no member without one
SOURCES = (".po",)  # of what is read at run time
HARNESS = "harness"


def bundle(course: Course, seconds: float) -> bytes:
    """`seconds`: when a run ends by itself; less than the time-out that is set on Gradescope."""
    salt = {f"{HARNESS}/course/{course.salt}": read_salt(course)} if course.salt else {}
    members = {
        **{name: _script(name) for name in SCRIPTS},
        f"{HARNESS}/requirements.txt": _requirements(),
        f"{HARNESS}/seconds": f"{seconds:g}\n".encode(),
        **{f"{HARNESS}/grader/{name}": data for name, data in _package()},
        **{f"{HARNESS}/course/{name}": data for name, data in packed(course.root)},
        **salt,
    }
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(members):
            member = zipfile.ZipInfo(name, TIME)
            member.create_system = 3  # a Unix, wherever it is written: else the modes mean nothing
            member.external_attr = (0o100755 if name in SCRIPTS else 0o100644) << 16
            archive.writestr(member, members[name], zipfile.ZIP_DEFLATED)
    return written.getvalue()


def _script(name: str) -> bytes:
    return (files("grader.ci") / "gradescope" / name).read_bytes()


def _package() -> list[tuple[str, bytes]]:
    """This very package, without the course that an installed one carries."""
    paths = sorted(path for path in PACKAGE.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    named = ((path.relative_to(PACKAGE), path) for path in paths)
    return [
        (name.as_posix(), path.read_bytes())
        for name, path in named
        if name.parts[0] != "course" and name.suffix not in SOURCES
    ]


def _requirements() -> bytes:
    """What the package's own metadata asks for, without its extras."""
    try:
        needed = requires(DISTRIBUTION) or []
    except PackageNotFoundError as error:
        raise UsageError(
            f"{DISTRIBUTION} is not installed, so its requirements are not known: pip install it."
        ) from error
    return "".join(f"{line}\n" for line in sorted(needed) if not re.search(r"\bextra\s*==", line)).encode()
