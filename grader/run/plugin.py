"""The pytest plugin of the suites: the fixtures `subject` and `reference`, and a verdict for every check.

The engine collects the suites once and runs the collected items in a fork for every submission (examiner.py). For a
curious student: `pytest tests/exercises/test_attention.py --subject exercises` runs a suite on a folder.
"""

from __future__ import annotations

import functools
import importlib
import sys
from collections.abc import Callable, Collection, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.catalogue.model import Course, Exercise
from grader.errors import UsageError
from grader.results.codes import render
from grader.results.schema import PRINTED
from grader.run.plan import kinds
from grader.run.pool import Launch, SubjectPool
from grader.run.recall import Memory, Recalling
from grader.run.recorded.book import Book, read_book
from grader.run.recorded.record import Recording
from grader.run.recorded.transport import Recorded
from grader.run.verdict import Outcome, judge
from grader.subject.failure import Blocked, NotStarted
from grader.subject.limits import Limits

OUTCOME = pytest.StashKey[Outcome]()
SECONDS = pytest.StashKey[float]()
GRADING = pytest.StashKey["Grading"]()
MEMORY = pytest.StashKey[Memory]()
SUSPECTS = pytest.StashKey[dict[str, Any]]()  # of diagnosis/suspects.py, by exercise
RECORDING = pytest.StashKey[Recording]()  # while a release is made
BOOKS = pytest.StashKey[Callable[[Path], Book]]()  # of a release


class Grading:
    """What the fixtures need: the course, the submission's files, and a way to start subjects.

    `spans`: of files that were notebooks, the cells that their lines come from. `tasks`: those that are graded, if not
    all are.
    """

    def __init__(
        self, course: Course, files: dict[str, str], launch: Any,
        spans: dict[str, Any] | None = None, tasks: Collection[str] | None = None,
    ) -> None:  # fmt: skip
        self.course = course
        self.files = files
        self.spans = spans or {}
        self.tasks = tasks
        self._launch = launch
        self.pools: dict[str, SubjectPool] = {}

    def pool(self, exercise: Exercise) -> SubjectPool:
        if exercise.name not in self.pools:
            plan, launch = kinds(self.course, exercise, self.tasks), self.launcher(exercise.limits)
            self.pools[exercise.name] = SubjectPool(self.course, exercise, self.files, launch, plan, spans=self.spans)
        return self.pools[exercise.name]

    def launcher(self, limits: Limits) -> Launch:
        return lambda: self._launch(limits)


def exercise_of(item: Any) -> str:
    """test_attention.py holds the checks of attention."""
    return str(Path(str(item.path)).stem).removeprefix("test_")


def check_of(item: Any) -> str:
    return str(item.name).removeprefix("test_")


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("grader")
    group.addoption("--subject", metavar="FOLDER", help="run the exercise suites on the .py files of this folder")


@pytest.fixture(scope="module")
def subject(request: pytest.FixtureRequest) -> Iterator[Any]:
    """The student's code, in a process of its own."""
    grading = _grading(request.config)
    pool = grading.pool(grading.course.exercise(exercise_of(request.node)))
    yield pool.proxy
    pool.close()


@pytest.fixture(scope="module")
def reference(request: pytest.FixtureRequest) -> Any:
    """The course's own answer, in this process."""
    from grader.subject.local import Local
    from grader.subject.proxy import Proxy

    course, exercise = _grading(request.config).course, exercise_of(request.node)
    if course.released:
        return Proxy(Recorded(request.config.stash[BOOKS](course.recorded_path(exercise)).answer_to))
    local = Local(importlib.import_module(f"solutions.{exercise}"), frozenset(course.tasks))
    recording = request.config.stash.get(RECORDING, None)
    if recording is not None:
        return Proxy(recording.transport(exercise, local))
    return Proxy(Recalling(local, request.config.stash[MEMORY]))


def pytest_configure(config: pytest.Config) -> None:
    config.stash[MEMORY] = Memory()
    books: Callable[[Path], Book] = functools.cache(read_book)
    config.stash[BOOKS] = books


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item: Any) -> Iterator[None]:
    pool = _pool(item)
    if pool is not None:
        from grader.run.suite.cases import forget_case

        forget_case()
        questions, record = item.config.stash[MEMORY].questions_of(item.nodeid)
        known_to_fail = item.config.stash[GRADING].tasks is not None  # one task alone is graded for a known bug
        pool.start_check(check_of(item), questions, record, ahead=not known_to_fail)
        if "reference" in item.funcargs:
            item.funcargs["reference"].start_case()
            item.funcargs["reference"].transport.start_check(item.nodeid)
    yield


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: Any, call: Any) -> Generator[None, Any, None]:
    pool = _pool(item)
    if pool is not None and (call.when == "call" or (call.when == "setup" and call.excinfo)):
        from grader.run.suite.cases import current_dims

        error = _waits(item, call.excinfo.value if call.excinfo else None)
        outcome = judge(error, current_dims())
        printed = pool.output() if outcome.status == "failed" else ""
        detail = "\n".join(part for part in (outcome.detail, printed and PRINTED + printed) if part)
        item.stash[OUTCOME] = Outcome(outcome.status, outcome.code, outcome.values, outcome.evidence, detail)
        item.stash[SECONDS] = call.duration
        item.repr_failure = _no_story
    report = yield
    if call.excinfo and OUTCOME in item.stash:
        outcome = item.stash[OUTCOME]
        report.get_result().longrepr = (
            f"{item.function.__doc__ or item.name}\n{render(outcome.code, outcome.values)}\n{outcome.detail}"
        )


def _waits(item: Any, error: BaseException | None) -> BaseException | None:
    """In a release parts run with the student's own, and one that is not written yet is another task's."""
    course: Course = item.config.stash[GRADING].course
    part = str(error).partition(".")[0]
    task = course.exercise(exercise_of(item)).task_of(check_of(item)).name
    if course.released and isinstance(error, NotStarted) and part in course.tasks and part != task:
        return Blocked(f"{task} calls {error}, which is not written yet.")
    return error


def _no_story(*_: Any, **__: Any) -> str:
    """Instead of pytest's picture of a traceback, which takes 0.1 s: a verdict has a sentence of its own."""
    return ""


def _grading(config: pytest.Config) -> Grading:
    if GRADING not in config.stash:
        config.stash[GRADING] = _for_a_curious_student(config)
    return config.stash[GRADING]


def _pool(item: Any) -> SubjectPool | None:
    """The pool of an item of a suite; None for any other test."""
    if "subject" not in getattr(item, "fixturenames", ()) or GRADING not in item.config.stash:
        return None
    grading: Grading = item.config.stash[GRADING]
    return grading.pool(grading.course.exercise(exercise_of(item)))


def _for_a_curious_student(config: pytest.Config) -> Grading:
    from grader.catalogue.home import find_home
    from grader.catalogue.load import load_course
    from grader.run.launch import Launcher
    from grader.submission.files import read_folder

    folder = config.getoption("--subject")
    if not folder:
        raise UsageError("These checks need a submission: add --subject FOLDER, for instance --subject exercises.")
    course = load_course(find_home(config.rootpath).course)
    if str(course.root) not in sys.path:
        sys.path.append(str(course.root))
    submission = read_folder(Path(folder), course.names, "you")
    files = {name: file.text for name, file in submission.files.items() if file.text is not None}
    spans = {name: submission.files[name].spans for name in files}
    return Grading(course, files, Launcher(hidden=[course.root]), spans)
