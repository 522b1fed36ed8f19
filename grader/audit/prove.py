"""What must hold of a course before a student sees it, each finding a sentence."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from grader.audit import bugs, idioms
from grader.audit.apart import Margin, compare
from grader.audit.bugs import Kill, kill
from grader.audit.finding import Finding
from grader.audit.grading import File, Graded, grade_all
from grader.audit.idioms import Idiom, load_idioms
from grader.catalogue.bugs import KnownBug, load_bugs
from grader.catalogue.model import Course, Exercise
from grader.catalogue.stubs import as_submission, make_stub
from grader.results.schema import Check, Results
from grader.run.engine import Engine
from grader.submission.model import SourceFile, Submission

SETS = 3  # of inputs that every right answer is graded on
QUICK = 3  # known bugs of a task
SHORT = 15  # characters of a line of code that tells nothing
Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Proof:
    """What was tried of some exercises, on how many sets of inputs, and what does not hold."""

    findings: tuple[Finding, ...]
    kills: tuple[Kill, ...]
    idioms: tuple[Idiom, ...]
    margins: tuple[Margin, ...]
    sets: int
    sets_of_bugs: int
    seconds: float


def prove(
    course: Course, names: Sequence[str], progress: Progress = lambda what: None, *, quick: bool = False, sets: int = 0
) -> Proof:
    """All that these exercises promise. Raises CourseError if nothing can run.

    `quick`: the first known bugs of every task alone, right answers on one set of inputs, and no word on margins.
    `sets`: of inputs, for right answers and for known bugs; 0 for the usual SETS, and one for known bugs.
    """
    began = time.monotonic()
    references = {n: course.reference_path(n).read_text("utf-8") for n in course.names}
    # A comment at the end, or the engine would know the stub without running it: it must also not start when run.
    stubs = {n: make_stub(text, n) + "# \n" for n, text in references.items()}
    exercises = [course.exercise(name) for name in names]
    known = [bug for e in exercises for bug in load_bugs(course, e)]
    if quick:
        known = [bug for task in course.tasks for bug in [b for b in known if b.task == task][:QUICK]]
    right = [idiom for name in names for idiom in load_idioms(course, name)]
    findings: list[Finding] = []
    with (
        ThreadPoolExecutor(1) as beside,
        contextlib.closing(_engines(course, names, 1 if quick else sets or SETS)) as engines,
    ):
        compared = beside.submit(compare, course, () if quick else names)  # one core waits while an engine loads
        engine = next(engines)
        stub = engine.grade(_submission("stub", stubs))
        reference = engine.grade(_submission("reference", {n: as_submission(t) for n, t in references.items()}))
        caught = grade_all(engine, _files(known), progress)
        accepted = _accepted(engine, right, progress)
        for number, engine in enumerate(engines, 1):
            accepted += _accepted(engine, right, progress)
            if sets:
                findings += _survivors(engine, known, number, progress)
        margins, of_probes = compared.result()
    kills = [kill(bug, graded) for bug, graded in zip(known, caught, strict=True)]
    for e in exercises:
        findings += (*_stub(e.name, stub), *_reference(e.name, reference), *_in_step(course, e), *_hints(e))
        findings += _tried(e, kills, accepted, quick)
    return Proof(
        findings=tuple(dict.fromkeys((*findings, *of_probes, *_revealing(caught)))),  # once, on however many inputs
        kills=tuple(kills),
        idioms=tuple(right),
        margins=tuple(margins),
        sets=1 if quick else sets or SETS,
        sets_of_bugs=sets or 1,
        seconds=time.monotonic() - began,
    )


def _engines(course: Course, names: Sequence[str], sets: int) -> Generator[Engine]:
    """One for every set of inputs, ready when it is given; the next one loads while one is at work."""
    with contextlib.ExitStack() as at_work:
        engine = at_work.enter_context(Engine(course, names, others=True))
        for number in range(1, sets):
            with contextlib.ExitStack() as loading:
                engine.ready()
                salted = Engine(course, names, salt=str(number).encode(), others=True, diagnoses=False)
                following = loading.enter_context(salted)
                yield engine
                at_work.close()
                at_work.push(loading.pop_all())
            engine = following
        engine.ready()
        yield engine


def _files(known: Sequence[KnownBug]) -> list[File]:
    """The first bug of every task is graded with its whole exercise: it must cost no other task. The others alone."""
    first = {bug.task: bug for bug in reversed(known)}
    return [File(b.exercise, b.name, b.text, "" if first[b.task] is b else b.task) for b in known]


def _accepted(engine: Engine, right: Sequence[Idiom], progress: Progress) -> list[tuple[Idiom, Graded]]:
    """Every idiom, on the inputs of this engine."""
    graded = grade_all(engine, [File(i.exercise, i.name, i.text) for i in right], progress)
    return list(zip(right, graded, strict=True))


def _survivors(engine: Engine, known: Sequence[KnownBug], number: int, progress: Progress) -> Iterator[Finding]:
    """Known bugs that pass on the inputs of this engine."""
    files = [File(b.exercise, b.name, b.text, b.task, brief=True) for b in known]
    for bug, graded in zip(known, grade_all(engine, files, progress), strict=True):
        if not any(check.status == "failed" for check in graded.checks):
            yield Finding(bug.exercise, f"known bug {bug.name} of {bug.task} passes on inputs {number}")


def _tried(
    exercise: Exercise, kills: Sequence[Kill], accepted: Sequence[tuple[Idiom, Graded]], quick: bool
) -> Iterator[Finding]:
    """What the known bugs and the idioms of one exercise show; nothing is asked of an exercise that has neither."""
    mine = [k for k in kills if k.bug.exercise == exercise.name]
    right = [(idiom, graded) for idiom, graded in accepted if idiom.exercise == exercise.name]
    yield from bugs.findings(mine)
    yield from idioms.findings(exercise, right)
    if mine and not quick:
        shortcuts = {c.id.partition(".")[2] for _, graded in right for c in graded.checks if c.status != "passed"}
        yield from bugs.without_a_victim(exercise, shortcuts.union(*(k.failed for k in mine)))


def _stub(name: str, results: Results) -> Iterator[Finding]:
    for check in _checks(name, results):
        if check.status != "not_started":
            yield Finding(name, f"the stub should be not started, but {check.id} {_says(check)}")


def _reference(name: str, results: Results) -> Iterator[Finding]:
    for check in _checks(name, results):
        if check.status != "passed":
            yield Finding(name, f"the reference should pass, but {check.id} {_says(check)}")


def _in_step(course: Course, exercise: Exercise) -> Iterator[Finding]:
    path = course.stub_path(exercise.name)
    stub = make_stub(course.reference_path(exercise.name).read_text("utf-8"), exercise.name)
    if not path.is_file() or path.read_text("utf-8") != stub:
        yield Finding(
            exercise.name,
            f"exercises/{exercise.name}.py is not the stub of its reference; run `grade stubs {exercise.name}`",
        )


def _hints(exercise: Exercise) -> Iterator[Finding]:
    for task in exercise.tasks:
        lines = [line.strip() for line in task.hints[-1].split(";") if len(line.strip()) > SHORT]
        if any(line in task.hints[0] for line in lines):
            yield Finding(exercise.name, f"the first hint of {task.name} holds what the last one tells")


def _revealing(caught: Sequence[Graded]) -> Iterator[Finding]:
    """Verdicts that show more of an expected array than its corner, or anything of a hidden check's."""
    from grader.run.suite.compare import EXPECTED_CORNER  # imports torch

    for check in (c for graded in caught for c in graded.checks if c.evidence is not None):
        shown = check.evidence.expected if check.evidence else None
        if shown is not None and (check.hidden or len(shown.values) > EXPECTED_CORNER**2):
            yield Finding(check.id.partition(".")[0], f"{check.id} shows {len(shown.values)} expected numbers")


def _checks(name: str, results: Results) -> list[Check]:
    return next(e.checks for e in results.exercises if e.name == name)


def _says(check: Check) -> str:
    return f"says {check.status}: {check.message}\n{check.detail}".strip()


def _submission(student: str, texts: dict[str, str]) -> Submission:
    return Submission(student, {name: SourceFile(name, text) for name, text in texts.items()})
