"""Imports point down, files and functions stay small, public names are listed, and only the command line prints."""

from __future__ import annotations

import ast
import statistics
import subprocess
import sys
import tomllib
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
    {"report"},
    {"run"},
    {"catalogue", "submission", "subject"},
    {"results", "errors", "config"},
    {"near", "alarm"},
    {"language"},
]
NEIGHBOURS = {("catalogue", "subject")}  # limits of an exercise are a subject's
RESULTS_ONLY = {"report"}
SUBMISSIONS = {"data", "samples"}  # folders of what students might write
TOOLS = [
    path
    for folder in ("benchmarks", "docs", "tests/docs", "tests/grader", "tests/proof")
    for path in sorted((ROOT / folder).rglob("*.py"))
    if not SUBMISSIONS & set(path.parts)
]
LONG_FILES = {"test_walls.py"}  # one wall after the other, each of a few lines: cut in two it would be harder to read
LONG_FUNCTION, SHARE_OF_SHORT, TYPICAL = 35, 0.9, 10
NAMED_OTHERWISE = {"_pytest": "pytest", "yaml": "pyyaml"}  # imported under another name than it is installed by


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


def test_every_package_has_its_layer() -> None:
    known = set().union(*LAYERS) | {"__init__"}
    assert {package(path) for path in FILES} <= known
    assert {name for name in known if not list((ROOT / "grader").glob(f"{name}*"))} <= {"config"}


def test_files_are_small() -> None:
    sizes = {p: len(p.read_text("utf-8").splitlines()) for p in FILES}
    assert statistics.median(sizes.values()) < 120
    assert {p.name: n for p, n in sizes.items() if n > 300} == {}


def test_tools_and_tests_are_small_too() -> None:
    sizes = {p.name: len(p.read_text("utf-8").splitlines()) for p in TOOLS}
    assert statistics.median(sizes.values()) < 120
    assert {name for name, lines in sizes.items() if lines > 300} <= LONG_FILES


def test_functions_are_short() -> None:
    nodes = [node for path in FILES for node in ast.walk(ast.parse(path.read_text("utf-8")))]
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    lengths = [(node.end_lineno or 0) - node.lineno + 1 for node in functions]
    assert statistics.median(lengths) <= TYPICAL
    assert sum(length < LONG_FUNCTION for length in lengths) >= SHARE_OF_SHORT * len(lengths)


@pytest.mark.parametrize("path", [*FILES, *TOOLS], ids=lambda p: str(p.relative_to(ROOT)))
def test_a_file_begins_by_saying_what_it_is(path: Path) -> None:
    text = path.read_text("utf-8")
    assert not text.strip() or ast.get_docstring(ast.parse(text)), f"{path.name} has no docstring"


def test_public_names_are_listed() -> None:
    """What `import grader` promises, and no more."""
    import grader

    assert sorted(grader.__all__) == ["check", "load_ipython_extension"]
    assert all(callable(getattr(grader, name)) for name in grader.__all__)


def test_what_is_imported_is_asked_for_in_pyproject() -> None:
    """Or is Python's own. What only some commands need, as babel, is an extra."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lines = [*project["dependencies"], *(line for extra in project["optional-dependencies"].values() for line in extra)]
    declared = {line.partition(">")[0].partition("[")[0].strip().lower() for line in lines}
    names = {name.split(".")[0] for path in FILES for name in imports(path)} - set(sys.stdlib_module_names)
    given = {"grader", "exercises", "solutions", "markupsafe"}  # ourselves, the course, and what jinja2 is made of
    assert {NAMED_OTHERWISE.get(name, name).lower() for name in names} - given <= declared


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
