"""What `grade new` lays down: an exercise that works as it stands, or an empty course, as texts by path."""

from __future__ import annotations

import keyword
import re
import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from grader.catalogue.model import Course
from grader.catalogue.stubs import make_stub
from grader.errors import UsageError

TEMPLATES = Path(__file__).parent / "templates"
TRACK = "core"
EXERCISE_NAME, TASK_NAME, TRACK_NAME = (
    re.compile(pattern) for pattern in (r"[a-z][a-z0-9_]*", r"[A-Za-z][A-Za-z0-9_]*", r"[a-z][a-z0-9_-]*")
)
TAKEN = {
    "solutions",
    "exercises",
    "grader",
    "standins",
    "torch",
    "numpy",
    "tests",
}  # modules of those names are others'
IMPORTED = {"torch", "nn", "Tensor", "Any", "Case", "Proxy", "Table", "SIZES"}  # by the files that are laid down
COURSE = {
    "grade.toml": "grade.toml.j2",
    "README.md": "README.md.j2",
    ".gitignore": "gitignore.j2",
    "solutions/standins.py": "standins.py.j2",
}
EMPTY = ("exercises", "tests/exercises", "tests/course/idioms", "tests/course/bugs")


@dataclass(frozen=True, slots=True)
class NewTask:
    """A task that begins with a capital is a class, any other a function."""

    name: str

    @property
    def is_class(self) -> bool:
        return self.name[0].isupper()

    @property
    def snake(self) -> str:
        """RMSNorm is rms_norm: for names of functions and checks."""
        parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", self.name)
        return parted.lower()

    @property
    def check(self) -> str:
        return f"{self.snake}_values"


def exercise_files(
    course: Course, name: str, tasks: Sequence[str] = (), track: str | None = None, reserved: Collection[str] = ()
) -> dict[str, str]:
    """The hand-written files of an exercise and its stub. UsageError for names that cannot be, or are there already.

    `tasks`: one of the exercise's own name by default. `track`: that of the course's last exercise, or TRACK.
    """
    _check_name(course, name, reserved)
    made = [NewTask(task) for task in tasks or (name,)]
    _check_tasks(course, made)
    last = course.exercises[-1] if course.exercises else None
    track = track or (last.track if last else TRACK)
    if not TRACK_NAME.fullmatch(track):
        raise UsageError(f"{track!r} cannot be a track: use small letters, digits and underscores, as in {TRACK!r}.")
    order = max((int(e.order) for e in course.exercises), default=0) + 1
    values = {"name": name, "title": name.replace("_", " ").capitalize(), "track": track, "order": order}
    texts = {path: _rendered(f"exercise/{source}", made, **values) for path, source in _sources(name).items()}
    reference = texts[f"solutions/{name}.py"]
    if len(made) > 1:  # an edit must be found once, and the example's tasks are alike
        texts |= {f"tests/course/bugs/{name}_adds_in_{t.snake}.py": _with_bug(reference, t) for t in made}
    return texts | {f"exercises/{name}.py": make_stub(reference, name)}


def course_files() -> dict[str, str]:
    """The files of a course without exercises; its folders are in EMPTY too."""
    return {path: _environment().get_template(f"course/{source}").render() for path, source in COURSE.items()}


def _sources(name: str) -> dict[str, str]:
    return {
        f"solutions/{name}.py": "reference.py.j2",
        f"solutions/{name}.toml": "metadata.toml.j2",
        f"solutions/{name}.bugs.toml": "bugs.toml.j2",
        f"tests/exercises/test_{name}.py": "suite.py.j2",
        f"tests/exercises/probes_{name}.py": "probes.py.j2",
        f"tests/course/idioms/{name}/einsum.py": "idiom.py.j2",
    }


def _rendered(source: str, tasks: Sequence[NewTask], **values: object) -> str:
    return _environment().get_template(source).render(
        tasks=tasks, alone=tasks[0] if len(tasks) == 1 else None,
        classes=any(t.is_class for t in tasks), functions=any(not t.is_class for t in tasks), **values,
    )  # fmt: skip


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(TEMPLATES), undefined=StrictUndefined, autoescape=False,  # the names are checked
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip


def _with_bug(reference: str, task: NewTask) -> str:
    """The reference with the mistake in this task alone."""
    heading = f"class {task.name}(" if task.is_class else f"def {task.name}("
    before, found, rest = reference.partition(f"\n{heading}")
    return before + found + re.sub(r"return x \* ", "return x + ", rest, count=1)


def _check_name(course: Course, name: str, reserved: Collection[str]) -> None:
    if not EXERCISE_NAME.fullmatch(name):
        raise UsageError(
            f"{name!r} cannot be an exercise: use small letters, digits and underscores, as in 'layer_norm'."
        )
    if keyword.iskeyword(name) or name in sys.stdlib_module_names or name in TAKEN:
        raise UsageError(f"{name!r} cannot be an exercise: Python or a library has something of that name already.")
    if name in reserved:
        raise UsageError(f"{name!r} cannot be an exercise: `grade {name}` is a command.")
    if name in course.names:
        raise UsageError(f"There is an exercise {name!r} already: change its files, or choose another name.")


def _check_tasks(course: Course, tasks: Sequence[NewTask]) -> None:
    seen: dict[str, str] = {}
    for task in tasks:
        if not TASK_NAME.fullmatch(task.name) or keyword.iskeyword(task.name):
            raise UsageError(f"{task.name!r} cannot be a task: it has to name a function or class, as in 'rms_norm'.")
        if task.name in IMPORTED:
            raise UsageError(f"{task.name!r} cannot be a task: the exercise's files import something of that name.")
        if task.name in course.tasks:
            raise UsageError(
                f"{task.name!r} is a task of {course.tasks[task.name]} already: names are unique in a course."
            )
        if task.snake in seen:
            raise UsageError(f"{task.name!r} and {seen[task.snake]!r} are too alike: their checks would have one name.")
        seen[task.snake] = task.name
