"""Extraction methods for Babel: which texts of a Python file, or of the course's tables, a reader will see.

An f-string becomes a template: f"No exercise {name!r}." is found as "No exercise {name}."
"""

from __future__ import annotations

import ast
import inspect
import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, BinaryIO

Found = tuple[int, str | None, str | tuple[str, ...], list[str]]

# Exceptions whose text a user reads. Those of a broken course are for people who write one, in English.
RAISED = ("UsageError", "ResultsError", "EngineError", "Unreadable", "Broken", "Blocked", "Refused")
# Arguments, entries and variables that become parts of a sentence.
VALUES = (
    "what",
    "change",
    "where",
    "want",
    "problem",
    "near",
    "why",
    "look",
    "missing",
    "unexpected",
    "hint",
    "seen",
    "got",
)
SHOWN = ("help", "epilog")  # arguments of click's decorators
COMMANDS = ("command", "group")
SAID = ["said"]  # a comment in the catalogue: this text is made in English, and recognised where it is shown


def python(file: BinaryIO, keywords: Any, comment_tags: Any, options: dict[str, str]) -> Iterator[Found]:
    """Texts that are marked, raised, given to click, or values of a sentence; with `phrases` all that have a blank."""
    tree = inlined(file.read())
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield from _of_a_call(node)
        elif isinstance(node, ast.Assign) and _called(node.targets[0]) in VALUES:
            yield from _texts([node.value], SAID)
        elif isinstance(node, ast.FunctionDef) and any(_called(d) in COMMANDS for d in node.decorator_list):
            yield node.lineno, None, inspect.cleandoc(ast.get_docstring(node) or ""), []
        elif isinstance(node, ast.Dict):
            pairs = zip(node.keys, node.values, strict=True)
            yield from _texts((v for k, v in pairs if isinstance(k, ast.Constant) and k.value in VALUES), SAID)
    if "phrases" in options:
        yield from _phrases(tree)


def table(file: BinaryIO, keywords: Any, comment_tags: Any, options: dict[str, str]) -> Iterator[Found]:
    """Title, summary, hints and advice of a solutions/NAME.toml; what, why and hint of a NAME.bugs.toml."""
    entries = tomllib.loads(file.read().decode())
    texts = [entries.get("title"), entries.get("summary")]
    for task in entries.get("tasks", []):
        texts += [*task["hints"], *(check["help"] for check in task["checks"].values())]
    for bug in entries.get("bugs", []):
        texts += [bug["what"], bug["why"], bug.get("hint")]
    yield from ((1, None, text.strip(), []) for text in texts if text)


def titles(file: BinaryIO, keywords: Any, comment_tags: Any, options: dict[str, str]) -> Iterator[Found]:
    """The sentence that a check of a suite must hold: the first paragraph of its docstring, on one line."""
    for node in ast.parse(file.read()).body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            first = (ast.get_docstring(node, clean=False) or "").split("\n\n")[0]
            yield node.lineno, None, " ".join(first.split()), []


def inlined(source: bytes) -> ast.Module:
    """A module in whose texts constants stand for their values."""
    return _Inlined(ast.parse(source)).tree


class _Inlined(ast.NodeTransformer):
    """A module whose f-strings hold the values of its constants in place of their names."""

    def __init__(self, tree: ast.Module) -> None:
        assigned = [node for node in tree.body if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)]
        self.constants = {_called(node.targets[0]): node.value for node in assigned}
        self.tree: ast.Module = self.visit(tree)

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.expr:
        known = isinstance(node.value, ast.Name) and node.value.id in self.constants
        if not known or node.format_spec is not None:  # 20000 is not what {LINES:,} shows
            return node
        value = ast.Constant(str(self.constants[node.value.id].value))  # type: ignore[attr-defined]
        return ast.copy_location(value, node)


def _of_a_call(node: ast.Call) -> Iterator[Found]:
    name = _called(node)
    if name == "ngettext":
        one, many = (template(argument) for argument in node.args[:2])
        if one and many:
            yield node.lineno, "ngettext", (one, many), []
    elif name == "_" and (text := template(node.args[0])):
        yield node.lineno, None, text, []
    elif name == "N_" or name in RAISED:
        yield from _texts(node.args[:1], SAID)
    elif name == "Code":
        yield from _texts(node.args[2:4], SAID)
    yield from _texts(k.value for k in node.keywords if k.arg in SHOWN)
    yield from _texts((k.value for k in node.keywords if k.arg in VALUES), SAID)


def _texts(nodes: Iterable[ast.expr], comments: Sequence[str] = ()) -> Iterator[Found]:
    for node in nodes:
        if isinstance(node, ast.IfExp):
            yield from _texts((node.body, node.orelse), comments)
        elif isinstance(node, ast.BoolOp):
            yield from _texts(node.values, comments)
        elif (text := template(node)) and _has_words(text):
            yield node.lineno, None, text, list(comments)


def _phrases(tree: ast.Module) -> Iterator[Found]:
    """Every text with a blank between letters, docstrings left out; and the name of every `kind` of case."""
    inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in ast.walk(node)}
    inside -= {id(node) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)}
    documents = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    kinds = {
        id(value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Dict)
        for key, value in zip(node.keys, node.values, strict=True)
        if isinstance(key, ast.Constant) and key.value == "kind"
    }
    for node in ast.walk(tree):
        text = None if id(node) in documents or id(node) in inside else template(node)
        if text and _has_words(text) and (re.search(r"\S \S", text) or id(node) in kinds):
            yield node.lineno, None, text, SAID  # type: ignore[attr-defined]


def template(node: ast.AST) -> str | None:
    """The text of a string, with {names} where an f-string has values; None for anything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = template(node.left), template(node.right)
        return left + right if left is not None and right is not None else None
    if not isinstance(node, ast.JoinedStr):
        return None
    parts = [
        f"{{{_field(part.value, number)}}}"
        if isinstance(part, ast.FormattedValue)
        else str(part.value).replace("{", "{{").replace("}", "}}")  # type: ignore[attr-defined]
        for number, part in enumerate(node.values)
    ]
    return "".join(parts)


def _field(value: ast.expr, number: int) -> str:
    """A name that helps the translator: that of the variable or attribute; else a number."""
    if isinstance(value, ast.Name):
        return value.id
    return value.attr if isinstance(value, ast.Attribute) else f"value{number}"


def _called(node: ast.expr) -> str:
    """The last name of what is called: `command` for @click.command(…)."""
    target = node.func if isinstance(node, ast.Call) else node
    return target.attr if isinstance(target, ast.Attribute) else target.id if isinstance(target, ast.Name) else ""


def _has_words(text: str) -> bool:
    """More than fields, marks and names of Python."""
    if "." in text and " " not in text:
        return False
    return bool(re.search(r"[^\W\d_]{2}|\b[Aa]\b", re.sub(r"{[^{}]*}", "", text)))
