"""Hostile class folders: names, links, archives and sources cost their own student a reason, others nothing."""

from __future__ import annotations

import io
import os
import stat
import tarfile
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from grader.batch.job import Grader
from grader.batch.outcome import REPORT
from grader.batch.run import run_batch
from grader.run.present import Present
from grader.submission.files import read_source
from grader.submission.intake.model import Wanted
from grader.submission.intake.take import take_in
from grader.submission.model import SourceFile, Submission

from .conftest import ALL, MARK, Bench, bench, checks

GOOD = ALL["good_control"].text
WANTED = Wanted(("softmax",), {"softmax": "softmax"}, frozenset(), lambda name, text: False)
STUDENTS = [
    "../../etc", "..", ".", "a/b", "a\\b", "=1+1", "<b>x</b>", "\x00", "con", "a" * 300, "Zo\u00eb", "Zoe\u0308",
    "ZO\u00cb", "\u202etxt.exe", "-n", "__proto__", "name\nwith newline", "  padded  ", "\u0430lice",
]  # fmt: skip
FILES = [
    "con.py", "a\u202egpj.py", "sub\u200bmission.py", "softm\u0430x.py", "-rf", "$(id).py", "a\nb.py", "=cmd.py",
    "sitecustomize.py", "conftest.py", "torch.py", "pytest.ini", "x.pth", "softmax.so", "softmax.pyc",
]  # fmt: skip
HURTS_A_PARSER = {
    "deep brackets": "(" * 5000 + ")" * 5000,
    "deep signs": "-" * 100_000 + "1",
    "long attribute": "a" + ".b" * 60_000,
    "long sum": "1" + "+1" * 60_000,
    "deep elif": "if a: pass\n" + "elif a: pass\n" * 15_000,
}
READABLE_OR_NOT = {
    "nul": b"x = 1\0",
    "byte order mark": b"\xef\xbb\xbf" + GOOD.encode(),
    "utf-16": GOOD.encode("utf-16"),
    "an odd coding": b"# -*- coding: utf_7 -*-\nx = '+AD0-'\n",
    "an unknown coding": b"# -*- coding: nonsense -*-\nx = 1\n",
    "lone returns": GOOD.replace("\n", "\r").encode(),
    "no utf-8": b"x = '\xff'\n",
}


@pytest.fixture(scope="module")
def walled2() -> Iterator[Bench]:
    with bench("2") as made:
        yield made


def taken(folder: Path) -> list[Submission]:
    """As `grade batch` takes a class in."""
    return list(take_in(folder, WANTED).submissions)


@pytest.fixture(autouse=True)
def _the_next_one_never_notices(walled2: Bench) -> Iterator[None]:
    yield
    assert walled2.control()["points"] == 10


@pytest.mark.parametrize("text", HURTS_A_PARSER.values(), ids=HURTS_A_PARSER)
def test_a_source_that_hurts_a_parser_hurts_its_own_process(walled2: Bench, text: str) -> None:
    results = walled2.grade(text)
    assert results.points == 0
    assert {check.status for check in checks(results).values()} <= {"failed", "blocked"}


@pytest.mark.parametrize("data", READABLE_OR_NOT.values(), ids=READABLE_OR_NOT)
def test_odd_bytes_are_graded_or_refused_with_a_reason(walled2: Bench, data: bytes, tmp_path: Path) -> None:
    (tmp_path / "softmax.py").write_bytes(data)
    source = read_source(tmp_path / "softmax.py", "softmax")
    results = walled2.engine.grade(Submission("ada", {"softmax": source}))
    values = checks(results)["softmax_values"]
    assert values.code in ("unreadable_file", "syntax_error", "import_failed", "missing_name", None)
    assert (values.status == "passed") == (b"powers" in data and b"\x00" not in data)


def test_names_that_look_alike_to_python_are_still_watched(walled2: Bench) -> None:
    text = "import torch\n\n\ndef softmax(x):\n    return torch.\uff53oftmax(x, -1)\n"
    assert checks(walled2.grade(text))["softmax_own_work"].code == "forbidden"


TRIED = "\n\nimport torch\n\ntorch.softmax(torch.ones(2, 3), -1)  # to compare with\n"


