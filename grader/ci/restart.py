"""Start again with a clean environment, so that no token of the platform's is in any process of ours.

A process's first environment stays readable in /proc as long as it lives, whatever it deletes later. What the platform
said travels through a pipe, which is read once: not even the names of its files are left for a submission to find.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, MutableMapping
from typing import NoReturn

import msgspec

from grader.ci.settings import Settings
from grader.run.launch import KEPT, PACKAGE_PARENT

CHANNEL = "GRADE_CI_CHANNEL"  # the number of the pipe's descriptor
SHOWN = ("NO_COLOR", "TERM")


def again(settings: Settings) -> NoReturn:
    """Replace this process."""
    reader, writer = os.pipe()
    with os.fdopen(writer, "wb") as stream:  # a few hundred bytes, and a pipe holds 64 KiB
        stream.write(msgspec.json.encode(settings))
    os.set_inheritable(reader, True)
    sys.stdout.flush()
    sys.stderr.flush()
    os.chdir("/")  # nothing is ever looked for where the student's files are
    arguments = [sys.executable, "-P", "-m", "grader.cli.main", "--lang", settings.language, "ci"]
    os.execve(sys.executable, arguments, {**clean(os.environ), CHANNEL: str(reader)})


def received(environ: MutableMapping[str, str]) -> Settings | None:
    """What the process before this one was told; None in the first."""
    number = environ.pop(CHANNEL, None)
    if number is None:
        return None
    with os.fdopen(int(number), "rb") as stream:
        return msgspec.json.decode(stream.read(), type=Settings)


def clean(environ: Mapping[str, str]) -> dict[str, str]:
    """What finds files and words; all else is left behind."""
    kept = {name: environ[name] for name in (*KEPT, *SHOWN) if name in environ}
    return {**kept, "PYTHONPATH": str(PACKAGE_PARENT), "PYTHONDONTWRITEBYTECODE": "1"}
