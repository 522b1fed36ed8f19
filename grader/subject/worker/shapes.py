"""The shapes of the tensors that a line was working on when it raised. Nothing of the student's runs for it."""

from __future__ import annotations

import ast
import contextlib
import dis
import itertools
import linecache
from types import FrameType, TracebackType
from typing import Any

import torch
from torch import nn

MOST = 6  # tensors of one line
RAISED_BY_TORCH = (RuntimeError, ValueError, IndexError, TypeError)
SAME_TENSOR = ("T", "mT", "H", "mH", "data")  # attributes of a tensor that are tensors, and cost nothing


def shapes_in(error: BaseException, tb: TracebackType) -> list[tuple[str, list[int]]]:
    """Of the tensors named in the expression of `tb` that failed, in their order; none where the line itself raises."""
    if not isinstance(error, RAISED_BY_TORCH):
        return []
    with contextlib.suppress(BaseException):  # an object of the student's may raise anything when it is looked at
        return _found(tb)
    return []


def _found(tb: TracebackType) -> list[tuple[str, list[int]]]:
    found: dict[str, list[int]] = {}
    tree = _parsed(_expression(tb))
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in _names(tree):
        name, value = ast.unparse(node), _value(node, tb.tb_frame)
        if isinstance(value, nn.Module) and id(node) in called:
            name, value = f"{name}.weight", value._parameters.get("weight")
        if isinstance(value, torch.Tensor) and len(name) <= 40:
            found.setdefault(name, list(torch.Tensor.size(value)))
    return list(found.items())[:MOST]


def _parsed(source: str) -> ast.AST:
    """An expression, or a statement that does something with tensors itself: `x += y`, `x[i] = y`."""
    try:
        (statement,) = ast.parse(f"({source})" if "\n" in source else source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Pass()
    return statement if isinstance(statement, (ast.Expr, ast.Assign, ast.AugAssign)) else ast.Pass()


def _expression(tb: TracebackType) -> str:
    """The part of the source that the failed instruction stands for."""
    code = tb.tb_frame.f_code
    if dis.opname[code.co_code[tb.tb_lasti]] == "STORE_SUBSCR":  # else it would be the left side alone
        return linecache.getline(code.co_filename, tb.tb_lineno).strip()
    place = next(itertools.islice(code.co_positions(), tb.tb_lasti // 2, None), (None,) * 4)
    first, last, begin, end = place
    if first is None or last is None or begin is None or end is None:
        return ""
    lines = [line.encode() for line in linecache.getlines(code.co_filename)[first - 1 : last]]
    if not lines:
        return ""
    lines[-1] = lines[-1][:end]  # first, since it may be the same line: columns count bytes
    lines[0] = lines[0][begin:]
    return b"".join(lines).decode("utf-8", "replace")


def _names(node: ast.AST) -> list[ast.expr]:
    """`x` and `self.wq`, as long as they go: of `k.transpose(0, 1)` it is both `k.transpose` and `k`."""
    mine = [node] if isinstance(node, (ast.Name, ast.Attribute)) else []
    return [*mine, *(name for child in ast.iter_child_nodes(node) for name in _names(child))]


def _value(node: ast.expr, frame: FrameType) -> Any:
    """What a name or a chain of attributes means there, looked up without calling anything."""
    if isinstance(node, ast.Name):
        return frame.f_locals.get(node.id, frame.f_globals.get(node.id))
    if not isinstance(node, ast.Attribute):
        return None
    owner = _value(node.value, frame)
    if isinstance(owner, torch.Tensor):
        return getattr(torch.Tensor, node.attr).__get__(owner) if node.attr in SAME_TENSOR else None
    try:
        places = [object.__getattribute__(owner, "__dict__")]
    except AttributeError:
        places = []
    places += [owner._parameters, owner._buffers, owner._modules] if isinstance(owner, nn.Module) else []
    return next((place[node.attr] for place in places if node.attr in place), None)
