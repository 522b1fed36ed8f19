"""JUnit XML: a test suite an exercise, a test case a check, for continuous integration and whatever else reads it.

Follows junit-10.xsd, which knows no properties of a test case: points are properties of the suite. No time stamp and no
host's name, so equal results are equal bytes, and the file tells nothing of the machine.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from grader.report.exports import notes
from grader.report.exports.model import Export, Request
from grader.report.exports.verdicts import plain, verdict
from grader.report.words import number
from grader.results.schema import Check, Exercise, Results, Status

_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
TAGS: dict[Status, str] = {"failed": "failure", "error": "error", "not_started": "skipped", "blocked": "skipped"}


def render(request: Request) -> Export:
    results = request.rows[0].results
    assert results is not None, "the command line asks for a student with results"
    return Export(document(results), tuple(notes.left_open(results)))


def document(results: Results) -> bytes:
    checks = [check for exercise in results.exercises for check in exercise.checks]
    root = Element("testsuites", {"name": "grade", **_counts(checks)})
    for exercise in results.exercises:
        root.append(_suite(exercise))
    indent(root)
    told: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return told + b"\n"


def _suite(exercise: Exercise) -> Element:
    counts = {**_counts(exercise.checks), "skipped": str(_tally(exercise.checks)["skipped"])}
    suite = Element("testsuite", {"name": legal(exercise.name), "hostname": "", **counts})
    properties = SubElement(suite, "properties")
    for name, value in (("points", exercise.points), ("possible", exercise.possible)):
        SubElement(properties, "property", {"name": name, "value": number(value)})
    for place, check in enumerate(exercise.checks, 1):
        suite.append(_case(exercise, check, place))
    return suite


def _case(exercise: Exercise, check: Check, place: int) -> Element:
    name = f"hidden_{place}" if check.hidden else check.id.removeprefix(f"{exercise.name}.")
    case = Element("testcase", {"classname": legal(f"{exercise.name}.{check.task}"), "name": legal(name)})
    if check.seconds is not None and not check.hidden:
        case.set("time", f"{check.seconds:.3f}")
    if check.status != "passed":
        told = verdict(check)
        label = check.reason if check.reason and not check.hidden else check.status
        node = SubElement(case, TAGS[check.status], {"type": label, "message": legal(told.what)})
        node.text = legal("\n".join(filter(None, (told.title, told.case, told.help, told.detail))))
    return case


def _tally(checks: Sequence[Check]) -> Counter[str]:
    return Counter(TAGS.get(check.status, "passed") for check in checks)


def _counts(checks: Sequence[Check]) -> dict[str, str]:
    """Of tests, failures and errors; time is that of the checks that show theirs."""
    tally = _tally(checks)
    seconds = sum(check.seconds for check in checks if check.seconds is not None and not check.hidden)
    return {
        "tests": str(len(checks)),
        "failures": str(tally["failure"]),
        "errors": str(tally["error"]),
        "time": f"{seconds:.3f}",
    }


def legal(text: str) -> str:
    """What XML has no way to write is written #xNN, as pytest does; then the invisible rest is made visible."""
    return plain(_ILLEGAL.sub(lambda found: f"#x{ord(found[0]):02X}", text))
