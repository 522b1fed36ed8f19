"""An end to what may never end in this process: two edits of a reference that are harmless each by itself."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

SECONDS = 20.0  # of computing time; a case takes some hundredths


class Endless(BaseException):
    """No Exception: that would pass for an answer."""


@contextmanager
def at_most(seconds: float = SECONDS) -> Iterator[None]:
    """Raises Endless after so much computing time, whatever else the machine does. In the main thread only."""

    def ring(number: int, frame: FrameType | None) -> None:
        raise Endless

    before = signal.signal(signal.SIGVTALRM, ring)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
