"""Requests to a subject process, under limits. Whatever it does ends in an answer or in one of our own exceptions."""

from __future__ import annotations

import contextlib
import os
import secrets
import select
import signal
import time
from collections import deque
from typing import Any

from grader.language import N_
from grader.results.codes import CODES
from grader.subject.failure import CheckFailed, NotStarted, SubjectLost
from grader.subject.limits import MEGABYTE, WALL_FACTOR, Limits
from grader.subject.process import SubjectProcess
from grader.subject.worker import wire
from grader.subject.worker.values import WireError

SLOW = ("import", "device")  # Python or torch may load something of their own on the way
FIRST_LOOK = 0.1  # seconds before the CPU clock of the subject is read for the first time
CHUNK = 1 << 16  # most answers arrive whole
KEEP_OUTPUT = 2000  # characters of printed output that a report may show


def question(op: str, seed: int, fields: dict[str, Any]) -> bytes:
    """The frame of a question, without a number yet."""
    return wire.pack({"op": op, "seed": seed, "fields": fields})


class Remote:
    """A transport to one subject process. It answers one question after the other, in the order they are sent."""

    def __init__(self, process: SubjectProcess, limits: Limits) -> None:
        self.process = process
        self.limits = limits
        self.printed = b""
        self._printed_bytes = 0
        self.alive = True
        self.killed = False  # from outside
        self._awaited: deque[bytes] = deque()  # numbers of the questions without an answer
        self._unsent: deque[memoryview] = deque()
        self._inbox = bytearray()

    def ask(self, op: str, /, *, seed: int = 0, what: str = "your code", **fields: Any) -> Any:
        """The value of the answer. `what` names the task in a failure's sentence."""
        self.send(question(op, seed, fields))
        return self.answer(op, what)

    def send(self, frame: bytes) -> None:
        """Put a question to it. What does not fit into the channel goes out while answers are waited for."""
        number = secrets.token_bytes(wire.NUMBER)
        self._awaited.append(number)
        self._unsent.append(memoryview(wire.numbered(frame, number)))
        if self.process.met:
            self._push()

    def answer(self, op: str, what: str) -> Any:
        """The value of the answer to the first question that has none, which was an `op`."""
        self.process.meet()
        clock = _Clock(self.process, self.limits.call * (3 if op in SLOW else 1), what)
        try:
            reply = self._receive(clock, what)
        except WireError as error:
            raise self._lost("protocol", task=what, problem=str(error)) from None
        if type(reply) is dict and reply.get("ok") is True:
            return reply.get("value")
        raise self._failure(reply, what)

    def close(self) -> None:
        """Once: its descriptors' numbers may be somebody else's later."""
        if self.alive:
            self.alive = False
            self.process.close()

    def _push(self) -> None:
        try:
            while self._unsent:
                sent = self.process.channel.send(self._unsent[0])
                self._unsent[0] = self._unsent[0][sent:]
                if not self._unsent[0]:
                    self._unsent.popleft()
        except BlockingIOError:
            pass
        except OSError:  # it has ended: what it answered before may still be read
            self._unsent.clear()

    def _receive(self, clock: _Clock, what: str) -> Any:
        self._until(wire.HEAD.size, clock, what)
        head = bytes(self._inbox[: wire.HEAD.size])
        header, body = wire.lengths(head)
        end = wire.HEAD.size + header + body
        self._until(end, clock, what)
        raw_header = bytes(self._inbox[wire.HEAD.size : wire.HEAD.size + header])
        raw_body = bytes(self._inbox[end - body : end])
        del self._inbox[:end]
        if wire.number_of(head) != self._awaited.popleft():
            raise WireError("it does not belong to the question")
        # What already lies behind it fails as the next answer: whether it has arrived by now would be a matter of luck.
        return wire.unpack(raw_header, raw_body)

    def _until(self, size: int, clock: _Clock, what: str) -> None:
        """Read until there are `size` bytes, which are within the budget of a frame; send what is left to send."""
        channel, output = self.process.channel.fileno(), self.process.output
        while len(self._inbox) < size:
            to_send = [channel] if self._unsent else []
            readable, writable, _ = select.select([channel, output], to_send, [], clock.wait())
            if output in readable:
                self._drain(what)
            if writable:
                self._push()
            if channel in readable:
                self._inbox += self._part(max(CHUNK, size - len(self._inbox)), what)
            elif clock.due():
                self._check(clock)

    def _part(self, size: int, what: str) -> bytes:
        try:
            part = self.process.channel.recv(min(size, 1 << 20))
        except BlockingIOError:
            return b""
        except OSError:
            part = b""
        if not part:
            raise self._ended(what)
        return part

    def _check(self, clock: _Clock) -> None:
        code = clock.over()
        if code:
            raise self._lost(code, task=clock.what, limit=clock.shown(code), where="")

    def _drain(self, what: str) -> None:
        """Keep the first of what was printed, count the rest."""
        with contextlib.suppress(BlockingIOError):
            while chunk := os.read(self.process.output, 1 << 16):
                self.printed += chunk[: max(0, 4 * KEEP_OUTPUT - len(self.printed))]
                self._printed_bytes += len(chunk)
                if self._printed_bytes > self.limits.output_mb * MEGABYTE:
                    raise self._lost("too_much_output", task=what, limit=self.limits.output_mb)

    def output(self) -> str:
        """What was printed since the last call, at most KEEP_OUTPUT characters."""
        with contextlib.suppress(SubjectLost, OSError):
            self._drain("your code")
        text, self.printed = self.printed.decode("utf-8", "replace"), b""
        return text if len(text) <= KEEP_OUTPUT else text[:KEEP_OUTPUT] + " … (cut)"

    def _ended(self, what: str) -> SubjectLost:
        """The channel closed before the answer: by the code, its limits, or a crash."""
        code = self.process.exit_code()
        if code is not None and code < 0:
            number = -code
            if number == getattr(signal, "SIGXCPU", None):
                return self._lost("cpu_timeout", task=what, limit=self.limits.exercise, where="")
            if number == signal.SIGKILL:  # nobody here sent it: the system was short of memory, for whatever reason
                self.killed = True
                return self._lost("memory", task=what, limit=self.limits.memory_mb)
            return self._lost("killed", signal=signal.Signals(number).name)
        return self._lost("exited", exit_code=code if code is not None else "unknown")

    def _lost(self, code: str, **values: Any) -> SubjectLost:
        output = self.output() if code != "too_much_output" else ""
        self.close()
        return SubjectLost(code, values, detail=output)

    def _failure(self, reply: Any, what: str) -> BaseException:
        """An exception of the student's code, told by the subject: text to show, and a code from a known list."""
        reply = reply if type(reply) is dict else {}
        values, frames, code = reply.get("values"), reply.get("frames"), reply.get("code")
        known = type(code) is str and code in CODES and (CODES[code].reason is not None or code == "not_started")
        if type(values) is not dict or type(frames) is not list or type(code) is not str or not known:
            return self._lost("protocol", task=what, problem="it is no failure of a known kind")
        values = {str(k)[:40]: _bounded(v) for k, v in list(values.items())[:20]}
        if code == "not_started":
            return NotStarted(str(values.get("task", what)))
        where, detail = _where(frames), _detail(frames)
        return CheckFailed(
            code, {"task": what, "where": where, "limit": self.limits.memory_mb, **values}, detail=detail
        )


