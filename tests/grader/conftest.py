"""Shared by the tests of the harness: skips that are visible, and an error where nothing may be skipped."""

from __future__ import annotations

import os
import shutil

import pytest


def pytest_runtest_setup(item: pytest.Item) -> None:
    for mark in item.iter_markers("needs"):
        if shutil.which(mark.args[0]) is None:
            text = f"{mark.args[0]} is not installed"
            if os.environ.get("GRADER_SKIP_NOTHING"):
                pytest.fail(f"{text}, and GRADER_SKIP_NOTHING is set")
            pytest.skip(text)
