"""A release grades as the whole course does, without it; and it holds nothing that answers the course."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.catalogue.load import load_course
from grader.catalogue.stubs import as_submission
from grader.errors import UsageError
from grader.release.build import part_of
from grader.results.store import dump
from grader.run.engine import Engine
from grader.submission.model import SourceFile, Submission

from ..cli.calling import grade

RIGHT_SCALE = "return x * factor"
MISTAKES = {
    "right": {},
    "adds": {"scale": (RIGHT_SCALE, "return factor + x")},
    "unscaled": {"scale": ("torch.exp(scale(x, factor))", "x.exp()")},
    "columns": {"scale": ("powers.sum(-1, keepdim=True)", "powers.sum(0, keepdim=True)")},
    "two": {
        "scale": (
            "torch.exp(scale(x, factor))\n    return powers / powers.sum(-1, keepdim=True)",
            "torch.exp(x)\n    return powers / powers.sum(0, keepdim=True)",
        )
    },
    "no name": {"scale": ("powers.sum(-1, keepdim=True)", "(powers.sum(-1, keepdim=True) + 0.5)")},
    "no residual": {"block": ("return x + scale(self.w(x), 0.5)", "return scale(self.w(x), 0.5)")},
    "raises": {"block": ("return x + scale(self.w(x), 0.5)", "return x + scale(self.v(x), 0.5)")},
}


def texts(sealed: Path, edits: dict[str, tuple[str, str]]) -> dict[str, str]:
    """The references, with these edits, as a student hands them in."""
    paths = (sealed / "solutions" / f"{name}.py" for name in ("scale", "block"))
    found = {path.stem: as_submission(path.read_text("utf-8")) for path in paths}
    for name, (find, replace) in edits.items():
        assert found[name].count(find) == 1
        found[name] = found[name].replace(find, replace)
    return found


def fill(folder: Path, sealed: Path, edits: dict[str, tuple[str, str]]) -> Path:
    for name, text in texts(sealed, edits).items():
        (folder / "exercises" / f"{name}.py").write_text(text, "utf-8")
    return folder


def graded(folder: Path, code_from: Path | None = None, code: int = 1) -> list[dict[str, Any]]:
    options = {"code_from": code_from} if code_from else {}
    told: list[dict[str, Any]] = json.loads(grade(folder, "run", "--all", "--json", code=code, **options))["exercises"]
    return told


def visible(exercises: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """All that is said of the checks that are not hidden, but how long they took."""
    checks = [check for exercise in exercises for check in exercise["checks"] if not check["hidden"]]
    return [{key: value for key, value in check.items() if key != "seconds"} for check in checks]


@pytest.fixture
def mine(handout: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(handout, tmp_path / "mine"))


Grade = Callable[[dict[str, tuple[str, str]]], list[dict[str, Any]]]


def grading(root: Path, sealed: Path) -> Iterator[Grade]:
    course = load_course(root)
    with Engine(course, course.names) as engine:

        def grade_it(edits: dict[str, tuple[str, str]]) -> list[dict[str, Any]]:
            files = {name: SourceFile(name, text) for name, text in texts(sealed, edits).items()}
            told: list[dict[str, Any]] = json.loads(dump(engine.grade(Submission("ada", files))))["exercises"]
            return told

        yield grade_it


@pytest.fixture(scope="module")
def with_all(sealed: Path) -> Iterator[Grade]:
    yield from grading(sealed, sealed)


@pytest.fixture(scope="module")
def with_release(handout: Path, sealed: Path) -> Iterator[Grade]:
    yield from grading(handout, sealed)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_release_says_what_the_whole_course_says(mistake: str, with_all: Grade, with_release: Grade) -> None:
    """Of checks, known mistakes and ways; where a part is wrong, of that part."""
    expected, told = with_all(MISTAKES[mistake]), with_release(MISTAKES[mistake])
    if mistake == "adds":
        expected, told = ([{**rows[0], "checks": rows[0]["checks"][:3]}] for rows in (expected, told))
    assert visible(told) == visible(expected)
    assert [e["diagnoses"] for e in told] == [e["diagnoses"] for e in expected]
    assert mistake == "adds" or [e["notes"] for e in told] == [e["notes"] for e in expected]
    assert any(e["diagnoses"] for e in told) == (mistake not in ("right", "no name", "raises"))


def test_two_known_mistakes_at_once_are_named(with_release: Grade) -> None:
    (scale, _) = with_release(MISTAKES["two"])
    assert [diagnosis["bug"] for diagnosis in scale["diagnoses"]] == ["unscaled", "columns"]


def test_it_runs_where_the_references_are_not(
    engine_alone: Path, mine: Path, sealed: Path, with_release: Grade
) -> None:
    """Nothing but the grader's own code and the release is there."""
    code = "import grader, importlib.util; print(grader.__file__, importlib.util.find_spec('solutions'))"
    command, environment = [sys.executable, "-P", "-c", code], {"PYTHONPATH": str(engine_alone)}
    done = subprocess.run(command, cwd=mine, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(engine_alone / "grader" / "__init__.py"), "None"]
    told = graded(fill(mine, sealed, MISTAKES["unscaled"]), engine_alone)
    expected = with_release(MISTAKES["unscaled"])
    assert visible(told) == visible(expected)
    assert [e["diagnoses"] for e in told] == [e["diagnoses"] for e in expected]