def test_a_file_that_tries_the_operator_itself_is_judged_all_the_same(walled2: Bench) -> None:
    """A comparison at the end of a file is no crime, and no way to keep the watch from seeing the rest."""
    right = walled2.grade(GOOD + TRIED)
    assert checks(right)["softmax_own_work"].status == "passed"
    wrong = walled2.grade("import torch\n\n\ndef softmax(x):\n    return torch.softmax(x, -1)\n" + TRIED)
    assert (checks(wrong)["softmax_own_work"].code, wrong.points) == ("forbidden", 0)


def _zip(*entries: tuple[str, str, int]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data, mode in entries:
            info = zipfile.ZipInfo("x")
            info.filename, info.external_attr = name, mode << 16
            archive.writestr(info, data, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def _tar() -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name, kind, link in (
            ("fifo", tarfile.FIFOTYPE, ""),
            ("up", tarfile.SYMTYPE, "/etc"),
            ("../x.py", b"0", ""),
        ):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, link
            archive.addfile(info)
    return out.getvalue()


ARCHIVES = {
    "slip.zip": _zip(("../softmax.py", GOOD, 0), ("/softmax.py", GOOD, 0), ("..\\softmax.py", GOOD, 0)),
    "link.zip": _zip(("softmax.py", "/etc/passwd", stat.S_IFLNK | 0o777)),
    "bomb.zip": _zip(("softmax.py", "#" * (20 << 20), 0)),
    "ada.tar.gz": _tar(),
}


@pytest.mark.parametrize("name", ARCHIVES)
def test_an_archive_costs_its_student_a_reason_and_leaves_nothing_on_the_disk(tmp_path: Path, name: str) -> None:
    root = tmp_path / "class"
    (root / "ada").mkdir(parents=True)
    (root / name).write_bytes(ARCHIVES[name])
    (root / "ada" / name).write_bytes(ARCHIVES[name])
    (root / "bob").mkdir()
    (root / "bob" / "softmax.py").write_bytes(ARCHIVES[name])
    before = set(tmp_path.rglob("*"))
    found = {submission.student: submission for submission in taken(root)}
    assert found.keys() >= {"ada", "bob"}
    for submission in found.values():
        assert [file.text for file in submission.files.values()] in ([], [None])
        assert submission.problems or submission.files["softmax"].problem
    assert set(tmp_path.rglob("*")) == before


def test_a_bomb_alone_is_a_row_with_its_reason(tmp_path: Path) -> None:
    (tmp_path / "bomb.zip").write_bytes(ARCHIVES["bomb.zip"])
    (row,) = taken(tmp_path)
    assert row.files["softmax"].text is None
    assert "it is larger than 256 KiB" in (row.files["softmax"].problem or "")


def test_only_files_of_the_course_are_read_and_no_link_is_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret.py"
    secret.write_text(f"# {MARK}\n", "utf-8")
    ada = tmp_path / "class" / "ada"
    ada.mkdir(parents=True)
    for name in FILES:
        (ada / name).write_text(GOOD, "utf-8")
    (ada / "softmax.py").symlink_to(secret)
    (ada / "exercises").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "class" / "grace_softmax.py")
    found = {s.student: s for s in taken(tmp_path / "class")}
    assert set(found) == {"ada", "grace"}
    assert set(found["ada"].files) == {"softmax"}
    assert MARK not in str(found)
    assert [s.files["softmax"].text for s in found.values()] == [None, None]


def test_hostile_students_get_a_folder_each_inside_the_results(walled2: Bench, tmp_path: Path) -> None:
    source = {"softmax": SourceFile("softmax", ALL["hostile_text"].text)}

    out = tmp_path / "deep" / "out"
    submissions = [Submission(student, source) for student in STUDENTS]
    engine = walled2.engine

    @contextmanager
    def backend(exercises: Sequence[str]) -> Iterator[Grader]:
        yield Grader(lambda job: engine.grade(job.submission, job.exercises), 2)

    present = Present(engine.course, engine.exercises)
    rows = run_batch(submissions, backend, present, out, 1, title="Class").rows
    assert [row.student for row in rows] == STUDENTS
    assert not [row.problem for row in rows if row.results is None]
    assert {path.relative_to(tmp_path).parts[:2] for path in tmp_path.rglob("*") if path.is_file()} == {("deep", "out")}
    folders = {path.parent for path in out.rglob(REPORT)}
    assert len({str(folder).casefold() for folder in folders}) == len(STUDENTS)
    assert {folder.parent for folder in folders} == {out / "students"}
    assert not [path for path in out.rglob("*") if path.is_file() and MARK.encode() in path.read_bytes()]
