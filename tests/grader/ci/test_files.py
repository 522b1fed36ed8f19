"""The folder of results before a run: nothing in it can be taken for what the run finds."""

from __future__ import annotations

from pathlib import Path

from grader.ci.files import NAMES, prepare
from grader.ci.settings import Settings


def test_what_a_student_has_committed_there_goes(tmp_path: Path) -> None:
    out, elsewhere = tmp_path / "grade-results", tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "kept.txt").write_text("kept", "utf-8")
    for name in NAMES[:2]:  # folders, which cannot simply be unlinked
        (out / name / "below").mkdir(parents=True)
    (out / NAMES[2]).symlink_to(elsewhere)
    (out / NAMES[3]).write_text("forged", "utf-8")
    prepare(Settings(platform="gitlab", folder=str(tmp_path), course="", out=str(out), student="ada"))
    assert list(out.iterdir()) == []
    assert (elsewhere / "kept.txt").is_file()
