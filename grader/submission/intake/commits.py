"""When a clone was last committed to, without obeying a word of what the student wrote into it.

`git` in a stranger's clone does what its config says, programs to start included. So git is given an empty repository
of ours, and only the objects of theirs.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from datetime import datetime, timedelta, timezone
from pathlib import Path

from grader.submission.files import Unreadable, bytes_of

SECONDS = 10
_LIMIT = 1 << 20
_SHA = re.compile(r"[0-9a-f]{40}")
_BRANCH = re.compile(r"refs/heads/(?!.*\.\.)[\w./+-]+")
_COMMITTER = re.compile(rb"^committer .*> (\d{1,12}) ([+-])(\d\d)(\d\d)$", re.MULTILINE)


def last_commit(clone: Path) -> str | None:
    """ISO 8601 with the committer's offset; None if it cannot be read. It is the clock of whoever committed."""
    sha = _head(clone / ".git")
    commit = _object(clone / ".git", sha) if sha else b""
    match = _COMMITTER.search(commit.partition(b"\n\n")[0])
    if match is None:
        return None
    offset = timedelta(hours=int(match[3]), minutes=int(match[4])) * (-1 if match[2] == b"-" else 1)
    try:
        return datetime.fromtimestamp(int(match[1]), timezone(offset)).isoformat()
    except (ValueError, OverflowError, OSError):
        return None


def _head(git: Path) -> str:
    """The id of the commit that is checked out."""
    head = _text(git / "HEAD")
    branch = head.removeprefix("ref: ")
    if branch == head:
        return head if _SHA.fullmatch(head) else ""
    if not _BRANCH.fullmatch(branch):
        return ""
    loose = _text(git / branch)
    packed = (line.split(" ", 1) for line in _text(git / "packed-refs").splitlines() if " " in line)
    sha = loose or next((sha for sha, name in packed if name == branch), "")
    return sha if _SHA.fullmatch(sha) else ""


def _text(path: Path) -> str:
    try:
        return bytes_of(path, _LIMIT).decode("ascii", "replace").strip()
    except (OSError, Unreadable):
        return ""


def _object(git: Path, sha: str) -> bytes:
    """What git knows of it, asked from a folder and a repository of our own."""
    with tempfile.TemporaryDirectory() as folder:
        own = Path(folder)
        (own / "objects").mkdir()
        (own / "refs").mkdir()
        (own / "HEAD").write_text("ref: refs/heads/none\n")
        environment = {
            "PATH": os.environ.get("PATH", os.defpath), "GIT_DIR": folder, "GIT_OBJECT_DIRECTORY": str(git / "objects"),
            "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_NO_LAZY_FETCH": "1", "LC_ALL": "C",
        }  # fmt: skip
        try:
            done = subprocess.run(
                ["git", "cat-file", "commit", sha],
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=SECONDS,
                check=False,
            )
        except (OSError, subprocess.SubprocessError):
            return b""
    return done.stdout if done.returncode == 0 else b""
