"""How far apart the answers to the probes are: right answers in other styles, the reference, and every known bug.

`python -P -m grader.audit.apart COURSE NAME…` prints them as JSON: in a process of its own, since references are
imported by their names.
"""

from __future__ import annotations

import importlib
import itertools
import json
import subprocess
import sys
import types
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.audit.finding import Finding
from grader.audit.idioms import Idiom, load_idioms
from grader.catalogue.load import load_course
from grader.catalogue.model import Course, Exercise
from grader.errors import EngineError
from grader.run.launch import warm_environment

if TYPE_CHECKING:
    from grader.run.diagnosis.suspects import Suspects
    from grader.run.suite.cases import Case
    from grader.run.suite.probes import Probe
    from grader.subject.proxy import Proxy

MARGIN = 5.0  # right answers stay below a fifth of the limit of a comparison, known bugs go beyond five of it


@dataclass(frozen=True, slots=True)
class Margin:
    """Of one task, in limits of a comparison: the worst right answer, and the known bug that is nearest to right."""

    exercise: str
    task: str
    idiom: str
    worst: float
    bug: str
    nearest: float


def compare(course: Course, names: Sequence[str]) -> tuple[list[Margin], list[Finding]]:
    """The margins of every task that has probes, and what is too close to what."""
    if not names:
        return [], []
    command = [sys.executable, "-P", "-m", "grader.audit.apart", str(course.root), *names]
    done = subprocess.run(command, env=warm_environment(), capture_output=True, text=True)
    if done.returncode:
        raise EngineError(f"the probes could not be compared: {(done.stderr.strip().splitlines() or ['?'])[-1]}")
    told = json.loads(done.stdout)
    margins = [Margin(**margin) for margin in told["margins"]]
    return margins, [Finding(**finding) for finding in told["findings"]] + list(_too_near(margins))


def _too_near(margins: Sequence[Margin]) -> Iterator[Finding]:
    for m in margins:
        if m.worst > 1 / MARGIN:
            yield Finding(m.exercise, f"right answer {m.idiom} of {m.task} is off by {m.worst:.2g} limits")
        if m.nearest < MARGIN:
            yield Finding(m.exercise, f"known bug {m.bug} of {m.task} is only {m.nearest:.2g} limits from right")


def measure(root: Path, names: Sequence[str]) -> dict[str, Any]:
    """As plain data, in a process that can import the course."""
    import torch

    from grader.run.diagnosis.suspects import Suspects

    torch.set_num_threads(1)
    course = load_course(root)
    sys.path.append(str(course.root))
    for name in course.names:  # what an idiom imports of other exercises
        sys.modules[f"exercises.{name}"] = importlib.import_module(f"solutions.{name}")
    margins, findings = [], []
    for exercise in (course.exercise(name) for name in names):
        suspects = Suspects(course, exercise)
        raising = {task.name: list(_raising(suspects, task.name)) for task in exercise.tasks}
        findings += [Finding(exercise.name, p) for problems in raising.values() for p in problems]
        sound = [task for task, problems in raising.items() if not problems]  # exceptions differ by nothing
        findings += [Finding(exercise.name, p) for task in sound for p in _too_close(suspects, task)]
        margins += list(_margins(course, exercise, suspects, sound))
    return {"margins": [asdict(m) for m in margins], "findings": [asdict(f) for f in findings]}


def _raising(suspects: Suspects, task: str) -> Iterator[str]:
    """Probes that the reference itself answers with an exception: most are asked with other arguments than it takes."""
    told = set[str]()
    for (probe, case), answer in zip(suspects.cases(task), suspects.right(task), strict=True):
        if "raised" in answer.parts and probe.name not in told:
            told.add(probe.name)
            yield f"probe {probe.name} raises {_exception(probe, case, suspects.reference)} in the reference"


def _exception(probe: Probe, case: Case, reference: Proxy) -> str:
    """Asked once more, for the words of it."""
    from grader.subject.failure import CheckFailed

    reference.start_case(case.seed)
    try:
        probe.ask(reference, reference, case.again())
    except CheckFailed as failure:
        return f"{failure.values.get('etype', failure.code)}: {failure.values.get('text', '')}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "nothing when it is asked again"


def _too_close(suspects: Suspects, task: str) -> Iterator[str]:
    """Known bugs that the probes cannot tell from each other by MARGIN limits."""
    from grader.run.diagnosis.answers import distance, farthest

    bugs = [bug for bug in suspects.of(task) if not bug.invariant]
    for a, b in itertools.combinations(bugs, 2):
        answers = zip(suspects.answers(a), suspects.answers(b), strict=True)
        if all(distance(x, y) < MARGIN for x, y in answers):  # most pairs are told by one of the first cases
            apart = farthest(suspects.answers(a), suspects.answers(b))
            yield f"the probes of {task} cannot tell {b.name} from {a.name} (they differ by {apart:.2g} limits)"


def _margins(course: Course, exercise: Exercise, suspects: Suspects, tasks: Sequence[str]) -> Iterator[Margin]:
    from grader.run.diagnosis.answers import farthest

    sides = {idiom.name: _side(course, idiom) for idiom in load_idioms(course, exercise.name)}
    for task in filter(suspects.cases, tasks):
        right = list(suspects.right(task))
        idioms = {name: max(_distances(suspects, task, side, right)) for name, side in sides.items()}
        bugs = {b.name: farthest(suspects.answers(b), right) for b in suspects.of(task) if not b.invariant}
        idiom, bug = max(idioms, key=lambda n: idioms[n], default=""), min(bugs, key=lambda n: bugs[n], default="")
        yield Margin(exercise.name, task, idiom, idioms.get(idiom, 0.0), bug, min(bugs.get(bug, 1e9), 1e9))


def _distances(suspects: Suspects, task: str, side: Proxy, right: Sequence[Any]) -> list[float]:
    from grader.run.diagnosis.answers import ask, distance

    asked = zip(suspects.cases(task), right, strict=True)
    return [distance(ask(probe, case, side, suspects.reference), answer) for (probe, case), answer in asked]


def _side(course: Course, idiom: Idiom) -> Proxy:
    """An idiom as a module of its own, so that its load_weights is found."""
    from grader.subject.local import Local
    from grader.subject.proxy import Proxy

    module = types.ModuleType(f"idiom_{idiom.name}")
    sys.modules[module.__name__] = module
    exec(compile(idiom.text, f"{idiom.name}.py", "exec"), module.__dict__)
    return Proxy(Local(module, frozenset(course.tasks)))


if __name__ == "__main__":
    sys.stdout.write(json.dumps(measure(Path(sys.argv[1]), sys.argv[2:])))
