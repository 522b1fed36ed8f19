"""Right stand-ins for a task's needs, as compiled code without source: what enters the student's process.

Only the definitions asked for, and what they use themselves, are compiled; docstrings and lines are left out.
"""

from __future__ import annotations

import ast
import functools
import marshal
from pathlib import Path

from grader.errors import CourseError


def compile_standins(path: Path, names: frozenset[str]) -> bytes:
    """Marshalled code that defines `names`. Raises CourseError if the file lacks one."""
    if not names:
        return b""
    try:
        return _compile(path.read_text("utf-8"), names)
    except (OSError, SyntaxError) as error:
        raise CourseError(f"{path} cannot be read: {error}") from error


def standin_source(path: Path, names: frozenset[str]) -> str:
    """The source of what `compile_standins` compiles. Raises CourseError if the file lacks one."""
    if not names:
        return ""
    try:
        return _source(path.read_text("utf-8"), names)
    except (OSError, SyntaxError) as error:
        raise CourseError(f"{path} cannot be read: {error}") from error


@functools.lru_cache(maxsize=256)
def _compile(text: str, names: frozenset[str]) -> bytes:
    bare = ast.parse(_source(text, names))
    return marshal.dumps(compile(bare, "<given>", "exec", dont_inherit=True, optimize=2))


@functools.lru_cache(maxsize=256)
def _source(text: str, names: frozenset[str]) -> str:
    tree = ast.parse(text)
    definitions = {name: node for node in tree.body for name in _defined(node)}
    wanted, todo = set[str](), sorted(names)
    while todo:
        name = todo.pop()
        if name not in definitions:
            raise CourseError(
                f"solutions/standins.py defines no {name}, which a task needs; write it with PyTorch's own operators"
            )
        if name not in wanted:
            wanted.add(name)
            used = {n.id for n in ast.walk(definitions[name]) if isinstance(n, ast.Name)}
            todo += sorted(used & set(definitions))
    kept = [n for n in tree.body if isinstance(n, (ast.Import, ast.ImportFrom)) or set(_defined(n)) & wanted]
    return ast.unparse(ast.Module(kept, []))


def _defined(node: ast.stmt) -> list[str]:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return [node.name]
    if isinstance(node, ast.Assign):
        return [t.id for t in node.targets if isinstance(t, ast.Name)]
    return []
