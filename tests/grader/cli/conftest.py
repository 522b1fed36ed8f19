"""A course to call `grade` in."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from .calling import TOY


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """A fresh copy of the toy course, with stubs."""
    shutil.copytree(TOY, tmp_path / "toy", ignore=shutil.ignore_patterns(".grade", "__pycache__"))
    return tmp_path / "toy"
