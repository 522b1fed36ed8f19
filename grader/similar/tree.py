"""A file as streams of symbols: its syntax tree, function by function, without what can be changed at no cost.

Names that the file itself gives become one symbol, those of others (`torch.sqrt`, `.mean`, `range`) stay: renaming
cannot reach them. Comments, docstrings, annotations, imports, layout, the order of functions, and their headings, which
the stub has given, are not in it. Nothing is run.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterable

from grader.similar.shallow import is_shallow
from grader.similar.symbols import OWN, TEXT, Symbol, Unit

Function = (ast.FunctionDef, ast.AsyncFunctionDef)


def units(text: str) -> list[Unit] | None:
    """The streams of a file; None if it is no Python, or is nested too deeply to be read as a tree."""
    tree = parsed(text)
    if tree is None:
        return None
    reader = _Reader(tree)
    try:
        reader.statements(tree.body, inside=False)
    except RecursionError:
        return None
    return [unit for unit in reader.units if unit]


def parsed(text: str) -> ast.Module | None:
    if not is_shallow(text):
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # "\d" in a student's string is no concern of ours
        try:
            return ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


class _Reader:
    """Collects the symbols of one file."""

    def __init__(self, tree: ast.Module) -> None:
        self.names, self.attributes, self.others = _given(tree)
        self.units: list[Unit] = [[]]

    def statements(self, body: Iterable[ast.stmt], inside: bool) -> None:
        """Of a file or a class, whose functions are units of their own; or of a function (`inside`), as they come."""
        for node in body:
            if isinstance(node, (ast.Import, ast.ImportFrom, ast.Pass, ast.Global, ast.Nonlocal)) or _is_text(node):
                continue
            if isinstance(node, (*Function, ast.ClassDef)) and not inside:
                here, unit = self.units[-1], Unit()
                self.units.append(unit)
                self._enter(node)
                self.units.append(here)
            else:
                self._node(node, node.lineno)

    def _enter(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
        self._add(type(node).__name__, node.lineno)
        self._all(node.decorator_list, node.lineno)
        if isinstance(node, ast.ClassDef):
            self._all(node.bases, node.lineno)
        self.statements(node.body, inside=not isinstance(node, ast.ClassDef))

    def _add(self, text: str, line: int) -> None:
        self.units[-1].append(Symbol(text, line))

    def _all(self, nodes: Iterable[ast.AST], line: int) -> None:
        for node in nodes:
            self._node(node, line)

    def _node(self, node: ast.AST, line: int) -> None:
        line = getattr(node, "lineno", line)
        match node:
            case ast.Name():
                self._add(OWN if node.id in self.names else self.others.get(node.id, node.id), line)
            case ast.Attribute():
                self._add("." + (OWN if node.attr in self.attributes else node.attr), line)
                self._node(node.value, line)
            case ast.Constant():
                self._add(TEXT if isinstance(node.value, str | bytes) else repr(node.value), line)
            case ast.AugAssign():  # x += y is x = x + y
                self._add("Assign", line)
                self._all((node.target, node.op, node.target, node.value), line)
            case ast.AnnAssign():
                if node.value is not None:
                    self._add("Assign", line)
                    self._all((node.target, node.value), line)
            case ast.Expr():
                self._node(node.value, line)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                self._enter(node)
            case ast.keyword():
                self._add(f"{node.arg}=", line)
                self._node(node.value, line)
            case ast.arguments():
                self._all((d for d in (*node.defaults, *node.kw_defaults) if d is not None), line)
            case ast.expr_context():
                pass
            case _:
                self._add(type(node).__name__, line)
                self._fields(node, line)

    def _fields(self, node: ast.AST, line: int) -> None:
        for field in node._fields:
            value = getattr(node, field, None)
            if isinstance(value, ast.AST):
                self._node(value, line)
            elif isinstance(value, list):
                if value and isinstance(value[0], ast.stmt):
                    self.statements(value, inside=True)
                else:
                    self._all((item for item in value if isinstance(item, ast.AST)), line)


def _is_text(node: ast.stmt) -> bool:
    """A docstring, or a text that stands in for a comment."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _given(tree: ast.Module) -> tuple[set[str], set[str], dict[str, str]]:
    """Names and attributes that the file binds itself, and what its names for imported things stand for."""
    names, attributes, others = set[str](), set[str](), dict[str, str]()
    for node in ast.walk(tree):
        match node:
            case ast.Name(ctx=ast.Store()):
                names.add(node.id)
            case ast.arg():
                names.add(node.arg)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                names.add(node.name)
                attributes.add(node.name)
            case ast.Attribute(ctx=ast.Store()):
                attributes.add(node.attr)
            case ast.Import() | ast.ImportFrom():
                others |= {a.asname or a.name.split(".")[0]: a.name.rpartition(".")[2] for a in node.names}
            case ast.ExceptHandler(name=str(name)):
                names.add(name)
    return names, attributes, others
