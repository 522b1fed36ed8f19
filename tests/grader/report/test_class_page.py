"""The page of a class: rows, figures, links, and nothing of a student's that acts."""

from __future__ import annotations

import base64
import hashlib
import random
import re
from typing import Any

import msgspec
import pytest

from grader.report import class_cells, class_numbers
from grader.report.class_page import render
from grader.report.heat_map import heat_map
from grader.report.page import safe_href
from grader.report.rows import Row
from grader.report.text import clean
from grader.results.schema import Adjustment, Origin, Results, Status


def test_golden(make_class: Any, golden: Any) -> None:
    html = render("A small class", make_class(8, checks=5))
    golden("class.html", re.sub(r"(?s)<style>.*</style>", "<style></style>", html))


def test_only_its_own_script_may_run(make_class: Any, parse: Any) -> None:
    html = render("Class", make_class(3))
    page = parse(html)
    assert len(page.all("script")) == 1
    script = "".join(page.all("script")[0].parts)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = next(e.attributes["content"] for e in page.all("meta") if "http-equiv" in e.attributes)
    assert f"script-src 'sha256-{digest}';" in policy
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'; img-src data:;")


def table_rows(html: str) -> list[str]:
    body = re.search(r'(?s)<table class="students.*<tbody>(.*)</tbody>', html)
    assert body
    return body[1].strip().split("<tr>")[1:]


def cells(row: str) -> list[str]:
    return [re.sub(r"<[^>]*>", "", cell.partition(">")[2]).strip() for cell in row.split("<td")[1:]]


def test_without_script_every_student_is_there_with_all_points(make_class: Any) -> None:
    rows = make_class(30)
    shown = table_rows(render("Class", rows))
    assert len(shown) == 30
    for row, line in zip(rows[:-1], shown, strict=False):
        assert row.student in line
        assert f'href="{row.href}"' in line
        *points, total, _ = cells(line)
        assert float(total) == row.results.points
        wanted = ["–" if e.status == "not_started" else f"{e.points:g}" for e in row.results.exercises]
        assert points == wanted


def test_a_row_without_results_says_why_and_has_no_points(make_class: Any) -> None:
    last = table_rows(render("Class", make_class(5)))[-1]
    *numbers, reason = cells(last)
    assert set(numbers) == {""}
    assert reason == "No results: attention.zip is not a zip archive."
    assert "href" not in last
    long = table_rows(render("Class", [Row("a", None, "word " * 5000, None)]))[0]
    assert len(long) < 1000


def test_students_may_have_other_exercises_and_problems_beside_results(build: Any) -> None:
    a = Row("a", build.results("a", [build.part("masking")]), None, None)
    b = Row("b", build.results("b", [build.part("layer_norm")]), "layer_norm.py was late.", None)
    first, second = table_rows(render("Class", [a, b]))
    assert cells(first)[:2] == ["12", ""]
    assert cells(second)[:2] == ["", "0"]
    assert cells(second)[-1] == "2 failed. layer_norm.py was late."


@pytest.mark.parametrize("rows", [[], [Row("only", None, None, None)]])
def test_a_class_without_results_still_makes_a_page(rows: list[Row], parse: Any) -> None:
    assert "No results yet." in parse(render("Empty", rows)).all("main")[0].text


def test_a_thousand_students_stay_under_three_megabytes(build: Any) -> None:
    """Twenty exercises of twelve checks, all statuses mixed at random, and a known bug in most of what is written."""
    statuses: list[Status] = ["passed", "failed", "not_started", "blocked", "error"]
    rows = build.class_rows(1000, exercises=20, checks=12)
    chance = random.Random(3)

    def mixed(results: Results) -> Results:
        exercises = [
            msgspec.structs.replace(
                e, checks=[msgspec.structs.replace(c, status=chance.choice(statuses)) for c in e.checks]
            )
            for e in results.exercises
        ]
        return msgspec.structs.replace(results, exercises=exercises)

    rows = [Row(r.student, mixed(r.results), None, r.href) if r.results else r for r in rows]
    html = render("A large class", rows, rows)
    assert len(table_rows(html)) == 1000
    assert len(html.encode()) < 3_000_000


def test_hostile_text_adds_no_element_and_no_attribute(
    hostile: tuple[str, Results], make_class: Any, parse: Any
) -> None:
    text, results = hostile
    rows = [*make_class(12), Row(text, results, text, text), Row(text, None, text, f"javascript:{text}")]
    page = parse(render(text, rows))
    usual = parse(render("Class", [*make_class(12), Row("a", None, "b", "c")])).shapes()
    rare = {(tag, name) for tag in "us" for name in ("", "title")}  # statuses of the sample
    assert page.shapes() - usual <= {*rare, ("wbr", "")}
    assert " ".join(clean(text).split()) in page.all("h1")[0].text
    assert not any(e.attributes.get("href", "").startswith("javascript") for e in page.all("a"))


def test_links_lead_only_to_pages() -> None:
    assert safe_href("students/a b.html") == "students/a%20b.html"
    assert safe_href("https://example.org/x") == "https://example.org/x"
    for bad in ("javascript:alert(1)", "JavaScript:x", "java\tscript:x", "data:text/html,x", "vbscript:x", None):
        assert safe_href(bad) is None


def test_histogram_counts_everyone_once(make_class: Any, parse: Any) -> None:
    rows = make_class(200)
    bins = class_numbers.histogram(rows)
    assert sum(b.students for b in bins) == 199
    high = sum(r.results.points / r.results.possible >= 0.95 for r in rows if r.results)
    assert bins[-1].students == high
    figure = parse(render("Class", rows)).all("desc")[0].text
    assert f"95 to 100 %: {high}." in figure


