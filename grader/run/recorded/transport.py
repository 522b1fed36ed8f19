"""Two transports for a reference: one writes down what it answers, one answers from what was written down.

An answer is found by the digest of its question. A question about an object is told from others by all that was asked
of this object before, and how it was made: so questions about different objects may come in any order.
"""

from __future__ import annotations

from collections.abc import Callable, MutableMapping
from typing import Any

from grader.run.recorded.digest import Digest
from grader.subject.failure import NotRecorded
from grader.subject.local import Local
from grader.subject.worker.values import Handle

LOOKS = ("parameters", "tree", "unregistered", "record", "device")  # these leave an object as it is


class Numbered:
    """Gives every question its digest, and keeps the histories of objects."""

    def __init__(self) -> None:
        self._histories: dict[int, str] = {}

    def start_check(self, check: str) -> None:
        self._histories.clear()

    def digest(self, op: str, seed: int, fields: dict[str, Any]) -> str:
        made = [handle for handle in (fields.get("handle"), (fields.get("keep") or {}).get("handle")) if handle]
        if op in ("construct", "given_model"):
            self._histories.pop(fields["handle"].id, None)
        digest = Digest(self._histories)
        digest.add([op, seed, {name: value for name, value in fields.items() if name != "keep"}])
        digest.add((fields.get("keep") or {}).get("at", ""))
        if op not in LOOKS:
            touched = {handle.id for handle in (*_handles(fields), *made)}
            self._histories.update(dict.fromkeys(touched, digest.hex()))
        return digest.hex()


class Recorder(Numbered):
    """Asks the reference, and keeps each answer under the digest of its question, as `encode` makes it."""

    def __init__(self, local: Local, answers: MutableMapping[str, Any], encode: Callable[[Any], Any]) -> None:
        super().__init__()
        self.local = local
        self.answers = answers
        self.encode = encode

    def start_check(self, check: str) -> None:
        super().start_check(check)
        self.local.forget()

    def ask(self, op: str, /, *, seed: int, **fields: Any) -> Any:
        digest = self.digest(op, seed, fields)
        answer = self.local.ask(op, seed=seed, **fields)
        self.answers[digest] = self.encode(answer)
        return answer


class Recorded(Numbered):
    """Answers without a reference. `find` raises KeyError for a digest that it does not know."""

    def __init__(self, find: Callable[[str], Any]) -> None:
        super().__init__()
        self.find = find

    def ask(self, op: str, /, *, seed: int, **fields: Any) -> Any:
        """Raises NotRecorded."""
        try:
            return self.find(self.digest(op, seed, fields))
        except KeyError:
            raise NotRecorded(op) from None


def _handles(value: Any) -> list[Handle]:
    if isinstance(value, Handle):
        return [value]
    if isinstance(value, dict):
        return [handle for part in value.values() for handle in _handles(part)]
    return [handle for part in value for handle in _handles(part)] if isinstance(value, (list, tuple)) else []
