"""Hostile, damaged and odd archives: a sentence each, nothing written anywhere, and everybody else is graded."""

from __future__ import annotations

import io
import stat
import struct
import sys
import time
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from grader.errors import UsageError
from grader.submission.files import Unreadable
from grader.submission.intake import archive as module
from grader.submission.intake.archive import CLASS, STUDENT, Limits, listed
from grader.submission.intake.model import Source

from .packing import ATTENTION, archive, laid_down, packed, rows, texts

LINK = stat.S_IFLNK | 0o777


def raw(entries: Sequence[tuple[str, bytes, int]], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Names and modes as they are given, whatever they are."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as made:
        for name, data, mode in entries:
            info = zipfile.ZipInfo("placeholder")
            info.filename, info.compress_type, info.external_attr = name, method, mode << 16
            made.writestr(info, data)
    return buffer.getvalue()


def source(data: bytes, limits: Limits = STUDENT) -> Source:
    return listed(io.BytesIO(data), "work", limits)


def test_paths_that_lead_out_are_left_out_and_said(tmp_path: Path) -> None:
    evil = ["../escape.py", "/abs.py", "a/../../b.py", "..\\w.py", "C:\\x.py", "C:evil.py", "a//b.py", "a" * 5000]
    found = source(raw([(name, b"x = 1\n", 0) for name in [*evil, "attention.py", "sub\\masking.py"]]))
    assert [item.path for item in found.items] == ["attention.py", "sub/masking.py"]
    assert found.problems[0] == "../escape.py is left out: its path leads out of the archive."
    assert len(found.problems) == 6
    assert found.problems[-1] == "3 more of this kind."
    before = sorted(tmp_path.rglob("*"))
    student = rows(archive(tmp_path, {"ada.zip": raw([("../../attention.py", b"x", 0), ("masking.py", b"y", 0)])}))[
        "ada"
    ]
    assert texts(student) == {"masking": "y"}
    assert student.problems == (
        "In the archive ada.zip: ../../attention.py is left out: its path leads out of the archive.",
    )
    assert sorted(tmp_path.rglob("*")) == [*before, tmp_path / "class.zip"]


def test_links_are_not_followed(tmp_path: Path) -> None:
    entries = [("ada/attention.py", b"/etc/passwd", LINK), ("ben", b"/", LINK), ("ben/masking.py", b"x = 1\n", 0)]
    path = tmp_path / "class.zip"
    path.write_bytes(raw(entries))
    found = rows(path)
    assert "symbolic link" in (found["ada"].files["attention"].problem or "")
    assert texts(found["ben"]) == {"masking": "x = 1\n"}


def test_bombs_cost_what_they_are_allowed(tmp_path: Path) -> None:
    bomb = packed({"attention.py": b"#" * (200 << 20)})
    nested = bomb
    for _ in range(4):
        nested = packed({"inner.zip": nested})
    began = time.process_time()
    found = rows(
        archive(tmp_path, {"ada.zip": bomb, "ben.zip": nested, "eve.zip": packed({"attention.py": ATTENTION})})
    )
    assert time.process_time() - began < 2
    assert "larger than 256 KiB" in (found["ada"].files["attention"].problem or "")
    assert "an archive in an archive in an archive" in found["ben"].problems[0]
    assert texts(found["eve"]) == {"attention": ATTENTION}


def test_what_is_read_in_all_has_a_limit() -> None:
    found = source(packed({f"{n}.py": b"#" * 1000 for n in range(3)}), Limits(members=10, total=2500))
    assert [len(item.read(1000)) for item in found.items[:2]] == [1000, 1000]
    with pytest.raises(Unreadable, match="more than is allowed"):
        found.items[2].read(1000)


def test_a_hundred_thousand_members_are_refused_before_they_are_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = raw([(f"d{n % 50}/f{n}.py", b"", 0) for n in range(100_000)], zipfile.ZIP_STORED)
    with pytest.raises(Unreadable, match="holds more than 50,000 files"):
        source(many, CLASS)
    monkeypatch.setattr(module.zipfile, "ZipFile", None)  # listing them is what costs memory
    with pytest.raises(Unreadable, match="holds more than 5,000 files"):
        source(many)
    monkeypatch.undo()
    path = archive(tmp_path, {"ada.zip": many, "ben.zip": packed({"attention.py": ATTENTION})})
    found = rows(path)
    assert found["ada"].problems == ("ada.zip cannot be read: it holds more than 5,000 files; hand in the code alone.",)
    assert texts(found["ben"]) == {"attention": ATTENTION}


def lying_about_its_size() -> bytes:
    data = bytearray(packed({"attention.py": ATTENTION * 100}))
    for signature, offset in ((b"PK\x01\x02", 24), (b"PK\x03\x04", 22)):
        at = data.find(signature) + offset
        data[at : at + 4] = struct.pack("<I", 1)
    return bytes(data)


def encrypted() -> bytes:
    data = bytearray(packed({"attention.py": ATTENTION}))
    data[data.find(b"PK\x01\x02") + 8] |= 1
    return bytes(data)


def with_a_wrong_byte() -> bytes:
    data = bytearray(raw([("attention.py", ATTENTION.encode(), 0)], zipfile.ZIP_STORED))
    data[data.find(b"softmax")] ^= 1
    return bytes(data)


DAMAGED = {
    "lying": (lying_about_its_size(), "it is damaged in its archive"),
    "encrypted": (encrypted(), "it is locked with a password"),
    "wrong byte": (with_a_wrong_byte(), "Bad CRC-32"),
    "bzip2": (raw([("attention.py", b"x", 0)], zipfile.ZIP_BZIP2), "packed by a method that is not read here (12)"),
}


@pytest.mark.parametrize(("data", "reason"), DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_member_is_a_problem_of_that_file(tmp_path: Path, data: bytes, reason: str) -> None:
    found = rows(archive(tmp_path, {"ada.zip": data, "ben/attention.py": ATTENTION}))
    assert reason in (found["ada"].files["attention"].problem or "")
    assert found["ben"].files["attention"].problem is None


@pytest.mark.parametrize(
    "data", [b"", b"PK\3\4", b"no archive", packed({"a.py": "x" * 999})[:-30]], ids=["empty", "start", "text", "cut"]
)
def test_a_damaged_archive_is_a_row_or_a_sentence(tmp_path: Path, data: bytes) -> None:
    found = rows(archive(tmp_path, {"ada.zip": data, "ben.zip": packed({"attention.py": ATTENTION})}))
    assert found["ada"].problems[0].startswith("ada.zip cannot be read: it is no sound .zip archive")
    assert texts(found["ben"]) == {"attention": ATTENTION}
    (tmp_path / "whole.zip").write_bytes(data)
    with pytest.raises(UsageError, match=r"The archive .*whole\.zip' cannot be read: .*; pack it again\."):
        rows(tmp_path / "whole.zip")


@pytest.mark.parametrize(
    ("written", "read"),
    [("李伟".encode(), "李伟"), (b"Ren\x82", "René"), (b"\xc0\xee\xce\xb0", "└ε╬░")],
    ids=["utf-8 without a flag", "cp437", "gbk stays what the book says"],
)
def test_the_encoding_of_names(written: bytes, read: str) -> None:
    ascii_name = "P" * len(written)
    data = packed({f"{ascii_name}/attention.py": "x"}).replace(ascii_name.encode(), written)
    assert [item.path for item in source(data).items] == [f"{read}/attention.py"]


def test_a_dot_in_a_path_hides_nothing(tmp_path: Path) -> None:
    """As archives made of `.` have it; what is hidden begins with a dot and goes on."""
    names = ["./ada/attention.py", "./ada/./masking.py", ".\\ben\\attention.py", "./.cache/x.py", "./ada/.hidden/y.py"]
    found = source(raw([(name, b"x = 1\n", 0) for name in names]))
    assert [item.path for item in found.items] == ["ada/attention.py", "ada/masking.py", "ben/attention.py"]
    assert found.problems == ()
    path = tmp_path / "class.zip"
    path.write_bytes(raw([("./", b"", 0), ("./ada/", b"", 0), ("./ada/attention.py", b"x = 1\n", 0)]))
    assert texts(rows(path)["ada"]) == {"attention": "x = 1\n"}


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_the_last_of_two_members_of_one_name_counts(tmp_path: Path) -> None:
    path = tmp_path / "class.zip"
    path.write_bytes(raw([("ada/attention.py", b"first\n", 0), ("ada/attention.py", b"second\n", 0)]))
    assert texts(rows(path)["ada"]) == {"attention": "second\n"}


ODD = [
    "=cmd", "<img src=x onerror=alert(1)>", "$(id)", "-rf", "con", "nul.", "a\u202egpj", "sub\u200bmission", "e\u0301",
    "\u00e9", "a\nb", "\x1b[2Jx", "quo'te\"s", "a (b) [c] + d", "x" * 250, "李 伟", "محمد", "ADA", "ada",
    "Ada", " padded", "%41da",
]  # fmt: skip


def test_names_of_every_kind_stay_apart_and_fit_a_line(tmp_path: Path) -> None:
    path = tmp_path / "class.zip"
    path.write_bytes(raw([(f"{name}/attention.py", f"n = {n}\n".encode(), 0) for n, name in enumerate(ODD)]))
    found = rows(path)
    assert sorted(text for row in found.values() for text in texts(row).values() if text) == sorted(
        f"n = {n}\n" for n in range(len(ODD))
    )
    assert all(c.isprintable() for student in found for c in student)
    if sys.platform != "linux":  # other systems take some of these names for one
        return
    folder = laid_down(tmp_path / "class", {f"{name}/attention.py": f"n = {n}\n" for n, name in enumerate(ODD)})
    assert {s: texts(row) for s, row in rows(folder).items()} == {s: texts(row) for s, row in found.items()}