class _Clock:
    """CPU time of a subject during one request, and the wall clock as a backstop."""

    def __init__(self, process: SubjectProcess, seconds: float, what: str) -> None:
        self.process = process
        self.seconds = seconds
        self.what = what
        self.started = time.monotonic()
        self.base: float | None = None
        self.next_look = self.started + FIRST_LOOK

    def wait(self) -> float:
        return max(0.0, self.next_look - time.monotonic())

    def due(self) -> bool:
        return time.monotonic() >= self.next_look

    def over(self) -> str | None:
        """The code of the limit that is used up, if one is."""
        used = self.process.cpu_seconds()
        if self.base is None:
            self.base = used - min(used, FIRST_LOOK)
        self.next_look = time.monotonic() + min(max((self.seconds - used + self.base) / 2, 0.02), 0.5)
        if used - self.base > self.seconds:
            return "cpu_timeout"
        return "wall_timeout" if time.monotonic() - self.started > WALL_FACTOR * self.seconds else None

    def shown(self, code: str) -> float:
        return self.seconds * (WALL_FACTOR if code == "wall_timeout" else 1)


def _bounded(value: Any) -> Any:
    """A value of a sentence, as long as a sentence may be."""
    if type(value) in (int, float):
        return value
    if type(value) is list:
        return [v if type(v) is int else str(v)[:40] for v in value[:8]]
    return str(value)[:1000]


def _where(frames: list[Any]) -> str:
    """The student's last own line, as the tail of a sentence."""
    last = frames[-1] if frames and type(frames[-1]) is dict else None
    if last is None:
        return ""
    return N_(f" ({_text(last, 'file')}, line {_text(last, 'line')}: `{_text(last, 'source')}`{_shapes(last)})")


def _detail(frames: list[Any]) -> str:
    lines = []
    for frame in frames:
        if type(frame) is dict:
            inside = f", in {_text(frame, 'function')}" if _text(frame, "function") else ""
            place = f"{_text(frame, 'file')}, line {_text(frame, 'line')}{inside}"
            lines += [place, f"    {_text(frame, 'source')}{_shapes(frame)}"]
    return "\n".join(lines[:40])


def _shapes(frame: dict[str, Any]) -> str:
    """`; q: (2, 3), k: (5, 4)`, told by the subject, or nothing."""
    told = frame.get("shapes")
    rows = [row for row in told[:6] if type(row) is tuple and len(row) == 2] if type(told) is list else []
    shapes = [(str(name)[:40], axes) for name, axes in rows if type(axes) is list and all(type(n) is int for n in axes)]
    text = ", ".join(f"{name}: ({', '.join(map(str, axes[:8]))}{',' * (len(axes) == 1)})" for name, axes in shapes)
    return f"; {text}" if text else ""


def _text(frame: dict[str, Any], key: str) -> str:
    return str(frame.get(key, ""))[:300]
