"""The fake grader of fake_batch.py, and a batch with it."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from grader.batch.run import Choice
from grader.report.rows import Row
from grader.submission.model import Submission

SCRIPT = Path(__file__).with_name("fake_batch.py")


@pytest.fixture(scope="session")
def fake() -> ModuleType:
    spec = importlib.util.spec_from_file_location("fake_batch", SCRIPT)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def batch(fake: ModuleType, tmp_path: Path) -> Callable[..., list[Row]]:
    """batch(submissions, grade=…) runs into tmp_path / "out" with one thread, unless told otherwise."""

    def run(submissions: list[Any], grade: Callable[..., Any] = fake.results, **changes: Any) -> list[Row]:
        settings = {"title": "Class", "pages": fake.PAGES, "jobs": 1, "present": fake.Present(), "level": 0, **changes}
        settings |= {"choice": Choice(force=settings.pop("force"))} if "force" in settings else {}
        backend, jobs = fake.backend(grade, settings.pop("level")), settings.pop("jobs")
        rows: list[Row] = fake.run_batch(
            submissions, backend, settings.pop("present"), tmp_path / "out", jobs, **settings
        ).rows
        return rows

    return run


@pytest.fixture
def grader(fake: ModuleType) -> Any:
    return fake.Grader()


@pytest.fixture
def trio(fake: ModuleType) -> list[Submission]:
    return [fake.submission(student) for student in ("ada", "grace", "linus")]


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"
