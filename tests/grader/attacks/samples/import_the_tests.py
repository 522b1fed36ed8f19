"""Imports whatever a grader could have on its path: suites, references, test tools, the harness itself."""

# expect: wrong_value
# probe: False

import importlib
import sys

import torch

NAMES = (
    "conftest", "test_softmax", "tests", "solutions", "solutions.softmax", "reference", "answers", "standins",
    "grader", "grader.run.engine", "grader.results.codes", "worker", "pytest", "_pytest", "hypothesis",
)  # fmt: skip


def softmax(x):
    return torch.zeros_like(x)


def probe():
    found = [name for name in NAMES if sys.modules.get(name)]
    for name in NAMES:
        try:
            found.append(importlib.import_module(name).__name__)
        except (ImportError, PermissionError):
            continue
    return {"hit": bool(found), "seen": str(found)}
