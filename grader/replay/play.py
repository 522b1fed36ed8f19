"""Ask the student's files, as they are now, what they were asked in a recorded case."""

from __future__ import annotations

import pdb
from collections.abc import Mapping
from dataclasses import dataclass
from types import FrameType
from typing import Any

from grader.replay.case import Asked, Case
from grader.subject.worker.actor import Actor
from grader.subject.worker.places import PACKAGE_PREFIX
from grader.subject.worker.serve import Session


class Debugger(pdb.Pdb):
    """Stops in the student's own lines only."""

    def stop_here(self, frame: FrameType) -> bool:
        return frame.f_code.co_filename.startswith(PACKAGE_PREFIX) and super().stop_here(frame)


@dataclass(frozen=True)
class Played:
    """The questions up to the last one that could be asked, what came of that one, and the objects made on the way."""

    asked: list[Asked]
    answer: Any
    error: BaseException | None
    objects: Mapping[int, Any]


def play(
    case: Case, files: Mapping[str, str], *, spans: Mapping[str, Any] | None = None, debugger: bool = False
) -> Played:
    """`files`: texts by exercise. `spans`: of notebooks, where their lines come from.

    `debugger`: stop in the student's first line of the last question, and on errors.
    """
    imported = {**case.imported, "watched": []}
    texts = {name: text.encode() for name, text in files.items()}
    imported["sources"] = {**imported["sources"], "files": texts, "spans": dict(spans or {})}
    session, asked, answer = Session(), list[Asked](), None
    try:
        session.start(**imported)
        assert session.actor is not None
        questions = list(case.questions())
        for number, question in enumerate(questions, 1):
            asked.append(question)
            answer = _ask(session.actor, question, debugger and number == len(questions))
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        if debugger and error.__traceback__ is not None:
            pdb.post_mortem(error.__traceback__)
        return Played(asked, None, error, session.actor.objects if session.actor else {})
    return Played(asked, answer, None, session.actor.objects)


def _ask(actor: Actor, question: Asked, debugger: bool) -> Any:
    if not debugger:
        return actor.do(question.op, question.seed, question.fields)
    return Debugger().runcall(actor.do, question.op, question.seed, question.fields)
