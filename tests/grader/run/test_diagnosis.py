"""What is said beyond the checks: a known mistake, where a forward goes wrong, which part breaks another."""

from __future__ import annotations

import types
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
import torch.nn.functional as F

from grader.catalogue.bugs import KnownBug, bugs_path, load_bugs
from grader.catalogue.load import load_course
from grader.catalogue.model import Course
from grader.catalogue.stubs import as_submission
from grader.errors import CourseError
from grader.results.schema import Results
from grader.run.diagnosis.answers import ask, seen
from grader.run.diagnosis.endless import Endless, at_most
from grader.run.diagnosis.landmarks import Reference, _tells, alike
from grader.run.engine import Engine
from grader.run.suite.cases import Table, make_case
from grader.run.suite.probes import Probe
from grader.subject.local import Local
from grader.subject.proxy import Opaque, Proxy
from grader.subject.worker.record import MAX_NUMBERS, Record
from grader.submission.model import SourceFile, Submission

COURSE = load_course(Path(__file__).parents[1] / "data" / "toy")
REFERENCE = {name: as_submission(COURSE.reference_path(name).read_text("utf-8")) for name in COURSE.names}


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine(COURSE, COURSE.names) as engine:
        engine.ready()
        yield engine


def grade(engine: Engine, **edits: tuple[str, str]) -> Results:
    """The references, each with one edit."""
    texts = dict(REFERENCE)
    for name, (find, replace) in edits.items():
        assert texts[name].count(find) == 1
        texts[name] = texts[name].replace(find, replace)
    return engine.grade(Submission("ada", {name: SourceFile(name, text) for name, text in texts.items()}))


def named(results: Results) -> list[tuple[str, str]]:
    return [(d.task, d.bug) for e in results.exercises for d in e.diagnoses]


def noted(results: Results) -> list[str]:
    return [n.message for e in results.exercises for n in e.notes]


def test_a_right_submission_is_told_nothing(engine: Engine) -> None:
    assert (named(grade(engine)), noted(grade(engine))) == ([], [])


@pytest.mark.parametrize(
    ("find", "replace"),
    [
        ("powers = torch.exp(scale(x, factor))", "powers = x.exp()"),
        ("return powers / powers.sum(-1, keepdim=True)", "return (powers.T / powers.T.sum(1, keepdim=True).T).T"),
    ],
)
def test_a_known_mistake_is_named_however_it_is_written(engine: Engine, find: str, replace: str) -> None:
    results = grade(engine, scale=(find, replace))
    expected = "unscaled" if "exp" in replace else None
    assert named(results) == ([("soften", expected)] if expected else [])


def test_the_evidence_says_how_many_probes_agree(engine: Engine) -> None:
    (exercise, _) = grade(engine, scale=("return x * factor", "return factor + x")).exercises
    (diagnosis,) = exercise.diagnoses
    assert diagnosis.evidence == "It agrees with your code on 2 of 2 probes; a right answer differs on 2."
    assert diagnosis.what == "you add the factor instead of multiplying"


def test_two_known_mistakes_at_once_are_both_named(engine: Engine) -> None:
    text = "powers = torch.exp(scale(x, factor))\n    return powers / powers.sum(-1, keepdim=True)"
    both = "powers = torch.exp(x)\n    return powers / powers.sum(0, keepdim=True)"
    assert named(grade(engine, scale=(text, both))) == [("soften", "unscaled"), ("soften", "columns")]


def test_an_unknown_mistake_has_no_name(engine: Engine) -> None:
    assert named(grade(engine, scale=("return x * factor", "return x * factor + 0.1"))) == []


def test_a_half_written_part_with_a_fault_is_graded_all_the_same(engine: Engine) -> None:
    """Its probes end where the stub begins: there is nothing to say, and nothing to fail on."""
    find = "self.w = nn.Linear(width, width, bias=False)"
    keeps = f"{find}\n        self.plain = [nn.Linear(1, 1)]"
    texts = dict(REFERENCE)
    texts["block"] = (
        texts["block"]
        .replace(find, keeps)
        .replace("return x + scale(self.w(x), 0.5)", "raise NotImplementedError('Block.forward: write the body')")
    )
    results = engine.grade(Submission("ada", {name: SourceFile(name, text) for name, text in texts.items()}))
    assert [c.status for c in results.exercises[1].checks] == ["not_started", "failed"]
    assert (named(results), noted(results)) == ([], [])


