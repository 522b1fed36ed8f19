"""What a run on a CI platform is told, read once from options and environment, before that is thrown away."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import msgspec

from grader.errors import UsageError

Platform = Literal["github", "classroom", "gitlab", "gradescope", "plain"]
PLATFORMS: tuple[Platform, ...] = ("github", "classroom", "gitlab", "gradescope", "plain")
WORKFLOWS = ("Autograding Tests", "GitHub Classroom Workflow")  # as Classroom calls the ones it writes
RESULTS = "grade-results"
LONGEST = 10 * 24 * 60 * 60  # seconds that a run may be given
AUTOGRADER = Path("/autograder")  # Gradescope's folder; AUTOGRADER_ROOT names another one


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Paths are absolute. An empty one is not there on this platform."""

    platform: Platform
    folder: str  # the student's checkout
    course: str  # the instructor's
    out: str
    student: str
    isolation: str = "auto"
    seconds: float = 0  # after which what is not graded stays so; 0: no limit
    exit_zero: bool = False
    language: str = "en"
    summary: str = ""  # GitHub: the file of the step summary
    outputs: str = ""  # and that of the step's outputs
    root: str = ""  # Gradescope: the folder of the autograder


def detect(environ: Mapping[str, str]) -> Platform:
    """By variables that the platform sets for every job, or by Gradescope's folder; by nothing in the checkout.

    On Classroom a job with failed checks ends with 0: a student's folder must not decide that.
    """
    if (_root(environ) / "submission_metadata.json").is_file() or environ.get("AUTOGRADER_ROOT"):
        return "gradescope"
    if environ.get("GITHUB_ACTIONS") == "true":
        return "classroom" if environ.get("GITHUB_WORKFLOW") in WORKFLOWS else "github"
    return "gitlab" if environ.get("GITLAB_CI") == "true" else "plain"


def settings(
    environ: Mapping[str, str], course: Path, folder: str | None, platform: str, out: str | None, **rest: object
) -> Settings:
    """`rest`: the fields that no platform decides. Raises UsageError where there is no folder to grade."""
    here = detect(environ) if platform == "auto" else _known(platform)
    checkout = Path(os.path.abspath(folder or _folder(here, environ)))
    if not checkout.is_dir():
        raise UsageError(f"There is no folder {str(checkout)!r} to grade: name the student's checkout, `grade ci DIR`.")
    results = Path(os.path.abspath(out or (_root(environ) / RESULTS if here == "gradescope" else RESULTS)))
    _check_out(results, checkout)
    made = {
        "platform": here, "folder": str(checkout), "course": str(course), "out": str(results),
        "student": _student(here, environ, checkout), **_files(here, environ), **rest,
    }  # fmt: skip
    return msgspec.convert(made, Settings)


def in_range(seconds: float) -> float:
    """Also not nan, which no comparison keeps out."""
    if not 0 <= seconds <= LONGEST:
        raise UsageError(f"--seconds is {seconds:g}: give a number from 0 to {LONGEST}.")
    return seconds


def _known(platform: str) -> Platform:
    found = next((name for name in PLATFORMS if name == platform), None)
    if found is None:
        raise UsageError(f"There is no platform {platform!r}; choose from auto, {', '.join(PLATFORMS)}.")
    return found


def _root(environ: Mapping[str, str]) -> Path:
    return Path(os.path.abspath(environ.get("AUTOGRADER_ROOT") or AUTOGRADER))


def _folder(platform: Platform, environ: Mapping[str, str]) -> str | Path:
    if platform == "gradescope":
        return _root(environ) / "submission"
    name = {"github": "GITHUB_WORKSPACE", "classroom": "GITHUB_WORKSPACE", "gitlab": "CI_PROJECT_DIR"}.get(platform, "")
    return environ.get(name) or os.getcwd()


def _files(platform: Platform, environ: Mapping[str, str]) -> dict[str, str]:
    if platform == "gradescope":
        return {"root": str(_root(environ))}
    if platform in ("github", "classroom"):
        names = {"summary": "GITHUB_STEP_SUMMARY", "outputs": "GITHUB_OUTPUT"}
        return {field: os.path.abspath(environ[name]) for field, name in names.items() if environ.get(name)}
    return {}


def _student(platform: Platform, environ: Mapping[str, str], checkout: Path) -> str:
    """The repository's name, since whoever started the job may be the instructor. Gradescope says it in a file."""
    name = {"github": "GITHUB_REPOSITORY", "classroom": "GITHUB_REPOSITORY", "gitlab": "CI_PROJECT_PATH"}
    repository = environ.get(name.get(platform, ""), "")
    return repository.rpartition("/")[2] or checkout.name or "submission"


def _check_out(out: Path, checkout: Path) -> None:
    """A student may have committed links, which would lead what is written elsewhere."""
    if out == checkout or out in checkout.parents:
        raise UsageError(f"--out {str(out)!r} is the student's checkout, or holds it: choose a folder of its own.")
    inside = [path for path in (out, *out.parents) if path.is_relative_to(checkout) and path != checkout]
    for path in inside:
        if path.is_symlink():
            raise UsageError(f"{str(path)!r} is a symbolic link in the student's checkout: choose another --out.")
    if out.exists() and not out.is_dir():
        raise UsageError(f"--out {str(out)!r} is a file, not a folder: choose another place.")
