"""What `grade init` lays down: a student's folder, as texts by path."""

from __future__ import annotations

from pathlib import Path

from grader.catalogue.home import FILE, line_for
from grader.catalogue.model import Course
from grader.catalogue.stubs import make_stub
from grader.errors import CourseError

IGNORED = ".grade/\n__pycache__/\n.ipynb_checkpoints/\n"
README = """# My Transformer, from scratch

The exercises are in `exercises/`, in this order:

{exercises}

Type `grade` in this folder: it says where you are and what comes first. Then

    grade {first}{pad}  grades one exercise
    grade watch{watch}  gives a verdict whenever you save
    grade hint {first}{hint}  gives a hint, one step further each time
    grade list{list}  lists all exercises, those for practice too
    grade doctor{doctor}  says what is wrong if something is

Each file is an exercise sheet: what to write, shapes, conventions, source. Replace the lines that raise
`NotImplementedError`. Two conventions hold everywhere: batch comes first, and in a mask True means "may attend".

{belongs} Grading never changes your files;
`grade reset NAME` puts one back to its stub, and keeps a copy of yours.
"""
BELONGS = "`grade.toml` says where the course is; `.grade/` keeps your last results."


def students_folder(course: Course) -> dict[str, bytes]:
    """Stubs, what is given beside them, and what makes a folder of it."""
    texts = {f"exercises/{name}.py": stub_of(course, name).encode() for name in course.names}
    for path in given_files(course):
        texts[f"exercises/{path.name}"] = path.read_bytes()
    texts["README.md"] = readme(course).encode()
    texts[".gitignore"] = IGNORED.encode()
    texts[FILE] = line_for(course.root).encode()
    return texts


def stub_of(course: Course, name: str) -> str:
    """The stub of an exercise of this course. CourseError if its reference cannot be made into one."""
    path = course.pristine_path(name) if course.released else course.reference_path(name)
    try:
        text = path.read_text("utf-8")
        return text if course.released else make_stub(text, name)
    except (OSError, SyntaxError) as error:
        raise CourseError(f"{path} cannot be made into a stub: {error}") from error


def given_files(course: Course) -> list[Path]:
    """Files that students use and do not write."""
    folder = course.root / "exercises"
    return sorted(p for p in folder.iterdir() if p.suffix in (".py", ".txt") and p.stem not in course.names)


def readme(course: Course, belongs: str = BELONGS) -> str:
    """What a student reads first. `belongs`: sentences on the files beside the exercises."""
    first = course.graded[0]
    counted = (course.exercise(name) for name in course.graded)
    rows = [f"{at}. `{e.name}.py` ({e.points:g} points): {e.summary}" for at, e in enumerate(counted, 1)]
    width = len(f"hint {first}")
    words = {"pad": first, "watch": "watch", "hint": f"hint {first}", "list": "list", "doctor": "doctor"}
    spaces = {key: " " * (width - len(word)) for key, word in words.items()}
    return README.format(exercises="\n".join(rows), first=first, belongs=belongs, **spaces)
