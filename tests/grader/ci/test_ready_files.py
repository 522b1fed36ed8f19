"""The workflows, the action, the GitLab job and the shell scripts: read, checked, and their commands executed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

import grader

from .imitation import GOOD, ROOT, TOY, github, gitlab, outputs

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
SCRIPTS = [*sorted((ROOT / "grader" / "ci" / "gradescope").iterdir()), ROOT / ".ci" / "run"]
SHELLS = {
    "bash": ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c"],
    "": ["bash", "-e", "-c"],
}  # as the runner calls them


def read(path: Path) -> dict[Any, Any]:
    tree = yaml.safe_load(path.read_text("utf-8"))
    assert isinstance(tree, dict)
    return tree


def steps(path: Path) -> list[dict[str, Any]]:
    tree = read(path)
    jobs = [tree["runs"]] if "runs" in tree else list(tree["jobs"].values())
    return [step for job in jobs for step in job["steps"]]


FILES = [*WORKFLOWS, ROOT / "action.yml"]
RUNS = [(path, step["name"]) for path in FILES for step in steps(path) if "run" in step]


def step(path: Path, name: str) -> dict[str, Any]:
    return next(s for s in steps(path) if s.get("name") == name)


def execute(path: Path, name: str, folder: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    """A `run` block, in the shell that the runner would take, with stubs before all other programs."""
    found = step(path, name)
    kept = {"PATH": f"{folder / 'stubs'}:{os.environ['PATH']}", "STUB_LOG": str(folder / "log"), "LC_ALL": "C.UTF-8"}
    return subprocess.run(
        [*SHELLS[found.get("shell", "")], found["run"]], cwd=environ.pop("cwd", str(folder)), env={**kept, **environ},
        capture_output=True, text=True, check=False,
    )  # fmt: skip


# A program that makes another one, as `python -m venv FOLDER` does; that notes what it is called with, and its path.
MAKES_PYTHON = r"""
mkdir -p "$3/bin"
printf '#!/bin/bash\necho "inner $* [$PYTHONPATH]" >>"$STUB_LOG"\n' >"$3/bin/python"
chmod +x "$3/bin/python"
"""


def stub(folder: Path, name: str, body: str = "") -> None:
    path = folder / "stubs" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(f'#!/bin/bash\necho "{name} $*" >>"$STUB_LOG"\n{body}\n', "utf-8")
    path.chmod(0o755)


def log(folder: Path) -> list[str]:
    return (folder / "log").read_text("utf-8").splitlines()


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda p: p.name)
def test_workflows_have_few_rights_and_pinned_actions(path: Path) -> None:
    tree = read(path)
    assert tree["permissions"] == {"contents": "read"}
    assert all("timeout-minutes" in job for job in tree["jobs"].values())
    assert "secrets." not in path.read_text("utf-8")
    for found in steps(path):
        if found.get("uses", "").startswith("actions/checkout"):
            assert found["with"]["persist-credentials"] is False


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_actions_are_pinned_and_no_expression_is_in_a_script(path: Path) -> None:
    for found in steps(path):
        if "uses" in found:
            assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}|\./\w+", found["uses"]), found["uses"]
        assert "${{" not in found.get("run", "")
    inputs = set(re.findall(r"inputs\.([\w-]+)", path.read_text("utf-8")))
    tree = read(path)
    known = tree.get("inputs") or ((tree.get(True) or {}).get("workflow_call") or {}).get("inputs") or {}
    assert inputs <= set(known)


def test_the_reusable_workflow_gives_the_action_what_it_takes() -> None:
    given = step(ROOT / ".github" / "workflows" / "grade.yml", "Grade")
    assert set(given["with"]) <= set(read(ROOT / "action.yml")["inputs"])


@pytest.mark.parametrize(
    ("asked", "repository", "taken"),
    [("main", "o/course", "main"), ("", "o/course", "c0ffee"), ("", "o/other", ""), ("", None, "")],
    ids=["asked for", "one repository", "two repositories", "not said"],
)
def test_the_course_is_of_the_version_that_the_workflow_is_called_at(
    asked: str, repository: str | None, taken: str
) -> None:
    written = step(ROOT / ".github" / "workflows" / "grade.yml", "Grader and course")["with"]["ref"]
    python = written.strip("${} ").replace("inputs.course-ref", "asked").replace("||", "or").replace("&&", "and")
    python = python.replace("inputs.course", "'o/course'").replace("job.workflow_", "")
    assert eval(python, {"asked": asked, "repository": repository, "sha": "c0ffee"}) == taken


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda p: p.name)
def test_shellcheck_finds_nothing(script: Path) -> None:
    program = Path(sys.executable).with_name("shellcheck")
    done = subprocess.run([program, str(script)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(("path", "name"), RUNS, ids=lambda v: v if isinstance(v, str) else v.name)
def test_shellcheck_finds_nothing_in_a_run_block(path: Path, name: str) -> None:
    program = Path(sys.executable).with_name("shellcheck")
    done = subprocess.run(
        [program, "--shell=bash", "-"], input=step(path, name)["run"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


def test_the_action_installs_away_from_the_student(tmp_path: Path) -> None:
    stub(tmp_path, "python", MAKES_PYTHON)
    done = execute(
        ROOT / "action.yml", "Install the grader", tmp_path, RUNNER_TEMP=str(tmp_path), GITHUB_ACTION_PATH="/action"
    )
    assert done.returncode == 0, done.stderr
    assert step(ROOT / "action.yml", "Install the grader")["working-directory"] == "${{ github.action_path }}"
    assert log(tmp_path)[0].endswith(f"-m venv {tmp_path}/grade")
    assert [line.split()[-2] for line in log(tmp_path)[1:]] == ["torch", "/action"]


def with_grade(folder: Path) -> Path:
    """A program `grade` of this checkout, where the action would have put it."""
    program = folder / "grade" / "bin" / "grade"
    program.parent.mkdir(parents=True)
    called = f'PYTHONPATH="{ROOT}" exec "{sys.executable}" -P -m grader.cli.main --course "{TOY}" "$@" --isolation 2'
    program.write_text(f"#!/bin/bash\n{called}\n", "utf-8")
    program.chmod(0o755)
    return program


def test_the_action_grades(tmp_path: Path) -> None:
    job = github(tmp_path)
    job.hand_in(GOOD, "submission")
    with_grade(tmp_path)
    given = {"RUNNER_TEMP": str(tmp_path), "SUBMISSION": "submission", "PLATFORM": "classroom", "SECONDS_GIVEN": "900"}
    done = execute(ROOT / "action.yml", "Grade", tmp_path, cwd=str(job.checkout), **job.environ, **given)
    assert done.returncode == 0, done.stdout + done.stderr
    told = outputs(Path(job.environ["GITHUB_OUTPUT"]))
    assert set(told) == set(read(ROOT / "action.yml")["outputs"])
    assert told["points"] == "10"
    assert (tmp_path / "grade-results" / "report.html").is_file()


def test_the_gitlab_job_grades(tmp_path: Path) -> None:
    job = gitlab(tmp_path)
    job.hand_in(GOOD)
    job.hand_in({"junit.xml": "forged"}, "mine")
    (job.checkout / "grade-results").symlink_to("mine")
    program = with_grade(tmp_path)
    tree = read(ROOT / "ci" / "gitlab.yml")
    script = "\n".join(tree["grade"]["script"]).replace("/opt/grade/bin/grade", str(program))
    environ = {**job.environ, **tree["variables"], "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", script],
        cwd=job.checkout,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    artifacts = tree["grade"]["artifacts"]
    for path in (*artifacts["paths"], artifacts["reports"]["junit"]):
        assert (job.checkout / path).exists()
    assert (job.checkout / "mine" / "junit.xml").read_text("utf-8") == "forged"


@pytest.mark.parametrize(("tag", "code"), [(f"v{grader.__version__}", 0), (grader.__version__, 1), ("v99.0.0", 1)])
def test_a_release_has_the_tag_of_its_version(tmp_path: Path, tag: str, code: int) -> None:
    stub(tmp_path, "python", f'exec "{sys.executable}" "$@"')
    release = ROOT / ".github" / "workflows" / "release.yml"
    done = execute(release, "The tag is the version", tmp_path, cwd=str(ROOT), GITHUB_REF_NAME=tag)
    assert done.returncode == code, done.stdout + done.stderr
    assert ("::error" in done.stdout) == bool(code)


@pytest.mark.parametrize(("listed", "code"), [("grader/course/solutions/scale.py", 0), ("grader/cli/main.py", 1)])
def test_a_release_is_built_and_holds_the_course(tmp_path: Path, listed: str, code: int) -> None:
    stub(tmp_path, "python", f'[ "$2" != zipfile ] || echo {listed}')
    release = ROOT / ".github" / "workflows" / "release.yml"
    assert execute(release, "Build", tmp_path).returncode == 0
    assert execute(release, "Check", tmp_path).returncode == code
    assert "python -m build" in log(tmp_path)
    assert any("twine check --strict" in line for line in log(tmp_path))


def test_the_projects_own_tests_are_those_of_ci_run() -> None:
    (only,) = [s["run"] for s in steps(ROOT / ".github" / "workflows" / "ci.yml") if "run" in s]
    assert os.access(ROOT / only, os.X_OK)


def test_the_image_gets_all_that_the_wheel_is_built_from() -> None:
    lines = (ROOT / "ci" / "Dockerfile").read_text("utf-8").splitlines()
    copied = {source for line in lines if line.startswith("COPY ") for source in line.split()[1:-1]}
    assert all((ROOT / source).exists() for source in copied)
    grafted = re.findall(r"^graft (\S+)", (ROOT / "MANIFEST.in").read_text("utf-8"), re.MULTILINE)
    assert {"grader", "pyproject.toml", "setup.py", "MANIFEST.in", *grafted} <= copied
    assert any(line.startswith("USER ") for line in lines)


@pytest.mark.parametrize("there", ["3.12", "3.11", ""])
def test_gradescopes_setup_takes_the_python_there_is(tmp_path: Path, there: str) -> None:
    (tmp_path / "source" / "harness").mkdir(parents=True)
    stub(tmp_path, "apt-get", f'case "$*" in *python3*) [[ "$*" == *"python{there or "none"} "* ]];; esac')
    for version in ("3.13", "3.12", "3.11"):
        stub(tmp_path, f"python{version}", MAKES_PYTHON)
    environ = {
        "PATH": f"{tmp_path / 'stubs'}:{os.environ['PATH']}", "STUB_LOG": str(tmp_path / "log"),
        "AUTOGRADER_ROOT": str(tmp_path),
    }  # fmt: skip
    done = subprocess.run(["bash", "-eu", SCRIPTS[1]], env=environ, capture_output=True, text=True, check=False)
    if not there:
        assert done.returncode == 1
        assert "no Python 3.11 or newer" in done.stderr
        return
    assert done.returncode == 0, done.stderr
    assert f"python{there} -m venv {tmp_path}/environment" in log(tmp_path)
    installed = [line.split()[-2] for line in log(tmp_path) if "pip install" in line]
    assert "inner -P -m grader.cli.main" in log(tmp_path)[-1]
    assert log(tmp_path)[-1].endswith(f"[{tmp_path}/source/harness]")
    assert installed == ["torch", str(tmp_path / "source" / "harness" / "requirements.txt")]
