"""The sample class in every way to hand code in: as files, notebooks, in a kernel, in `grade watch`, in a batch.

Points, states, reasons, codes, sentences, evidence and diagnoses are the same in all of them; sample_class.verdicts
says what is left out. One engine serves `grade`, `grade watch` and `grader.check`, which start it alike; a batch has
its own, for other people's code.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

import msgspec
import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from grader.batch.local import engine_backend
from grader.batch.outcome import RESULTS, STUDENTS
from grader.batch.run import run_batch
from grader.cli.place import Place
from grader.cli.run_command import graded as graded_from_folder
from grader.kernel import check as kernel
from grader.results import store
from grader.results.schema import Exercise, Results
from grader.run.engine import Engine
from grader.run.present import Present
from grader.submission.discover import discover
from grader.submission.model import Submission
from grader.watch.files import Files
from grader.watch.watch import Watch

from .conftest import Grade
from .sample_class import CLASS, CLASSMATES, CORE, COURSE, differences, place_of, tried, verdicts

ENDLESS = ("lena", "generate")  # its loops are stopped after 2 s each: graded as a file and in the batch only
NO_PYTHON = ("kofi", "encoder")  # a cell with a syntax error defines nothing, so a kernel never gets to know it


@pytest.fixture(scope="module")
def as_notebooks(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Submission]:
    folder = tmp_path_factory.mktemp("class")
    for student, submission in CLASSMATES.items():
        (folder / student).mkdir()
        for name, file in submission.files.items():
            (folder / student / f"{name}.ipynb").write_text(json.dumps(tried(file.text or "", name)), "utf-8")
    return {submission.student: submission for submission in discover(folder, COURSE.names)}


@pytest.fixture(scope="module")
def batch(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Results]:
    """`grade batch examples/class`, read from the files it has written."""
    out = tmp_path_factory.mktemp("out")
    present = Present(COURSE, CORE)
    backend = engine_backend(COURSE, present.environment.course)
    run_batch(discover(CLASS, COURSE.names), backend, present, out, 2, title="Class")
    found = [store.load(path) for path in (out / STUDENTS).glob(f"*/{RESULTS}")]
    return {results.student: results for results in found}


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Place]:
    folder = tmp_path_factory.mktemp("places")
    return {student: place_of(student, folder / student) for student in CLASSMATES}


@pytest.fixture
def shell(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> Iterator[InteractiveShell]:
    """IPython's own, whose engine is the warm one of this session."""
    settings = Config()
    settings.HistoryManager.enabled = False  # nothing is written to the disk
    made = InteractiveShell.instance(config=settings)
    monkeypatch.setattr(kernel, "_engines", [engine])
    yield made
    InteractiveShell.clear_instance()


def mine(student: str, *without: tuple[str, str]) -> list[str]:
    """The exercises whose file this student has."""
    return [name for name in CORE if name in CLASSMATES[student].files and (student, name) not in without]


def rows(results: Results, names: list[str], alone: bool = False) -> dict[str, object]:
    return verdicts([exercise for exercise in results.exercises if exercise.name in names], alone)


def test_everyone_has_a_file_to_compare() -> None:
    assert sum(len(mine(student)) for student in CLASSMATES) == 93


def test_every_notebook_of_the_class_is_read(as_notebooks: dict[str, Submission]) -> None:
    assert as_notebooks.keys() == CLASSMATES.keys()
    for student, submission in as_notebooks.items():
        assert submission.files.keys() == CLASSMATES[student].files.keys()
        assert submission.problems == ()
        for file in submission.files.values():
            assert file.notebook
            assert "= oops(" not in (file.text or "= oops(")


@pytest.mark.parametrize("student", CLASSMATES)
def test_as_notebooks(engine: Engine, graded: Grade, as_notebooks: dict[str, Submission], student: str) -> None:
    names = mine(student, ENDLESS)
    results = engine.grade(as_notebooks[student], names)
    assert differences(rows(results, names), rows(graded(student), names)) == []