def test_a_right_block_is_told_which_part_breaks_it(engine: Engine) -> None:
    results = grade(engine, scale=("return x * factor", "return x + factor"))
    assert results.exercises[1].status == "passed"
    assert noted(results)[-1] == "Your Block is right. With your own scale inside it is not: repair that first."


def test_a_part_that_does_no_harm_is_not_blamed(engine: Engine) -> None:
    """The block uses another factor than the one this is wrong for."""
    wrong_for_two = ("return x * factor", "return x * factor if factor == 0.5 else x")
    assert not any("Block" in message for message in noted(grade(engine, scale=wrong_for_two)))


@pytest.mark.parametrize("layout", ["transposed", "joined", "heads apart"])
def test_values_are_alike_in_any_layout(layout: str) -> None:
    x = torch.randn(2, 3, 4, 5, generator=torch.Generator().manual_seed(0))
    other = {
        "transposed": x.transpose(1, 2),
        "joined": x.transpose(1, 2).reshape(2, 4, 15),
        "heads apart": x.reshape(6, 4, 5),
    }
    assert alike(other[layout], x)
    assert not alike(other[layout].flip(-1), x), "numbers that landed elsewhere are others"
    assert not alike(x + 0.01, x)


def module(path: Path, text: str) -> types.ModuleType:
    found = types.ModuleType(path.stem)
    exec(compile(text, str(path), "exec"), {**found.__dict__, "F": F}, found.__dict__)
    return found


def test_what_returns_its_argument_hides_nothing_of_the_way(tmp_path: Path) -> None:
    path = tmp_path / "way.py"
    body = ["scores = x * 2", "weights = F.dropout(scores.exp(), training=False)", "return weights * 3"]
    text = "\n    ".join(["def task(x):", *body]) + "\n"
    reference = Reference(Local(module(path, text), frozenset({"task"})), str(path), "task")
    reference.call("task", torch.tensor([0.5, 1.0]))
    assert [(m.name, m.parents) for m in reference.ways[0].landmarks] == [
        ("scores", ()),
        ("weights", (0,)),
        ("output", (1,)),
    ]


def test_a_table_that_is_filled_later_is_never_said_to_be_missing(tmp_path: Path) -> None:
    path = tmp_path / "way.py"
    body = ["table = x.new_empty(2, 2)", "table[0] = table[1] = x * 2", "rows = table + 1", "return rows * x"]
    text = "\n    ".join(["def task(x):", *body]) + "\n"
    reference = Reference(Local(module(path, text), frozenset({"task"})), str(path), "task")
    reference.call("task", torch.tensor([0.5, 1.0]))
    assert [m.name for m in reference.ways[0].landmarks] == ["rows", "output"]


@pytest.mark.parametrize(
    ("line", "raised"),
    [
        ("a, b = x.shape", "ValueError: values to unpack"),
        ("raise ValueError('expected a matrix')", "ValueError"),
        ("x.T.view(6)", "RuntimeError: view size is not compatible"),
        ("x.view(7)", "RuntimeError: is invalid for input of size"),
        ("x @ x", "RuntimeError"),
    ],
)
def test_errors_of_one_type_are_told_apart_by_what_they_speak_of(tmp_path: Path, line: str, raised: str) -> None:
    side = Proxy(Local(module(tmp_path / "raises.py", f"def task(x):\n    {line}\n"), frozenset({"task"})))
    size = (2, 3, 1) if "a, b" in line else (2, 3)
    case = make_case("raises", 0, {})
    probe = Probe("task", "raises", Table(()), lambda side, reference, case: side.call("task", torch.ones(size)))
    assert ask(probe, case, side, side).parts == {"raised": raised}


