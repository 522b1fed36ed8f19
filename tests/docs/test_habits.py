"""The forge's forms and the hooks of a commit are well formed and ask for what exists."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
import yaml

from . import names
from .blocks import ROOT

FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("[0-9]*.yml"))
KINDS = {"markdown", "input", "textarea", "dropdown", "checkboxes"}


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_a_form_has_what_the_forge_wants(path: Path) -> None:
    form = yaml.safe_load(path.read_text("utf-8"))
    assert set(form) == {"name", "description", "labels", "body"}
    fields = [field for field in form["body"] if field["type"] != "markdown"]
    assert {field["type"] for field in form["body"]} <= KINDS
    assert len({field["id"] for field in fields}) == len(fields)
    assert all(field["attributes"]["label"] for field in fields)
    assert any(field.get("validations", {}).get("required") for field in fields)


def test_both_kinds_of_wrong_verdict_have_a_form() -> None:
    assert [path.stem for path in FORMS] == ["1-right-code-fails", "2-wrong-code-passes", "3-bug", "4-idea"]


@pytest.mark.parametrize("path", [*FORMS, ROOT / ".github" / "pull_request_template.md"], ids=lambda path: path.name)
def test_commands_in_forms_exist(path: Path) -> None:
    for call in names.calls_of_grade(path):
        assert names.command_of(call.split()[1:]) is not None, call


def test_hooks_are_the_tools_of_the_environment() -> None:
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))
    assert [repo["repo"] for repo in config["repos"]] == ["local"]
    hooks = config["repos"][0]["hooks"]
    assert {hook["language"] for hook in hooks} == {"system"}
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]["dev"]
    for program, *rest in (hook["entry"].split() for hook in hooks):
        if program == "grade":
            command, options = names.command_of(rest) or pytest.fail(f"grade {rest} is no command")
            assert set(options) <= names.options_of(command)
        else:
            assert any(line.startswith(program) for line in extras), program


def test_hooks_ask_what_make_lint_asks() -> None:
    lint = (ROOT / "Makefile").read_text("utf-8").partition("\nlint:")[2].partition("\n\n")[0]
    hooks = (ROOT / ".pre-commit-config.yaml").read_text("utf-8")
    for tool in ("ruff check", "ruff format", "mypy"):
        assert tool in lint
        assert f"entry: {tool}" in hooks