@pytest.mark.parametrize("student", CLASSMATES)
def test_in_a_batch(graded: Grade, batch: dict[str, Results], student: str) -> None:
    assert differences(rows(batch[student], CORE), rows(graded(student), CORE)) == []
    assert batch[student].points == graded(student).points
    assert batch[student].problems == graded(student).problems


@pytest.mark.parametrize("student", CLASSMATES)
def test_in_a_kernel(
    shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch, graded: Grade, places: dict[str, Place], student: str
) -> None:
    monkeypatch.chdir(places[student].folder)
    for name in mine(student, ENDLESS, NO_PYTHON):
        execute(shell, student, name)
        verdict = kernel.check(name)
        assert verdict.where == "the cells of this kernel"
        assert differences(rows(verdict.results, [name], True), rows(graded(student), [name], True)) == []


def execute(shell: InteractiveShell, student: str, name: str) -> None:
    """Put the cells of a notebook into the kernel's history, where running them would have put them."""
    assert shell.history_manager is not None
    shell.history_manager.input_hist_raw[:] = [""]  # a kernel of its own
    cells = tried(CLASSMATES[student].files[name].text or "", name)["cells"]
    for number, cell in enumerate((cell for cell in cells if cell["cell_type"] == "code"), 1):
        shell.history_manager.store_inputs(number, "".join(cell["source"]))


def test_what_a_kernel_refuses_is_not_written_yet_there(
    shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch, places: dict[str, Place]
) -> None:
    """The rest of that file, which is right, is graded; what needs the class that is missing is blocked."""
    student, name = NO_PYTHON
    monkeypatch.chdir(places[student].folder)
    execute(shell, student, name)
    checks = kernel.check(name).results.exercises[0].checks
    assert {check.status for check in checks if check.task == "MLP"} == {"not_started"}
    assert {check.status for check in checks if check.task != "MLP"} == {"passed", "blocked"}


@dataclass
class Once:
    """An engine that does not grade again what `graded` has graded: the same files in the same order of exercises.

    One exercise is graded alone and truly, as after a save; the endless loop is not.
    """

    engine: Engine
    known: Results
    files: dict[str, object]
    calls: int = 0

    def grade(self, submission: Submission, names: list[str], *others: object, **more: object) -> Results:
        self.calls += 1
        assert submission.files == self.files
        if len(names) == 1 and (self.known.student, names[0]) != ENDLESS:
            return self.engine.grade(submission, names)
        return msgspec.structs.replace(self.known, exercises=[row for row in self.known.exercises if row.name in names])


class Hands:
    """Asks for everything, then quits."""

    def __init__(self) -> None:
        self.keys = ["a", "q"]

    def read(self, seconds: float) -> str | None:
        return self.keys.pop(0)


@pytest.mark.parametrize("student", CLASSMATES)
def test_in_watch(engine: Engine, graded: Grade, places: dict[str, Place], student: str) -> None:
    place, names = places[student], mine(student)
    once = Once(engine, graded(student), dict(CLASSMATES[student].files))
    wrong = [row.name for row in graded(student).exercises if row.name in names and row.status != "passed"]
    watch = Watch(
        names, Files({name: place.sources(name) for name in names}), Hands(),
        lambda wanted: graded_from_folder(place, once, wanted),  # type: ignore[arg-type]
        lambda name: "", lambda screen: None,
    )  # fmt: skip
    first = (wrong or names)[0]
    alone: list[Exercise] = []
    watch.show = lambda screen: alone.extend(row for row in screen.rows.values() if not alone)
    watch.run(first)
    assert once.calls == 2
    assert differences(verdicts(alone, True), rows(graded(student), [first], True)) == []
    assert differences(verdicts([watch.rows[name] for name in names]), rows(graded(student), names)) == []
