"""Keys change with what a verdict depends on, and with nothing else."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

from grader.catalogue.load import load_course
from grader.catalogue.stubs import as_submission
from grader.run.keys import Keys, code_of, imported
from grader.run.present import Present, environment
from grader.submission.model import SourceFile, Submission

TOY = Path(__file__).parents[1] / "data" / "toy"
ROOT = Path(__file__).parents[3]


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    shutil.copytree(TOY, tmp_path / "toy")
    return tmp_path / "toy"


def submission(**texts: str) -> Submission:
    reference = {
        name: as_submission((TOY / "solutions" / f"{name}.py").read_text("utf-8")) for name in ("scale", "block")
    }
    return Submission("ada", {name: SourceFile(name, text) for name, text in {**reference, **texts}.items()})


def keys(root: Path, given: Submission | None = None) -> dict[str, str]:
    course = load_course(root)
    return Present(course, course.names).keys(given or submission())


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


# file, what is found, what it becomes: exercises whose keys change
EDITS = {
    "points": ("solutions/scale.toml", "points = 2", "points = 7", set()),
    "title": ("solutions/scale.toml", 'title = "Scale"', 'title = "Stretch"', set()),
    "summary": ("solutions/scale.toml", "Multiply, then", "Stretch, then", set()),
    "track and order": ("solutions/scale.toml", 'track = "toy"\norder = 1', 'track = "game"\norder = 9', set()),
    "hint": ("solutions/scale.toml", "Which operator stretches", "What stretches", set()),
    "help": ("solutions/scale.toml", "Multiply, do not add.", "Multiply.", set()),
    "title of a check": ("tests/exercises/test_scale.py", "Every number is", "Each number is", set()),
    "comment in a suite": ("tests/exercises/test_scale.py", "SIZES", "# two sizes\nSIZES", set()),
    "words of a known bug": ("solutions/scale.bugs.toml", "For 2 and 2 that is the same.", "Try 3.", set()),
    "a suite's line": ("tests/exercises/test_scale.py", "case.n), 3.0)", "case.n), 4.0)", {"scale"}),
    "a probe's line": ("tests/exercises/probes_block.py", '{"B": 2, "n": 3}', '{"B": 2, "n": 4}', {"block"}),
    "an imported reference": ("solutions/scale.py", "two functions, the", "two functions; the", {"scale", "block"}),
    "another reference": ("solutions/block.py", "A residual block around", "One block around", {"block"}),
    "a stand-in": ("solutions/standins.py", "torch.mul(x, factor)", "torch.mul(factor, x)", {"scale", "block"}),
    "a stand-in that nobody uses": ("solutions/standins.py", "def scale", "def other(x):\n    return x\n\n\ndef scale",
                                    set()),
    "a limit": ("solutions/block.toml", "call = 0.5", "call = 0.6", {"block"}),
    "a known bug": ("solutions/block.bugs.toml", 'replace = "bias=True"', 'replace = "bias=1"', {"block"}),
    "an own-work rule": ("solutions/scale.toml", 'forbids = ["softmax"]', 'forbids = ["gelu"]', {"scale"}),
    "a hidden check": ("solutions/block.toml", "points = 3", "points = 3\nhidden = true", {"block"}),
    "what is given": ("exercises/model_args.py", '"""', '"""Given. ', {"scale", "block"}),
}  # fmt: skip


@pytest.mark.parametrize(("path", "old", "new", "expected"), EDITS.values(), ids=EDITS)
def test_a_change_of_the_course(toy: Path, path: str, old: str, new: str, expected: set[str]) -> None:
    before = keys(toy)
    edit(toy / path, old, new)
    after = keys(toy)
    assert {name for name in before if before[name] != after[name]} == expected


def test_a_file_counts_where_it_is_needed() -> None:
    before = keys(TOY)
    assert before == keys(TOY)
    changed = keys(TOY, submission(block="# mine\n"))
    assert (changed["scale"] == before["scale"], changed["block"] == before["block"]) == (True, False)
    changed = keys(TOY, submission(scale="# mine\n"))
    assert (changed["scale"] == before["scale"], changed["block"] == before["block"]) == (False, False)


@pytest.mark.parametrize(
    "text",
    ["from exercises.block import Block\n", "import exercises.block as b\n", "from exercises import (\n    block,\n)\n",
     'import importlib\nimportlib.import_module("exercises." + "blo" + "ck")\n', '__import__("exercises.blo" "ck")\n',
     'exec("import exercises.b" + "lock")\n'],
)  # fmt: skip
def test_a_file_that_may_be_imported_counts_too(text: str) -> None:
    one, other = submission(scale=text), submission(scale=text, block="# mine\n")
    assert keys(TOY, one)["scale"] != keys(TOY, other)["scale"]


@pytest.mark.parametrize("text", ["x = model.eval()\n", "", "def scale(x):\n    return x\n"])
def test_others_do_not(text: str) -> None:
    one, other = submission(scale=text), submission(scale=text, block="# mine\n")
    assert keys(TOY, one)["scale"] == keys(TOY, other)["scale"]


def test_a_file_that_is_missing_unreadable_or_a_notebook_is_another() -> None:
    files = submission().files
    ways = [files["scale"], SourceFile("scale", None, "it is too large"), SourceFile("scale", None, "it is a folder"),
            SourceFile("scale", "", None), SourceFile("scale", "", None, notebook=True),
            SourceFile("scale", "", None, notebook=True, spans=((1, "cell 1", 1),))]  # fmt: skip
    found = [keys(TOY, Submission("ada", {**files, "scale": way}))["scale"] for way in ways]
    found.append(keys(TOY, Submission("ada", {"block": files["block"]}))["scale"])
    assert len(set(found)) == len(found)


def test_everything_else_that_a_verdict_depends_on() -> None:
    course = load_course(TOY)
    now = environment(course)
    before = Keys(course, course.names, now).of(submission())
    for field in now.__struct_fields__:
        after = Keys(course, course.names, replace(now, **{field: "other"})).of(submission())
        assert (after == before) == (field in ("course", "submission", "release")), field
    assert Keys(course, course.names, now, "options").of(submission()) != before


def test_the_students_name_is_in_no_key() -> None:
    assert keys(TOY, Submission("grace", submission().files)) == keys(TOY)


def test_the_courses_imports_are_followed() -> None:
    found = {path.name for path in imported(ROOT, [ROOT / "solutions" / "decoder.py"])}
    assert found == {"decoder.py", "attention.py", "masking.py", "encoder.py", "layer_norm.py", "model_args.py"}


def test_a_suites_code_has_neither_comments_nor_docstrings() -> None:
    text = '"""A."""\n# b\n\n\ndef test_x():\n    """C."""\n\n\ndef test_y():\n    return "kept"  # d\n'
    assert code_of(text) == "def test_x():\n    pass\n\ndef test_y():\n    return 'kept'"
    assert code_of("def (") == "def ("
