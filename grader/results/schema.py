"""What a grading run found, as frozen data: the seam between grading and every report.

A check carries a `code` and `values`; `message` is the English sentence rendered from them, so another
language, or another report, can be made later from the same file. See docs/results.md.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, Literal

import msgspec

SCHEMA = 1  # 1: first version

Status = Literal["passed", "failed", "not_started", "blocked", "error"]
Reason = Literal[
    "shape", "value", "gradient", "side effect", "structure", "crash",
    "time-out", "memory", "output", "forbidden", "protocol",
]  # fmt: skip
PictureKind = Literal["causal", "padding", "attention", "causal attention", "positions", "norm"]
AdjustmentKind = Literal["override", "late", "comment"]
Number = float | str  # "nan", "inf" and "-inf" are spelt out: strict JSON has no literals for them


class Array(msgspec.Struct, frozen=True, kw_only=True):
    """A corner of a tensor: its whole `shape`, and the values of the leading corner, row by row."""

    label: str
    shape: list[int]
    corner: list[int]  # the shape of the part that is kept; a prefix of every axis
    values: list[Number]


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """Small arrays for pictures. Hidden checks have none."""

    dims: dict[str, int | float | str] = {}  # the smallest failing case, as the suite names it
    expected: Array | None = None
    got: Array | None = None
    worst: list[int] | None = None  # index of the error that is largest against its limit
    inputs: list[Array] = []


PRINTED = "Printed:\n"


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """One check of one task. Points are earned by `passed` alone."""

    id: str  # EXERCISE.CHECK, stable across course versions
    task: str  # the function or class it belongs to
    title: str  # the sentence a student reads: what must hold
    status: Status
    reason: Reason | None = None  # set when, and only when, status is failed
    code: str | None = None  # an entry of grader.results.codes
    values: dict[str, Any] = {}
    evidence: Evidence | None = None
    points: float
    possible: float
    message: str = ""
    help: str = ""
    detail: str = ""  # the student's own traceback, and behind PRINTED what was printed
    seconds: float | None = None  # null for hidden checks: a time is an answer too
    hidden: bool = False


class Diagnosis(msgspec.Struct, frozen=True, kw_only=True):
    """A known bug that the student's outputs agree with. It explains a verdict and never changes one."""

    task: str
    bug: str
    what: str
    why: str
    help: str = ""
    evidence: str = ""


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """Help with a task beyond its checks: where its forward goes wrong, or which part breaks it. Never a verdict."""

    task: str
    code: str  # an entry of grader.results.codes
    values: dict[str, Any] = {}
    message: str
    evidence: Evidence | None = None


class Picture(msgspec.Struct, frozen=True, kw_only=True):
    """What the student's own code makes of a small input of ours: an illustration for the page, never a verdict."""

    task: str
    kind: PictureKind
    arrays: list[Array]
    words: list[str] = []  # what the rows and columns stand for, or what is written in the cells


class Exercise(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    title: str
    track: str
    status: Status
    points: float
    possible: float
    checks: list[Check]
    diagnoses: list[Diagnosis] = []
    notes: list[Note] = []
    pictures: list[Picture] = []
    key: str = ""  # COURSE-FILES: fingerprints of all that this verdict depends on, where a batch made it


class Isolation(msgspec.Struct, frozen=True, kw_only=True):
    """How the student's code was kept apart: the level, and what a probe inside measured."""

    level: int
    name: str
    requested: str = "auto"
    features: dict[str, bool] = {}
    downgrades: list[str] = []  # with auto: why the better levels were not to be had

    @property
    def is_safe(self) -> bool:
        """Whether the code of other people may be graded so, without a warning."""
        return self.level >= 2


class Environment(msgspec.Struct, frozen=True, kw_only=True):
    """Everything besides the submission that a verdict may depend on."""

    grader: str
    python: str
    torch: str
    platform: str
    course: str  # fingerprint of suite, references, metadata and limits
    submission: str  # fingerprint of the files that were graded
    salt: str  # fingerprint of the salt, never the salt
    release: bool = False  # graded with a release: parts ran with the student's own parts, hidden checks did not run


class Training(msgspec.Struct, frozen=True, kw_only=True):
    """How the student's own GPT learned a small text (`grade show train`): an illustration, beside all verdicts."""

    steps: list[int]
    losses: list[float]  # of these steps: mean cross entropy of the next letter, in nats
    before: str  # what it wrote before the first step, and after the last
    after: str


class Origin(msgspec.Struct, frozen=True, kw_only=True):
    """Whose submission it is and when it was handed in, as the platform or the roster says."""

    name: str = ""  # the person's full name
    ids: dict[str, str] = {}  # by the platform that gave it: canvas, moodle, gradescope, github, roster, email, login
    submitted: str | None = None  # ISO 8601 with an offset
    late: bool | None = None  # the platform's own flag, where it has one
    folder: str = ""  # of this student in the platform's archive: feedback goes back under the same name


class Adjustment(msgspec.Struct, frozen=True, kw_only=True):
    """Points that a person or a rule gave or took, beside the checks; or only a comment (`before` is `after`)."""

    kind: AdjustmentKind
    exercise: str | None = None  # null: the whole submission
    before: float
    after: float
    reason: str  # for the gradebook and the student
    comment: str = ""  # for the student, by the instructor


class Results(msgspec.Struct, frozen=True, kw_only=True):
    schema: int = SCHEMA
    student: str
    origin: Origin | None = None
    isolation: Isolation
    environment: Environment
    points: float
    possible: float
    seconds: float
    exercises: list[Exercise]
    problems: list[str] = []  # what was wrong with the submission as a whole: a sentence each
    adjustments: list[Adjustment] = []  # in the order in which they were made

    @property
    def final(self) -> float:
        """What goes into the gradebook: the points of the checks, and what was given or taken beside them."""
        return total([self.points, *(a.after - a.before for a in self.adjustments)])


def total(points: Iterable[float]) -> float:
    """A sum of points, without the dust of binary fractions."""
    return round(math.fsum(points), 4)
