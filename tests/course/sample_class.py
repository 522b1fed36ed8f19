"""examples/class as the tests of the course use it: its files, its notebooks, and a student's own folder."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec

from grader.catalogue.home import line_for
from grader.catalogue.load import load_course
from grader.cli.place import Place
from grader.results.schema import Exercise
from grader.submission.discover import discover
from grader.submission.notebook.write import notebook

ROOT = Path(__file__).parents[2]
CLASS = ROOT / "examples" / "class"
COURSE = load_course(ROOT)
CORE = [exercise.name for exercise in COURSE.exercises if exercise.track == "core"]
CLASSMATES = {submission.student: submission for submission in discover(CLASS, COURSE.names)}

_CELL = r"(cell \d+|In \[\d+\]|the stub)"
_FILE = rf"(\w+\.py|\w+\.ipynb, {_CELL}|{_CELL})"
_PLACE = re.compile(rf"exercises/\w+\.py:\d+|[Ll]ine \d+ of {_FILE}|{_FILE}, line \d+|[Ll]ine \d+")


def tried(text: str, name: str) -> dict[str, Any]:
    """The notebook that `grade notebook` makes of a file, in which something was tried out besides."""
    made: dict[str, Any] = json.loads(notebook(text, name, f"# {name}", {}))
    made["cells"].insert(0, {"cell_type": "code", "source": "%matplotlib inline\n!pip list\nraise SystemExit"})
    made["cells"].append({"cell_type": "code", "source": "x = oops(1)\nprint(x)"})
    return made


def place_of(student: str, folder: Path) -> Place:
    """A folder as `grade init` lays one down, with the files of this student."""
    (folder / "exercises").mkdir(parents=True)
    (folder / "grade.toml").write_text(line_for(ROOT), "utf-8")
    for name, file in CLASSMATES[student].files.items():
        (folder / "exercises" / f"{name}.py").write_text(file.text or "", "utf-8")
    return Place.find(str(folder))


def verdicts(exercises: list[Exercise], alone: bool = False) -> dict[str, Any]:
    """All that is said of each exercise, as far as it may not depend on where the code was found.

    Left out: times, keys under which a batch keeps verdicts, and pictures of one's own code, which a batch does not
    ask for. Where a line stands
    is another matter in a file ("attention.py, line 7"), a notebook ("attention.ipynb, cell 3, line 5") and a kernel
    ("In [4], line 5"): every such place becomes PLACE. `alone`: the exercise was, or might have been, graded by itself.
    Then nothing is known of the student's other exercises, so no note can tell which of them would break it.
    """
    return {exercise.name: _verdict(exercise, alone) for exercise in exercises}


def _verdict(exercise: Exercise, alone: bool) -> Any:
    checks = [msgspec.structs.replace(check, seconds=None) for check in exercise.checks]
    notes = [note for note in exercise.notes if not (alone and note.code == "part_breaks_it")]
    same = msgspec.structs.replace(exercise, checks=checks, notes=notes, pictures=[], key="")
    return _placeless(msgspec.to_builtins(same))


def _placeless(value: Any) -> Any:
    if isinstance(value, str):
        return _PLACE.sub("PLACE", value).replace(".ipynb", ".py")
    if isinstance(value, list):
        return [_placeless(part) for part in value]
    if isinstance(value, dict):
        return {key: "PLACE" if key in ("line", "where") else _placeless(part) for key, part in value.items()}
    return value


def differences(got: Any, want: Any, at: str = "") -> list[str]:
    """Where two verdicts differ, one line each."""
    if isinstance(got, dict) and isinstance(want, dict) and got.keys() == want.keys():
        return [line for key in got for line in differences(got[key], want[key], f"{at}.{key}")]
    if isinstance(got, list) and isinstance(want, list) and len(got) == len(want):
        pairs = enumerate(zip(got, want, strict=True))
        return [line for i, (g, w) in pairs for line in differences(g, w, f"{at}[{i}]")]
    return [] if got == want else [f"{at}: {got!r} is not {want!r}"]
