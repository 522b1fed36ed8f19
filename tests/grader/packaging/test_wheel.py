"""A wheel is all that anybody needs: a student's and an instructor's first five minutes, away from the repository."""

from __future__ import annotations

import ast
import csv
import os
import re
import shutil
import subprocess
import tarfile
import zipfile
from email.parser import HeaderParser
from pathlib import Path

import grader
from grader.catalogue.pack import FOLDERS
from tests.docs.blocks import blocks_of
from tests.docs.session import Session

ROOT = Path(__file__).parents[3]
EXAMPLES = ROOT / "examples" / "class"


def called(grade: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment = kept | {"NO_COLOR": "1", "COLUMNS": "80"}
    return subprocess.run([grade, *words], cwd=folder, env=environment, capture_output=True, text=True, check=False)


def run(grade: Path, folder: Path, *words: str, code: int = 0) -> str:
    """What `grade words` prints in `folder`, with nothing of the repository on any path."""
    done = called(grade, folder, *words)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


def test_the_sdist_and_the_wheel_hold_the_engine_and_the_course(distributions: Path) -> None:
    (wheel,) = distributions.glob("*.whl")
    (sdist,) = distributions.glob("*.tar.gz")
    with zipfile.ZipFile(wheel) as archive:
        inside = set(archive.namelist())
        told = archive.read(next(name for name in inside if name.endswith(".dist-info/METADATA"))).decode()
    assert HeaderParser().parsestr(told)["Version"] == grader.__version__
    for name in ("exercises/masking.py", "solutions/masking.toml", "tests/exercises/test_masking.py", "pyproject.toml"):
        assert f"grader/course/{name}" in inside
    assert "grader/locale/zh/LC_MESSAGES/grader.mo" in inside
    assert {name.split("/")[0] for name in inside if ".dist-info" not in name} == {"grader"}
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"setup.py", "solutions/masking.py", "tests/course/bugs"} <= names


def test_the_wheel_takes_along_what_makes_up_a_course() -> None:
    """setup.py cannot import the package that it builds, so the list stands in both."""
    (line,) = re.findall(r"^FOLDERS = (.*)$", (ROOT / "setup.py").read_text("utf-8"), re.MULTILINE)
    assert ast.literal_eval(line) == FOLDERS


def test_it_is_the_wheel_that_runs(grade: Path, tmp_path: Path) -> None:
    where = "import grader; print(grader.__file__)"
    python = grade.with_name("python")
    found = subprocess.run([python, "-I", "-c", where], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert Path(found.stdout.strip()).is_relative_to(grade.parents[1])
    assert f"{grader.__version__}" in run(grade, tmp_path, "--version")


def test_the_first_five_minutes_of_a_student(grade: Path, tmp_path: Path) -> None:
    """What the README shows, word for word."""
    section = (ROOT / "README.md").read_text("utf-8").partition("## The first five minutes\n")[2].partition("\n## ")[0]
    session = Session(tmp_path, f'"{grade}"', code="")
    blocks = [block for block in blocks_of(section) if block.kind in ("console", "diff")]
    assert sum(block.text.count("$ grade") for block in blocks) == 5
    for block in blocks:
        session.run(block)


def test_the_first_five_minutes_of_an_instructor(grade: Path, tmp_path: Path) -> None:
    for student in ("ben", "hana"):
        shutil.copytree(EXAMPLES / student, tmp_path / "submissions" / student)
    run(grade, tmp_path, "init", "course")
    told = run(grade, tmp_path / "course", "batch", "../submissions", "--out", "../reports")
    assert "2 submissions" in told
    with (tmp_path / "reports" / "gradebook.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["student"]: float(row["points"]) for row in csv.DictReader(file)}
    assert rows["ben"] == 0
    assert rows["hana"] > 50
    assert (tmp_path / "reports" / "index.html").is_file()


def test_a_right_file_earns_everything(grade: Path, tmp_path: Path) -> None:
    run(grade, tmp_path, "init", "mine")
    mine = tmp_path / "mine"
    solution = run(grade, mine, "solution", "layer_norm", "--yes")
    (mine / "exercises" / "layer_norm.py").write_text(solution, "utf-8")
    assert "10 of 10" in run(grade, mine, "layer_norm")


def test_the_first_five_minutes_of_a_ci_run(grade: Path, tmp_path: Path) -> None:
    """The suite is the wheel's, whatever a student's repository holds."""
    shutil.copytree(EXAMPLES / "oskar", tmp_path / "checkout")
    (tmp_path / "checkout" / "solutions").mkdir()
    told = run(grade, tmp_path / "checkout", "ci", ".", "--platform", "github", "--out", "../out", code=1)
    assert "::notice title=34 of 100 points::" in told
    assert (tmp_path / "out" / "report.html").is_file()
    run(grade, tmp_path, "gradescope", "autograder.zip")
    with zipfile.ZipFile(tmp_path / "autograder.zip") as archive:
        inside = set(archive.namelist())
    assert {"setup.sh", "run_autograder", "harness/course/solutions/masking.py", "harness/grader/cli/main.py"} <= inside
    assert not [name for name in inside if name.startswith("harness/grader/course/")]


def test_a_lecturer_begins_a_course_and_compares_submissions(grade: Path, tmp_path: Path) -> None:
    run(grade, tmp_path, "new", "--course", "own")
    assert "It works as it stands" in run(grade, tmp_path / "own", "new", "thing")
    run(grade, tmp_path, "init", "mine")
    (tmp_path / "class" / "ada").mkdir(parents=True)
    (tmp_path / "class" / "ada" / "masking.py").write_text("x = 1\n", "utf-8")
    assert "says how they were compared" in run(grade, tmp_path / "mine", "similar", "../class", "--out", "page.html")
