"""`grade check` of a course with one fault of every kind: each is found, and said in a sentence."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from grader.audit.page import kill_table, page
from grader.audit.prove import Proof, prove
from grader.catalogue.load import load_course

TOY = Path(__file__).parents[1] / "data" / "toy"
NO_MISTAKE = """
[[bugs]]
name = "no_mistake"
task = "scale"
what = "you multiply the other way round"
why = "That is the same."
hint = "None."
source = "own"
find = "return x * factor"
replace = "return factor * x"
"""
SAME_AS_ADDS = """
[[bugs]]
name = "adds_too"
task = "scale"
what = "you add it the other way round"
why = "That is the same mistake."
hint = "None."
source = "own"
find = "return x * factor"
replace = "return factor + x"
"""
MISPLACED = """
[[bugs]]
name = "misplaced"
task = "scale"
what = "you forget to scale in the other function"
why = "That is no mistake of this one."
hint = "None."
source = "own"
find = "torch.exp(scale(x, factor))"
replace = "torch.exp(-x)"
"""
WRONG_IDIOM = '''"""Half of it is not right."""


def scale(x, factor=2.0):
    return factor * x


def soften(x, factor=2.0):
    return x
'''
NEARLY = '''"""Right, but for rounding that is too coarse."""


def scale(x, factor=2.0):
    return x * (factor * (1 + 5e-5))


def soften(x, factor=2.0):
    powers = (x * factor).exp()
    return powers / powers.sum(-1, keepdim=True)
'''
NO_SHORTCUT = '"""Its own work, though it stands among the shortcuts."""\n\n\n' + NEARLY.split('"""\n\n\n')[1].replace(
    "(1 + 5e-5)", "1"
)


RAISES = '''

@probe("soften", Table.of({"n": 3}, {"n": 4}))
def three_arguments(side: Proxy, reference: Proxy, case: Case) -> Any:
    """One more than it takes."""
    return side.call("soften", case.normal(case.n), 1.0, 2.0)
'''


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Proof:
    root = tmp_path_factory.mktemp("course") / "toy"
    shutil.copytree(TOY, root)
    bugs = root / "solutions" / "scale.bugs.toml"
    bugs.write_text(MISPLACED + bugs.read_text("utf-8") + NO_MISTAKE + SAME_AS_ADDS, "utf-8")
    metadata = root / "solutions" / "scale.toml"
    metadata.write_text(metadata.read_text("utf-8").replace("Which operator stretches a tensor?", "return x * factor"))
    idioms = root / "tests" / "course" / "idioms" / "scale"
    (idioms / "wrong.py").write_text(WRONG_IDIOM)
    (idioms / "nearly.py").write_text(NEARLY)
    for shortcut in (idioms / "shortcuts").iterdir():
        shortcut.unlink()
    (idioms / "shortcuts" / "none.py").write_text(NO_SHORTCUT)
    stub = root / "exercises" / "scale.py"
    stub.write_text(stub.read_text("utf-8") + "# \n")
    probes = root / "tests" / "exercises" / "probes_scale.py"
    probes.write_text(probes.read_text("utf-8") + RAISES)
    return prove(load_course(root), ["scale", "block"], sets=2)


@pytest.mark.parametrize(
    "says",
    [
        "known bug no_mistake loses no points in scale: you multiply the other way round",
        "known bug no_mistake of scale passes on inputs 1",
        "known bug adds_too is called adds",
        "the probes of scale cannot tell adds_too from adds",
        "known bug misplaced of scale also costs scale.soften_values",
        "right answer wrong fails scale.soften_values",
        "right answer nearly of scale is off by",
        "shortcut none passes for the student's own work",
        "soften_own_work of soften is failed by no known bug and no shortcut",
        "the first hint of scale holds what the last one tells",
        "exercises/scale.py is not the stub",
    ],
)
def test_every_fault_is_found(faulty: Proof, says: str) -> None:
    assert any(says in finding.problem for finding in faulty.findings), "\n".join(f.problem for f in faulty.findings)


def test_a_probe_that_raises_in_the_reference_is_named_with_its_exception(faulty: Proof) -> None:
    (told,) = [f.problem for f in faulty.findings if "three_arguments" in f.problem]
    assert told.startswith("probe three_arguments raises TypeError: ")
    assert "in the reference" in told
    assert "soften() takes from 1 to 2 positional arguments but 3 were given" in told


def test_nothing_is_said_twice(faulty: Proof) -> None:
    problems = [f.problem for f in faulty.findings]
    assert len(set(problems)) == len(problems)
    assert sum("right answer wrong fails scale.soften_values" in p for p in problems) == 1


def test_nothing_else_is_found(faulty: Proof) -> None:
    assert not [f.problem for f in faulty.findings if " unscaled " in f.problem or "without_scale" in f.problem]
    assert "with_bias" not in str(faulty.findings)


def test_a_course_that_holds_is_written_down() -> None:
    course = load_course(TOY)
    proof = prove(course, course.names)
    assert proof.findings == ()
    text = page(course, course.names, proof)
    assert "on 3 sets of inputs" in text
    assert "on one set of inputs" in text
    assert "| unscaled | soften | you take the powers of x, not of the scaled x | 2 | soften_values |" in text
    table = kill_table(course.exercise("scale"), proof)
    assert "    adds xx.." in table
