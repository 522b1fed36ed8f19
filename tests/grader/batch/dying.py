"""A function that is killed between two operations on files: in a fork of the tests, by a real SIGKILL."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

OPERATIONS = ("replace", "unlink", "mkdir", "rmdir", "fsync")


def killed_at(n: int, function: Callable[[], object]) -> bool:
    """Run it in a fork that dies before its n-th operation; False if it ended before that."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            _die_at(n)
            function()
            code = 0
        finally:
            os._exit(code)
    status = os.waitpid(child, 0)[1]
    assert status in (0, signal.SIGKILL), f"ended with {status}"
    return status == signal.SIGKILL


def _die_at(n: int) -> None:
    calls = [0]

    def counted(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            calls[0] += 1
            if calls[0] == n:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*args, **kwargs)

        return call

    for name in OPERATIONS:
        setattr(os, name, counted(getattr(os, name)))


def tree(out: Path) -> dict[str, object]:
    """Every file, and the history without its times."""
    files = (path for path in sorted(out.rglob("*")) if path.is_file() and path.name != ".lock")
    return {str(path.relative_to(out)): _content(path) for path in files}


def _content(path: Path) -> object:
    if path.parent.name == "history":
        return [{**entry, "when": ""} for entry in json.loads(path.read_bytes())]
    return path.read_bytes()