def test_hardest_checks_are_counted_among_those_who_wrote_the_task(build: Any) -> None:
    def row(name: str, *statuses: Status) -> Row:
        checks = [build.check("e", "t", f"c{i}", f"Title {i}", s) for i, s in enumerate(statuses)]
        return Row(name, build.results(name, [build.exercise("e", "E", "failed", checks)]), None, None)

    rows = [
        row("a", "failed", "failed", "passed"),
        row("b", "not_started", "passed", "passed"),
        row("c", "failed", "passed", "error"),
    ]
    found = [(h.id, h.failed, h.judged) for h in class_numbers.hardest(rows)]
    assert found == [("e.c0", 2, 2), ("e.c1", 1, 3)]


def test_a_file_that_cannot_be_run_makes_no_check_hard(build: Any) -> None:
    broken = [
        msgspec.structs.replace(
            build.check("e", "t", f"c{i}", "Title", "failed"), code="syntax_error", message="line 3"
        )
        for i in range(2)
    ]
    rows = [Row("a", build.results("a", [build.exercise("e", "E", "failed", broken)]), None, None)]
    assert class_numbers.hardest(rows) == []


def test_heat_map_has_one_letter_per_check_best_student_first(build: Any) -> None:
    rows = [
        Row(n, build.results(n, e), None, None)
        for n, e in (("bad", [build.part("encoder")]), ("good", build.sample_results().exercises))
    ]
    found = heat_map(rows)
    assert [line.name for line in found.lines] == ["good", "bad"]
    assert [c.exercise for c in found.columns][:2] == ["encoder", "masking"]
    weak = re.sub(r"<[^>]*>", "", str(found.lines[1].cells))
    assert weak == "xx?" + " " * (sum(c.size for c in found.columns) - 3)
    full = re.sub(r"<[^>]*>", "", str(found.lines[0].cells))
    assert full == "xx?" + "...." + "...xx.x~" + ".xx" + "-----" + "?" + "~"


def test_a_large_class_comes_in_groups_of_about_the_same_total(make_class: Any) -> None:
    small, large = heat_map(make_class(200)), heat_map(make_class(400))
    assert (len(small.lines), small.group) == (199, 1)
    assert 'title="masking_check_0: ' in str(small.lines[0].cells)
    assert (large.students, large.group, len(large.lines)) == (399, 10, 40)
    assert (large.lines[0].name, large.lines[-1].name) == ("1–10", "391–399")
    assert all(len(re.sub(r"<[^>]*>", "", str(line.cells))) == 84 for line in (*small.lines, *large.lines))


def test_a_digit_of_a_group_says_how_many_tenths_passed(build: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr("grader.report.heat_map.CELLS", 1)
    monkeypatch.setattr("grader.report.heat_map.GROUPS", 1)
    columns: list[list[Status]] = [["passed"] * 3, ["passed", "passed", "failed"], ["not_started", "blocked", "passed"]]
    rows = [
        row(build, f"s{n}", [build.check("e", "t", f"c{i}", "T", column[n]) for i, column in enumerate(columns)])
        for n in range(3)
    ]
    found = heat_map(rows)
    assert [(line.name, re.sub(r"<[^>]*>", "", str(line.cells))) for line in found.lines] == [("1–3", ".63")]
    assert '<a title="c1: passed by 2 of 3">6</a>' in str(found.lines[0].cells)
    assert '<i title="c2: passed by 1 of 3">3</i>' in str(found.lines[0].cells)


def row(build: Any, name: str, checks: list[Any], status: Status = "failed", **more: Any) -> Row:
    results = build.results(name, [build.exercise("e", "E", status, checks)])
    return Row(name, msgspec.structs.replace(results, **more), None, f"students/{name}/report.html")


def test_practice_is_counted_in_checks_and_never_red(build: Any) -> None:
    checks = [build.check("e", "t", f"c{i}", "T", s, 0.0) for i, s in enumerate(("passed", "failed", "failed"))]
    begun = build.exercise("e", "E", "failed", checks)
    assert class_cells.cell(begun) == class_cells.Cell("r", "1/3", "0.33")
    assert class_cells.cell(build.exercise("e", "E", "passed", checks[:1])).text == "✓"
    assert class_cells.cell(msgspec.structs.replace(begun, possible=6.0)).kind == "f"
    html = render("Class", [row(build, "ada", checks)])
    assert "<small>practice</small>" in html
    assert "class=f>" not in html


def test_the_total_is_what_goes_into_the_gradebook_and_the_row_says_why(build: Any) -> None:
    late = Adjustment(kind="late", before=2.0, after=1.5, reason="a day late")
    hand = Adjustment(kind="override", exercise="e", before=0.0, after=1.0, reason="right idea", comment="see me")
    word = Adjustment(kind="comment", before=3.0, after=3.0, reason="", comment="well read")
    one = row(build, "ada", [build.check("e", "t", "c", "T")], "passed", adjustments=[late, hand, word])
    *_, total, status = cells(table_rows(render("Class", [one]))[0])
    assert total == "2.5*"
    assert status == (
        "1 check passed. Late, total: 2 → 1.5, a day late. By hand, e: 0 → 1, right idea: see me. Comment: well read"
    )
    assert "Half of them have 2.5 of 2 points" in render("Class", [one])


def test_a_full_name_stands_beside_the_students_own(build: Any) -> None:
    one = row(build, "al815", [build.check("e", "t", "c", "T")], origin=Origin(name="Ada Lovelace"))
    assert "Ada Lovelace" in table_rows(render("Class", [one]))[0]


def test_equal_rows_give_equal_bytes(make_class: Any) -> None:
    assert render("Class", make_class(30), make_class(20)) == render("Class", make_class(30), make_class(20))
