"""Notebooks of every age and state: repaired, or a sentence that completes "attention.ipynb cannot be read: …"."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grader.results.codes import render
from grader.submission.files import read_folder, read_source
from grader.submission.model import SourceFile
from grader.submission.notebook import read
from grader.submission.notebook.extract import from_bytes

Write = Callable[..., Path]
CODE = "def f(x):\n    return x"


def cell(source: Any, **more: Any) -> dict[str, Any]:
    return {"cell_type": "code", "id": "a", "metadata": {}, "outputs": [], "source": source, **more}


def notebook(*cells: Any, **more: Any) -> bytes:
    return json.dumps({"cells": list(cells), "metadata": {}, "nbformat": 4, "nbformat_minor": 5, **more}).encode()


def text_of(data: bytes) -> str:
    file = from_bytes(data, "attention")
    assert file.problem is None
    assert file.text is not None
    return file.text


REPAIRED = {
    "as it should be": notebook(cell(CODE)),
    "a list of lines": notebook(cell(["def f(x):\n", "    return x"])),
    "line ends of Windows": notebook(cell(CODE.replace("\n", "\r\n"))),
    "a byte order mark": b"\xef\xbb\xbf" + notebook(cell(CODE)),
    "no ids, outputs or metadata": json.dumps({"cells": [{"cell_type": "code", "source": CODE}]}).encode(),
    "the same id twice": notebook(cell("x = 1"), cell(CODE)),
    "nonsense in metadata": notebook(cell(CODE, metadata=[1], id=7), nbformat="four", metadata=None),
    "nonsense in our metadata": notebook(cell(CODE, metadata={"grader": {"digest": [1], "newlines": "x"}})),
    "nbformat 3": json.dumps(
        {"nbformat": 3, "worksheets": [{"cells": [{"cell_type": "code", "input": CODE, "language": "python"}]}]}
    ).encode(),
    "outputs that nest deeply": notebook(cell(CODE)).replace(b"[]", b"[" * 500 + b"]" * 500),
}  # fmt: skip


@pytest.mark.parametrize("data", REPAIRED.values(), ids=REPAIRED)
def test_what_can_be_repaired_is(data: bytes) -> None:
    assert text_of(data).strip() == CODE


BROKEN = {
    "empty": (b"", "it is empty"),
    "blank": (b" \n", "it is empty"),
    "cut off": (notebook(cell(CODE))[:80], "it is no notebook (Input data was truncated)"),
    "a python file": (CODE.encode(), "it is no notebook"),
    "another json": (b"{}", "it has no cells"),
    "a list": (b"[]", "it is no notebook"),
    "a cell without a type": (b'{"cells": [{}]}', "cell_type"),
    "a million empty cells": (b'{"cells": [' + b"{}," * 1_000_000 + b"{}]}", "cell_type"),
    "a source that is a number": (notebook(cell(3)), "the source of cell 1 is no text"),
    "latin-1": (notebook(cell("s = 'e'")).replace(b"'e'", b"'\xe9'"), "cell 1"),
    "utf-16": (notebook(cell(CODE)).decode().encode("utf-16"), "it is written in UTF-16"),
    "nul": (notebook(cell("a\0")), "cell 1 holds a NUL"),
    "half a character": (notebook(cell("s = '\ud800'")), "it is no notebook"),
    "a merge conflict in the file": (
        notebook(cell(CODE)).replace(b'"metadata"', b'\n<<<<<<< HEAD\n"metadata"', 1), "the mark <<<<<<< of a merge",
    ),
    "a merge conflict in a cell": (notebook(cell("x = 1"), cell("<<<<<<< local\nx = 2")), "cell 2 holds the mark"),
    "too much code": (notebook(cell("#" * read.CODE_LIMIT), cell("#")), "more than 256 KiB"),
    "too many lines": (notebook(cell("\n" * 20_001)), "or 20,000 lines"),
    "a hundred thousand brackets": (b"[" * 100_000, "it is no notebook"),
    "outputs that nest without end": (
        notebook(cell(CODE)).replace(b'"outputs": []', b'"outputs": ' + b"[" * 100_000), "it is no notebook",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("data", "reason"), BROKEN.values(), ids=BROKEN)
def test_what_cannot_ends_in_a_sentence(data: bytes, reason: str) -> None:
    file = from_bytes(data, "attention")
    assert file.text is None
    assert reason in (file.problem or "")
    said = render("unreadable_file", {"file": file.file, "problem": file.problem})
    assert said.startswith("attention.ipynb cannot be read: ")
    assert "\n" not in said
    assert len(said) < 300


def test_fifty_megabytes_of_outputs_are_set_aside(write: Write) -> None:
    data = notebook(cell(CODE, outputs=[{"output_type": "stream", "text": ["0123456789\n" * 100] * 47_000}]))
    assert len(data) > 50_000_000
    began = time.process_time()
    file = read_source(write("attention.ipynb", data), "attention")
    assert (file.text or "").strip() == CODE
    assert time.process_time() - began < 20


def test_more_than_that_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "attention.ipynb"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    assert "larger than 96 MiB" in (read_source(path, "attention").problem or "")


HURTS = {
    "brackets": "(" * 100_000,
    "quotes": "'''" * 50_000 + '"\\' * 20_000,
    "f-strings": "f'" * 100_000,
    "deep blocks": "".join(" " * i + "def f():\n" for i in range(600)),
    "continued lines": "\\\n" * 19_000,
    "many definitions": "def f(): 0\n" * 19_000,
    "each from the last": "class a(a): 0\n" * 18_000,
    "each from the next": "".join(f"def f{i}(x=f{i + 1}): 0\n" for i in range(8_000)),
    "signs": "-" * 200_000 + "1",
}


@pytest.mark.parametrize("text", HURTS.values(), ids=HURTS)
def test_code_that_hurts_parsers_is_only_text_here(text: str) -> None:
    began = time.process_time()
    from_bytes(notebook(cell(text), cell(CODE)), "attention")
    assert time.process_time() - began < 20  # far from the seconds it takes; a quadratic one takes minutes


def test_a_notebook_stands_for_a_file_that_is_missing_or_a_stub(write: Write, tmp_path: Path) -> None:
    write("ada/attention.ipynb", notebook(cell(CODE), cell("def g(): 1"), cell(CODE)))
    write("ada/encoder.py", b"the stub")
    write("ada/exercises/encoder.ipynb", notebook(cell(CODE)))
    write("ada/encoding.py", b"mine")
    write("ada/encoding.ipynb", notebook(cell(CODE)))
    write("ada/masking.py", CODE.encode() + b"\n")
    write("ada/masking.ipynb", notebook(cell(CODE)))

    def is_stub(name: str, text: str) -> bool:
        return text == "the stub"

    submission = read_folder(tmp_path / "ada", ["attention", "encoder", "encoding", "masking"], "ada", is_stub)
    assert {name: file.file for name, file in submission.files.items()} == {
        "attention": "attention.ipynb", "encoder": "encoder.ipynb", "encoding": "encoding.py",
        "masking": "masking.py",
    }  # fmt: skip
    assert submission.problems == (
        "encoding.py and encoding.ipynb are both there and differ: encoding.py is graded, the notebook is not. "
        "To have the notebook graded, put the stub back into encoding.py (`grade reset encoding`), or delete it.",
        "attention.ipynb: f is defined in cell 1 and cell 3: the one in cell 3 is graded.",
    )


def test_where_the_lines_stand_is_part_of_the_fingerprint() -> None:
    one, two = (from_bytes(notebook(*cells), "attention") for cells in ([cell(CODE)], [cell("1"), cell(CODE)]))
    from grader.submission.model import Submission

    assert one.text == two.text
    prints = {Submission("ada", {"attention": f}).fingerprint() for f in (one, two, SourceFile("attention", one.text))}
    assert len(prints) == 3
