"""The sample class again as notebooks: the same points, states and sentences as for the files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.catalogue.load import load_course
from grader.catalogue.stubs import make_stub
from grader.results.schema import Results
from grader.run.engine import Engine
from grader.submission.discover import discover
from grader.submission.model import Submission
from grader.submission.notebook.extract import from_history
from grader.submission.notebook.write import notebook

ROOT = Path(__file__).parents[2]
COURSE = load_course(ROOT)
CLASS = {submission.student: submission for submission in discover(ROOT / "examples" / "class", COURSE.names)}
EXERCISES = ["attention", "encoder"]
GRADED = ["dmitri", "kofi", "priya", "梅"]  # a known mistake, a syntax error, `elf` for `self`, all right
_CELL = r"(cell \d+|In \[\d+\]|the stub)"
_FILE = rf"(\w+\.py|\w+\.ipynb, {_CELL}|{_CELL})"
PLACE = re.compile(rf"[Ll]ine \d+ of {_FILE}|{_FILE}, line \d+|[Ll]ine \d+")


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine(COURSE, EXERCISES) as made:
        made.ready()
        yield made


@pytest.fixture(scope="module")
def as_notebooks(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Submission]:
    """The class, each file as a notebook in which something was tried out besides."""
    folder = tmp_path_factory.mktemp("class")
    for student, submission in CLASS.items():
        (folder / student).mkdir()
        for name, file in submission.files.items():
            (folder / student / f"{name}.ipynb").write_text(json.dumps(_tried(file.text or "", name)), "utf-8")
    return {submission.student: submission for submission in discover(folder, COURSE.names)}


def _tried(text: str, name: str) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(notebook(text, name, f"# {name}", {}))
    made["cells"].insert(0, {"cell_type": "code", "source": "%matplotlib inline\n!pip list\nraise SystemExit"})
    made["cells"].append({"cell_type": "code", "source": "x = oops(1)\nprint(x)"})
    return made


def test_every_notebook_of_the_class_is_read(as_notebooks: dict[str, Submission]) -> None:
    assert as_notebooks.keys() == CLASS.keys()
    for student, submission in as_notebooks.items():
        assert submission.files.keys() == CLASS[student].files.keys()
        assert submission.problems == ()
        for file in submission.files.values():
            assert file.notebook
            assert "= oops(" not in (file.text or "= oops(")


@pytest.mark.parametrize("student", GRADED)
def test_file_notebook_and_kernel_get_one_verdict(
    engine: Engine, as_notebooks: dict[str, Submission], student: str
) -> None:
    expected = said(engine.grade(CLASS[student], EXERCISES))
    assert said(engine.grade(as_notebooks[student], EXERCISES)) == expected
    if student != "kofi":  # a kernel never gets to know a cell with a syntax error
        assert said(engine.grade(as_executed(student), EXERCISES)) == expected


def as_executed(student: str) -> Submission:
    """What `grader.check` makes of the same code, executed in a kernel."""
    files = dict(CLASS[student].files)
    for name in EXERCISES:
        cells = _tried(files[name].text or "", name)["cells"]
        sources = [(number, "".join(c["source"])) for number, c in enumerate(cells, 1) if c["cell_type"] == "code"]
        tasks = [task.name for task in COURSE.exercise(name).tasks]
        file = from_history(sources, name, make_stub(COURSE.reference_path(name).read_text("utf-8"), name), tasks)
        assert file is not None
        files[name] = file
    return Submission(student, files)


def said(results: Results) -> list[tuple[object, ...]]:
    """Points, states and sentences; where a line stands is another matter."""
    rows: list[tuple[object, ...]] = []
    for exercise in results.exercises:
        rows.append((exercise.name, exercise.status, exercise.points, exercise.possible))
        rows += [(c.id, c.status, c.points, c.code, _placeless(c.message), c.help) for c in exercise.checks]
        rows += [(d.task, d.bug, d.what, d.evidence) for d in exercise.diagnoses]
        rows += [(n.task, n.code, _placeless(n.message)) for n in exercise.notes]
    return rows


def _placeless(message: str) -> str:
    return PLACE.sub("PLACE", message).replace(".ipynb", ".py")
