"""Turn a reference file into a student stub: marked regions become one line that says what to do."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from grader.errors import CourseError

BEGIN, END = "# BEGIN SOLUTION", "# END SOLUTION"


@dataclass(frozen=True, slots=True)
class Region:
    """Lines of a solution, from its begin mark to its end mark, counted from 1."""

    begin: int
    end: int


def regions(text: str, name: str) -> list[Region]:
    """The marked regions of a reference. Raises CourseError for a mark without its partner."""
    found: list[Region] = []
    begin = 0
    for number, line in enumerate(text.splitlines(), 1):
        mark = line.strip()
        if mark == BEGIN and begin:
            raise CourseError(
                f"solutions/{name}.py:{number}: a solution begins inside the one of line {begin}; add `{END}`"
            )
        if mark == BEGIN:
            begin = number
        elif mark == END and not begin:
            raise CourseError(f"solutions/{name}.py:{number}: `{END}` without `{BEGIN}` above it")
        elif mark == END:
            found.append(Region(begin, number))
            begin = 0
    if begin:
        raise CourseError(f"solutions/{name}.py:{begin}: this solution is never closed; add `{END}`")
    if not found:
        raise CourseError(f"solutions/{name}.py has no solution; mark it with `{BEGIN}` and `{END}`")
    return found


def make_stub(text: str, name: str) -> str:
    """The stub of reference `text`, for exercise `name`."""
    lines = text.splitlines()
    tree = ast.parse(text)
    for region in reversed(regions(text, name)):
        first = lines[region.begin - 1]
        indent = first[: len(first) - len(first.lstrip())]
        owner = _owner(tree, region.begin)
        stub = (
            [f'{indent}raise NotImplementedError("{owner}: write the body (stuck? run `grade hint {name}`)")']
            if owner
            else []
        )
        lines[region.begin - 1 : region.end] = stub
    stub_text = "\n".join(lines) + "\n"
    stub_text = re.sub(r"^(from|import) solutions\.", r"\1 exercises.", stub_text, flags=re.MULTILINE)
    return re.sub(r"\n{4,}", "\n\n\n", stub_text)


def as_submission(text: str) -> str:
    """A reference as a student would hand it in: its imports look among exercises/."""
    return re.sub(r"^(from|import) solutions\.", r"\1 exercises.", text, flags=re.MULTILINE)


def _owner(tree: ast.Module, line: int) -> str:
    """The function or method that line stands in: `attention`, `MultiHeadAttention.forward`."""
    names: list[str] = []
    nodes: list[ast.stmt] = tree.body
    while True:
        for node in nodes:
            inside = node.lineno <= line <= (node.end_lineno or node.lineno)
            if inside and isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                names.append(node.name)
                nodes = node.body
                break
        else:
            return ".".join(names)
