"""`grade ci` in imitations of GitHub, Classroom and GitLab: good, bad and hostile submissions, and forged courses."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
import xmlschema

from grader.results.store import load

from .imitation import BAD, CANARY, GOOD, HOSTILE, TOY, Job, github, gitlab, obeyed, outputs

XSD = xmlschema.XMLSchema(TOY.parent / "exports" / "junit.xsd")
FAST = ("--isolation", "2")


def check_files(job: Job, points: float) -> None:
    """All are there, whole, and say the same."""
    results = load(job.out / "results.json")
    assert results.points == points
    XSD.validate(str(job.out / "junit.xml"))
    suites = ElementTree.parse(job.out / "junit.xml").getroot().iter("testsuite")
    told = [node.get("value") for suite in suites for node in suite.iter("property") if node.get("name") == "points"]
    assert sum(map(float, filter(None, told))) == points
    assert f"{points:g} of 10 points" in (job.out / "summary.md").read_text("utf-8")
    assert "<html" in (job.out / "report.html").read_text("utf-8")
    assert CANARY not in "".join(path.read_text("utf-8") for path in job.out.iterdir())


@pytest.mark.parametrize(
    ("files", "points", "code"), [(GOOD, 10, 0), (BAD, 4, 1), (HOSTILE, 0, 1)], ids=["good", "bad", "hostile"]
)
def test_github(tmp_path: Path, files: dict[str, str], points: float, code: int) -> None:
    job = github(tmp_path)
    job.hand_in(files, "exercises")
    summary = Path(job.environ["GITHUB_STEP_SUMMARY"])
    summary.write_text("# Earlier in this step\n" + "x" * 900_000 + "\n", "utf-8")
    done = job.grade(*FAST)
    assert done.returncode == code, done.stdout
    check_files(job, points)
    commands = obeyed(done.stdout)
    assert {c.name for c in commands} <= {"error", "warning", "notice"}
    errors = [c for c in commands if c.name == "error"]
    assert len(errors) == (0 if code == 0 else 3 if files is HOSTILE else 2)
    for c in errors:
        assert c.properties["file"] in ("exercises/scale.py", "exercises/block.py")
        assert 0 < int(c.properties["line"]) <= files[c.properties["file"].rpartition("/")[2]].count("\n") + 1
        assert "forged" not in c.properties["title"]
    assert commands[-1].message.startswith(f"{points:g} of 10 points")
    assert outputs(Path(job.environ["GITHUB_OUTPUT"])) == {"points": f"{points:g}", "possible": "10"}
    told = summary.read_bytes()
    assert told.startswith(b"# Earlier in this step\n")
    assert b"of 10 points" in told
    assert len(told) < 1 << 20


def test_a_full_summary_is_left_alone_and_said(tmp_path: Path) -> None:
    job = github(tmp_path)
    job.hand_in(GOOD)
    summary = Path(job.environ["GITHUB_STEP_SUMMARY"])
    summary.write_bytes(b"x" * ((1 << 20) - 100))
    done = job.grade(*FAST, "--exit-zero")
    assert summary.stat().st_size == (1 << 20) - 100
    assert "summary.md" in obeyed(done.stdout)[-1].message


@pytest.mark.parametrize(
    ("files", "points", "status"), [(GOOD, 10, "pass"), (HOSTILE, 0, "fail")], ids=["good", "hostile"]
)
def test_classroom(tmp_path: Path, files: dict[str, str], points: float, status: str) -> None:
    job = github(tmp_path, "Autograding Tests")
    job.hand_in(files)
    done = job.grade(*FAST)
    assert done.returncode == 0, done.stdout
    check_files(job, points)
    told = json.loads(base64.b64decode(outputs(Path(job.environ["GITHUB_OUTPUT"]))["result"]))
    assert told["status"] == status
    assert sum(test["score"] for test in told["tests"]) == points
    assert sum(test["status"] == "pass" for test in told["tests"]) / len(told["tests"]) * told["max_score"] == points
    assert {c.name for c in obeyed(done.stdout)} <= {"error", "warning", "notice"}


@pytest.mark.parametrize(("files", "points", "code"), [(GOOD, 10, 0), (HOSTILE, 0, 1)], ids=["good", "hostile"])
def test_gitlab(tmp_path: Path, files: dict[str, str], points: float, code: int) -> None:
    job = gitlab(tmp_path)
    job.hand_in(files)
    done = job.grade(*FAST)
    assert done.returncode == code, done.stdout
    check_files(job, points)
    assert "\x1b" not in done.stdout
    assert "\r" not in done.stdout
    assert obeyed(done.stdout) == []


FORGED = "import pathlib; pathlib.Path({loaded!r}).write_text(__file__)\n"
MODULES = (
    "sitecustomize.py", "usercustomize.py", "torch.py", "click.py", "conftest.py", "grader/__init__.py",
    "tests/conftest.py", "tests/exercises/test_scale.py", "tests/exercises/test_block.py", "solutions/standins.py",
    "exercises/__init__.py", "exercises/model_args.py", "grader/errors.py",
)  # fmt: skip


def test_nothing_but_the_exercises_of_a_checkout_is_used(tmp_path: Path) -> None:
    """A whole course of the student's own, which passes, beside files that Python or pytest might load."""
    job = github(tmp_path)
    loaded = tmp_path / "loaded"
    forged = FORGED.format(loaded=str(loaded))
    job.hand_in(BAD, "exercises")
    job.hand_in(GOOD, "solutions")
    job.hand_in(dict.fromkeys(MODULES, forged))
    suite = "def test_scale_values(subject):\n    'Forged.'\n"
    job.hand_in({"tests/exercises/test_scale.py": forged + suite, "solutions/scale.toml": "title = 'Forged'\n"})
    job.hand_in({
        "grade.toml": 'course = "."\n', "pyproject.toml": "[tool.grade]\nexercises = []\n", "evil.pth": f"{forged}",
        "pytest.ini": "[pytest]\naddopts = --collect-only\n", "tox.ini": "[pytest]\npython_files = *\n",
        "grade-results/results.json": "forged", "grade-results/other.txt": "kept",
    })  # fmt: skip
    job.environ["GRADE_COURSE"] = str(job.checkout)  # --course decides, which the instructor gives
    done = job.grade(*FAST, "--out", str(job.checkout / "grade-results"), cwd=job.checkout)
    assert done.returncode == 1, done.stdout
    results = load(job.checkout / "grade-results" / "results.json")
    assert (results.points, results.possible) == (4, 10)
    assert "Forged" not in done.stdout
    assert not loaded.exists(), loaded.read_text("utf-8")


