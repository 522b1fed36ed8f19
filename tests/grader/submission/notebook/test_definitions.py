"""What is taken from cells: definitions and what they need, the later ones, in an order that runs."""

from __future__ import annotations

import pytest

from grader.subject.worker.places import place, remember
from grader.submission.notebook.definitions import Cell, Definitions, definitions
from grader.submission.notebook.extract import from_history
from grader.submission.notebook.read import cell

TOY = {"toy": ["f", "g"]}


def taken(*texts: str) -> Definitions:
    made = [cell(f"cell {number}", text) for number, text in enumerate(texts, 1)]
    return definitions([c for c in made if c is not None])


def lines(*texts: str) -> list[str]:
    return [line for line in taken(*texts).text.split("\n") if line.strip()]


NEEDED = {
    "an import in a body": ("import math", "def f(x):\n    return math.sqrt(x)"),
    "an import under another name": ("import numpy.linalg as la", "def f(x): return la.norm(x)"),
    "a base class": ("from torch import nn", "class A(nn.Module):\n    pass"),
    "a default": ("EPS = 1e-5", "def f(x, eps=EPS): return x + eps"),
    "a decorator": ("import torch", "@torch.no_grad()\ndef f(x):\n    return x"),
    "an annotation": ("Mask = int | None", "def f(mask: Mask = None) -> Mask:\n    return mask"),
    "what a needed one needs": ("import math", "ROOT = math.sqrt(2)", "def f(x): return x * ROOT"),
    "one of a pair": ("A, B = 1, 2", "def f(): return B"),
    "a name in an f-string": ("UNIT = 'm'", "def f(x): return f'{x} {UNIT}'"),
    "a global that is changed": ("count = 0", "def f():\n    global count\n    count += 1"),
    "a name that only another scope binds": ("y = 3", "def f():\n    return y", "def g(y):\n    y = 1\n    return y"),
    "a method put in from outside": ("class A: pass", "def f(self): return 1", "A.f = f"),
    "a guarded import": ("try:\n    import einops\nexcept ImportError:\n    einops = None", "def f(): return einops"),
    "a star": ("from math import *", "def f(x): return sqrt(x)"),
    "the future": ("from __future__ import annotations", "def f(x: Later): return x"),
}


@pytest.mark.parametrize("texts", NEEDED.values(), ids=NEEDED)
def test_what_definitions_need_comes_along(texts: tuple[str, ...]) -> None:
    assert lines(*texts) == [line for text in texts for line in text.split("\n")]


def test_the_future_comes_first_as_in_a_file() -> None:
    """In a notebook it may stand in any cell, and in each of them."""
    future = "from __future__ import annotations"
    later = f"{future}\nimport math\ndef g(x: Later): return math.sqrt(x)"
    text = lines("import torch\ndef f(x): return torch.exp(x)", later, f"{future}\ndef h(x): return x")
    assert text[0] == future
    assert text.count(future) == 1
    compile("\n".join(text), "m.py", "exec")


LEFT = {
    "calls": "print(f(2))",
    "a trial": "x = torch.randn(2, 3)\nout = f(x)",
    "a loop": "for i in range(3):\n    f(i)",
    "a main block": "if __name__ == '__main__':\n    f(1)",
    "an import nobody needs": "import matplotlib.pyplot as plt",
    "our own tools": "import grader\ngrader.check('attention')",
    "a magic": "%matplotlib inline",
    "a shell line with odd quotes": "!echo it's",
    "a continued shell line": "!pip install \\\n   x",
    "help": "?f",
    "help behind": "f?",
    "the answer of a shell": "files = !ls",
    "a cell for the shell": "%%bash\ndef f(): oops",
    "a name that is a parameter": "out = f(1)",
    "a string": "'''def g():\n    pass'''",
}


@pytest.mark.parametrize("text", LEFT.values(), ids=LEFT)
def test_the_rest_is_left(text: str) -> None:
    definition = "def f(x):\n    out = x\n    return out"
    assert lines(text, definition, text) == definition.split("\n")


def test_magics_inside_a_definition_leave_their_place() -> None:
    assert lines("def f(x):\n    !ls\n    return x") == ["def f(x):", "    pass", "    return x"]


def test_a_timed_cell_is_python() -> None:
    found = taken("%%time\n\ndef f(x):\n    return x")
    assert found.names == {"f"}
    assert found.spans[0].line == 1
    assert found.text.split("\n").index("def f(x):") == 2


def test_later_definitions_win_and_it_is_said() -> None:
    found = taken("def f(): return 1", "def g(): return f()", "def f(): return 2")
    assert "return 1" not in found.text
    assert found.notes == ("f is defined in cell 1 and cell 3: the one in cell 3 is graded.",)


def test_a_definition_made_from_its_predecessor_keeps_it() -> None:
    assert "return 1" in taken("def f(): return 1", "f = wrap(f)", "def wrap(g): return g").text
    assert "x = 1" in taken("class A:\n    x = 1", "class A(A):\n    y = 2").text


def test_cells_out_of_order_are_put_in_order_and_it_is_said() -> None:
    found = taken("class Child(Base):\n    pass", "from torch import nn", "class Base(nn.Module):\n    pass")
    order = [found.text.index(part) for part in ("import nn", "class Base", "class Child")]
    assert order == sorted(order)
    (note,) = found.notes
    assert note.startswith("Line 1 of cell 1 needs Base, which stands further down, in cell 3")


def test_a_definition_that_was_written_again_is_not_out_of_order() -> None:
    found = taken("class Base: pass", "class Child(Base): pass", "class Base:\n    x = 1")
    assert found.text.index("class Base") < found.text.index("class Child")
    assert len(found.notes) == 1
    assert "defined in" in found.notes[0]


def test_names_in_bodies_may_come_later() -> None:
    assert taken("def f(): return g()", "def g(): return 1").notes == ()


def test_every_line_knows_its_cell() -> None:
    sources = [
        "import math\nprint(1)",
        "class Child(Base):\n    y = math.pi\n",
        "# about it\nclass Base:\n    x = 1\n1",
    ]
    found = taken(*sources)
    remember("exercises/places.py", [(s.first, s.label, s.line) for s in found.spans])
    for number, line in enumerate(found.text.split("\n"), 1):
        if line:
            label, at = place("exercises/places.py", number)
            assert sources[int(label.split()[1]) - 1].split("\n")[at - 1] == line


def test_a_kernel_grades_its_last_definitions_on_top_of_the_stub() -> None:
    stub = '"""Doc."""\n\ndef f(x):\n    raise NotImplementedError\n\n\ndef g(x):\n    raise NotImplementedError\n'
    assert from_history([(1, "import math"), (2, "def other(): 1")], "toy", stub, TOY) is None
    file = from_history([(1, "def f(x): return 1"), (3, "f(2)"), (4, "def f(x): return 2")], "toy", stub, TOY)
    assert file is not None
    assert (file.text or "").count("def f") == (file.text or "").count("def g") == 1
    assert "return 2" in (file.text or "")
    assert {span[1] for span in file.spans} == {"the stub", "In [4]"}
    assert file.notes == ()


def test_whole_cells_are_taken_whole() -> None:
    found = definitions([Cell("cell 1", "print(1)", True, 2), Cell("cell 2", "x = 1", True, 0)])
    assert found.text == "print(1)\n\nx = 1"


def test_half_a_character_in_a_kernel_is_a_problem() -> None:
    file = from_history([(1, "def f(): return '\ud800'")], "toy", "", TOY)
    assert file is not None
    assert file.text is None
    assert "lone surrogate" in (file.problem or "")
