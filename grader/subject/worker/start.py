"""How a zygote begins: it says whether a subject can be locked in by the plan it is sent, and then loads torch."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import site
import socket
import sys
from pathlib import Path
from typing import Any

from .confine import Confinement, become, rehearse
from .kernel import libc, namespaces


def main() -> None:
    """As a program. Arguments: the control socket's descriptor; in bubblewrap also a user to become, or -."""
    control = socket.socket(fileno=int(sys.argv[1]))
    user = sys.argv[2:]
    sys.argv[:] = [""]
    os.chdir("/")
    if user:
        _move_in(control, user[0])
    if sys.flags.no_site:  # what `site` adds for people: exit, quit, help
        site.setquit()
        site.setcopyright()
        site.sethelper()
    serve(control)


def _move_in(control: socket.socket, user: str) -> None:
    """Nobody special outside, and master of namespaces of one's own, where subjects get theirs. Goes on in a fork."""
    if user != "-":
        become(int(user))
    namespaces.unshare_user(namespaces.NEWPID)
    pid = os.fork()
    if pid:
        control.close()
        os._exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) & 0xFF)
    libc.die_with_parent()


def serve(control: socket.socket, many: bool = True) -> None:
    """Wait for a plan that works, then fork subjects until the socket is closed. `many`: see zygote.run."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # whoever started us may not wait for children; we do
    confinement = None
    while confinement is None:
        message = control.recv(1 << 18)
        if not message:
            return
        confinement = answer(control, json.loads(message))
    from . import zygote

    zygote.warm_up()
    _forget_ours()
    zygote.run(control, confinement, many)


def _forget_ours() -> None:
    """From here on nothing of the grader can be imported by name. All that is needed has been."""
    package = str(__package__).split(".")
    place = str(Path(__file__).parents[len(package)])
    if not Path(place, "torch").exists():
        sys.path[:] = [path for path in sys.path if path != place]
        sys.path_importer_cache.pop(place, None)
    for name in [name for name in sys.modules if name.split(".")[0] == package[0]]:
        del sys.modules[name]
    if importlib.util.find_spec(package[0]):  # installed
        sys.modules[package[0]] = None  # type: ignore[assignment]  # how Python is told that there is none


def answer(control: socket.socket, message: dict[str, Any]) -> Confinement | None:
    """The confinement of a plan; None, and the reason goes to the other side, when the kernel refuses it."""
    try:
        confinement = Confinement(message["plan"])
        problem = rehearse(confinement, message["limits"])
    except OSError as error:
        problem = str(error)
    control.send(json.dumps({"problem": problem}).encode())
    return None if problem else confinement
