"""What is done to a file so that it no longer looks like the one it was taken from, without changing what it does."""

from __future__ import annotations

import ast
import random
from collections.abc import Callable


def renamed(text: str, seed: int) -> str:
    """Every variable, parameter and attribute of its own has another name."""
    tree = ast.parse(text)
    bound = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    bound |= {n.arg for n in ast.walk(tree) if isinstance(n, ast.arg)} - {"self"}
    attributes = {n.attr for n in ast.walk(tree) if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in bound:
            node.id = f"v{seed}_{node.id}"
        elif isinstance(node, ast.arg) and node.arg in bound:
            node.arg = f"v{seed}_{node.arg}"
        elif isinstance(node, ast.Attribute) and node.attr in attributes:
            node.attr = f"a{seed}_{node.attr}"
    return ast.unparse(tree)


def reordered(text: str, seed: int) -> str:
    """Functions, classes and methods stand in another order."""
    tree, chance = ast.parse(text), random.Random(seed)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef)):
            movable = [i for i, n in enumerate(node.body) if isinstance(n, (ast.FunctionDef, ast.ClassDef))]
            moved = chance.sample(movable, len(movable))
            body = list(node.body)
            for there, here in zip(movable, moved, strict=True):
                body[there] = node.body[here]
            node.body = body
    return ast.unparse(tree)


def relaid(text: str, seed: int) -> str:
    """Other docstrings, annotations gone, new comments, blank lines."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            node.annotation = None
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            node.body.insert(0, ast.Expr(ast.Constant(f"My own words, number {seed}.")))
    lines = ast.unparse(tree).replace("\n    ", "\n\n    ").splitlines()
    return "\n".join(f"{line}  # step {n}" if line.endswith(")") else line for n, line in enumerate(lines))


def lengthened(text: str, seed: int) -> str:
    """One line that does nothing in every function."""
    tree, chance = ast.parse(text), random.Random(seed)
    for node in [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]:
        node.body.insert(chance.randrange(len(node.body) + 1), ast.parse(f"unused = {seed}").body[0])
    return ast.unparse(tree)


def all_of_it(text: str, seed: int) -> str:
    return relaid(lengthened(reordered(renamed(text, seed), seed), seed), seed)


def rewritten(text: str, seed: int) -> str:
    """As `all_of_it`; and sums and products turned round, results held in a variable, by chance: half a new answer."""
    tree, chance = ast.parse(all_of_it(text, seed)), random.Random(seed)
    tree = _Rewriter(chance).visit(tree)
    return ast.unparse(ast.fix_missing_locations(tree))


class _Rewriter(ast.NodeTransformer):
    def __init__(self, chance: random.Random) -> None:
        self.chance = chance

    def visit_BinOp(self, node: ast.BinOp) -> ast.BinOp:
        self.generic_visit(node)
        if isinstance(node.op, (ast.Add, ast.Mult)) and self.chance.random() < 0.5:
            node.left, node.right = node.right, node.left
        return node

    def visit_Return(self, node: ast.Return) -> ast.AST | list[ast.stmt]:
        if node.value is None or self.chance.random() < 0.5:
            return node
        held = ast.Assign([ast.Name("result", ast.Store())], node.value)
        return [held, ast.Return(ast.Name("result", ast.Load()))]


DISGUISES: dict[str, Callable[[str, int], str]] = {
    "names": renamed,
    "order of functions": reordered,
    "comments, docstrings, layout": relaid,
    "a line more in every function": lengthened,
    "all of these": all_of_it,
    "and half of the expressions": rewritten,
}
