"""`grade batch` on a download, as an instructor calls it."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

from .calling import grade

ROSTER = 'Student,ID,SIS User ID,SIS Login ID,Section\n"Wei, Li",1,s1,li,A\n"Noether, Emmy",2,s2,emmy,A\n'


def test_a_download_with_a_roster(toy: Path) -> None:
    scale = (toy / "solutions/scale.py").read_text()
    with zipfile.ZipFile(toy / "class.zip", "w") as archive:
        archive.writestr("weili_LATE_1_10_my answer.py", scale)
        archive.writestr("weili_3_11_bad.zip", b"PK")
        archive.writestr("../evil.py", "x")
    (toy / "roster.csv").write_text(ROSTER)
    shown = grade(toy, "batch", "class.zip", "--out", "out", "--roster", "roster.csv", "-j", "1", "--isolation", "0")
    assert "Canvas download: 2 students, 2 files." in shown
    assert "! ../evil.py is left out: its path leads out of the archive." in shown
    assert "  Li Wei: my answer.py is graded as scale: it defines scale, soften." in shown
    assert "Not handed in." in shown
    results = json.loads((toy / "out/students/Li Wei/results.json").read_text())
    assert results["origin"]["ids"] == {"canvas": "1", "login": "li", "roster": "s1"}
    assert results["origin"]["late"] is True
    assert results["problems"] == ["my answer.py is graded as scale: it defines scale, soften."]
    assert "my answer.py is graded as scale" in (toy / "out/students/Li Wei/report.html").read_text()
    book = (toy / "out/gradebook.csv").read_text()
    assert [name in book for name in ("Emmy Noether", "Li Wei", "weili")] == [True, True, True]
    assert book.startswith('"student","id","points",')
    assert '"Emmy Noether","s2",' in book


def test_wrong_use_is_a_sentence(toy: Path) -> None:
    (toy / "empty.zip").write_bytes(b"")
    assert "'empty.zip' cannot be read" in grade(toy, "batch", "empty.zip", "--out", "o", code=2)
    assert "The roster 'none.csv' cannot be read" in grade(
        toy, "batch", ".", "--out", "o", "--roster", "none.csv", code=2
    )
    assert "'blackboard' is not one of" in grade(toy, "batch", ".", "--out", "o", "--from", "blackboard", code=2)
