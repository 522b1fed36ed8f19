"""`grade init DIR`: a folder in which `grade` works, wherever the course is, and which is never overwritten."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .calling import ROOT, TOY, grade


def solve(course: Path, folder: Path, name: str) -> Path:
    text = (course / "solutions" / f"{name}.py").read_text("utf-8").replace("solutions.", "exercises.")
    path = folder / "exercises" / f"{name}.py"
    path.write_text(text, "utf-8")
    return path


def test_it_lays_down_stubs_and_says_what_is_next(toy: Path) -> None:
    said = grade(toy, "init", "mine")
    assert "2 exercises, 2 of them for 10 points" in said
    assert "`cd mine`, then `grade`" in said
    mine = toy / "mine"
    there = sorted(str(p.relative_to(mine)) for p in mine.rglob("*") if p.is_file())
    assert there == [
        ".gitignore", "README.md", "exercises/block.py", "exercises/model_args.py", "exercises/scale.py", "grade.toml",
    ]  # fmt: skip
    for name in ("block.py", "scale.py", "model_args.py"):
        assert (mine / "exercises" / name).read_bytes() == (TOY / "exercises" / name).read_bytes()
    assert ".grade/" in (mine / ".gitignore").read_text("utf-8").splitlines()
    assert "`scale.py` (5 points)" in (mine / "README.md").read_text("utf-8")


def test_every_command_works_there_and_the_course_is_left_alone(toy: Path, tmp_path: Path) -> None:
    grade(tmp_path, "--course", str(toy), "init", "else where")
    mine = tmp_path / "else where"
    assert "Nothing is written yet" in grade(mine, code=1)
    path = solve(toy, mine, "scale")
    assert "5 of 5" in grade(mine, "scale")
    assert "Next: write block.py" in grade(mine / "exercises", "scale")
    path.write_text(path.read_text("utf-8").replace("x * factor", "x + factor"), "utf-8")
    grade(mine, "scale", code=1)
    assert "factor" in grade(mine, "replay", "scale")
    assert "hint 1 of 3" in grade(mine, "hint", "scale")
    assert grade(mine, "report").strip() == ".grade/report.html"
    assert ".grade/backup/scale-" in grade(mine, "reset", "scale")
    (mine / "exercises" / "block.py").unlink()
    assert "`grade stubs block` writes it" in grade(mine, "doctor", code=1)
    assert "exercises/block.py written" in grade(mine, "stubs", "block")
    assert "in work" in grade(mine, "list")
    assert not (toy / ".grade").exists()
    assert "in step" in grade(toy, "stubs", "--check")


def test_a_students_file_is_never_overwritten(toy: Path) -> None:
    grade(toy, "init", "mine")
    mine = toy / "mine"
    own = {
        "exercises/scale.py": "# mine\n",
        "README.md": "my notes\n",
        "exercises/model_args.py": "",
        "extra.py": "1\n",
    }
    for name, text in own.items():
        (mine / name).write_text(text, "utf-8")
    (mine / "exercises" / "block.py").unlink()
    (mine / ".gitignore").unlink()
    (mine / ".gitignore").symlink_to("nowhere")
    said = grade(toy, "init", "mine")
    assert "1 file written" in said
    assert "Kept as you have them: exercises/scale.py, exercises/model_args.py, README.md, .gitignore." in said
    assert {name: (mine / name).read_text("utf-8") for name in own} == own
    assert (mine / "exercises" / "block.py").is_file()
    assert (mine / ".gitignore").is_symlink()
    assert "Nothing was missing" in grade(toy, "init", "mine")


def test_called_again_from_anywhere_it_keeps_to_the_folders_own_course(toy: Path, tmp_path: Path) -> None:
    grade(toy, "init", str(tmp_path / "mine"))
    assert "Nothing was missing" in grade(tmp_path, "init", "mine")
    assert "`grade`, which" in grade(tmp_path / "mine", "init", ".")


def test_wrong_use_is_a_sentence(toy: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "is a file, not a folder" in grade(tmp_path, "init", "file", code=2)
    assert "is a course itself" in grade(tmp_path, "init", "toy", code=2)
    assert "There is no folder 'nowhere'" in grade(tmp_path, "--course", "nowhere", "init", "mine", code=2)
    assert "cannot be written" in grade(tmp_path, "init", "file/below", code=2)
    assert not (tmp_path / "mine").exists()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('course = "nowhere"', "says the course is in '"),
        ("course = 3", "says course=3, which is no path"),
        ("tracks = ['core']", "says course=None, which is no path"),
        ("course = ", "cannot be read"),
    ],
)
def test_a_course_that_is_not_found_is_named_with_the_way_out(toy: Path, text: str, says: str) -> None:
    grade(toy, "init", "mine")
    (toy / "mine" / "grade.toml").write_text(text, "utf-8")
    said = grade(toy / "mine", "list", code=2)
    assert says in said
    assert 'write course = "installed" or a folder there, or delete it and call `grade init ' in said
    (toy / "mine" / "grade.toml").unlink()
    grade(toy, "init", "mine")
    assert "scale" in grade(toy / "mine", "list")


def test_a_course_may_be_named_relative_to_the_folder(toy: Path) -> None:
    grade(toy, "init", "mine")
    (toy / "mine" / "grade.toml").write_text('course = ".."', "utf-8")
    assert "Nothing is written yet: 2 exercises" in grade(toy / "mine", code=1)


def test_away_from_the_repository_the_installed_wheel_brings_the_course(tmp_path: Path) -> None:
    """Built, installed without its dependencies, and used from a folder where nothing of ours is."""
    pytest.importorskip("setuptools")
    source, site, work = (tmp_path / name for name in ("source", "site", "work"))
    for part in ("grader", "exercises", "solutions", "tests/exercises", "tests/course/bugs"):
        shutil.copytree(ROOT / part, source / part, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*pip, "--target", str(site), str(source)], check=True)
    shutil.rmtree(source)
    work.mkdir()
    assert "100 points" in grade(work, "init", "mine", code_from=site)
    grade(work, "new", "--course", "own", code_from=site)
    assert "It works as it stands" in grade(work / "own", "new", "thing", code_from=site)
    (work / "class" / "ada").mkdir(parents=True)
    (work / "class" / "ada" / "masking.py").write_text("x = 1\n", "utf-8")
    assert "side by side" in grade(work / "mine", "similar", "../class", "--out", "page.html", code_from=site)
    mine = work / "mine"
    assert 'course = "installed"' in (mine / "grade.toml").read_text("utf-8")
    assert "Start with masking" in grade(mine, code=1, code_from=site)
    solve(ROOT, mine, "layer_norm")
    assert "10 of 10" in grade(mine, "layer_norm", code_from=site)
    assert "isolation level 2" in grade(mine, "layer_norm", code_from=site)
