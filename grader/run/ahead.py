"""Put the questions of a check to a process before the suite asks them.

The inputs of a check do not depend on the submission, so neither do its questions, as long as the answers are right.
The canary run records them (recall.py). Later a process gets all questions of a check at once, and works while the
suite makes the next case and compares the last answer. The suite asks as ever: a question that is the next one sent has
its answer taken.

A suite may go another way: a check fails and asks no further, or makes a question from an answer. Then the process was
sent questions that the suite never asked. Its place is taken by a new one, which is asked, one by one, what the suite
did ask: so no verdict depends on what was sent ahead.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

from grader.run.recall import Question
from grader.subject.failure import CheckFailed, NotStarted
from grader.subject.remote import Remote, question

Asked = list[list[Question]]  # check by check


class Strayed(Exception):
    """The suite asks something else than in the canary run."""


class Ahead:
    """One process, what it was sent, and how much of that the suite has asked."""

    def __init__(self, remote: Remote) -> None:
        self.remote = remote
        self.asked: Asked = []
        self._sent: Sequence[Question] = ()
        self._unsent: Iterator[Question] = iter(())

    def start_check(self, questions: Sequence[Question], step_by_step: bool = False) -> None:
        """Send all `questions` of the check that starts now, or keep them for `frame`."""
        self.asked.append([])
        self._sent = () if step_by_step else questions
        self._unsent = iter(questions if step_by_step else ())
        for known in self._sent:
            self.remote.send(known.frame)

    def frame(self, op: str, seed: int, fields: dict[str, Any]) -> bytes:
        """Of a question that is asked now: as it was packed in the canary run, if that asked the same."""
        known = next(self._unsent, None)
        return known.frame if known is not None and known.is_(op, seed, fields) else question(op, seed, fields)

    @property
    def sends(self) -> bool:
        """It does so in this check."""
        return len(self._sent) > 0

    @property
    def too_far(self) -> bool:
        """There are questions that the suite did not ask."""
        return self.sends and len(self.asked[-1]) < len(self._sent)

    def take(self, op: str, seed: int, fields: dict[str, Any], what: str) -> Any:
        """The value of the answer; Strayed if the next question sent is another."""
        asked = self.asked[-1]
        if not self.too_far or not self._sent[len(asked)].is_(op, seed, fields):
            raise Strayed
        asked.append(self._sent[len(asked)])
        return self.remote.answer(op, what)


def ask_again(remote: Remote, asked: Asked, what: str) -> None:
    """Put these questions to a new process, one by one. What it answers was seen before.

    What it prints in the last of the checks can be read afterwards.
    """
    for questions in asked:
        remote.output()
        for known in questions:
            remote.send(known.frame)
            with contextlib.suppress(CheckFailed, NotStarted):
                remote.answer(known.op, what)
