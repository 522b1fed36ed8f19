"""What runs on a worker: one warm engine, started with the first submission and kept for the next ones.

Called by dask in threads of the worker; everything crosses as bytes of ours, so that no worker unpickles a result.
"""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
import threading
from concurrent.futures import Future
from pathlib import Path

from grader.batch.cluster.kit import Kit, unpack
from grader.batch.job import Job
from grader.catalogue.load import load_course
from grader.results.schema import Environment, Isolation
from grader.results.store import dump
from grader.run.engine import Engine


class Warm:
    """An engine in a thread of its own: it ends with the thread that started it, and dask's threads come and go."""

    def __init__(self, kit: Kit) -> None:
        self.key = kit.key
        self._kit = kit
        self._end = threading.Event()
        self._engine: Future[Engine] = Future()
        self._thread = threading.Thread(target=self._live, daemon=True, name="grade engine")
        self._thread.start()

    @property
    def engine(self) -> Engine:
        """Raises what kept it from starting."""
        return self._engine.result()

    def close(self) -> None:
        self._end.set()
        self._thread.join()

    def _live(self) -> None:
        try:
            with tempfile.TemporaryDirectory(prefix="grade-course-", dir=_scratch()) as folder:
                unpack(self._kit, Path(folder))
                course = load_course(Path(folder), configured=self._kit.configured)
                running = Engine(
                    course, self._kit.exercises, salt=self._kit.salt, isolation=self._kit.isolation, others=True
                )
                with running as engine:
                    engine.ready()
                    self._engine.set_result(engine)
                    self._end.wait()
        except BaseException as error:
            with contextlib.suppress(Exception):  # it was ready, and its end failed
                self._engine.set_exception(error)


def _scratch() -> str | None:
    """The worker's own folder: what one that was killed leaves there, dask removes when the next one starts."""
    import distributed

    try:
        return str(distributed.get_worker().local_directory)
    except ValueError:  # this is no worker
        return None


_lock = threading.Lock()
_warm: Warm | None = None


def warm(kit: Kit) -> Engine:
    """The engine of this kit. The one of an earlier batch is ended: a worker serves one course at a time."""
    global _warm
    with _lock:
        if _warm is None or _warm.key != kit.key:
            if _warm is not None:
                _warm.close()
            _warm = Warm(kit)
        found = _warm
    return found.engine


async def ready(kit: Kit) -> tuple[Environment, Isolation]:
    """What this worker grades with, once its engine is loaded. Loading takes seconds, in which the worker answers."""
    engine = await asyncio.to_thread(warm, kit)
    environment = engine.ready()
    assert engine.isolation is not None, "known once the engine is ready"
    return environment, engine.isolation


def grade(kit: Kit, job: Job) -> bytes:
    """results.json of one job. A failure of our own ends the engine, so that the next call starts a new one."""
    try:
        return dump(warm(kit).grade(job.submission, job.exercises, failed=job.failed))
    except Exception:
        close(kit.key)
        raise


def close(key: str) -> None:
    """End the engine of this key, if it is still there."""
    global _warm
    with _lock:
        ended, _warm = (_warm, None) if _warm is not None and _warm.key == key else (None, _warm)
    if ended is not None:
        ended.close()
