"""The files that platforms read fit the schemas that these publish, which check-jsonschema carries: no network."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from .imitation import ROOT

GITHUB = ROOT / ".github"
FORMS = GITHUB / "ISSUE_TEMPLATE"
SCHEMAS = {
    "github-workflows": sorted((GITHUB / "workflows").glob("*.yml")),
    "github-actions": [ROOT / "action.yml"],
    "gitlab-ci": [ROOT / "ci" / "gitlab.yml"],
    "github-issue-forms": sorted(FORMS.glob("[0-9]*.yml")),
    "github-issue-config": [FORMS / "config.yml"],
}
FAULTS = {
    "github-workflows": ("runs-on:", "run-on:"),
    "github-actions": ("using:", "uses:"),
    "gitlab-ci": ("expire_in:", "expires_in:"),
    "github-issue-forms": ("attributes:", "attribute:"),
    "github-issue-config": ("blank_issues_enabled: ", "blank_issues_enabled: not "),
}  # a slip of the pen in each, as one makes them
PAGE = (ROOT / "docs" / "start-ci.md").read_text("utf-8")
BLOCKS = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
RECIPES = [text for text in BLOCKS if "jobs" in yaml.safe_load(text)]


def validated(schema: str, *paths: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}"]
    return subprocess.run([*command, *map(str, paths)], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("schema", SCHEMAS)
def test_a_ready_file_fits_its_schema(schema: str) -> None:
    done = validated(schema, *SCHEMAS[schema])
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("schema", SCHEMAS)
def test_a_slip_of_the_pen_is_seen(schema: str, tmp_path: Path) -> None:
    right, wrong = FAULTS[schema]
    text = SCHEMAS[schema][-1].read_text("utf-8")
    assert right in text
    path = tmp_path / "file.yml"
    path.write_text(text.replace(right, wrong, 1), "utf-8")
    assert "Schema validation errors" in validated(schema, path).stdout


@pytest.mark.parametrize("recipe", RECIPES, ids=["called", "classroom"])
def test_a_recipe_of_the_page_is_a_workflow(recipe: str, tmp_path: Path) -> None:
    path = tmp_path / "recipe.yml"
    path.write_text(recipe, "utf-8")
    done = validated("github-workflows", path)
    assert done.returncode == 0, done.stdout + done.stderr
