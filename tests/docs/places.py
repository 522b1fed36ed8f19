"""Where the commands of a page are run: folders of which a reader would say "I am in …"."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

from grader.catalogue.folder import students_folder
from grader.catalogue.load import load_course

from .blocks import NOWHERE, ROOT

COURSE = ("exercises", "solutions", "tests/exercises", "tests/course/bugs", "tests/course/idioms", "docs")
RIGHT = "tests/course/idioms/layer_norm/deviation_squared.py"
MISTAKE = ("variance = centred.square().mean(-1, keepdim=True)", "variance = x.var(-1, keepdim=True)")


def repository(folder: Path) -> Path:
    """Another checkout, without what no page needs."""
    ignored = shutil.ignore_patterns("__pycache__", "diagnoses")
    for part in COURSE:
        shutil.copytree(ROOT / part, folder / part, ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def own_folder(folder: Path) -> Path:
    """What `grade init` lays down."""
    for path, data in students_folder(load_course(ROOT)).items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    return folder


def class_of_two(folder: Path) -> Path:
    """A course that grades layer_norm alone, and two submissions to it: ada's is right, ben's is not."""
    repository(folder)
    chosen = re.sub(r"(?ms)^\[tool\.grade\].*", "", (folder / "pyproject.toml").read_text("utf-8"))
    (folder / "pyproject.toml").write_text(f'{chosen}[tool.grade]\nexercises = ["layer_norm"]\n', "utf-8")
    reference = (ROOT / "solutions" / "layer_norm.py").read_text("utf-8")
    assert reference.count(MISTAKE[0]) == 1
    right = (ROOT / RIGHT).read_text("utf-8")
    for student, text in (("ada", right), ("ben", reference.replace(*MISTAKE))):
        (folder / "submissions" / student).mkdir(parents=True)
        (folder / "submissions" / student / "layer_norm.py").write_text(text, "utf-8")
    return folder


PLACES: dict[str, Callable[[Path], Path]] = {
    NOWHERE: lambda folder: folder,
    "a folder of your own": own_folder,
    "the repository": repository,
    "a class of two": class_of_two,
}
