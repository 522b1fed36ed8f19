"""Words are English here, whatever the locale of whoever runs these tests; what cannot be skipped is not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ..grader.conftest import pytest_runtest_setup  # noqa: F401  (the same rule for what is missing)
from ..grader.pages.conftest import browser, opened  # noqa: F401  (the same browser)
from .blocks import ROOT


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built anew with warnings as errors."""
    out = tmp_path_factory.mktemp("site")
    words = ["-W", "--keep-going", "-q", "-b", "html", "-d", out / "trees", ROOT / "docs", out / "html"]
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", *words], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"the site is not built without warnings:\n{done.stderr}"
    return out / "html"
