"""From a file to a notebook and back: the same text, to the last character."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import nbformat
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from grader.submission.notebook.extract import from_bytes
from grader.submission.notebook.write import notebook

ROOT = Path(__file__).parents[4]
FILES = sorted([*(ROOT / "exercises").glob("*.py"), *(ROOT / "examples" / "class").rglob("*.py")])
PIECES = [
    '"""A docstring."""\n\n', "import math\n", "from torch import nn\n", "def f(x):\n    return x\n", "\n", "\n\n\n",
    "@wrap\nclass A(nn.Module):\n    '''Doc.\n\n    more'''\n    x = 1\n", "# a comment\n", "x = {\n  1: 2,\n}\n",
    "if __name__ == '__main__':\n    f(1)\n", "%time\n", "!ls 'x\n", "(", '"""', "'", "\\\n", "x", "\t", "Ω 注意\n",
    "async def g(): pass\n", "else:\n", "@\n", "%%bash\n", "\u2028", "f'{x!r}'\n", "print(1)\n", "\x0c", "  \n",
]  # fmt: skip


def back(text: str) -> str | None:
    return from_bytes(notebook(text, "attention", "# Attention", {"f": "### f"}).encode(), "attention").text


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join) | st.text(max_size=60))
@settings(deadline=None, derandomize=True, database=None, max_examples=400)
@example('"""Doc."""\n\n\n\nx = 1')
@example("\n\nx = 1\n\n\n\n")
@example("")
def test_the_way_there_and_back_changes_nothing(text: str) -> None:
    text = "".join(c for c in text if not 0xD800 <= ord(c) < 0xE000).replace("\r", "").replace("\0", "")
    assert back(text) == text


@pytest.mark.parametrize("path", FILES, ids=lambda p: "/".join(p.parts[-3:]))
def test_real_files_come_back(path: Path) -> None:
    text = path.read_text("utf-8")
    assert back(text) == text


@pytest.mark.parametrize("path", FILES, ids=lambda p: "/".join(p.parts[-3:]))
def test_in_a_notebook_that_was_changed_the_definitions_are_still_the_same(path: Path) -> None:
    text = path.read_text("utf-8-sig")
    made = json.loads(notebook(text, "attention", "# Attention", {}))
    made["cells"].append({"cell_type": "code", "source": "x = f(1)\nprint(x)\n!ls"})
    changed = from_bytes(json.dumps(made).encode(), "attention")
    assert changed.notes == ()
    assert _defined(changed.text or "") == _defined(text)


def _defined(text: str) -> list[str]:
    try:
        body = ast.parse(text).body
    except SyntaxError:  # one of the class hands in such a file: then the text itself is compared
        return [
            line for line in text.split("\n") if line.strip() and not line.startswith(("#", "import", "from", '"""'))
        ]
    return [ast.unparse(n) for n in body if isinstance(n, (ast.FunctionDef, ast.ClassDef))]


def test_a_notebook_is_valid_and_the_same_every_time() -> None:
    text = (ROOT / "exercises" / "attention.py").read_text("utf-8")
    one, two = (notebook(text, "attention", "# Attention", {"softmax": "### softmax"}) for _ in range(2))
    assert one == two
    made = nbformat.reads(one, as_version=4)
    nbformat.validate(made)
    kinds = [cell.cell_type for cell in made.cells]
    assert kinds[0] == "markdown"
    assert made.cells[-1].source == 'import grader\n\ngrader.check("attention")'
    assert [c.source.split("(")[0] for c in made.cells if c.source.startswith(("def ", "class "))] == [
        "def softmax", "def attention", "class MultiHeadAttention",
    ]  # fmt: skip