SPY = """
import glob, os
CANARIES = {canaries!r}
def read(path):
    try:
        return open(path, "rb").read().decode("utf-8", "replace")
    except OSError:
        return ""
def ancestors():
    pid = "self"
    for _ in range(4):  # this process, the zygote, the examiner, the command
        yield pid
        pid = next((l.split()[1] for l in read(f"/proc/{{pid}}/status").splitlines() if l.startswith("PPid:")), "0")
def scale(x, factor=2.0):
    seen = [read(f"/proc/{{pid}}/environ") + read(f"/proc/{{pid}}/cmdline") for pid in ancestors()]
    texts = [*seen, repr(dict(os.environ))]
    raise ValueError(f"read {{sum(map(bool, seen))}}, found {{sum(c in t for t in texts for c in CANARIES)}}")
"""


def test_no_token_is_left_even_without_isolation(tmp_path: Path) -> None:
    job = github(tmp_path)
    job.hand_in({"scale.py": SPY.format(canaries=[CANARY])})
    done = job.grade("--isolation", "0")
    assert "read 4, found 0" in done.stdout, done.stdout
    assert "isolation level 0" in next(c.message for c in obeyed(done.stdout) if c.name == "warning")


def test_wrong_use_is_one_sentence(tmp_path: Path) -> None:
    job = Job(tmp_path)
    done = job.grade("nowhere\n::error::forged")
    assert done.returncode == 2
    assert done.stdout.count("\n") == 1
    assert obeyed(done.stdout) == []


def test_a_broken_course_is_an_error_and_no_fault_of_the_student(tmp_path: Path) -> None:
    job = github(tmp_path)
    job.hand_in(GOOD)
    job.out.mkdir()
    (job.out / "results.json").write_text("forged", "utf-8")
    course = tmp_path / "course"
    (course / "exercises").mkdir(parents=True)
    (course / "solutions").mkdir()
    (course / "solutions" / "scale.toml").write_text("title = \n::error::forged", "utf-8")
    done = job.grade(course=course)
    assert done.returncode == 3
    assert [c.name for c in obeyed(done.stdout)] == ["error"]
    assert not (job.out / "results.json").exists()
