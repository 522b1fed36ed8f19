"""A bench for each isolation level: one engine and one zygote, with secrets planted around them."""

from __future__ import annotations

import contextlib
import inspect
import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest

from grader.catalogue.load import load_course
from grader.errors import UsageError
from grader.results.schema import Check, Results
from grader.run.engine import Engine
from grader.run.launch import Launcher
from grader.subject.limits import Limits
from grader.subject.remote import Remote
from grader.subject.worker.serve import Session
from grader.submission.model import SourceFile, Submission

COURSE = Path(__file__).parents[1] / "data" / "softmax_course"
SAMPLES = Path(__file__).parent / "samples"
MARK = "GRADER-CANARY"
LEVEL4 = pytest.param("4", marks=pytest.mark.needs("bwrap"))
HOSTILE = ("torch.py", "numpy.py", "random.py", "conftest.py", "sitecustomize.py", "usercustomize.py")


@dataclass(frozen=True)
class Sample:
    """A submission that tries something. `expect`: the codes that its values may get; `probes`: it has a probe()."""

    name: str
    text: str
    expect: tuple[str, ...]
    probes: bool
    runs: int


def read_sample(path: Path) -> Sample:
    """What a sample's comments say of it."""
    text = path.read_text("utf-8")
    notes = dict(line[2:].split(": ", 1) for line in text.splitlines() if line.startswith("# ") and ": " in line)
    return Sample(path.stem, text, tuple(notes["expect"].split(" | ")), "probe" in notes, int(notes.get("runs", "1")))


ALL = {path.stem: read_sample(path) for path in sorted(SAMPLES.glob("*.py"))}


@dataclass(frozen=True)
class Ground:
    """What lies on the disk: canary.txt, work/ (where the engine is started) with another, and work/course/."""

    folder: Path

    @property
    def work(self) -> Path:
        return self.folder / "work"

    @property
    def loaded(self) -> Path:
        """Written by the hostile modules in the folder of work, if one is ever imported."""
        return self.folder / "loaded"

    def files(self) -> set[Path]:
        return {path for path in self.folder.rglob("*") if "__pycache__" not in path.parts}


class Bench:
    """Grades samples, and calls their probes, at one level."""

    def __init__(self, level: str, ground: Ground, engine: Engine, launcher: Launcher) -> None:
        self.level = level
        self.ground = ground
        self.engine = engine
        self.launcher = launcher

    def grade(self, text: str, student: str = "ada") -> Results:
        return self.engine.grade(Submission(student, {"softmax": SourceFile("softmax", text)}))

    def control(self) -> Any:
        """An honest submission's results, without what may differ between two runs."""
        return without_times(self.grade(ALL["good_control"].text))

    def subject(self, text: str, limits: Limits) -> Remote:
        """A process that has imported the text as its submission, with nothing given, needed or replaced."""
        remote = self.launcher(limits)
        wanted: dict[str, Any] = {name: [] for name in inspect.signature(Session.start).parameters if name != "self"}
        wanted["sources"] = {"files": {"softmax": text.encode()}, "given": {}, "standins": b"", "siblings": {}}
        remote.ask("import", **{**wanted, "exercise": "softmax", "tasks": ["softmax", "probe", "Model"]})
        return remote

    def probe(self, text: str, *arguments: Any) -> Any:
        """The value of probe(*arguments)."""
        remote = self.subject(text, Limits(call=10))
        try:
            return remote.ask("call", target="probe", args=arguments, kwargs={})["value"]
        finally:
            if remote.alive:
                remote.close()

    def log(self) -> str:
        """All that the grading process has written."""
        return os.pread(self.engine._errors.fileno(), 1 << 20, 0).decode("utf-8", "replace")


def without_times(results: Results) -> Any:
    plain = msgspec.to_builtins(results)
    for part in (plain, *plain["exercises"], *(c for e in plain["exercises"] for c in e["checks"])):
        part["seconds"] = 0
    return plain


def checks(results: Results) -> dict[str, Check]:
    return {check.id.partition(".")[2]: check for exercise in results.exercises for check in exercise.checks}


@contextlib.contextmanager
def planted() -> Iterator[Ground]:
    """Readable for everyone: no secret is kept by its mode alone."""
    ground = Ground(Path(tempfile.mkdtemp()))
    ground.folder.chmod(0o755)
    ground.work.mkdir()
    shutil.copytree(COURSE, ground.work / "course")
    (ground.folder / "canary.txt").write_text(f"{MARK} in the parent folder", "utf-8")
    (ground.work / "canary.txt").write_text(f"{MARK} in the folder of work", "utf-8")
    for name in HOSTILE:
        (ground.work / name).write_text(f"open({str(ground.loaded)!r}, 'a').write(__file__)\n", "utf-8")
    (ground.work / "pytest.ini").write_text("[pytest]\naddopts = --collect-only\n", "utf-8")
    try:
        yield ground
    finally:
        shutil.rmtree(ground.folder)


@contextlib.contextmanager
def bench(level: str) -> Iterator[Bench]:
    """Skips, with the measured reason, where the machine does not give the level."""
    with contextlib.ExitStack() as stack:
        ground = stack.enter_context(planted())
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        patch.setenv("COURSE_TOKEN", f"{MARK} in the environment")
        course = load_course(ground.work / "course")
        launcher = Launcher(level, hidden=[course.root])
        stack.callback(launcher.close)
        salt = f"{MARK} as a salt".encode()
        with contextlib.chdir(ground.work):
            engine = stack.enter_context(Engine(course, course.names, salt=salt, isolation=level))
            try:
                engine.ready()
                launcher.prove([course.reference_path("softmax")])
            except UsageError as refusal:
                if os.environ.get("GRADER_SKIP_NOTHING"):
                    raise
                pytest.skip(str(refusal))
        yield Bench(level, ground, engine, launcher)


@pytest.fixture(scope="module", params=[LEVEL4, "2"])
def walled(request: pytest.FixtureRequest) -> Iterator[Bench]:
    """At a level that keeps other people's code in."""
    with bench(request.param) as made:
        yield made
