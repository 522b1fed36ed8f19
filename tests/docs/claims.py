"""Blocks that are data are what they claim to be: the grader itself reads them."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from grader.batch import overrides
from grader.catalogue.bugs import load_bugs
from grader.catalogue.config import chosen, read_config
from grader.catalogue.home import home_at
from grader.catalogue.load import load_course, load_exercise

from .blocks import ROOT

DATA = ("toml", "json", "yaml")


def check(kind: str, text: str, repository: Path) -> str:
    """What the block is; "" if it is well formed and claims nothing that is known here. Raises where it is wrong."""
    if kind == "yaml":
        return _yaml(yaml.safe_load(text))
    if kind == "json":
        return _json(json.loads(text))
    return _toml(tomllib.loads(text), text, repository)


def _yaml(data: dict[str, Any]) -> str:
    """A workflow, or steps of one, that use ours with inputs that these take."""
    jobs = list(data.get("jobs", {}).values())
    used = [use for part in [data, *jobs] for use in [part, *part.get("steps", [])]]
    ours = [use for use in used if use.get("uses", "").startswith("OWNER/COURSE")]
    for use in ours:
        path = use["uses"].removeprefix("OWNER/COURSE").partition("@")[0].strip("/") or "action.yml"
        tree = yaml.safe_load((ROOT / path).read_text("utf-8"))
        on = tree.get(True, {})  # YAML reads `on` so
        taken = tree["inputs"] if "inputs" in tree else on["workflow_call"]["inputs"]
        assert set(use.get("with", {})) <= set(taken), f"{path} takes {sorted(taken)}"
    return "a workflow" if ours else ""


def _json(data: Any) -> str:
    if not isinstance(data, dict) or "exercises" not in data:
        return ""
    jsonschema.validate(data, json.loads((ROOT / "docs" / "results.schema.json").read_text("utf-8")))
    return "results.json"


def _toml(data: dict[str, Any], text: str, repository: Path) -> str:
    course = load_course(repository, configured=False)
    if "tasks" in data:
        path = repository / "solutions" / "sample.toml"
        path.write_text(text, "utf-8")
        load_exercise(path)
        path.unlink()
        return "solutions/NAME.toml"
    if "bugs" in data:
        name = course.tasks[data["bugs"][0]["task"]]
        (repository / "solutions" / f"{name}.bugs.toml").write_text(text, "utf-8")
        assert len(load_bugs(course, course.exercise(name))) == len(data["bugs"])
        return "solutions/NAME.bugs.toml"
    if "grade" in data.get("tool", {}):
        (repository / "pyproject.toml").write_text(text, "utf-8")
        assert chosen(course, read_config(repository)).graded
        return "[tool.grade]"
    if "overrides" in data:
        path = repository / overrides.FILE
        path.write_text(text, "utf-8")
        students = {entry["student"] for entry in data["overrides"]} | set(data.get("extensions", {}))
        assert overrides.read(path, students, course.names, must_exist=True).overrides
        return overrides.FILE
    if "course" in data:
        folder = repository / "sample"
        folder.mkdir(exist_ok=True)
        (folder / "grade.toml").write_text(text, "utf-8")
        assert home_at(folder) is not None
        return "grade.toml"
    return ""
