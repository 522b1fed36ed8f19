"""What Canvas hands out: names with ids in them, LATE, and the same file again and again."""

from __future__ import annotations

from pathlib import Path

import pytest

from .packing import ATTENTION, MASKING, archive, both_ways, packed, rows, texts

DOWNLOAD = {
    "lovelaceada_101_9001_attention.py": ATTENTION,
    "lovelaceada_101_9002_masking.py": "first = 1\n",
    "lovelaceada_101_9004_masking-2.py": "third = 3\n",
    "lovelaceada_101_9003_masking-1.py": "second = 2\n",
    "weili_LATE_123_9005_my_attn.py": ATTENTION,
    "weili_124_9006_attention-1.py": "alone = 1\n",
    "anon_Ab3xY_9007_attention.py": ATTENTION,
    "李伟_125_9008_attention.py": ATTENTION,
    "hoppergrace_130_text.html": "<p>my answer</p>",
    "knuth_131_9009_work.zip": packed({"hw/attention.py": ATTENTION, "__MACOSX/hw/._attention.py": b"\0\5"}),
    "__MACOSX/._lovelaceada_101_9001_attention.py": b"\0\5\x16\7",
    "._weili_124_9006_attention-1.py": b"\0\5\x16\7",
}


def test_a_download_ends_in_the_right_rows(tmp_path: Path) -> None:
    for path in both_ways(tmp_path, DOWNLOAD):
        found = rows(path)
        assert {student: sorted(row.files) for student, row in found.items()} == {
            "lovelaceada": ["attention", "masking"], "weili (canvas 123)": ["attention"],
            "weili (canvas 124)": ["attention"], "anon_Ab3xY": ["attention"], "李伟": ["attention"],
            "hoppergrace": [], "knuth": ["attention"],
        }  # fmt: skip
        ada, late, early = (found[name] for name in ("lovelaceada", "weili (canvas 123)", "weili (canvas 124)"))
        assert ada.origin is not None
        assert late.origin is not None
        assert early.origin is not None
        assert (ada.origin.name, ada.origin.ids, ada.origin.late) == ("lovelaceada", {"canvas": "101"}, False)
        assert (late.origin.ids, late.origin.late) == ({"canvas": "123"}, True)
        assert early.origin.late is False
        assert late.problems == ("my_attn.py is graded as attention: it defines softmax, attention.",)
        assert "entered in Canvas" in found["hoppergrace"].problems[0]


def test_the_newest_of_a_name_counts_and_it_is_said_where_there_is_another(tmp_path: Path) -> None:
    found = rows(archive(tmp_path, DOWNLOAD))
    assert texts(found["lovelaceada"])["masking"] == "third = 3\n"
    assert found["lovelaceada"].problems == ("masking.py was handed in 3 times: the newest is graded.",)
    assert texts(found["weili (canvas 124)"]) == {"attention": "alone = 1\n"}
    assert found["weili (canvas 124)"].problems == found["knuth"].problems == ()


@pytest.mark.parametrize(
    ("name", "user", "late", "file"),
    [
        ("li_1_2_attention.py", "1", False, "attention"),
        ("li_LATE_1_2_attention.py", "1", True, "attention"),
        ("LATE_anon_q7_2_attention.py", "anon_q7", True, "attention"),
        ("de_la_cruz_15_2_attention.py", "15", False, "attention"),
        ("li_1_2_hw_3_4_attention.py", "1", False, "attention"),
        ("1_2_masking.py", "1", False, "masking"),
    ],
)
def test_names(tmp_path: Path, name: str, user: str, late: bool, file: str) -> None:
    (row,) = rows(archive(tmp_path, {name: "x = 1\n"})).values()
    assert row.origin is not None
    assert (row.origin.ids, row.origin.late, list(row.files)) == ({"canvas": user}, late, [file])


def test_a_file_that_somebody_put_in_is_a_row_of_its_own(tmp_path: Path) -> None:
    found = rows(archive(tmp_path, {"li_1_2_attention.py": ATTENTION, "li_1_3_masking.py": MASKING, "ben.py": "x"}))
    assert list(found) == ["ben.py", "li"]
    assert found["ben.py"].problems[0].startswith("ben.py is not called as Canvas calls files")