def test_hidden_checks_are_counted_and_not_run(mine: Path, sealed: Path) -> None:
    told = grade(fill(mine, sealed, {}), "scale")
    assert "A hidden check, not run here" in told
    assert "1 is hidden and not run here" in " ".join(told.split())
    scale = graded(fill(mine, sealed, {}), code=0)[0]
    (hidden,) = [check for check in scale["checks"] if check["hidden"]]
    assert (hidden["status"], hidden["points"], hidden["possible"]) == ("blocked", 0, 4)
    assert hidden["message"] == "Hidden: not run here; it is judged when you hand in."
    assert (hidden["id"], hidden["title"], hidden["help"]) == ("scale.hidden_1", "A hidden check", "")
    assert (scale["status"], scale["points"], scale["possible"]) == ("passed", 5, 9)


def test_a_part_that_is_not_written_blocks_what_uses_it(mine: Path, sealed: Path) -> None:
    fill(mine, sealed, {})
    shutil.copy(mine / "stubs" / "scale.py", mine / "exercises" / "scale.py")
    for missing in (False, True):
        if missing:
            (mine / "exercises" / "scale.py").unlink()
        block = graded(mine)[1]
        values, parameters = block["checks"]
        assert (values["status"], values["code"]) == ("blocked", "blocked")
        assert values["message"] == "Not judged yet: Block calls scale, which is not written yet."
        assert (parameters["status"], block["status"]) == ("passed", "blocked")


def test_a_broken_part_is_named_where_it_costs_another(mine: Path, sealed: Path) -> None:
    block = graded(fill(mine, sealed, MISTAKES["adds"]))[1]
    assert block["status"] == "failed"
    assert not block["diagnoses"], "what it answers may be the part's mistake"
    (note,) = block["notes"]
    assert (
        note["message"] == "Your Block runs here with your own scale inside, where checks fail too: repair that first."
    )


def test_the_folder_has_no_more_than_students_need(handout: Path) -> None:
    names = {str(path.relative_to(handout)) for path in handout.rglob("*") if path.is_file()}
    assert names == {
        "README.md", ".gitignore", "release.json", "exercises/model_args.py",
        *(f"{folder}/{name}.py" for folder in ("exercises", "stubs") for name in ("scale", "block")),
        *(f"tests/exercises/{kind}_{name}.py" for kind in ("test", "probes") for name in ("scale", "block")),
        *(f"recorded/{name}.{end}" for end in ("json", "safetensors") for name in ("scale", "block")),
    }  # fmt: skip


