"""One batch at a time per folder of results."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from grader.errors import UsageError

LOCK = ".lock"


@contextmanager
def one_batch(out: Path) -> Iterator[None]:
    """Make `out`, and keep every other batch away from it. The lock ends with the process, however that ends."""
    shown = repr(str(out))
    try:
        out.mkdir(parents=True, exist_ok=True)
        lock = FileLock(out / LOCK, timeout=0)
        lock.acquire()
    except Timeout:
        raise UsageError(f"Another batch is writing to {shown}: wait for its end, or choose another folder.") from None
    except (OSError, NotImplementedError) as error:  # the second: a file system without locks
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"No batch can write to {shown} ({reason}): choose another folder.") from error
    try:
        yield
    finally:
        lock.release()
