"""A real dask scheduler and two worker processes, for one module."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[4]


@dataclass
class Machines:
    scheduler: Path  # the file in which it says where it is
    workers: list[subprocess.Popen[bytes]]

    def kill_one(self) -> None:
        worker = self.workers.pop()
        worker.send_signal(signal.SIGKILL)
        worker.wait()


@pytest.fixture
def machines(tmp_path: Path) -> Iterator[Machines]:
    """Killed at the end; two workers have one thread each."""
    file = tmp_path / "scheduler.json"
    with ExitStack() as stack:
        stack.enter_context(_process("scheduler", "--scheduler-file", file, "--port", 0, "--host", "127.0.0.1"))
        _until(file)
        single = ("--nthreads", 1, "--no-nanny", "--local-directory", tmp_path)
        workers = [stack.enter_context(_process("worker", "--scheduler-file", file, *single)) for _ in range(2)]
        yield Machines(file, workers)


@contextmanager
def _process(kind: str, *options: object) -> Iterator[subprocess.Popen[bytes]]:
    module = f"distributed.cli.dask_{kind}"
    command = [sys.executable, "-P", "-m", module, "--no-dashboard", *map(str, options)]
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ | {"PYTHONPATH": str(ROOT)}
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def _until(file: Path) -> None:
    for _ in range(600):
        if file.is_file() and file.read_bytes().strip() and "address" in json.loads(file.read_text("utf-8")):
            return
        time.sleep(0.1)
    raise AssertionError("the scheduler did not start within a minute")
