"""Turn whatever the student's code raised into plain data: a check's code, values, and the student's own frames."""

from __future__ import annotations

import errno
import linecache
import traceback
from collections import deque
from collections.abc import Iterator
from types import FrameType, TracebackType
from typing import Any

from .near import meant
from .places import PACKAGE_PREFIX, file_of, place
from .shapes import shapes_in

STUB_MARK = ": write the body"  # in the stub's own NotImplementedError
NO_MORE_THREADS = "can't start new thread"
# What the walls and limits of the process answer (files, descriptors, connections, programs).
OFF_LIMITS = (errno.EPERM, errno.EACCES, errno.EROFS, errno.EFBIG, errno.ENOSPC, errno.EMFILE, errno.ENFILE)
MAX_FRAMES, MAX_MESSAGE = 6, 1000


def describe(error: BaseException, importing: str | None = None) -> dict[str, Any]:
    """The failure as `code`, `values`, `frames`. `importing`: the file whose import raised."""
    text = _text(error)
    frames = _with_shapes(student_frames(error.__traceback__), error)
    if isinstance(error, NotImplementedError) and STUB_MARK in text:
        return _failure("not_started", {"task": text.partition(STUB_MARK)[0]}, frames)
    if type(error).__name__ == "BdbQuit":  # by its name: bdb is loaded by no one else
        return _failure("breakpoint", {}, frames)
    if isinstance(error, MemoryError) or "can't allocate memory" in text:
        return _failure("memory", {}, frames)
    if isinstance(error, RuntimeError) and NO_MORE_THREADS in text:
        return _failure("too_many_threads", {}, frames)
    if isinstance(error, OSError) and error.errno in OFF_LIMITS:
        return _failure("off_limits", {"etype": type(error).__name__[:80], "text": text}, frames)
    if isinstance(error, SyntaxError) and str(error.filename).startswith(PACKAGE_PREFIX):
        return _failure(
            "syntax_error", {"file": file_of(str(error.filename)), "text": str(error.msg)}, [_syntax_frame(error)]
        )
    values = {"etype": type(error).__name__[:80], "text": text + meant(error, _raised_in(error))}
    if importing is not None:
        return _failure("import_failed", {"file": file_of(f"{PACKAGE_PREFIX}{importing}.py"), **values}, frames)
    return _failure("raised", values, frames)


def student_frames(tb: TracebackType | None) -> list[dict[str, Any]]:
    """The frames of the submission's own files, outermost first, at most the last few."""
    frames = [f for f in traceback.extract_tb(tb) if f.filename.startswith(PACKAGE_PREFIX)]
    return [_frame(f.filename, f.lineno or 0, f.name) for f in frames[-MAX_FRAMES:]]


def _with_shapes(frames: list[dict[str, Any]], error: BaseException) -> list[dict[str, Any]]:
    """The last own line comes with the shapes of its tensors, where an operation of torch may have failed on them."""
    own = [tb for tb in _tracebacks(error) if tb.tb_frame.f_code.co_filename.startswith(PACKAGE_PREFIX)]
    shapes = shapes_in(error, own[-1]) if own else []
    return [*frames[:-1], {**frames[-1], "shapes": shapes}] if shapes else frames


def _tracebacks(error: BaseException) -> Iterator[TracebackType]:
    tb = error.__traceback__
    while tb is not None:
        yield tb
        tb = tb.tb_next


def _raised_in(error: BaseException) -> FrameType | None:
    """The student's own frame, if the error comes straight out of it."""
    last = next(iter(deque(_tracebacks(error), maxlen=1)), None)
    own = last is not None and last.tb_frame.f_code.co_filename.startswith(PACKAGE_PREFIX)
    return last.tb_frame if last is not None and own else None


def _frame(filename: str, line: int, function: str) -> dict[str, Any]:
    source = linecache.getline(filename, line).strip()[:200]
    file, line = place(filename, line)
    return {"file": file, "line": line, "function": function[:80], "source": source}


def _syntax_frame(error: SyntaxError) -> dict[str, Any]:
    return _frame(str(error.filename), error.lineno or 0, "")


def _text(error: BaseException) -> str:
    try:
        return str(error)[:MAX_MESSAGE]
    except BaseException:  # the student's own __str__ may raise anything
        return "(its message could not be read)"


def _failure(code: str, values: dict[str, Any], frames: list[dict[str, Any]]) -> dict[str, Any]:
    return {"code": code, "values": values, "frames": frames}
