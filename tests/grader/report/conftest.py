"""Results to report on: the sample beside this file, texts that try to break out, classes; and how to read a page."""

from __future__ import annotations

import dataclasses
import os
import random
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import msgspec
import pytest

from grader.report.rows import Row
from grader.results.schema import (
    Array,
    Check,
    Diagnosis,
    Evidence,
    Exercise,
    Isolation,
    Note,
    Picture,
    Reason,
    Results,
    Status,
)

NAMES = ["masking", "attention", "layer_norm", "positional_encoding", "encoder", "decoder", "generate"]
HOSTILE = {
    "html": "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "attribute": "\" onmouseover=alert(1) x='",
    "ansi": "\x1b[2K\x1b[32mPASSED\x1b[0m \x9b31m\x07",
    "bidi": "a\u202edessap\u202c\u2066b\u2069",
    "zero width": "A\u200bd\u200da\ufeff",
    "formula": '=HYPERLINK("http://example.invalid")',
    "runner": "::error::forged\n::set-output name=x::1\n##[error]forged",
    "markup": "[bold red]loud[/bold red] [link=file:///]x[/link] :smile:",
    "braces": "{{ 7 * 7 }} {% raw %}",
    "code": "`<svg onload=x>` <svg>",
    "odd code": "`<svg onload=x> <u>",
    "surrogate": "\ud800 end",
}


def array(label: str, rows: list[list[float | str]], shape: list[int] | None = None) -> Array:
    lead = [1] * (len(shape) - 2) if shape else []
    values = [v for row in rows for v in row]
    return Array(
        label=label, shape=shape or [len(rows), len(rows[0])], corner=[*lead, len(rows), len(rows[0])], values=values
    )


def check(
    exercise: str, task: str, name: str, title: str, status: Status = "passed", possible: float = 2.0, **rest: object
) -> Check:
    base = Check(
        id=f"{exercise}.{name}",
        task=task,
        title=title,
        status=status,
        possible=possible,
        points=possible if status == "passed" else 0.0,
        seconds=0.01,
    )
    return msgspec.structs.replace(base, **rest)


def failure(
    exercise: str, task: str, name: str, title: str, reason: Reason, code: str, message: str, **rest: object
) -> Check:
    return check(exercise, task, name, title, "failed", reason=reason, code=code, message=message, **rest)


def exercise(
    name: str, title: str, status: Status, checks: list[Check], track: str = "core", **rest: object
) -> Exercise:
    return Exercise(
        name=name,
        title=title,
        track=track,
        status=status,
        checks=checks,
        points=sum(c.points for c in checks),
        possible=sum(c.possible for c in checks),
        **rest,
    )


def part(name: str) -> Exercise:
    """An exercise of the sample: among them are all statuses, and all kinds of evidence."""
    return next(e for e in sample_results().exercises if e.name == name)


def sample_results() -> Results:
    return msgspec.json.decode(Path(__file__).with_name("sample.json").read_bytes(), type=Results)


def results(student: str, exercises: list[Exercise]) -> Results:
    points, possible = sum(e.points for e in exercises), sum(e.possible for e in exercises)
    return msgspec.structs.replace(
        sample_results(), student=student, exercises=exercises, points=points, possible=possible, problems=[]
    )


def hostile_exercise(text: str) -> Exercise:
    """`text` in every place that a student can reach, and some that they cannot."""
    evidence = Evidence(
        dims={"kind": text},
        expected=array("expected", [[1.0, 2.0]]),
        got=array(text, [["nan", text]]),
        worst=[0, 1],
        inputs=[array(text, [[1.0]])],
    )
    bad = failure("masking", text, text, text, "crash", "raised", text, detail=text, help=text, evidence=evidence)
    more = [
        check("masking", text, "b", text, status, message=text, detail=text)
        for status in ("error", "blocked", "not_started", "passed")
    ]
    known = Diagnosis(task=text, bug=text, what=text, why=text, help=text, evidence=text)
    beside = Note(task=text, code=text, values={"source": text}, message=text, evidence=evidence)
    drawn = [
        Picture(task=text, kind="padding", arrays=[array(text, [[1.0, text]])], words=[text, text]),
        Picture(task=text, kind="attention", arrays=[array(text, [[0.5, text], [text, "nan"]])], words=[text, text]),
        Picture(task=text, kind="norm", arrays=[array(text, [[1.0, text]]), array(text, [[text, "inf"]])]),
        Picture(task=text, kind="positions", arrays=[array(text, [[text, 1e300]])]),
    ]
    kinds = {"diagnoses": [known], "notes": [beside], "pictures": drawn}
    return exercise("masking", text, "failed", [bad, *more], track=text, **kinds)


