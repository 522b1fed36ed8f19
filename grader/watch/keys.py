"""Keys of a terminal, one at a time and without Enter."""

from __future__ import annotations

import contextlib
import os
import select
import sys
from collections.abc import Iterator

from grader.errors import UsageError

QUIT = "q"


class Keys:
    """`read` waits for a key, but not for long."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def read(self, seconds: float) -> str | None:
        """The next key, None if none was pressed in time, QUIT when the terminal is gone."""
        if not select.select([self._descriptor], [], [], seconds)[0]:
            return None
        data = os.read(self._descriptor, 64)
        return data.decode("utf-8", "replace")[0] if data else QUIT


@contextlib.contextmanager
def of_terminal() -> Iterator[Keys]:
    """The terminal this process runs in, as it was afterwards. UsageError without one."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("`grade watch` needs a terminal to show verdicts in; `grade NAME` grades once, anywhere.")
    import termios
    import tty

    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    try:
        tty.setcbreak(descriptor)
        yield Keys(descriptor)
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
