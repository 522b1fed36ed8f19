"""Make a release of a course: all that its students need, as a folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

import grader
from grader.catalogue.bugs import load_bugs
from grader.catalogue.folder import IGNORED, readme, stub_of
from grader.catalogue.home import RELEASE
from grader.catalogue.model import Course
from grader.catalogue.release import Release, told_bug, told_exercise
from grader.catalogue.stubs import as_submission
from grader.errors import CourseError, UsageError
from grader.release.suites import visible
from grader.results.schema import Results
from grader.results.store import refused, write_with_folder
from grader.run.engine import Engine
from grader.submission.model import SourceFile, Submission

OnStep = Callable[[str], None]  # hears of the check, or task, that was recorded
BELONGS = """This folder is a release of the course: it has the checks, and the right answers as numbers, but no
reference. Leave `release.json`, `recorded/`, `stubs/` and `tests/` as they are. Your parts are graded here together
with your own other parts, so a mistake in one may cost another; hidden checks, if there are any, run when you hand in.

`.grade/` keeps your last results."""


@dataclass(frozen=True, slots=True)
class Size:
    """Of a release: files, and bytes of all together."""

    files: int
    bytes: int


def part_of(course: Course, names: Sequence[str]) -> Course:
    """The course with these exercises only, all if none is named. UsageError where one needs a task of another."""
    if not names:
        return course
    wanted = {course.exercise(name).name for name in names}
    chosen = tuple(exercise for exercise in course.exercises if exercise.name in wanted)
    there = {task.name for exercise in chosen for task in exercise.tasks}
    for exercise, need in ((e, need) for e in chosen for task in e.tasks for need in task.needs):
        if need not in there:
            owner = course.tasks[need]
            raise UsageError(f"{exercise.name} needs {need}, of {owner}: name that as well.")
    graded = tuple(name for name in course.graded if name in wanted)
    return replace(course, exercises=chosen, graded=graded)


def build(course: Course, folder: Path, given: Sequence[Path], on_step: OnStep) -> Size:
    """Write the release of `course` into `folder`; `given` are its files that students use and do not write.

    CourseError where the reference of an exercise does not pass: its answers would be recorded as right.
    """
    for name, data in _texts(course, given).items():
        write_with_folder(folder / name, data)
    with refused(folder):
        (folder / "recorded").mkdir(parents=True, exist_ok=True)
    with Engine(course, course.names) as engine:
        engine.ready()
        results = engine.record(_references(course), folder / "recorded", lambda check, _: on_step(check))
    _check(results)
    release = Release(
        grader=grader.__version__,
        graded=list(course.graded),
        exercises=[told_exercise(exercise) for exercise in course.exercises],
        bugs=[told_bug(bug) for exercise in course.exercises for bug in load_bugs(course, exercise)],
    )
    write_with_folder(folder / RELEASE, msgspec.json.format(msgspec.json.encode(release), indent=1) + b"\n")
    files = [path for path in folder.rglob("*") if path.is_file()]
    return Size(len(files), sum(path.stat().st_size for path in files))


def _texts(course: Course, given: Sequence[Path]) -> dict[str, bytes]:
    texts = {"README.md": readme(course, BELONGS).encode(), ".gitignore": IGNORED.encode()}
    texts |= {f"exercises/{path.name}": path.read_bytes() for path in given}
    for exercise in course.exercises:
        stub = stub_of(course, exercise.name).encode()
        texts |= {f"exercises/{exercise.name}.py": stub, f"stubs/{exercise.name}.py": stub}
        texts[f"tests/exercises/test_{exercise.name}.py"] = visible(course, exercise).text.encode()
        probes = course.probes_path(exercise.name)
        if probes.is_file():
            texts[f"tests/exercises/{probes.name}"] = probes.read_bytes()
    return texts


def _references(course: Course) -> Submission:
    texts = {name: as_submission(course.reference_path(name).read_text("utf-8")) for name in course.names}
    return Submission("reference", {name: SourceFile(name, text) for name, text in texts.items()})


def _check(results: Results) -> None:
    for check in (c for exercise in results.exercises for c in exercise.checks if c.status != "passed"):
        raise CourseError(f"the reference does not pass {check.id}: {check.message} Run `grade check`.")
