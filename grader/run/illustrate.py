"""Ask a submission for the numbers of a few small pictures: its masks, weights, table and statistics at work.

They are for the page, after all verdicts, and change none: what does not run, or has another shape, is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from grader.catalogue.model import Exercise
from grader.errors import EngineError
from grader.results.schema import Check, Picture, PictureKind
from grader.run.diagnosis.explain import first_check
from grader.run.pool import SubjectPool
from grader.run.suite.compare import corner
from grader.run.verdict import NO_CASE
from grader.subject.failure import CheckFailed, NotStarted, SubjectLost
from grader.subject.proxy import Proxy

MOST = 24  # rows and columns
COSTLY = ("time-out", "memory", "output", "protocol")  # reasons: it would only happen again, at the same price
PAD = 0
SENTENCES = [["the", "cat", "sat", "·", "·"], ["the", "dog", "slept", "too", "·"]]  # · is filled up

# One line a word: a little of an article, an animal, something done, and something that joins.
MEANINGS = {
    "the": [2.0, 0.5, 0.0, 0.0],
    "cat": [0.3, 2.2, 0.6, 0.0],
    "sat": [0.0, 0.8, 2.2, 0.2],
    "and": [0.2, 0.0, 0.3, 2.0],
    "dog": [0.4, 2.0, 0.9, 0.0],
    "slept": [0.0, 0.9, 2.0, 0.3],
}
SENTENCE = ["the", "cat", "sat", "and", "the", "dog", "slept"]
SPREAD = [-1.4, -0.8, -0.5, -0.1, 0.2, 0.6, 0.9, 1.6]  # the features of a token, before it is scaled and shifted
TOKENS = [(1.0, 0.0), (0.5, 2.0), (2.0, -1.5), (1.5, 1.0), (0.3, -3.0)]  # scale and shift of each

Asked = tuple[list[tuple[str, Any, tuple[int, ...]]], list[str]]  # label, value and shape of each array; the words


@dataclass(frozen=True, slots=True)
class Question:
    exercise: str
    task: str
    kind: PictureKind
    ask: Callable[[Proxy], Asked]


def pictures(exercise: Exercise, checks: Sequence[Check], pool_of: Callable[[Exercise], SubjectPool]) -> list[Picture]:
    """Those of `exercise` that its code can be asked for. A process that is lost is not asked for more."""
    unable = {c.task for c in checks if c.status == "not_started" or c.code in NO_CASE or c.reason in COSTLY}
    tasks = {t.name: t for t in exercise.tasks if t.name not in unable}
    asked = [q for q in QUESTIONS if q.exercise == exercise.name and q.task in tasks]
    pool = pool_of(exercise) if asked else None
    if pool is None or pool.cpu_seconds() > exercise.limits.exercise:
        return []
    found: list[Picture] = []
    for question in asked:
        pool.start_check(first_check(tasks[question.task]))
        try:
            found += _drawn(question, pool.proxy)
        except (CheckFailed, NotStarted):
            continue
        except (SubjectLost, EngineError):
            break
    pool.close()
    return found


def _drawn(question: Question, subject: Proxy) -> Iterator[Picture]:
    """None where something is no plain tensor of the shape that was asked for."""
    answers, words = question.ask(subject)
    if all(isinstance(v, Tensor) and v.shape == shape and not v.is_complex() for _, v, shape in answers):
        arrays = [corner(value, label, MOST, MOST**2) for label, value, _ in answers]
        yield Picture(task=question.task, kind=question.kind, arrays=arrays, words=words)


def _causal(subject: Proxy) -> Asked:
    return [("mask", subject.call("causal_mask", 7), (7, 7))], []


def _padding(subject: Proxy) -> Asked:
    known = {"·": PAD}
    ids = torch.tensor([[known.setdefault(word, len(known)) for word in row] for row in SENTENCES])
    told = subject.call("padding_mask", ids, PAD)
    same = isinstance(told, Tensor) and told.numel() == ids.numel()
    flat = told.reshape(ids.shape) if same else told  # (B, 1, 1, S) -> (B, S)
    return [("mask", flat, tuple(ids.shape))], [word for row in SENTENCES for word in row]


def _causal_attention(subject: Proxy) -> Asked:
    return _weights(subject, mask=torch.ones(len(SENTENCE), len(SENTENCE), dtype=torch.bool).tril())


def _weights(subject: Proxy, **mask: Tensor) -> Asked:
    x = torch.tensor([MEANINGS[word] for word in SENTENCE])  # (T, d)
    told = subject.call("attention", x, x.clone(), x.clone(), **mask)
    pair = isinstance(told, (tuple, list)) and len(told) == 2
    return [("weights", told[1] if pair else None, (len(SENTENCE), len(SENTENCE)))], SENTENCE


def _positions(subject: Proxy) -> Asked:
    return [("table", subject.call("sinusoidal_table", MOST, MOST), (MOST, MOST))], []


def _norm(subject: Proxy) -> Asked:
    rows = [[scale * value + shift for value in SPREAD] for scale, shift in TOKENS]
    x = torch.tensor(rows)  # (T, d)
    shape = tuple(x.shape)
    return [("before", x, shape), ("after", subject.construct("LayerNorm", len(SPREAD))(x.clone()), shape)], []


QUESTIONS = (
    Question("masking", "causal_mask", "causal", _causal),
    Question("masking", "padding_mask", "padding", _padding),
    Question("attention", "attention", "attention", _weights),
    Question("attention", "attention", "causal attention", _causal_attention),
    Question("layer_norm", "LayerNorm", "norm", _norm),
    Question("positional_encoding", "sinusoidal_table", "positions", _positions),
)
