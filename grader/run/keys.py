"""What a verdict on one exercise depends on, as a key: the same key, the same verdict. Nothing is run for it.

A key has two halves, COURSE-FILES: a changed course can be told from a changed submission.

In a key: the student's files that any process of the exercise can get, suite, probes, reference and what these import,
known bugs, stand-ins, limits, given files, the engine's own source, Python, torch, the system, salt and options. Not in
it: titles, summaries, hints, help, points, track and order, and the words of a known bug: refresh.py puts those on a
verdict that is kept.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import grader
from grader.catalogue.bugs import load_bugs
from grader.catalogue.folder import given_files
from grader.catalogue.model import Course, Exercise
from grader.catalogue.standins import standin_source
from grader.results.schema import Environment
from grader.run.plan import kinds
from grader.submission.model import SourceFile, Submission

PACKAGE = Path(grader.__file__).parent
ENGINE = ("catalogue", "results", "run", "subject", "submission")  # layers that a verdict comes from

# A file with one of these may import by a name that is not written in it: it is taken to get all the student's files.
_INDIRECT = {"__import__", "importlib", "import_module", "runpy", "__loader__", "__spec__", "modules"}
_RUNS = re.compile(r"(?<![.\w])(?:exec|eval|compile)\b")  # not model.eval()
_WORD = re.compile(r"\w+")


class Keys:
    """The keys of submissions to some `exercises` of a course, in an environment. `options`: of the run."""

    def __init__(self, course: Course, exercises: Iterable[str], environment: Environment, options: str = "") -> None:
        e = environment
        run = digest([engine_fingerprint(), e.grader, e.python, e.torch, e.platform, e.salt, options])
        self._parts = {name: digest([run, *_course_part(course, course.exercise(name))]) for name in exercises}
        self._names = frozenset(course.names)
        self._needs = {e.name: _modules_needed(course, e) for e in course.exercises}

    def of(self, submission: Submission) -> dict[str, str]:
        """By exercise, in the order they were asked for."""
        files = {name: _file_part(file) for name, file in submission.files.items()}
        named = {name: self._named_in(file) for name, file in submission.files.items()}
        return {
            name: f"{part}-{digest(t for other in self._reach(name, named) for t in (other, files[other]))}"
            for name, part in self._parts.items()
        }

    def _reach(self, name: str, named: dict[str, frozenset[str]]) -> list[str]:
        """The submission's files that a process of this exercise can import, over any number of steps."""
        found, todo = set[str](), [name]
        while todo:
            here = todo.pop()
            if here in named and here not in found:
                found.add(here)
                todo += [*self._needs[here], *named[here]]
        return sorted(found)

    def _named_in(self, file: SourceFile) -> frozenset[str]:
        """Files of the course that a text can import: all whose names occur in it."""
        text = file.text or ""
        words = set(_WORD.findall(text))
        indirect = words & _INDIRECT or (words & {"exec", "eval", "compile"} and _RUNS.search(text))
        return self._names if indirect else self._names & words


def digest(parts: Iterable[str | bytes]) -> str:
    """Of a sequence: where one part ends and the next begins counts too."""
    whole = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode("utf-8", "backslashreplace")
        whole.update(b"%d:" % len(data) + data)
    return whole.hexdigest()[:16]


def engine_fingerprint() -> str:
    """Of the grader's own source, as far as verdicts come from it."""
    paths = sorted(path for part in ENGINE for path in (PACKAGE / part).rglob("*.py"))
    return digest(text for path in paths for text in (path.name, path.read_bytes()))


def _file_part(file: SourceFile) -> str:
    return digest([file.file, "text" if file.text is not None else "none", file.text or "", file.problem or "",
                   repr(file.spans)])  # fmt: skip


def _modules_needed(course: Course, exercise: Exercise) -> frozenset[str]:
    """Exercises whose tasks this one needs: where a check or a note runs the student's own parts, they are these."""
    return frozenset(course.tasks[need] for task in exercise.tasks for need in task.needs)


def _course_part(course: Course, exercise: Exercise) -> Iterator[str | bytes]:
    yield repr(sorted(course.tasks.items()))  # a module of a student that is called like a task is taken for one
    yield repr(exercise.limits)
    for task in exercise.tasks:
        yield repr((task.name, task.needs, task.own_work, [(check.name, check.hidden) for check in task.checks]))
    for bug in load_bugs(course, exercise):
        yield repr((bug.name, bug.task, bool(bug.invariant), bug.edit, bug.text))
    for kind in sorted({kind.replaced for kind in kinds(course, exercise).values()}, key=sorted):
        yield standin_source(course.standins_path, kind)
    yield from _sources(course, exercise)


def _sources(course: Course, exercise: Exercise) -> Iterator[str | bytes]:
    """Names and contents of the files that are loaded for an exercise, and of those that are given to everybody."""
    suites = [course.suite_path(exercise.name), course.probes_path(exercise.name)]
    for path in sorted({*imported(course.root, [course.reference_path(exercise.name), *suites]), *given_files(course)}):
        yield path.relative_to(course.root).as_posix()
        yield code_of(path.read_text("utf-8")) if path in suites else path.read_bytes()


def imported(root: Path, paths: Iterable[Path]) -> set[Path]:
    """These files, as far as they exist, and the course's files that they import, over any number of steps."""
    found, todo = set[Path](), list(paths)
    while todo:
        path = todo.pop()
        if path in found or not path.is_file():
            continue
        found.add(path)
        todo += [root.joinpath(*name.split(".")).with_suffix(".py") for name in _modules(path.read_text("utf-8"))]
    return found


@functools.lru_cache(maxsize=256)
def _modules(text: str) -> tuple[str, ...]:
    found: list[str] = []
    for node in ast.walk(_parsed(text)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names if alias.name != "*")]
    return tuple(found)


def code_of(text: str) -> str:
    """A suite without its comments and docstrings: those of its checks are their titles."""
    tree = _parsed(text)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(tree) or text


def _parsed(text: str) -> ast.Module:
    """Empty for what is no Python: the engine will say so."""
    try:
        return ast.parse(text)
    except SyntaxError:
        return ast.Module([], [])
