"""The loop of the student's process: read a request, do it, answer. Started after the process has been restricted."""

from __future__ import annotations

import difflib
import importlib
import socket
import sys
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any

import torch

from . import probe, wire
from .actor import Actor
from .failures import describe
from .importer import PACKAGE, Sources, SubmissionImporter, file_label
from .places import file_of
from .values import Given, WireError
from .watch import prepare, watch
from .weights import StructureError


class Session:
    """One exercise of one submission."""

    def __init__(self) -> None:
        self.actor: Actor | None = None

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """The reply to one request; an exception of the student's code is part of it."""
        try:
            if request["op"] == "import":
                self.start(**request["fields"])
                return {"ok": True, "value": None}
            if request["op"] == "probe":
                return {"ok": True, "value": probe.run(**request["fields"])}
            assert self.actor is not None, "the first request is an import"
            return {"ok": True, "value": self.actor.do(request["op"], request["seed"], request["fields"])}
        except StructureError as error:
            return {"ok": False, "code": error.code, "values": error.values, "frames": []}
        except BaseException as error:  # SystemExit and KeyboardInterrupt are the student's too
            importing = request["fields"]["exercise"] if request["op"] == "import" else None
            return {"ok": False, **describe(error, importing)}

    def start(
        self,
        exercise: str,
        sources: dict[str, Any],
        rebind: list[str],
        own: list[str],
        tasks: list[str],
        watched: list[str],
    ) -> None:
        texts = {key: {name: data.decode() for name, data in sources[key].items()} for key in ("files", "given")}
        importer = SubmissionImporter(Sources(**{**sources, **texts}))
        importer.install()
        prepare(watched)
        module = importlib.import_module(f"{PACKAGE}.{exercise}")
        if watched:
            watch(watched)
        for task in rebind:
            if _takes_stand_in(module, task, own=task in own):
                setattr(module, task, importer.standins[task])

        def find(task: str) -> Any:
            if hasattr(module, task):
                return getattr(module, task)
            near = difflib.get_close_matches(task, [n for n in vars(module) if not n.startswith("_")], 1)
            hint = f" The nearest name in it is {near[0]}." if near else ""
            raise StructureError("missing_name", file=file_of(file_label(exercise)), name=task, near=hint)

        self.actor = Actor(find, frozenset(tasks), file_label(exercise))


def _takes_stand_in(module: ModuleType, task: str, own: bool) -> bool:
    """Not a module of that name (`from exercises import attention`), nor a helper function the file itself defines."""
    value = getattr(module, task, None)
    helper = isinstance(value, FunctionType) and value.__module__ == module.__name__ and not own
    return not (isinstance(value, ModuleType) or helper)


def loop(channel: socket.socket) -> None:
    """Until the other side closes the channel."""
    session = Session()
    stream = channel.makefile("rb", buffering=1 << 16)
    while True:
        head = _exactly(stream, wire.HEAD.size)
        if head is None:
            return
        header, body = wire.lengths(head)
        raw_header, raw_body = _exactly(stream, header), _exactly(stream, body)
        if raw_header is None or raw_body is None:
            return
        number = wire.number_of(head)
        request = wire.unpack(raw_header, raw_body, trusted=MAKERS)
        reply = session.answer(request)
        _flush()
        channel.sendall(_packed(reply, number))


def _packed(reply: dict[str, Any], number: bytes) -> bytes:
    try:
        return wire.pack(reply, number)
    except WireError as error:
        problem = {"ok": False, "code": "result_too_large", "values": {"problem": str(error)}, "frames": []}
        return wire.pack(problem, number)
    except BaseException as error:
        return wire.pack({"ok": False, **describe(error)}, number)


def _exactly(stream: Any, size: int) -> bytes | None:
    parts, left = [], size
    while left:
        part = stream.read(min(left, 1 << 20))
        if not part:
            return None
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BaseException:  # the student may have closed or replaced it
            continue


def _model_args(fields: dict[str, Any]) -> Any:
    return importlib.import_module(f"{PACKAGE}.model_args").ModelArgs(**fields)


def _generator(seed: int) -> Any:
    return torch.Generator().manual_seed(seed)


MAKERS: dict[str, Callable[[Any], Any]] = {
    "args": _model_args,
    "gen": _generator,
    "given": lambda items: Given(items[0], tuple(items[1:])),
}
