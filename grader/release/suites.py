"""The source of a suite without its hidden checks, and what they would have told."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from grader.catalogue.model import Course, Exercise


@dataclass(frozen=True, slots=True)
class Suite:
    """`removed`: the lines that are not in `text` any more. `titles`: of the hidden checks."""

    text: str
    removed: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()


def visible(course: Course, exercise: Exercise) -> Suite:
    """The suite of an exercise as students get it."""
    hidden = {check.name for task in exercise.tasks for check in task.checks if check.hidden}
    return without_hidden(course.suite_path(exercise.name).read_text("utf-8"), hidden)


def without_hidden(text: str, hidden: Collection[str]) -> Suite:
    """Take out the checks `hidden`, and every definition that only they use: tables of cases, helpers."""
    if not hidden:
        return Suite(text)
    body = ast.parse(text).body
    tests = [node for node in body if isinstance(node, ast.FunctionDef) and node.name.removeprefix("test_") in hidden]
    defined = {name: node for node in body for name in _defined(node)}
    kept = _used((n for n in body if n not in tests and (_is_check(n) or not _defined(n))), defined)
    gone = [n for n in _used(tests, defined) if n not in kept or n in tests]
    lines = text.splitlines()
    removed: list[str] = []
    for node in sorted(gone, key=lambda node: -node.lineno):
        first = _first_line(node, lines)
        removed += lines[first : node.end_lineno]
        del lines[first : node.end_lineno]
    rest = re.sub(r"\n{4,}", "\n\n\n", "\n".join(lines).rstrip() + "\n")
    return Suite(rest, tuple(removed), tuple(title for node in tests if (title := _title(node))))


def _used(roots: Iterable[ast.stmt], defined: dict[str, ast.stmt]) -> list[ast.stmt]:
    """These statements, and the definitions that they use, and that those use."""
    found, waiting = list[ast.stmt](), list(roots)
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.append(node)
            names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
            waiting += [defined[name] for name in sorted(names) if name in defined]
    return found


def _defined(node: ast.stmt) -> list[str]:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return [node.name]
    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return [name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)]
    return []


def _is_check(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef) and node.name.startswith("test_")


def _first_line(node: ast.stmt, lines: list[str]) -> int:
    """Counted from 0: of its decorators, and of a comment right above."""
    decorators = node.decorator_list if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else []
    first = min([node.lineno, *(d.lineno for d in decorators)]) - 1
    while first and lines[first - 1].startswith("#"):
        first -= 1
    return first


def _title(node: ast.FunctionDef) -> str:
    return " ".join((ast.get_docstring(node) or "").split("\n\n")[0].split())
