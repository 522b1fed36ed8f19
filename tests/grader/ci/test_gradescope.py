"""`grade gradescope`: the zip, and its scripts in an imitation of Gradescope's folders, as root and as nobody."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.catalogue.load import load_course
from grader.catalogue.salt import read_salt
from grader.ci.bundle import bundle
from grader.results.store import load

from .imitation import BAD, CANARY, GOOD, HOSTILE, ROOT, TOY, Job

NOBODY = 65534
TEST_FIELDS = {"name", "number", "score", "max_score", "status", "output", "tags", "visibility"}


def test_equal_bytes_for_equal_content(tmp_path: Path) -> None:
    first = bundle(load_course(TOY), 540)
    shutil.copytree(TOY, tmp_path / "toy", ignore=shutil.ignore_patterns("__pycache__", ".grade"))
    for path in (tmp_path / "toy").rglob("*"):
        os.utime(path, (1, 1))
    assert bundle(load_course(tmp_path / "toy"), 540) == first
    assert bundle(load_course(TOY), 600) != first


def test_what_is_in_it(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(bundle(load_course(TOY), 540))
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        names = archive.namelist()
        requirements = archive.read("harness/requirements.txt").decode().splitlines()
        modes = {info.filename: info.external_attr >> 16 for info in archive.infolist()}
    assert names == sorted(names)
    assert {"setup.sh", "run_autograder", "harness/course/solutions/scale.py", "harness/grader/cli/main.py"} <= set(
        names
    )
    assert {"harness/grader/locale/zh/LC_MESSAGES/grader.mo", "harness/grader/report/templates/base.css"} <= set(names)
    assert not [name for name in names if "__pycache__" in name or ".grade" in name or "course/idioms" in name]
    assert modes["setup.sh"] & modes["run_autograder"] & stat.S_IXUSR
    assert any(line.startswith("torch>=") for line in requirements)
    assert not [line for line in requirements if line.startswith(("ruff", "mypy", "distributed"))]


def test_the_salt_of_official_runs_goes_along(tmp_path: Path) -> None:
    shutil.copytree(TOY, tmp_path / "toy")
    (tmp_path / "toy" / "grade.toml").write_text('salt = "solutions/salt"\n', "utf-8")
    (tmp_path / "toy" / "solutions" / "salt").write_text("0123456789abcdef" * 2, "utf-8")
    (tmp_path / "a.zip").write_bytes(bundle(load_course(tmp_path / "toy"), 540))
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        archive.extractall(tmp_path)
    course = load_course(tmp_path / "harness" / "course")
    assert read_salt(course) == b"0123456789abcdef" * 2


NEEDS = [pytest.mark.needs("setpriv"), pytest.mark.needs("unshare")]


@pytest.fixture(scope="module", params=["root", pytest.param("nobody", marks=NEEDS)])
def autograder(request: pytest.FixtureRequest) -> Iterator[Job]:
    """The folder /autograder of an image whose set-up is done, written as Gradescope does."""
    if request.param == "nobody" and os.geteuid() != 0:
        pytest.skip("only root can become nobody")
    root = Path(tempfile.mkdtemp())
    try:
        command = [
            sys.executable,
            "-P",
            "-m",
            "grader.cli.main",
            "--course",
            str(TOY),
            "gradescope",
            str(root / "a.zip"),
        ]
        done = subprocess.run(
            command, cwd=root, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True
        )
        assert "10 points" in done.stdout
        with zipfile.ZipFile(root / "a.zip") as archive:
            archive.extractall(root / "source")
        shutil.copy(root / "source" / "run_autograder", root)
        (root / "run_autograder").chmod(0o755)
        (root / "results").mkdir()
        for path in (root, *root.rglob("*")):
            path.chmod(0o755 if path.is_dir() or path.name == "run_autograder" else 0o644)
        environ = {"AUTOGRADER_ROOT": str(root), "GRADE_PYTHON": sys.executable, "PYTHONPATH": ""}
        job = Job(root, environ)
        if request.param == "nobody":
            environ |= {"AS": request.param, "HOME": str(root)}
            for path in (root, root / "results"):
                os.chown(path, NOBODY, NOBODY)
        yield job
    finally:
        shutil.rmtree(root)


REACHABLE = """
mkdir -p "$2"
mount --bind "$1" "$2"
mount -t tmpfs -o mode=755 none "$3"
mkdir -p "$1"
mount --bind "$2" "$1"
"""
DROP = [
    "setpriv",
    "--reuid",
    str(NOBODY),
    "--regid",
    str(NOBODY),
    "--clear-groups",
    "--inh-caps=-all",
    "--bounding-set=-all",
]


def as_nobody(words: list[str], folder: Path) -> list[str]:
    """Without any right of root's. An interpreter in a folder that only root can enter is made reachable."""
    base = Path(sys.base_prefix)
    closed = next((str(p) for p in reversed(base.parents) if not p.stat().st_mode & stat.S_IXOTH), None)
    if closed is None:
        return [*DROP, *words]
    script = f'{REACHABLE}shift 3\nexec "$@"'
    return ["unshare", "-m", "bash", "-ec", script, "-", str(base), str(folder / "python"), closed, *DROP, *words]


