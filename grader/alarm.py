"""An end to what takes too long in this process: an exception, wherever the main thread is then."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def alarm(seconds: float, error: type[BaseException], *, computing: bool = False) -> Iterator[None]:
    """Raises `error` after so many seconds, or after so much `computing` time, which the machine's load is not in."""
    timer, number = (signal.ITIMER_VIRTUAL, signal.SIGVTALRM) if computing else (signal.ITIMER_REAL, signal.SIGALRM)

    def ring(number: int, frame: FrameType | None) -> None:
        raise error

    before = signal.signal(number, ring)
    signal.setitimer(timer, seconds)
    try:
        yield
    finally:
        signal.setitimer(timer, 0)
        signal.signal(number, before)
