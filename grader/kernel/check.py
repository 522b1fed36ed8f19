"""Grade what this kernel's cells have defined, with an engine that stays warm between two calls."""

from __future__ import annotations

import ast
import atexit
import textwrap
from dataclasses import replace
from pathlib import Path
from typing import Any

from grader.cli.place import Place
from grader.errors import EngineError, UsageError
from grader.kernel.verdict import Verdict
from grader.language import N_
from grader.results.schema import Results
from grader.run.engine import Engine, course_fingerprint
from grader.submission.files import read_folder, with_file
from grader.submission.model import Submission
from grader.submission.notebook.extract import answered_in, from_history

_CELLS = 500  # the newest cells of a kernel are looked at
_engines: list[Engine] = []  # at most one: each holds torch and the suites


def check(name: str, course: str | None = None) -> Verdict:
    """The verdict on exercise `name`: on the last executed definitions of this kernel, else on the saved file."""
    place = Place.find(course)
    exercise = place.course.exercise(Path(name).stem)
    executed = _executed(place, exercise.name)
    submission = executed or _saved(place, exercise.name)
    where = N_("the cells of this kernel") if executed else N_("the saved file")
    results = _graded(place, submission, exercise.name, executed is None)
    place.remember(results)
    return Verdict(results, where)


def _executed(place: Place, name: str) -> Submission | None:
    """What the cells of this kernel have defined, with the saved files beside it; None if nothing of this exercise."""
    history, tasks = _history(), place.course.tasks_of
    if (file := from_history(history, name, place.stub(place.course.exercise(name)), tasks)) is None:
        return None
    submission = with_file(replace(_folder(place), problems=()), file)
    for other in answered_in(history, tasks):
        mine = from_history(history, other, place.stub(place.course.exercise(other)), tasks)
        submission = with_file(submission, mine) if mine is not None else submission
    return submission


def _saved(place: Place, name: str) -> Submission:
    saved = _folder(place)
    if name not in saved.files:
        raise UsageError(
            f"No cell that was run defines anything of {name}, and there is no {name}.py: run a cell that does, or "
            f"`grade reset {name}` in a shell brings the stub."
        )
    own = (f"{name}.py", f"{name}.ipynb", saved.files[name].file)
    return replace(saved, problems=tuple(p for p in saved.problems if p.startswith(own)))


def _folder(place: Place) -> Submission:
    return read_folder(place.folder, place.course.names, "you", place.is_stub, place.course.tasks_of)


def _history() -> list[tuple[int, str]]:
    """What was executed in this kernel, oldest first, by its number; without cells that are no Python."""
    shell = _shell()
    raw = list(shell.history_manager.input_hist_raw) if shell is not None else []
    cells = [(number, textwrap.dedent(text)) for number, text in enumerate(raw) if text.strip()]
    return [(number, text) for number, text in cells[-_CELLS:] if _is_python(shell, text)]


def _shell() -> Any:
    try:
        from IPython.core.getipython import get_ipython
    except ImportError:  # a plain Python shell keeps no sources
        return None
    return get_ipython()


def _is_python(shell: Any, text: str) -> bool:
    """A cell with a syntax error defined nothing when it was run."""
    try:
        ast.parse(shell.transform_cell(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _graded(place: Place, submission: Submission, name: str, saved: bool) -> Results:
    """A case is asked again of files, so only those of saved ones are recorded."""
    place.forget_cases([name])
    on_case = place.remember_case if saved else None
    for last in (False, True):
        try:
            return _engine(place, name).grade(submission, [name], on_case=on_case)
        except EngineError:
            close()
            if last:
                raise
    raise AssertionError("one of the two calls has returned or raised")


def _engine(place: Place, name: str) -> Engine:
    """The warm one, if it knows this exercise and the course has not changed since."""
    for engine in _engines:
        same = engine.course.root == place.course.root and name in engine.exercises
        if same and engine.fingerprint == course_fingerprint(place.course):
            return engine
    close()
    engine = Engine(place.course, [name])
    engine.__enter__()
    _engines.append(engine)
    engine.ready()
    return engine


def close() -> None:
    """End the warm engine."""
    while _engines:
        _engines.pop().__exit__(None, None, None)


atexit.register(close)
