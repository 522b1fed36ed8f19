"""Two ways to get a zygote, the process that subjects are forked from: by fork, and by exec.

By fork when this process holds nothing but torch yet: one torch import serves both sides. By exec otherwise.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from grader.subject.limits import Limits
from grader.subject.process import SubjectProcess
from grader.subject.remote import Remote

Launcher = Callable[[Limits], Remote]


def forked_zygote() -> Launcher:
    """Fork the zygote off this process. Call it before any suite or reference is loaded."""
    from grader.subject.worker import zygote
    from grader.subject.worker.limits import die_with_parent

    zygote.warm_up()
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    if os.fork() == 0:
        try:
            ours.close()
            die_with_parent()
            os.setsid()
            zygote.run(theirs)
        finally:
            os._exit(0)
    theirs.close()
    return _launcher(ours)


def exec_zygote() -> Launcher:
    """Start the zygote as a fresh interpreter that imports torch for itself."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    code = (
        "import socket, sys; from grader.subject.worker import zygote; "
        "zygote.warm_up(); zygote.run(socket.socket(fileno=int(sys.argv[1])))"
    )
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", code, str(theirs.fileno())],
        pass_fds=[theirs.fileno()],
        stdin=subprocess.DEVNULL,
        env=warm_environment(),
        start_new_session=True,
    )
    theirs.close()
    launcher = _launcher(ours)
    launcher.process = process  # type: ignore[attr-defined]  # kept alive as long as the launcher
    return launcher


def warm_environment() -> dict[str, str]:
    """For processes that import torch and are forked later: one thread, fixed hashes, no foreign pytest plugins."""
    package_parent = str(Path(__file__).resolve().parents[2])
    return {
        **os.environ,
        "PYTHONPATH": package_parent,
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "HYPOTHESIS_STORAGE_DIRECTORY": os.devnull,  # nothing is stored, and nothing can be
        "TORCHINDUCTOR_CACHE_DIR": os.sep,  # torch makes this folder when it is imported; this one is there
        "CUDA_VISIBLE_DEVICES": "",
        "OMP_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }


def _launcher(control: socket.socket) -> Launcher:
    def launch(limits: Limits) -> Remote:
        return Remote(SubjectProcess(control, limits), limits)

    return launch


def can_fork() -> bool:
    """Whether this system has what the warm processes need."""
    return hasattr(os, "fork") and hasattr(os, "pidfd_open") and hasattr(socket, "AF_UNIX")