def hostile_results(text: str) -> Results:
    good = results(text, [hostile_exercise(text)])
    environment = msgspec.structs.replace(good.environment, platform=text, torch=text)
    return msgspec.structs.replace(
        good, problems=[text], environment=environment, isolation=Isolation(level=0, name=text)
    )


def class_rows(students: int, exercises: int = 7, checks: int = 12, seed: int = 1) -> list[Row]:
    """A class of varied success: later exercises are harder, some students have not begun them."""
    random_ = random.Random(seed)
    rows = []
    for n in range(students):
        skill = random_.betavariate(3, 1.6)
        parts = [_exercise_of(random_, e, checks, skill, exercises) for e in range(exercises)]
        rows.append(Row(f"student-{n + 1:04}", results(f"student-{n + 1:04}", parts), None, f"students/{n + 1}.html"))
    if rows:
        rows[-1] = dataclasses.replace(rows[-1], results=None, href=None, problem="attention.zip is not a zip archive.")
    return rows


def _exercise_of(random_: random.Random, number: int, checks: int, skill: float, exercises: int) -> Exercise:
    name = ["masking", "attention", "layer_norm", "positional_encoding", "encoder", "decoder", "generate"][
        number % 7
    ] + str(number // 7 or "")
    begun = random_.random() < skill + 0.5 - number / exercises / 2
    done: list[Check] = []
    for i in range(checks):
        status: Status = (
            "not_started" if not begun else "passed" if random_.random() < skill + 0.2 - i * 0.02 else "failed"
        )
        done.append(check(name, f"task_{i // 4}", f"{name}_check_{i}", f"Sentence {i} of {name} holds.", status, 1.0))
    worst: Status = "not_started" if not begun else "failed" if any(c.status == "failed" for c in done) else "passed"
    known = (
        [Diagnosis(task="task_0", bug=f"bug_{number}", what=f"The classic mistake of {name}.", why="…")]
        if worst == "failed"
        else []
    )
    return exercise(name, name.replace("_", " ").capitalize(), worst, done, diagnoses=known)


@pytest.fixture
def sample() -> Results:
    return sample_results()


@pytest.fixture
def make_class() -> Callable[..., list[Row]]:
    return class_rows


@pytest.fixture(params=sorted(HOSTILE))
def hostile(request: pytest.FixtureRequest) -> tuple[str, Results]:
    text = HOSTILE[request.param]
    return text, hostile_results(text)


@pytest.fixture
def build() -> Any:
    """The builders of this file, for tests that need results of their own."""
    return sys.modules[__name__]


@pytest.fixture
def golden() -> Callable[[str, str], None]:
    """Compare with a file of tests/grader/data/golden, or write it when GOLDEN=write."""

    def compare(name: str, text: str) -> None:
        path = Path(__file__).parents[1] / "data" / "golden" / name
        if os.environ.get("GOLDEN") == "write":
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        assert text == path.read_text(encoding="utf-8"), f"{name} differs: look at it, then run with GOLDEN=write"

    return compare


@dataclasses.dataclass
class Element:
    tag: str
    attributes: dict[str, str]
    parts: list[str]

    @property
    def text(self) -> str:
        return " ".join("".join(self.parts).split())


class Page(HTMLParser):
    """What a browser would see: elements with their text, whatever their nesting."""

    VOID = ("meta", "img", "br", "link", "input", "rect", "path")

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[Element] = []
        self.open: list[Element] = []
        self.unbalanced: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs}, [])
        self.elements.append(element)
        if tag not in self.VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open[-1].tag != tag:
            self.unbalanced.append(self.open.pop().tag)
        if self.open:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        for element in self.open:
            element.parts.append(data)

    def all(self, tag: str, css_class: str = "") -> list[Element]:
        return [
            e
            for e in self.elements
            if e.tag == tag and (not css_class or css_class in e.attributes.get("class", "").split())
        ]

    def shapes(self) -> set[tuple[str, str]]:
        """Every (element, attribute) that occurs."""
        return {(e.tag, name) for e in self.elements for name in ["", *e.attributes]}


@pytest.fixture
def parse() -> type[Page]:
    return Page
