"""`grade replay`: what a failed check asked is asked again, and shown as plain Python that gives the same."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from grader.catalogue.load import load_course
from grader.catalogue.stubs import as_submission

TOY = Path(__file__).parents[1] / "data" / "toy"
COURSE = load_course(TOY)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wrong function, a class with a wrong forward, both graded."""
    root = tmp_path_factory.mktemp("student") / "toy"
    shutil.copytree(TOY, root, ignore=shutil.ignore_patterns(".grade"))
    wrong = {"scale": ("torch.exp(scale(x, factor))", "torch.exp(x)"), "block": ("x + scale", "2 * x + scale")}
    for name, edit in wrong.items():
        text = as_submission(COURSE.reference_path(name).read_text("utf-8"))
        (root / "exercises" / f"{name}.py").write_text(text.replace(*edit), "utf-8")
    grade(root, "run", "--all", code=1)
    return root


def grade(root: Path, *arguments: str, code: int = 0, keys: str = "") -> str:
    command = [sys.executable, "-P", "-m", "grader.cli.main", *arguments]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, input=keys)
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


def snippet(said: str) -> str:
    lines = re.findall(r"^    (.*)$", said, re.MULTILINE)
    assert 0 < len(lines) <= 15
    return "\n".join(lines)


def numbers(text: str) -> list[str]:
    return re.findall(r"-?\d+\.\d+", text)


@pytest.mark.parametrize("name", ["scale", "block"])
def test_the_snippet_gives_what_the_replay_gave(folder: Path, name: str) -> None:
    said = grade(folder, "replay", name)
    given = said.split("It gives")[1].split("The verdict was")[0]
    done = subprocess.run([sys.executable, "-c", snippet(said)], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert numbers(done.stdout)
    assert numbers(done.stdout) == numbers(given)
    assert "in place of your scale" in said


def test_a_failed_gradient_is_asked_for(folder: Path, tmp_path: Path) -> None:
    root = shutil.copytree(folder, tmp_path / "toy")
    path = root / "exercises" / "scale.py"
    text = path.read_text("utf-8").replace("return x * factor", "return (x * factor).detach() + 0 * x")
    path.write_text(text, "utf-8")
    grade(root, "scale", code=1)
    said = grade(root, "replay", "scale.scale_gradient")
    assert "gradient of input 0: tensor([[" in said
    done = subprocess.run([sys.executable, "-c", snippet(said)], cwd=root, capture_output=True, text=True)
    assert numbers(said.split("It gives")[1].split("The verdict")[0]) == numbers(done.stdout), done.stderr


def test_it_follows_the_file_as_it_is_now(folder: Path) -> None:
    path = folder / "exercises" / "scale.py"
    before = path.read_text("utf-8")
    path.write_text(before.replace("torch.exp(x)", "torch.exp(x.nonsense)"), "utf-8")
    said = grade(folder, "replay", "scale")
    path.write_text(before, "utf-8")
    assert "It raises" in said
    assert "has no attribute 'nonsense'" in said
    assert "exercises/scale.py, line" in said


def test_the_debugger_stops_in_the_students_own_line(folder: Path) -> None:
    said = grade(folder, "replay", "scale", "--pdb", keys="p 'factor is', factor\nc\n")
    assert "exercises/scale.py" in said
    assert "('factor is', 3.0)" in said


def test_neither_suite_nor_reference_is_loaded(folder: Path) -> None:
    path = folder / "exercises" / "scale.py"
    before = path.read_text("utf-8")
    modules = "sorted(m for m in __import__('sys').modules if 'solutions' in m or 'test_' in m)"
    look = f"print('loaded:', {modules}); powers = torch.exp(x)"
    path.write_text(before.replace("powers = torch.exp(x)", look), "utf-8")
    said = grade(folder, "replay", "scale")
    path.write_text(before, "utf-8")
    assert "loaded: []" in said


def test_what_passes_has_no_case(folder: Path) -> None:
    assert "No failing case of scale.nothing is recorded" in grade(folder, "replay", "scale.nothing", code=2)
    assert "Did you mean 'scale'" in grade(folder, "replay", "scal", code=2)
    assert not list((folder / ".grade" / "cases").glob("*.scale_values.case"))