def run(job: Job, files: dict[str, str], below: str = "") -> tuple[dict[str, object], str]:
    """A submission, as Gradescope lays it down and has it graded."""
    shutil.rmtree(job.folder / "submission", ignore_errors=True)
    (job.folder / "results" / "results.json").unlink(missing_ok=True)
    for name, text in files.items():
        path = job.folder / "submission" / below / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    told = {"id": 4, "created_at": "2026-03-01T12:00:00-08:00", "users": [{"id": 1, "name": "Ada", "email": "a@x.org"}]}
    (job.folder / "submission_metadata.json").write_text(json.dumps(told), "utf-8")
    words = [str(job.folder / "run_autograder")]
    done = subprocess.run(
        as_nobody(words, job.folder) if "AS" in job.environ else words,
        cwd=job.folder / "submission", env=job.environment(),
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    text = (job.folder / "results" / "results.json").read_text("utf-8")

    def refuse(literal: str) -> None:
        raise AssertionError(f"{literal} is no JSON")

    return json.loads(text, parse_constant=refuse), done.stdout


@pytest.mark.parametrize(
    ("files", "below", "points"), [(GOOD, "", 10), (BAD, "ada-main/exercises", 4), (HOSTILE, "", 0)],
    ids=["good", "bad", "hostile"],
)  # fmt: skip
def test_results(autograder: Job, files: dict[str, str], below: str, points: float) -> None:
    told, log = run(autograder, files, below)
    assert told["score"] == points
    tests = told["tests"]
    assert isinstance(tests, list)
    assert sum(test["score"] for test in tests) == points
    assert sum(test["max_score"] for test in tests) == 10
    for test in tests:
        assert set(test) <= TEST_FIELDS
        assert test["status"] in ("passed", "failed")
        assert test["visibility"] == "visible"
        assert "\x1b" not in test["output"]
        assert "\r" not in test["output"]
    assert {told[f"{name}_format"] for name in ("output", "test_output", "test_name")} == {"text"}
    assert told["stdout_visibility"] == "hidden"
    assert CANARY not in json.dumps(told) + log
    origin = load(autograder.folder / "grade-results" / "results.json").origin
    assert origin
    assert (origin.name, origin.submitted) == ("Ada", "2026-03-01T12:00:00-08:00")


def test_time_is_up_before_gradescope_says_so(autograder: Job) -> None:
    (autograder.folder / "source" / "harness" / "seconds").write_text("0.01\n")
    told, _ = run(autograder, GOOD)
    assert told["score"] == 0
    assert "not final" in str(told["output"])
    assert len(told["tests"]) == 3  # type: ignore[arg-type]
