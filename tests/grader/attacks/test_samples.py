"""Every sample is graded as a submission: it never wins, and whoever is graded next never notices."""

from __future__ import annotations

import csv
import io
import os
import re
import socket
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
import torch
from rich.console import Console

from grader.report import class_page, gradebook, student_page, terminal
from grader.report.exports.formats import FORMATS
from grader.report.exports.model import Request
from grader.report.rows import Row
from grader.results.schema import Results
from grader.results.store import dump
from grader.subject.failure import CheckFailed, SubjectLost
from grader.subject.limits import Limits
from grader.subject.worker.values import Handle

from .conftest import ALL, MARK, Bench, Sample, checks

WRONG = [sample for name, sample in ALL.items() if name not in ("good_control", "forbidden_in_disguise")]
PROBES = [sample for sample in ALL.values() if sample.probes]
STUDENT = '=HYPERLINK("file:///x")\x1b[2J\u202e<script>alert(1)</script>'
STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")
MANY = 500  # threads


def named(sample: Sample) -> str:
    return sample.name


@pytest.fixture(scope="module")
def honest(walled: Bench) -> Any:
    """What the control earned before any sample ran."""
    before = walled.control()
    assert before["points"] == before["possible"] == 10
    return before


@pytest.fixture(autouse=True)
def _the_next_one_never_notices(walled: Bench, honest: Any) -> Iterator[None]:
    files = walled.ground.files()
    yield
    assert walled.control() == honest
    assert walled.ground.files() == files
    assert not walled.ground.loaded.exists()
    assert MARK not in walled.log()


def pages(results: Results) -> dict[str, str]:
    """Everything that people read."""
    console = Console(file=io.StringIO(), width=100, color_system=None)
    for exercise in results.exercises:
        console.print(terminal.exercise(exercise, verbose=True))
    row = Row(results.student, results, None, "students/x/report.html")
    failed = Row(STUDENT, None, "=1+1 " + checks(results)["softmax_values"].message, None)
    exports = ("json", "gradescope", "junit", "markdown")
    written = {name: FORMATS[name].write(Request([row])).data.decode() for name in exports}
    written["markdown"] = written["markdown"].replace("\u200b", "")  # ours: it breaks mentions and addresses
    return {
        **written,
        "student": student_page.render(results),
        "class": class_page.render("Class", [row, failed]),
        "gradebook": gradebook.render([row, failed]),
        "terminal": console.file.getvalue(),  # type: ignore[attr-defined]
    }


class _Elements(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def assert_harmless(results: Results) -> None:
    """No secret in any byte; no character that steers; no element, script or formula of the submission's."""
    shown = pages(results)
    assert MARK.encode() not in dump(results)
    for name, text in shown.items():
        assert MARK not in text, name
        assert not STEERING.search(text), name
    for name in ("student", "class"):
        elements = _Elements()
        elements.feed(shown[name])
        assert sum(tag == "script" for tag, _ in elements.found) == (name == "class"), "the page's own"
        assert not [tag for tag, a in elements.found if "onerror" in a or a.get("id") == "owned" or tag == "img"]
    for cell in (cell for line in csv.reader(io.StringIO(shown["gradebook"])) for cell in line):
        assert not cell.lstrip(" \"'\t").startswith(("=", "+", "@")) or cell.startswith("'"), cell


@pytest.mark.parametrize("sample", WRONG, ids=named)
def test_a_wrong_submission_gets_its_verdict_and_no_full_marks(walled: Bench, sample: Sample) -> None:
    for _ in range(sample.runs):
        results = walled.grade(sample.text, STUDENT)
        values = checks(results)["softmax_values"]
        assert (values.status, values.points) == ("failed", 0)
        assert values.code in sample.expect
        assert not [check for check in checks(results).values() if check.status == "error"]
        assert results.points < results.possible
        assert_harmless(results)


def test_a_forbidden_operator_in_disguise_earns_nothing(walled: Bench) -> None:
    results = walled.grade(ALL["forbidden_in_disguise"].text)
    assert results.points == 0
    assert (checks(results)["softmax_own_work"].code, checks(results)["softmax_values"].status) == (
        "forbidden", "passed",
    )  # fmt: skip
    assert_harmless(results)


def test_nothing_hidden_is_told_by_time_or_print(walled: Bench) -> None:
    results = walled.grade(ALL["tell_inputs_by_time"].text)
    hidden = checks(results)["softmax_hidden"]
    assert (hidden.status, hidden.seconds, hidden.evidence) == ("failed", None, None)
    printed = re.findall(r"input: (\[.*\])", hidden.detail)
    assert printed, "the instructor's file has it"
    assert printed[0] not in pages(results)["student"]
    assert printed[0] not in pages(results)["terminal"]


def arguments(walled: Bench, sample: Sample, port: int) -> tuple[Any, ...]:
    if sample.name == "read_hidden_files":
        return (str(walled.ground.folder), str(Path(__file__).parent))
    if sample.name == "memory_of_others":
        return (os.getpid(), walled.engine._process.pid)
    if sample.name == "descriptors_and_threads":  # for root the kernel does not count threads
        assert walled.launcher.isolation is not None
        return (MANY if walled.launcher.isolation.features["threads"] else 2 * MANY + 1,)
    if sample.name == "fork_bomb" and walled.level == "0":
        return (3,)
    return (port,) if sample.name == "network" else ()


def probed(walled: Bench, sample: Sample) -> dict[str, Any]:
    """What probe() says; a listener here must hear nothing of it, unless it says so."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        said: dict[str, Any] = walled.probe(sample.text, *arguments(walled, sample, listener.getsockname()[1]))
        try:
            listener.accept()[0].close()
            assert said["hit"]
        except BlockingIOError:
            pass
    return said


@pytest.mark.parametrize("sample", PROBES, ids=named)
def test_a_probe_finds_nothing(walled: Bench, sample: Sample) -> None:
    for _ in range(sample.runs):
        assert probed(walled, sample)["hit"] is False


@pytest.mark.parametrize("request_", ["parameters", "load", "tree", "unregistered"])
def test_an_endless_model_ends(walled: Bench, request_: str) -> None:
    remote = walled.subject(ALL["endless_model"].text, Limits(call=0.5))
    handle = Handle(1)
    remote.ask("construct", handle=handle, task="Model", args=(), kwargs={})
    fields = {"task": "Model", "weights": {}, "tree": {}} if request_ == "load" else {}
    try:
        found = remote.ask(request_, handle=handle, **fields)
        code = "ended" if len(found) <= 1000 else "endless"
    except (CheckFailed, SubjectLost) as failure:
        code = failure.code
    finally:
        if remote.alive:
            remote.close()
    assert code in ("ended", "cpu_timeout", "memory", "raised", "result_too_large", "wrong_structure")


@pytest.mark.parametrize("kind", range(5), ids=["meta", "sparse", "nested", "quantised", "complex"])
def test_a_strange_tensor_arrives_as_plain_data_or_not_at_all(walled: Bench, kind: int) -> None:
    try:
        value = walled.probe(ALL["strange_tensors"].text, kind)
    except CheckFailed:
        return
    assert not isinstance(value, torch.Tensor) or (type(value), value.layout) == (torch.Tensor, torch.strided)
