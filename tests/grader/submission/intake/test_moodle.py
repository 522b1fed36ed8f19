"""What Moodle hands out: a folder a participant, or one long list of files; texts that were typed in; groups."""

from __future__ import annotations

from pathlib import Path

from .packing import ATTENTION, MASKING, archive, both_ways, packed, rows

FOLDERS = {
    "Ada O'Neil (née Łoś)_501_assignsubmission_file_/attention.py": ATTENTION,
    "Ada O'Neil (née Łoś)_501_assignsubmission_file_/masking.py": MASKING,
    "Li Wei_502_assignsubmission_file/attention.py": ATTENTION,  # newer releases leave out the last _
    "Li Wei_503_assignsubmission_file_/hw [1]/attention.py": ATTENTION,
    "Li Wei_503_assignsubmission_onlinetext_/onlinetext.html": "<p>see my file</p>",
    "Grace Hopper_504_assignsubmission_onlinetext_/onlinetext.html": "<p>x = 1</p>",
    "Team + 7_55_assignsubmission_file_/all.zip": packed({"attention.py": ATTENTION}),
    "Empty_505_assignsubmission_file_/": "",
    "Default group_assignsubmission_file_/masking.py": MASKING,
}
FLAT = {
    "Li Wei_502_assignsubmission_file_attention.py": ATTENTION,
    "Li Wei_502_assignsubmission_file_hw3_masking.py": MASKING,
    "Li Wei_503_assignsubmission_file_attention.py": ATTENTION,
    "Grace Hopper_504_assignsubmission_onlinetext_onlinetext.html": "<p>x = 1</p>",
}


def test_folders(tmp_path: Path) -> None:
    for path in both_ways(tmp_path, FOLDERS):
        found = rows(path)
        assert {student: sorted(row.files) for student, row in found.items()} == {
            "Ada O'Neil (née Łoś)": ["attention", "masking"], "Li Wei (moodle 502)": ["attention"],
            "Li Wei (moodle 503)": ["attention"], "Grace Hopper": [], "Team + 7": ["attention"], "Empty": [],
            "Default group": ["masking"],
        }  # fmt: skip
        ada, wei = found["Ada O'Neil (née Łoś)"], found["Li Wei (moodle 503)"]
        assert ada.origin is not None
        assert ada.origin.name == "Ada O'Neil (née Łoś)"
        assert ada.origin.ids == {"moodle": "501"}
        assert ada.origin.folder == "Ada O'Neil (née Łoś)_501_assignsubmission_file_"
        assert ada.problems == ()
        assert wei.problems == ("A text that was entered in Moodle is not graded: hand in the file.",)
        assert found["Grace Hopper"].problems[0].startswith("A text that was entered in Moodle")
        assert "no exercise file in 'Empty_505_assignsubmission_file_'" in found["Empty"].problems[0]


def test_one_list_of_files(tmp_path: Path) -> None:
    for path in both_ways(tmp_path, FLAT):
        found = rows(path)
        wei = found["Li Wei (moodle 502)"]
        assert list(found) == ["Grace Hopper", "Li Wei (moodle 502)", "Li Wei (moodle 503)"]
        assert sorted(wei.files) == ["attention", "masking"]
        assert wei.problems == ("hw3_masking.py is graded as masking: no file is called masking.py.",)
        assert wei.origin is not None
        assert wei.origin.folder == "Li Wei_502_assignsubmission_file_"


def test_what_moodle_did_not_name_is_a_row(tmp_path: Path) -> None:
    found = rows(archive(tmp_path, {**FLAT, "readme.py": "x"}))
    assert found["readme.py"].problems == ("readme.py is not called as Moodle calls files, so it is nobody's.",)
