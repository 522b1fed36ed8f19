"""Gradescope, JUnit and Markdown: what all of them owe to a student, and to hidden checks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest
import xmlschema
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from grader.report.exports import junit
from grader.report.exports.markdown import LIMIT, document, fenced, prose
from grader.report.rows import Row
from grader.results.schema import Adjustment, Diagnosis, Origin, Results

DATA = Path(__file__).parents[2] / "data" / "exports"
ODD = st.text(
    st.one_of(st.sampled_from("`~<>&\"'|*_@#[]()\\\n\r\t\x00\x1b\u202e\ufffe\ud800"), st.characters()), max_size=40
)
STUDENTS = ["gradescope", "junit", "markdown"]


@pytest.fixture(scope="module")
def schema() -> xmlschema.XMLSchema:
    return xmlschema.XMLSchema(DATA / "junit.xsd")


def one(export: Any, name: str, results: Results) -> str:
    return str(export(name, [Row(results.student, results, None, None)]).data.decode())


@pytest.mark.parametrize("name", STUDENTS)
def test_golden(export: Any, golden: Any, sample: Results, name: str) -> None:
    ending = {"gradescope": "json", "junit": "xml", "markdown": "md"}[name]
    golden(f"{name}.{ending}", one(export, name, sample))


@pytest.mark.parametrize("name", STUDENTS)
def test_of_a_hidden_check_there_is_only_verdict_and_help(export: Any, hidden: Results, name: str) -> None:
    text = one(export, name, hidden)
    assert "Look at short rows" in text
    assert "A hidden check" in text
    for secret in ("row 3", "secret_check", "0.123", "gradient"):
        assert secret not in text


def test_json_of_hostile_text_is_strict(export: Any, hostile: tuple[str, Results]) -> None:
    text, results = hostile
    rows = [Row(text, results, None, None), Row(text, None, text, None)]
    told = json.loads(export("json", rows).data, parse_constant=pytest.fail)
    assert [student["status"] for student in told["students"]] == ["graded, 1 not judged", "no results"]
    assert told["students"][0]["final"] is None


@pytest.mark.parametrize("name", STUDENTS)
def test_nothing_of_the_person_is_in_it(export: Any, sample: Results, name: str) -> None:
    origin = Origin(name="Mara Quill", ids={"email": "mara@example.edu", "canvas": "90071"}, folder="Mara Quill_88_x_y")
    text = one(export, name, msgspec.structs.replace(sample, student="mquill", origin=origin))
    for private in ("Mara", "mara@", "90071", "mquill"):
        assert private not in text


@pytest.mark.parametrize("name", STUDENTS)
def test_what_could_not_be_judged_is_said(export: Any, graded: Any, name: str) -> None:
    told = export(name, [graded("mara", 40, unjudged=2)])
    assert told.notes == ("2 checks could not be judged: these points are not final.",)


def test_gradescope_points_add_up(export: Any, sample: Results) -> None:
    told = json.loads(one(export, "gradescope", sample), parse_constant=pytest.fail)
    tests = told["tests"]
    assert sum(test["max_score"] for test in tests) == pytest.approx(sample.possible)
    assert sum(test["score"] for test in tests) == pytest.approx(sample.points) == told["score"]
    assert all(0 <= test["score"] <= test["max_score"] for test in tests)
    assert isinstance(told["execution_time"], float)
    assert {test["status"] for test in tests} <= {"passed", "failed"}


def test_gradescope_shows_everything_and_as_text(export: Any, hostile: tuple[str, Results]) -> None:
    told = json.loads(one(export, "gradescope", hostile[1]))
    assert {told[key] for key in ("output_format", "test_output_format", "test_name_format")} == {"text"}
    assert {test["visibility"] for test in told["tests"]} == {"visible"}
    assert "\r" not in json.dumps(told)


def test_gradescope_says_what_is_next_in_whole_sentences(export: Any, sample: Results) -> None:
    failed = next(e for e in sample.exercises if any(check.status == "failed" for check in e.checks))
    task = next(check.task for check in failed.checks if check.status == "failed")
    known = Diagnosis(task=task, bug="b", what="you divide twice", why="One is enough.", help="Where?")
    failed = msgspec.structs.replace(failed, status="failed", diagnoses=[known])
    told = json.loads(one(export, "gradescope", msgspec.structs.replace(sample, exercises=[failed])))
    assert "Next: you divide twice. One is enough. Where?" in told["output"]


def test_gradescope_total_has_the_adjustments_and_rows_that_say_why(export: Any, graded: Any) -> None:
    told = json.loads(export("gradescope", [graded("mara", 80, adjusted=-12.5)]).data)
    assert told["score"] == 67.5
    assert told["tests"][-1] == {
        "name": "Adjusted: -12.5 points", "output": "two days late", "visibility": "visible",
    }  # fmt: skip
    assert told["output"].startswith("67.5 of 100 points in all.")


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -5.0])
def test_gradescope_never_gets_a_number_it_cannot_read(export: Any, graded: Any, value: float) -> None:
    row = graded("mara", 80)
    odd = msgspec.structs.replace(row.results, seconds=value, points=value)
    told = json.loads(one(export, "gradescope", odd), parse_constant=pytest.fail)
    assert told["score"] >= 0


def test_junit_is_valid(export: Any, sample: Results, schema: Any) -> None:
    text = one(export, "junit", sample)
    schema.validate(text)
    root = ElementTree.fromstring(text)
    checks = [check for exercise in sample.exercises for check in exercise.checks]
    count = {tag: len(root.findall(f".//{tag}")) for tag in ("testcase", "failure", "error", "skipped")}
    statuses = [check.status for check in checks]
    assert count == {
        "testcase": len(checks),
        "failure": statuses.count("failed"),
        "error": statuses.count("error"),
        "skipped": statuses.count("not_started") + statuses.count("blocked"),
    }
    assert root.get("tests") == str(len(checks))
    assert {suite.get("hostname") for suite in root} == {""}
    points = [float(node.get("value", "")) for node in root.findall(".//property[@name='points']")]
    assert sum(points) == pytest.approx(sample.points)


def test_junit_of_hostile_text_is_valid(export: Any, hostile: tuple[str, Results], schema: Any) -> None:
    schema.validate(one(export, "junit", hostile[1]))


def test_the_schema_of_these_tests_can_say_no(schema: Any) -> None:
    suite = '<testsuite name="a" tests="1" failures="0" errors="0"><testcase name="x"/></testsuite>'
    good = f"<testsuites>{suite}</testsuites>"
    schema.validate(good)
    for bad in (
        good.replace(' tests="1"', ""),
        good.replace('"x"/', '"x" file="y"/'),
        good.replace('"x"', '"x" time="0.1234"'),
    ):
        assert not schema.is_valid(bad)
    with_properties = good.replace('"x"/>', '"x"><properties/></testcase>')
    assert not schema.is_valid(with_properties)


@given(text=ODD)
def test_xml_comes_back_as_it_was_written(text: str) -> None:
    written = junit.legal(text)
    node = ElementTree.Element("a", {"b": written})
    node.text = written
    again = ElementTree.fromstring(ElementTree.tostring(node, encoding="utf-8"))
    assert again.text == (written or None)
    assert again.get("b") == written


def test_what_xml_cannot_say_is_shown() -> None:
    assert junit.legal("a\x1b[31m\x00b\ufffe") == "a#x1B[31m#x00b#xFFFE"


@given(text=ODD)
def test_nothing_ends_a_fence(text: str) -> None:
    (token,) = MarkdownIt("gfm-like", {"linkify": False}).parse(fenced(text))
    assert token.type == "fence"


@given(text=ODD)
def test_prose_is_text_and_code_and_nothing_else(text: str) -> None:
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(f"x {prose(text)}")
    assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"]
    assert {child.type for child in tokens[1].children or ()} <= {"text", "code_inline", "text_special"}


@pytest.mark.parametrize(
    "live",
    [
        "@someone",
        "see @org/team",
        "#12",
        "GH-12",
        "https://example.com",
        "www.example.com",
        "a@b.example",
        "org/repo#3",
    ],
)
def test_prose_calls_nobody_and_links_nowhere(live: str) -> None:
    (_, inline, _) = MarkdownIt("commonmark").parse(prose(f"say {live} now"))
    shown = "".join(child.content for child in inline.children or ())
    assert shown.replace("\u200b", "") == f"say {live} now"
    assert live not in shown


def test_markdown_of_hostile_text_has_no_html_and_no_link(hostile: tuple[str, Results]) -> None:
    tokens = MarkdownIt("commonmark").enable("table").parse(document(hostile[1]))
    kinds = {token.type for token in tokens} | {child.type for token in tokens for child in token.children or ()}
    assert not kinds & {"html_block", "html_inline", "link_open", "image"}
    assert sum(token.type == "heading_open" for token in tokens) <= 2


def test_markdown_is_never_over_githubs_limit(build: Any) -> None:
    checks = [
        build.failure("masking", f"task_{n}", f"c{n}", "Holds.", "crash", "raised", "x", values={"seen": "é" * 9000},
                      detail="é" * 9000) for n in range(600)
    ]  # fmt: skip
    text = document(build.results("mara", [build.exercise("masking", "Masks", "failed", checks)]))
    assert LIMIT * 0.9 < len(text.encode()) <= LIMIT < 2**20
    assert text.rstrip().endswith("More is left out here, since GitHub takes no longer summary\\.")


def test_markdown_says_why_points_were_adjusted(build: Any, sample: Results) -> None:
    late = Adjustment(kind="late", exercise=None, before=10, after=8, reason="``` late")
    text = document(msgspec.structs.replace(sample, adjustments=[late]))
    assert "````text\n``` late\n````" in text
