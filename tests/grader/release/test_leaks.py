"""The leak scan: a planted line of each kind, in each kind of file, is found with its place."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from grader.catalogue.load import load_course
from grader.release.leaks import search
from grader.release.secrets import Secrets, secrets_of

from ..cli.calling import grade
from .conftest import SALT

PLANTED = {
    "line of a reference": "self.w = nn.Linear(width,   width, bias=False)",
    "line of a stand-in": "    return torch.mul(x, factor)  # as PyTorch has it",
    "edit of a known bug": "return scale(self.w(x), 0.5)",
    "line of a hidden check": "return case.normal(case.B, case.n) * -3.5",
    "title of a hidden check": "A negative factor turns all the signs of a tensor around.",
    "table of a hidden check": '{"B": 7, "n": 11, "kind": "rows that nobody has seen before"}',
    "name of a hidden check": "see test_scale_turns_signs",
    "salt of official runs": f"salt = {SALT}",
}


@pytest.fixture(scope="module")
def secrets(sealed: Path) -> Secrets:
    return secrets_of(load_course(sealed))


def page(line: str) -> str:
    words = line.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;").split(" ")
    return "<p>Before</p>\n<pre><span>" + "</span> <span>".join(words) + "</span></pre>\n"


def plant(folder: Path, form: str, line: str) -> None:
    if form == "text":
        (folder / "file.txt").write_text(f"one\ntwo\n{line}\n", "utf-8")
    elif form == "wrapped":
        middle = line.index(" ")
        (folder / "file.py").write_text(f"# {line[:middle]}\n   {line[middle:]}\n", "utf-8")
    elif form == "json":
        (folder / "results.json").write_text(json.dumps({"a": ["…", {"b": f"…{line}"}]}), "utf-8")
    elif form == "page":
        (folder / "student.html").write_text(page(line), "utf-8")
    elif form == "zip":
        with zipfile.ZipFile(folder / "feedback.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("ada/student.html", page(line))
    elif form == "tensors":
        save_file({"a": torch.full((9,), torch.nan)}, folder / "t.safetensors", {"note": line})


@pytest.mark.parametrize("form", ["text", "wrapped", "json", "page", "zip", "tensors"])
@pytest.mark.parametrize("kind", PLANTED)
def test_a_planted_line_is_found(secrets: Secrets, tmp_path: Path, kind: str, form: str) -> None:
    if (kind, form) == ("name of a hidden check", "wrapped"):
        pytest.skip("a name is one word")
    assert not search(tmp_path, secrets.kept).leaks
    plant(tmp_path, form, PLANTED[kind])
    leaks = search(tmp_path, secrets.kept).leaks
    expected = kind.replace("title of", "line of").replace("table of", "line of")
    assert expected in {leak.secret.kind for leak in leaks}
    if form == "text":
        assert {leak.line for leak in leaks} == {3}


def test_a_release_of_the_course_has_none(secrets: Secrets, handout: Path) -> None:
    found = search(handout, secrets.kept)
    assert not found.leaks
    assert found.files > 10


def test_what_the_course_tells_itself_is_no_secret(secrets: Secrets) -> None:
    assert not [secret for secret in secrets.kept if "raise NotImplementedError" in secret.text]
    assert {secret.key for secret in secrets.kept}.isdisjoint(secret.key for secret in secrets.told)


def test_short_lines_say_nothing(secrets: Secrets, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("return x * factor\nimport torch\nx = x + 1\n", "utf-8")
    assert not search(tmp_path, secrets.kept).leaks


def test_a_students_own_line_is_no_leak(secrets: Secrets, tmp_path: Path) -> None:
    line = PLANTED["line of a reference"]
    for student in ("ada", "ben"):
        (tmp_path / student).mkdir()
        (tmp_path / student / "student.html").write_text(page(line), "utf-8")
    assert len(search(tmp_path, secrets.kept).leaks) == 2
    own = {"ada": f"class Block:\n    {line}\n", "ben": "pass"}
    (leak,) = search(tmp_path, secrets.kept, own).leaks
    assert "ben" in leak.file


def test_the_command_names_the_place_and_ends_with_3(sealed: Path, tmp_path: Path) -> None:
    plant(tmp_path, "text", PLANTED["edit of a known bug"])
    told = " ".join(grade(sealed, "leaks", str(tmp_path), code=3).split())
    assert "file.txt, line 3: edit of a known bug (solutions/block.bugs.toml, no_residual)" in told
    assert "Leaks found: 1: 1 file searched for" in told
    (tmp_path / "file.txt").unlink()
    assert "No leak: 0 files" in grade(sealed, "leaks", str(tmp_path))
    assert "There is no" in grade(sealed, "leaks", "nowhere", code=2)


def test_a_class_is_searched_beside_what_it_handed_in(sealed: Path, tmp_path: Path) -> None:
    """The pages of a batch: students who write the line of the reference, and one who cannot have it from there."""
    folder, pages = tmp_path / "class", tmp_path / "pages"
    (folder / "ada").mkdir(parents=True)
    (pages / "ada").mkdir(parents=True)
    (folder / "ada" / "block.py").write_text(f"def f(self):\n    {PLANTED['line of a reference']}\n", "utf-8")
    (pages / "ada" / "student.html").write_text(page(PLANTED["line of a reference"]), "utf-8")
    grade(sealed, "leaks", str(pages), code=3)
    assert "No leak" in grade(sealed, "leaks", str(pages), "--submissions", str(folder))
    archive = tmp_path / "handed_in.zip"
    with zipfile.ZipFile(archive, "w") as made:
        made.write(folder / "ada" / "block.py", "ada/block.py")
    assert "No leak" in grade(sealed, "leaks", str(pages), "--submissions", str(archive))
