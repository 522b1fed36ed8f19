"""No page names a command, option, field, file or variable that does not exist."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

from grader.results import schema

from . import names
from .blocks import PAGES, ROOT, blocks_of, name

OTHERS_FIELDS = {"docs/exports.md"}  # fields of other people's formats
VARIABLE = re.compile(r"(GRADER?_[A-Z_]+|NO_COLOR|GOLDEN|COLUMNS|BROWSER)\b")
ANCHOR = re.compile(r"[^\w\- ]")


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_commands_and_their_options_exist(page: Path) -> None:
    for call in names.calls_of_grade(page):
        found = names.command_of(call.split()[1:])
        assert found is not None, f"`{call}` is no command"
        command, rest = found
        for word in rest:
            if re.match(r"--?[a-z]", word):
                assert word.partition("=")[0] in names.options_of(command), f"`{call}`: {command.name} has no {word}"


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_options_that_stand_alone_exist(page: Path) -> None:
    alone = {span.split()[0].partition("=")[0] for span in names.spans(page) if re.match(r"--[a-z]", span)}
    assert alone <= names.every_option()


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_files_exist(page: Path) -> None:
    """Those that it writes itself are there once it has run."""
    written = {block.file for block in blocks_of(page.read_text("utf-8"))}
    missing = {path for path in names.paths(page) - written if names.is_ours(path) and not names.is_there(path, page)}
    assert not missing


@pytest.mark.parametrize(
    ("path", "ours", "there"),
    [
        ("grader/run/engine.py", True, True),
        ("run/engine.py", True, True),
        ("grader/run/motor.py", True, False),
        ("run/motor.py", True, False),
        ("docs/results.json", True, False),
        ("enigne.py", True, False),
        ("gradebook.csv", True, True),
        ("OUT/gradebook.csv", True, True),
        ("OUT-names.csv", True, True),
        ("OUT-nmaes.csv", True, False),
        ("gradesheet.csv", True, False),
        ("test_atention.py", True, False),
        ("ada/attention.py", False, None),
        ("ada_attention.py", False, None),
        ("Attention.py", False, None),
        ("week1.ipynb", False, None),
        ("N/A", False, None),
    ],
)
def test_ours_is_told_from_what_students_hand_in(path: str, ours: bool, there: bool | None) -> None:
    assert names.is_ours(path) == ours
    assert there is None or names.is_there(path, ROOT / "docs" / "index.md") == there


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    """Those between the pages are followed by the build of the site too; README and CONTRIBUTING are read elsewhere."""
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8")):
        path, _, anchor = target.partition("#")
        if re.match(r"https?:|mailto:", target) or path.startswith("diagnoses/"):
            continue
        file = page.parent / path if path else page
        assert file.exists(), target
        assert not anchor or anchor in anchors(file), target


def anchors(page: Path) -> set[str]:
    titles = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.MULTILINE)
    return {ANCHOR.sub("", title).lower().replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_targets_of_make_exist(page: Path) -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for text in names.spans(page) | names.typed(page):
        if target := re.match(r"make ([a-z]\w*)", text):
            assert re.search(rf"^{target[1]}:", makefile, re.MULTILINE), text


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_what_is_named_in_python_exists(page: Path) -> None:
    for span in names.spans(page):
        if dotted := re.match(r"grader(?:\.\w+)+", span):
            parts = dotted[0].split(".")
            module = importlib.import_module(".".join(parts[:-1]))
            assert hasattr(module, parts[-1]) or importlib.util.find_spec(dotted[0]), span


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_fields_of_the_results_exist(page: Path) -> None:
    structs = [s for s in vars(schema).values() if isinstance(s, type) and hasattr(s, "__struct_fields__")]
    fields = {field for struct in structs for field in struct.__struct_fields__}
    if name(page) not in OTHERS_FIELDS:
        assert names.fields_of_tables(page.read_text("utf-8")) <= fields


def variables_of_the_code() -> set[str]:
    sources = (p for folder in ("grader", "tests", "benchmarks") for p in (ROOT / folder).rglob("*.py"))
    read = re.compile(r"""environ(?:\.get\(|\[)"(GRADER?_\w+|GOLDEN)\"""")
    ready = re.findall(r"^  (GRADER?_\w+):", (ROOT / "ci" / "gitlab.yml").read_text("utf-8"), re.MULTILINE)
    return {found for path in sources for found in read.findall(path.read_text("utf-8"))} | set(ready)


def test_every_variable_of_the_code_is_documented() -> None:
    documented = (ROOT / "docs" / "configuration.md").read_text("utf-8").partition("## The environment")[2]
    from grader.language import VARIABLES
    from grader.run.launch import KEPT

    wanted = variables_of_the_code() | {*VARIABLES, *KEPT}
    assert len(wanted) > 10
    assert {variable for variable in wanted if f"`{variable}`" not in documented} == set()


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_variables_exist(page: Path) -> None:
    """NO_COLOR, COLUMNS and BROWSER are those of the libraries that print and open."""
    named = {found for span in names.spans(page) for found in VARIABLE.findall(span)}
    assert named <= variables_of_the_code() | {"NO_COLOR", "COLUMNS", "BROWSER"}


def test_the_map_names_every_package() -> None:
    drawn = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("## The map")[2].partition("```text\n")[2]
    named = set(re.findall(r"\w+", drawn.partition("```")[0]))
    assert {p.parent.name for p in (ROOT / "grader").glob("*/__init__.py")} <= named


def test_the_search_finds_what_is_not_there(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("`grade batch --fast`, `grade marks`, `grader/nothing.py`, `docs/none.md`\n", "utf-8")
    batch, marks = sorted(names.calls_of_grade(page))
    command, rest = names.command_of(batch.split()[1:]) or pytest.fail("batch is a command")
    assert not set(rest) <= names.options_of(command)
    assert names.command_of(marks.split()[1:]) is None
    assert [names.is_there(path, page) for path in sorted(names.paths(page))] == [False, False]
