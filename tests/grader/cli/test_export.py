"""`grade export` as its users call it, on the class of the report tests."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from pathlib import Path
from typing import Any

import click
import msgspec
import pytest
from click.testing import CliRunner, Result

from grader.batch.pages import standard
from grader.batch.tables import write_tables
from grader.cli.export_command import command
from grader.errors import GraderError, UsageError
from grader.report.exports.formats import FORMATS
from grader.report.rows import Row
from grader.results import store
from grader.results.schema import Origin, Results

DATA = Path(__file__).parents[1] / "data"
SAMPLE = Path(__file__).parents[1] / "report" / "sample.json"


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """A batch's folder: two students with results, one without."""
    folder = tmp_path / "reports"
    sample = msgspec.json.decode(SAMPLE.read_bytes(), type=Results)
    judged = [e for e in sample.exercises if not any(c.status == "error" for c in e.checks)]
    rows = [Row("ghost", None, "There is no file to grade.", None)]
    for student, number in (("mquill", "8801"), ("fodell", "8802")):
        results = msgspec.structs.replace(
            sample, student=student, exercises=judged, origin=Origin(ids={"moodle": number}),
            points=sum(e.points for e in judged), possible=sum(e.possible for e in judged),
        )  # fmt: skip
        mine = folder / "students" / student
        mine.mkdir(parents=True)
        (mine / "results.json").write_bytes(store.dump(results))
        (mine / "report.html").write_text(f"page of {student}", "utf-8")
        rows.append(Row(student, results, None, None))
    write_tables(folder, "Class", rows, {row.student: row.student for row in rows}, standard(), None, None)
    return folder


def call(*arguments: Any, error: str = "") -> Result:
    done = CliRunner().invoke(command, [str(a) for a in arguments], standalone_mode=False)
    if error:
        assert isinstance(done.exception, GraderError | click.ClickException), done.exception
        assert error in str(done.exception)
    else:
        assert done.exception is None, done.exception
    return done


def test_without_a_format_it_names_all(out: Path) -> None:
    shown = call().stdout
    assert all(f"\n{name} " in f"\n{shown}" for name in FORMATS)


def test_csv_is_the_gradebook_of_the_batch(out: Path) -> None:
    done = call("csv", out)
    assert done.stdout_bytes == (out / "gradebook.csv").read_bytes()
    assert "1 student has no final points: ghost." in done.stderr


def test_json_is_strict_and_unknown_is_null(out: Path) -> None:
    students = json.loads(call("json", out).stdout)["students"]
    assert [student["student"] for student in students] == ["ghost", "mquill", "fodell"]
    assert "final" not in students[0]
    assert students[0]["problem"] == "There is no file to grade."
    assert students[1]["final"] == 19


def test_canvas_writes_a_file_and_says_who_is_not_in_it(out: Path, tmp_path: Path) -> None:
    sheet, upload = DATA / "exports/canvas.csv", tmp_path / "upload.csv"
    before = sheet.read_bytes()
    done = call("canvas", out, "--sheet", sheet, "--column", "4711", "--out", upload)
    lines = list(csv.reader(io.StringIO(upload.read_text("utf-8"))))
    assert [line[3] for line in lines[3:]] == ["mquill", "fodell"]
    assert "1 student is left out: ghost (There is no file to grade)." in done.stderr
    assert sheet.read_bytes() == before


def test_anonymous_results_fit_no_sheet_and_that_is_said(out: Path) -> None:
    for path in (out / "students").glob("*/results.json"):
        known = store.load(path)
        number = {"mquill": "Student 017", "fodell": "Student 003"}[known.student]
        path.write_bytes(store.dump(msgspec.structs.replace(known, student=number, origin=None)))
    (out / "class.json").unlink()
    call("canvas", out, "--sheet", DATA / "exports/canvas.csv", "--column", "4711", error="The results are anonymous")


def test_moodle_and_its_feedback(out: Path, tmp_path: Path) -> None:
    sheet, archive = DATA / "exports/moodle_zh.csv", tmp_path / "feedback.zip"
    assert (
        '参与人8801,"Mara Quill",mara.quill@example.edu,已提交,41.30,100.00'
        in call("moodle", out, "--sheet", sheet).stdout
    )
    call("moodle-feedback", out, "--out", archive)
    with zipfile.ZipFile(archive) as made:
        assert {made.read(name).decode() for name in made.namelist()} == {"page of mquill", "page of fodell"}


@pytest.mark.parametrize("name", [name for name, known in FORMATS.items() if known.of_one])
def test_formats_of_one_take_one_results_file(out: Path, name: str) -> None:
    assert call(name, out / "students/mquill/results.json").stdout
    call(name, out, error="is of one student, and there are 2: name a results.json.")


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("csvv", "OUT"), "No format 'csvv'. Did you mean 'csv'?"),
        (("excel", "OUT"), "No format 'excel'. There are: csv, json"),
        (("csv",), "What is exported?"),
        (("csv", "OUT", "--sheet", "x"), "'csv' has no sheet"),
        (("canvas", "OUT"), "export it there, and give it with --sheet FILE"),
        (("canvas", "OUT", "--sheet", "nowhere.csv"), "The sheet 'nowhere.csv' cannot be read"),
        (("canvas", "OUT", "--sheet", "SHEET", "--comments", "x"), "'canvas' has no comments"),
        (("canvas", "OUT", "--sheet", "SHEET", "--out", "SHEET"), "is your sheet"),
        (("csv", "OUT", "--no-scale"), "'csv' is written unscaled anyway: leave out --no-scale."),
        (("moodle-feedback", "OUT"), "say with --out FILE.zip"),
        (("csv", "SHEET"), "is not JSON"),
        (("csv", "OUT/students"), "is no folder of a batch"),
        (("csv", "OUT", "--out", "OUT/no/where.csv"), "cannot be written"),
    ],
)
def test_wrong_use_is_told_in_a_sentence(out: Path, arguments: tuple[str, ...], error: str) -> None:
    places = {"OUT": str(out), "SHEET": str(DATA / "exports/canvas.csv")}
    told = [a.replace("OUT", places["OUT"]).replace("SHEET", places["SHEET"]) for a in arguments]
    call(*told, error=error)


def test_a_refused_export_leaves_what_was_there(out: Path, tmp_path: Path) -> None:
    old = tmp_path / "upload.csv"
    old.write_text("old", "utf-8")
    with pytest.raises(UsageError):
        raise call("canvas", out, "--sheet", DATA / "exports/moodle_en.csv", "--out", old, error="Canvas").exception  # type: ignore[misc]
    assert old.read_text("utf-8") == "old"


def test_the_page_of_the_docs_has_every_format_with_a_command_that_is_taken() -> None:
    text = (Path(__file__).parents[3] / "docs" / "exports.md").read_text("utf-8")
    assert re.findall(r"^\| `([a-z-]+)` \|", text, re.MULTILINE) == list(FORMATS)
    shown = re.findall(r"`grade export ([a-z-]+ [^`>]*)", text)
    assert {line.split()[0] for line in shown} == set(FORMATS)
    for line in shown:
        command.make_context("export", line.split())