def test_what_was_made_and_compared_is_said(said: str) -> None:
    assert "2 exercises, 16 files" in said
    assert "No leak: 16 files searched for " in said
    for kind in ("line of a reference", "line of a stand-in", "edit of a known bug", "line of a hidden check"):
        assert f"× {kind}" in said


def test_the_same_course_gives_the_same_release(handout: Path, sealed: Path, tmp_path: Path) -> None:
    grade(sealed, "release", str(tmp_path / "again"))
    for path in (path for path in handout.rglob("*") if path.is_file()):
        assert (tmp_path / "again" / path.relative_to(handout)).read_bytes() == path.read_bytes(), path


def test_the_commands_of_a_student_work_there(mine: Path, sealed: Path, engine_alone: Path) -> None:
    assert "scale" in grade(mine, "list", code_from=engine_alone)
    assert "Which operator stretches a tensor?" in grade(mine, "hint", "scale", code_from=engine_alone)
    fill(mine, sealed, MISTAKES["adds"])
    told = grade(mine, "scale", code=1, code_from=engine_alone)
    assert "Graded with a release: your parts run with your own other parts" in told
    assert "The verdict was: At" in grade(mine, "replay", "scale", code_from=engine_alone)
    assert "report.html" in grade(mine, "report", code_from=engine_alone)
    assert ".ipynb written" in grade(mine, "notebook", "block", code_from=engine_alone)
    assert "is the stub again" in grade(mine, "reset", "scale", code_from=engine_alone)
    assert (mine / "exercises" / "scale.py").read_bytes() == (mine / "stubs" / "scale.py").read_bytes()


@pytest.mark.parametrize(
    "arguments",
    [["check"], ["solution", "scale"], ["stubs"], ["batch", ".", "--out", "o"], ["release", "o"], ["leaks", "."]],
)
def test_what_needs_the_references_says_so(mine: Path, arguments: list[str]) -> None:
    told = grade(mine, *arguments, code=2)
    assert f"`grade {arguments[0]}` needs the whole course with its references" in told


def test_other_random_numbers_are_noticed(mine: Path) -> None:
    path = mine / "recorded" / "scale.json"
    told = json.loads(path.read_bytes())
    path.write_text(json.dumps({**told, "draws": "0" * 24, "torch": "1.0.0+cpu"}), "utf-8")
    said = " ".join(grade(mine, "scale", code=2).split())
    assert "This release was recorded with torch 1.0.0+cpu, and torch" in said
    assert "install torch 1.0.0." in said


def test_a_damaged_release_says_what_to_do(mine: Path) -> None:
    (mine / "recorded" / "scale.safetensors").write_bytes(b"x")
    assert "Get the release once more." in grade(mine, "scale", code=3)
    (mine / "release.json").write_text("{}", "utf-8")
    assert "Get the release once more." in grade(mine, "list", code=3)


def test_a_release_that_leaks_is_not_left_behind(sealed: Path, tmp_path: Path) -> None:
    leaky = Path(shutil.copytree(sealed, tmp_path / "leaky"))
    (leaky / "exercises" / "notes.txt").write_text("test_scale_turns_signs will be run too\n", "utf-8")
    told = grade(leaky, "release", "../out", code=3)
    assert "exercises/notes.txt, line 1: name of a hidden check" in " ".join(told.split())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["leaky"]


def test_nothing_that_is_there_is_overwritten(sealed: Path, handout: Path) -> None:
    assert "is there already" in grade(sealed, "release", str(handout), code=2)


def test_a_part_of_a_course_has_all_its_parts(sealed: Path) -> None:
    course = load_course(sealed)
    assert part_of(course, ["scale"]).names == ["scale"]
    with pytest.raises(UsageError, match="block needs scale, of scale: name that as well"):
        part_of(course, ["block"])
