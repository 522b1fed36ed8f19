"""The package as others install it: sdist, a wheel made from that alone, and an environment with nothing but the wheel.

The environment borrows the dependencies of this one through a path file, so that no test waits for a download. With
GRADE_FRESH=1 (`make proof`) it installs them anew.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
BUILT_FROM = ("grader", "exercises", "solutions", "tests/exercises", "tests/course/bugs")
FILES = ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE")


@pytest.fixture(scope="session")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the sdist, and the wheel that was built from it and nothing else."""
    folder = tmp_path_factory.mktemp("built")
    source = folder / "source"
    for part in BUILT_FROM:
        shutil.copytree(ROOT / part, source / part, ignore=shutil.ignore_patterns("__pycache__"))
    for name in FILES:
        shutil.copy(ROOT / name, source)
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder / "dist"), str(source)]
    subprocess.run(build, check=True, capture_output=True)
    shutil.rmtree(source)
    return folder / "dist"


@pytest.fixture(scope="session")
def grade(distributions: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program `grade` of an environment in which nothing of ours is but the wheel."""
    environment = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True)
    (wheel,) = distributions.glob("*.whl")
    fresh = bool(os.environ.get("GRADE_FRESH"))
    options = ["-c", str(ROOT / "constraints.txt")] if fresh else ["--no-deps", "--no-index"]
    pip = [sys.executable, "-m", "pip", "--python", str(environment / "bin" / "python"), "install", "--quiet"]
    subprocess.run([*pip, *options, str(wheel)], check=True)
    if not fresh:
        (site,) = environment.glob("lib/python*/site-packages")
        (site / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", "utf-8")
    return environment / "bin" / "grade"
