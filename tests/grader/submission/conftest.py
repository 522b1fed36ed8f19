"""A class of submissions on disk, and a way to meet a folder without the rights of root."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

NAMES = ["attention", "encoder", "encoding", "positional_encoding"]


@pytest.fixture
def names() -> list[str]:
    return NAMES


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """write("ada/attention.py", b"x = 1") makes the file below tmp_path, with its folders."""

    def make(path: str, data: bytes = b"x = 1\n") -> Path:
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        return file

    return make


@pytest.fixture
def without_rights() -> Iterator[Path]:
    """A folder where chmod counts: it is reachable for everyone, and root becomes nobody for the length of the test."""
    if not hasattr(os, "geteuid"):
        pytest.skip("this system has no POSIX rights")
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o777)
    was_root = os.geteuid() == 0
    if was_root:
        os.seteuid(65534)
    yield folder
    if was_root:
        os.seteuid(0)
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o777)
    shutil.rmtree(folder)
