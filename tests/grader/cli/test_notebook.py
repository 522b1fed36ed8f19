"""`grade notebook`, and notebooks where the other commands take files."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from .calling import grade


def edit(path: Path, old: str, new: str) -> None:
    """Change the cell that holds `old`, as Jupyter would save it."""
    made = json.loads(path.read_text("utf-8"))
    touched = [cell for cell in made["cells"] if old in "".join(cell["source"])]
    for cell in touched:
        cell["source"] = "".join(cell["source"]).replace(old, new)
    assert touched
    path.write_text(json.dumps(made), "utf-8")


def stub_line(name: str) -> str:
    return f'raise NotImplementedError("{name}: write the body (stuck? run `grade hint scale`)")'


def test_from_stub_to_verdict(toy: Path) -> None:
    shown = grade(toy, "notebook", "scale")
    assert "scale.ipynb written. `grade scale.ipynb` grades it" in shown
    assert "`grade scale` grades the notebook from now on, as long as exercises/scale.py is the stub" in shown
    assert "as it should be" in grade(toy, "notebook", "scale")
    assert "not written yet" in grade(toy, "scale", code=1)
    edit(toy / "scale.ipynb", stub_line("scale"), "y = x * factor\n    return y + zero")
    shown = grade(toy, "scale", code=1)
    assert "(scale.ipynb, cell 5, line " in shown.replace("\n  │ ", " ")
    assert "Next: fix scale.ipynb, then `grade scale`" in shown
    edit(toy / "scale.ipynb", " + zero", "")
    assert "3 of 3" in grade(toy, "scale.ipynb", code=1)
    assert "yours differs" in grade(toy, "notebook", "scale", code=1)
    shown = grade(toy, "notebook", "scale", "--force")
    backup = next((toy / ".grade" / "backup").glob("scale-*.ipynb"))
    assert backup.name in shown
    assert "return y" in backup.read_text("utf-8")


def test_a_file_that_was_begun_is_what_the_notebook_shows(toy: Path) -> None:
    path = toy / "exercises" / "scale.py"
    path.write_text(path.read_text("utf-8").replace(stub_line("scale"), "return x * factor"), "utf-8")
    assert "`grade scale` grades exercises/scale.py as before; with the stub in it" in grade(toy, "notebook", "scale")
    assert "return x * factor" in (toy / "scale.ipynb").read_text("utf-8")
    assert "both there" not in grade(toy, "scale", code=1)
    edit(toy / "scale.ipynb", "return x * factor", "return factor * x")
    assert "both there and differ: scale.py is graded" in " ".join(grade(toy, "scale", code=1).split())
    assert "both there" not in grade(toy, "scale.ipynb", code=1)


def test_all_go_into_a_folder(toy: Path) -> None:
    grade(toy, "notebook", "--all", "--out", "sheets")
    assert sorted(path.name for path in (toy / "sheets").iterdir()) == ["block.ipynb", "scale.ipynb"]
    assert "not written yet" in grade(toy, "sheets/scale.ipynb", code=1)


WRONG_USE: list[tuple[tuple[str, ...], str]] = [
    (("notebook",), "Name an exercise: `grade notebook attention`"),
    (("notebook", "scal"), "Did you mean 'scale'?"),
    (("notebook", "scale", "--out", "pyproject.toml"), "is a file, not a folder"),
    (("scale.ipynb",), "There is no notebook 'scale.ipynb': `grade notebook scale` writes one."),
]


@pytest.mark.parametrize(("arguments", "said"), WRONG_USE, ids=lambda value: str(value)[:30])
def test_wrong_use_is_one_sentence(toy: Path, arguments: tuple[str, ...], said: str) -> None:
    (toy / "pyproject.toml").touch()
    assert said in grade(toy, *arguments, code=2)


def test_a_broken_notebook_is_a_verdict(toy: Path) -> None:
    (toy / "exercises" / "scale.py").unlink()
    (toy / "scale.ipynb").write_text('{"cells": [', "utf-8")
    shown = " ".join(grade(toy, "scale", code=1).replace("│", " ").split())
    assert "scale.ipynb cannot be read: it is no notebook" in shown


def test_a_class_may_hand_in_notebooks(toy: Path) -> None:
    grade(toy, "notebook", "scale", "--out", "class/ada")
    edit(toy / "class" / "ada" / "scale.ipynb", stub_line("scale"), "return x * factor")
    shutil.copy(toy / "class" / "ada" / "scale.ipynb", toy / "class" / "ben_scale.ipynb")
    grade(toy, "batch", "class", "--out", "out")
    rows = {path.parent.name: results(path) for path in (toy / "out" / "students").glob("*/results.json")}
    assert {student: row["points"] for student, row in rows.items()} == {"ada": 3, "ben": 3}


def results(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return found


def test_a_case_of_a_notebook_can_be_replayed(toy: Path) -> None:
    grade(toy, "notebook", "scale")
    edit(toy / "scale.ipynb", stub_line("scale"), "return x * zero")
    grade(toy, "scale", code=1)
    shown = grade(toy, "replay", "scale")
    assert "name 'zero' is not defined" in shown
    assert "scale.ipynb, cell 5, line" in shown


SCALE = "def scale(x, factor=2.0):\n    return x {operator} factor\n"
BLOCK = """from torch import nn

class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.w = nn.Linear(width, width, bias=False)

    def forward(self, x):
        return x + scale(self.w(x), 0.5)
"""


def week(path: Path, operator: str = "*") -> None:
    """A notebook with both exercises in it."""
    cells = ["import torch\nprint(oops)", SCALE.format(operator=operator), BLOCK]
    rows = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": cell} for cell in cells]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"cells": rows, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}), "utf-8")


def test_a_notebook_with_several_exercises_is_graded_in_all_of_them(toy: Path) -> None:
    week(toy / "week1.ipynb", "+")
    grade(toy, "week1.ipynb", code=1)
    rows = {row["name"]: row for row in results(toy / ".grade" / "results.json")["exercises"]}
    assert rows["block"]["status"] == "passed"  # a mistake in scale is none in block
    assert rows["scale"]["diagnoses"]
    assert "Next: fix week1.ipynb, then `grade scale`" in grade(toy, "scale", code=1)
    week(toy / "week1.ipynb")
    assert "! week1.ipynb" not in grade(toy, "block", code=0)  # nothing is told of another exercise's cells


def test_a_class_may_hand_such_a_notebook_in(toy: Path) -> None:
    week(toy / "class" / "ada" / "week1.ipynb")
    grade(toy, "batch", "class", "--out", "out")
    found = results(toy / "out" / "students" / "ada" / "results.json")
    assert {row["name"]: row["status"] for row in found["exercises"]}["block"] == "passed"
    assert "week1.ipynb: block is graded as its cells define it; there is no other answer to it." in found["problems"]


def test_a_notebook_without_any_exercise_is_refused(toy: Path) -> None:
    week(toy / "week1.ipynb")
    (toy / "week2.ipynb").write_text((toy / "week1.ipynb").read_text("utf-8").replace("scale", "s").replace("Bl", "B"))
    assert "week2.ipynb defines no task of any exercise" in grade(toy, "week2.ipynb", code=2)
    (toy / "week2.ipynb").write_text("{")
    assert "week2.ipynb cannot be read: it is no notebook" in grade(toy, "week2.ipynb", code=2)
    assert "There is no notebook 'week3.ipynb'" in grade(toy, "week3.ipynb", code=2)
