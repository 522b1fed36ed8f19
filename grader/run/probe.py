"""The self-test: let a real subject try what must not work there, and look from outside too."""

from __future__ import annotations

import contextlib
import itertools
import os
import socket
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from grader.run import launch
from grader.subject.limits import Limits
from grader.subject.remote import Remote

SOME = 3  # files of each folder are tried


def measure(subject: Remote, secrets: Sequence[Path], folders: Sequence[Path]) -> dict[str, bool]:
    """What holds in `subject`, which is used up by this. `secrets` must not open, `folders` not be written to."""
    with contextlib.closing(subject), _listener() as listener:
        features: dict[str, bool] = subject.ask(
            "probe",
            what="the self-test",
            limit=Limits().for_process(),
            hidden=[str(path) for path in (Path(__file__), *secrets, *_private_files())],
            folders=[str(path) for path in (*folders, *_private_folders())],
            port=listener.getsockname()[1] if listener else 0,
            pids=[os.getpid(), os.getppid()],
            names=sorted(launch.warm_environment()),
        )
        return {**features, "network": features["network"] and not _somebody_came(listener)}


@contextlib.contextmanager
def _listener() -> Iterator[socket.socket | None]:
    """On the loopback; None where there is none."""
    try:
        server = socket.create_server(("127.0.0.1", 0))
    except OSError:
        yield None
        return
    with server:
        server.setblocking(False)
        yield server


def _somebody_came(listener: socket.socket | None) -> bool:
    if listener is None:
        return False
    try:
        listener.accept()[0].close()
    except BlockingIOError:
        return False
    return True


def _private_folders() -> list[Path]:
    return [Path(name) for name in (os.path.expanduser("~"), tempfile.gettempdir()) if os.path.isdir(name)]


def _private_files() -> Iterator[Path]:
    """Files in them that this process can read, a few."""
    for folder in _private_folders():
        with contextlib.suppress(OSError):
            readable = (path for path in folder.iterdir() if path.is_file() and os.access(path, os.R_OK))
            yield from itertools.islice(readable, SOME)
