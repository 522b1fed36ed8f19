"""Shared by the tests of the harness: skips that are visible, and an error where nothing may be skipped."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest

from grader import language


def pytest_runtest_setup(item: pytest.Item) -> None:
    for mark in item.iter_markers("needs"):
        if shutil.which(mark.args[0]) is None:
            text = f"{mark.args[0]} is not installed"
            if os.environ.get("GRADER_SKIP_NOTHING"):
                pytest.fail(f"{text}, and GRADER_SKIP_NOTHING is set")
            pytest.skip(text)


# Words are English in the tests, whatever the locale of whoever runs them; those of the language say which they want.
os.environ["LC_ALL"] = "C.UTF-8"


@pytest.fixture
def chinese(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Words are Chinese in this test, and English again behind it."""
    monkeypatch.setenv("LANGUAGE", "zh")
    language.use("zh")
    yield
    language.use("en")
