"""Reading one file and one folder: every kind of file that students hand in, and some that only attackers do."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.errors import UsageError
from grader.results.codes import render
from grader.submission.files import LIMIT, read_folder, read_source

Write = Callable[..., Path]

TEXTS = {
    "plain": (b"a = 1\n", "a = 1\n"),
    "empty": (b"", ""),
    "bom and crlf": (b"\xef\xbb\xbfa = 1\r\nb = 2\r\n", "a = 1\nb = 2\n"),
    "lone cr": (b"a = 1\rb = 2\r", "a = 1\nb = 2\n"),
    "all line ends": (b"a\r\rb\r\n\nc", "a\n\nb\n\nc"),
    "other scripts": ("s = 'Ω 注意'\n".encode(), "s = 'Ω 注意'\n"),
    "a coding line is only a comment": (b"# coding: latin-1\ns = '\xc3\xa9'\n", "# coding: latin-1\ns = 'é'\n"),
    "not python": (b"def (:\n", "def (:\n"),
    "as large as allowed": (b"#" * LIMIT, "#" * LIMIT),
}


@pytest.mark.parametrize(("data", "text"), TEXTS.values(), ids=TEXTS)
def test_text_is_read_with_lf(write: Write, data: bytes, text: str) -> None:
    file = read_source(write("attention.py", data), "attention")
    assert (file.name, file.text, file.problem) == ("attention", text, None)


PROBLEMS = {
    "nul": (b"a = 1\r\nb = '\0'\n", "line 2 holds a NUL byte"),
    "latin-1": (b"a = 1\rb = 2\nname = 'Ren\xe9'\n", "line 3 holds the byte 0xE9, which is not UTF-8"),
    "surrogate": (b"\xed\xa0\x80", "line 1 holds the byte 0xED"),
    "utf-16": ("a = 1\n".encode("utf-16"), "written in UTF-16; save it as UTF-8"),
    "utf-16 big endian": (b"\xfe\xff" + "a = 1\n".encode("utf-16-be"), "written in UTF-16"),
    "utf-16 without bom": ("a = 1\n".encode("utf-16-le"), "NUL byte"),
    "too large": (b"#" * (LIMIT + 1), "larger than 256 KiB"),
}


@pytest.mark.parametrize(("data", "reason"), PROBLEMS.values(), ids=PROBLEMS)
def test_other_bytes_are_a_problem(write: Write, data: bytes, reason: str) -> None:
    file = read_source(write("attention.py", data), "attention")
    assert file.text is None
    assert reason in (file.problem or "")


def test_a_problem_completes_the_sentence_of_its_code(write: Write) -> None:
    file = read_source(write("attention.py", b"\0"), "attention")
    sentence = render("unreadable_file", {"file": "attention.py", "problem": file.problem})
    assert sentence == ("attention.py cannot be read: line 1 holds a NUL byte, so it is not text; save it as UTF-8.")


def test_a_huge_sparse_file_is_read_only_to_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "attention.py"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    assert "larger than" in (read_source(path, "attention").problem or "")


def test_no_file_and_a_folder_are_problems(tmp_path: Path) -> None:
    assert "No such file" in (read_source(tmp_path / "attention.py", "attention").problem or "")
    assert "a folder, not a file" in (read_source(tmp_path, "attention").problem or "")


def test_a_link_is_not_followed(write: Write, tmp_path: Path) -> None:
    (tmp_path / "attention.py").symlink_to(write("secret.py", b"answer = 42\n"))
    file = read_source(tmp_path / "attention.py", "attention")
    assert file.text is None
    assert "symbolic link" in (file.problem or "")


def test_a_link_that_is_swapped_in_is_not_followed(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    regular = os.lstat(write("secret.py"))
    (tmp_path / "attention.py").symlink_to(tmp_path / "secret.py")
    monkeypatch.setattr(os, "lstat", lambda path: regular)
    assert read_source(tmp_path / "attention.py", "attention").text is None


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_never_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "attention.py")
    assert "a named pipe" in (read_source(tmp_path / "attention.py", "attention").problem or "")
    regular = os.lstat(__file__)
    monkeypatch.setattr(os, "lstat", lambda path: regular)  # swapped in after the look at it
    assert "a named pipe" in (read_source(tmp_path / "attention.py", "attention").problem or "")


def test_devices_and_sockets_are_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the path of a socket must be short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("attention.py")
        assert "a device or a socket" in (read_source(Path("attention.py"), "attention").problem or "")
    assert "a device or a socket" in (read_source(Path(os.devnull), "attention").problem or "")


def test_a_file_without_rights_is_a_problem(without_rights: Path) -> None:
    path = without_rights / "attention.py"
    path.touch()
    path.chmod(0)
    assert "Permission denied" in (read_source(path, "attention").problem or "")


def test_files_at_the_top_and_in_exercises(write: Write, tmp_path: Path, names: list[str]) -> None:
    write("attention.py", b"top\n")
    write("exercises/encoder.py", b"inner\n")
    write("exercises/attention.py", b"other\n")
    write("notes.py")
    write("exercises/model_args.py")
    submission = read_folder(tmp_path, names, "ada")
    assert {name: file.text for name, file in submission.files.items()} == {"attention": "top\n", "encoder": "inner\n"}
    assert submission.student == "ada"
    assert submission.problems == (
        "attention.py is there twice: the one at the top is graded, exercises/attention.py is not.",
    )


def test_names_are_exact_on_every_file_system(write: Write, tmp_path: Path, names: list[str]) -> None:
    write("Attention.py")
    assert read_folder(tmp_path, names, "ada").files == {}


@pytest.mark.parametrize("junk", ["", "notes.txt", "exercises", "exercises/notes.txt"])
def test_a_folder_without_exercises_says_so(write: Write, tmp_path: Path, names: list[str], junk: str) -> None:
    (tmp_path / "ada").mkdir()
    if junk:
        write(f"ada/{junk}")
    submission = read_folder(tmp_path / "ada", names, "ada")
    assert submission.files == {}
    assert submission.problems == (
        "There is no exercise file in 'ada': put files like attention.py there, or into exercises/ below it.",
    )


def test_a_link_to_exercises_is_not_followed(write: Write, tmp_path: Path, names: list[str]) -> None:
    write("secret/attention.py")
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada/exercises").symlink_to(tmp_path / "secret")
    submission = read_folder(tmp_path / "ada", names, "ada")
    assert submission.files == {}
    assert "symbolic link" in submission.problems[0]


def test_exercises_without_rights_are_a_problem(without_rights: Path, names: list[str]) -> None:
    (without_rights / "attention.py").touch()
    (without_rights / "exercises").mkdir(mode=0)
    submission = read_folder(without_rights, names, "ada")
    assert list(submission.files) == ["attention"]
    assert "The folder exercises cannot be read" in submission.problems[0]


def test_no_folder_is_wrong_use(write: Write, tmp_path: Path, names: list[str]) -> None:
    with pytest.raises(UsageError, match="There is no folder"):
        read_folder(tmp_path / "none", names, "ada")
    with pytest.raises(UsageError, match="is a file, not a folder"):
        read_folder(write("attention.py"), names, "ada")