def test_what_is_too_large_to_be_recorded_is_never_said_to_be_missing() -> None:
    assert _tells(torch.arange(float(MAX_NUMBERS)))
    assert not _tells(torch.arange(float(MAX_NUMBERS + 1)))


def test_hidden_scores_are_alike_whatever_hides_them() -> None:
    hidden = torch.tensor([[1.0, float("-inf")]])
    assert alike(torch.tensor([[1.0, -1e9]]), hidden)
    assert not alike(torch.tensor([[1.0, 0.0]]), hidden)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('find = "return y"', "occurs 0 times"),
        ('task = "other"', "is none of scale"),
        ('why = ""', "why must be a text"),
        ('variant = "x.py"', "needs `find` and `replace`, or `variant`"),
    ],
)
def test_a_faulty_entry_is_refused_with_its_name(tmp_path: Path, line: str, says: str) -> None:
    (tmp_path / "solutions").mkdir()
    for suffix in (".py", ".toml"):
        path = COURSE.reference_path("scale").with_suffix(suffix)
        (tmp_path / "solutions" / path.name).write_text(path.read_text("utf-8"), "utf-8")
    good = bugs_path(COURSE, "scale").read_text("utf-8").split("[[bugs]]")[1]
    key = line.partition(" ")[0]
    kept = [row for row in good.splitlines() if not row.startswith(f"{key} ")]
    (tmp_path / "solutions" / "scale.bugs.toml").write_text("\n".join(["[[bugs]]", *kept, line]), "utf-8")
    course = Course(tmp_path, COURSE.exercises, COURSE.graded)
    with pytest.raises(CourseError, match=r"bug 'adds'") as caught:
        load_bugs(course, COURSE.exercise("scale"))
    assert says in str(caught.value)


def test_an_edit_is_made_once() -> None:
    bug: KnownBug = load_bugs(COURSE, COURSE.exercise("scale"))[0]
    assert bug.edit == ("return x * factor", "return x + factor")
    assert "return x + factor" in bug.text


def test_what_never_ends_here_is_given_up(tmp_path: Path) -> None:
    side = Proxy(
        Local(module(tmp_path / "loops.py", "def task(x):\n    while True:\n        pass\n"), frozenset({"task"}))
    )
    probe = Probe("task", "loops", Table(()), lambda side, reference, case: side.call("task", torch.ones(1)))
    with pytest.raises(Endless), at_most(0.1):
        ask(probe, make_case("loops", 0, {}), side, side)


@pytest.mark.parametrize("of_ours", [True, False])
def test_what_is_no_data_is_compared_by_its_name(of_ours: bool) -> None:
    """A model that a function returns comes back as a name from a student's process, and as itself from ours."""
    told = torch.nn.Identity() if of_ours else Opaque("exercises.task.Identity")
    assert seen([told, None]).parts == {" holds": 2, "[0]": "Identity", "[1]": None}


def test_what_is_in_memory_by_chance_is_no_step() -> None:
    with Record(lambda filename: filename == __file__) as record:
        filled = torch.empty(2).fill_(1.0) + torch.empty_like(torch.ones(2)).zero_()
    assert [step.operation for step in record.steps] == ["fill_", "ones", "zero_", "add"]
    assert filled.tolist() == [1.0, 1.0]


def test_nothing_piles_up_from_case_to_case(tmp_path: Path) -> None:
    """The proxies of references and known bugs live as long as a batch."""
    local = Local(module(tmp_path / "many.py", "def task(x):\n    return x\n"), frozenset({"task"}))
    side = Proxy(local)
    settings = {"now": torch.eye(2), "past": torch.eye(2), "block_size": 4}
    probe = Probe("task", "many", Table(()), lambda side, *_: side.given_model(**settings)(torch.tensor([[0]])))
    for index in range(3):
        assert "raised" not in ask(probe, make_case("many", index, {}), side, side).parts
        assert (len(side.asked), len(local.actor.objects)) == (2, 1)
