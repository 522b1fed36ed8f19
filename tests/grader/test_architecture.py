"""Imports point down, files stay small, heavy things come late, and only the command line prints."""

from __future__ import annotations

import ast
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "grader").rglob("*.py"))
CLASS = str(ROOT / "examples" / "class")
LAYERS = [  # upper ones may import lower ones, never the other way; those of one line are neighbours that may not meet
    {"kernel"},
    {"cli"},
    {"similar"},
    {"batch", "audit", "ci", "replay", "show", "watch", "messages", "release"},
    {"diagnose", "report"},
    {"run"},
    {"catalogue", "submission", "subject"},
    {"results", "errors", "config"},
    {"language"},
]
NEIGHBOURS = {("catalogue", "subject")}  # limits of an exercise are a subject's
RESULTS_ONLY = {"report"}


def imports(path: Path) -> Iterator[str]:
    """Absolute names of what a file imports, at any depth."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module


def package(path: Path) -> str:
    return path.relative_to(ROOT / "grader").parts[0].removesuffix(".py")


def layer(name: str) -> int:
    return next(i for i, names in enumerate(LAYERS) if name in names)


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_point_down(path: Path) -> None:
    here = package(path)
    if here == "__init__":
        return
    for name in imports(path):
        if not name.startswith("grader."):
            continue
        there = name.split(".")[1]
        if there in (here, "errors"):
            continue
        assert layer(there) > layer(here) or (here, there) in NEIGHBOURS, f"{path.name} of {here} imports {name}"
        assert here not in RESULTS_ONLY or there in ("results", "language"), (
            f"a report knows results and words only, {path.name} imports {name}"
        )


def test_the_worker_imports_nothing_of_ours() -> None:
    for path in (ROOT / "grader" / "subject" / "worker").glob("*.py"):
        assert not [n for n in imports(path) if n.split(".")[0] == "grader"], path


def test_files_are_small() -> None:
    sizes = {p: len(p.read_text("utf-8").splitlines()) for p in FILES}
    assert statistics.median(sizes.values()) < 120
    assert {p.name: n for p, n in sizes.items() if n > 300} == {}


def test_only_the_command_line_prints() -> None:
    for path in FILES:
        if package(path) != "cli":
            calls = [n for n in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(n, ast.Call)]
            assert not [n for n in calls if isinstance(n.func, ast.Name) and n.func.id == "print"], path


@pytest.mark.parametrize(
    "arguments", [["--help"], ["list"], ["hint", "scale"], ["explain"], ["stubs", "--check"], ["similar", CLASS]]
)
def test_light_commands_never_load_torch(arguments: list[str]) -> None:
    toy = ROOT / "tests" / "grader" / "data" / "toy"
    code = (
        "import sys; from grader.cli.main import main\n"
        f"main(['--course', {str(toy)!r}, *{arguments!r}]) if {arguments!r} != ['--help'] else main({arguments!r})\n"
        "heavy = {'torch', 'hypothesis', 'pytest', 'transformers'} & set(sys.modules); assert not heavy, heavy"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
