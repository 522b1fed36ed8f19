"""Two hundred processes killed at random moments: nothing is lost, nothing is wrong, nothing stays behind.

GRADE_KILLS=N for another number, GRADE_SEED=N to see the same moments again.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import pytest

from ..grader.run.killing import (
    TEXTS,
    adopt_orphans,
    checks,
    descendants,
    left_behind,
    of_command,
    start_batch,
    strike,
    tree,
    write_class,
    wrong_checks,
)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="kills processes by what they are on Linux")

KILLS = int(os.environ.get("GRADE_KILLS", "200"))
SEED = int(os.environ.get("GRADE_SEED", str(time.time_ns() % 1_000_000)))
STUDENTS = 12
SECONDS = 120  # no run takes so long: it hangs
GONE = 2.0  # seconds that processes have to end after the run

VERDICT = "a verdict: memory, blocked"

Spans = dict[str, tuple[float, float]]
Tree = dict[str, Any]


@dataclass(frozen=True)
class Kill:
    """Whom, how many seconds after the first of `since`, and which of several."""

    role: str
    since: str
    delay: float
    dice: random.Random


@dataclass(frozen=True)
class Run:
    """How one `grade batch` ended."""

    code: int
    said: str
    hit: bool
    hung: bool
    left: list[str]

    def last_words(self) -> str:
        return " ".join(self.said.split())[-150:]


@dataclass(frozen=True)
class Place:
    """Submissions, and a home that must stay as empty as it is."""

    folder: Path

    @property
    def home(self) -> Path:
        return self.folder / "home"

    def run(self, out: Path, *options: str, kill: Kill | None = None) -> Run:
        before = descendants()
        batch = start_batch(self.folder / "class", out, self.home, *options)
        command, end = psutil.Process(batch.pid), time.monotonic() + SECONDS
        hit = kill is not None and strike(
            lambda: of_command(command), kill.role, kill.delay, kill.dice,
            lambda: batch.poll() is None and time.monotonic() < end, kill.since,
        )  # fmt: skip
        hung = False
        try:
            said = batch.communicate(timeout=max(1.0, end - time.monotonic()))[0]
        except subprocess.TimeoutExpired:
            hung = True
            batch.kill()
            said = batch.communicate()[0]
        return Run(batch.returncode, said, hit, hung, left_behind(before, GONE))


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    adopt_orphans()
    made = Place(tmp_path_factory.mktemp("kills"))
    made.home.mkdir()
    write_class(made.folder / "class", TEXTS, STUDENTS)
    return made


def spans(place: Place, out: Path) -> Spans:
    """Per role, how long there is one in a run that nobody disturbs."""
    batch = start_batch(place.folder / "class", out, place.home)
    command, seen = psutil.Process(batch.pid), Spans()
    while batch.poll() is None:
        for role in of_command(command):
            seen[role] = (seen.get(role, (time.monotonic(),))[0], time.monotonic())
        time.sleep(0.01)
    assert batch.wait() == 0, batch.communicate()[0]
    return seen


def what_happened(run: Run, found: Tree, wanted: Tree) -> str:
    """To the run that was hit, in a few words."""
    if run.code < 0:
        return "killed"
    if run.code:
        return "ended with a sentence"
    if found == wanted:
        return "completed by itself"
    if levels(found) - levels(wanted):
        return "a lower level, and said so"
    codes = {check["code"] for file in found.values() if isinstance(file, dict) for check in checks(file)}
    judged = found.keys() == wanted.keys() and "engine" not in codes
    return VERDICT if judged else "rows with a reason"


def levels(tree: Tree) -> set[int]:
    return {file["isolation"]["level"] for file in tree.values() if isinstance(file, dict)}


def nothing_wrong(found: Tree, wanted: Tree, role: str) -> list[str]:
    """What was judged at the level of the others is right."""
    wrong: list[str] = []
    for name, file in found.items():
        if isinstance(file, dict) and levels({name: file}) == levels(wanted):
            wrong += wrong_checks(file, wanted[name], role)
    return wrong


def kill_and_resume(place: Place, out: Path, kill: Kill, wanted: Tree) -> tuple[Run, str, str, list[str]]:
    """The run that was hit (or not), what happened to it, how its results were completed, and what went wrong."""
    shutil.rmtree(out, ignore_errors=True)
    home = listing(place.home)
    first = place.run(out, kill=kill)
    found = tree(out)
    happened, ended, runs = what_happened(first, found, wanted), "", [first]
    wrong = nothing_wrong(found, wanted, kill.role)
    if found != wanted:
        ended = "--force" if happened == VERDICT else "resumed"  # a verdict is kept until somebody asks for another
        runs.append(place.run(out, *(["--force"] if happened == VERDICT else [])))
    if tree(out) != wanted:
        wrong.append(f"run {len(runs)} ended with {runs[-1].code}: {runs[-1].last_words()}")
    for number, run in enumerate(runs, 1):
        wrong += [f"run {number} left {told}" for told in run.left] + [f"run {number} hung"] * run.hung
    wrong += [f"temporary: {path}" for path in (*sorted(listing(place.home) ^ home), *out.rglob("*.tmp"))]
    return first, happened, ended, wrong


def test_kills_at_random_moments(place: Place, tmp_path: Path) -> None:
    dice = random.Random(SEED)
    print(f"\nGRADE_SEED={SEED}, {KILLS} kills, {STUDENTS} submissions each")
    span = spans(place, tmp_path / "undisturbed")
    wanted = tree(tmp_path / "undisturbed")
    table: Counter[tuple[str, str, str]] = Counter()
    said: Counter[str] = Counter()
    problems: list[str] = []
    late, began = 0, time.monotonic()
    try:
        while table.total() < KILLS:
            role = sorted(span)[table.total() % len(span)]
            since = dice.choice([role, "fork"])  # at any moment, or while submissions are graded
            kill = Kill(role, since, dice.uniform(0, span[since][1] - span[since][0]), dice)
            first, happened, ended, wrong = kill_and_resume(place, tmp_path / "out", kill, wanted)
            if not first.hit:  # this run was faster than the one that was measured
                late += 1
                continue
            table[role, happened, ended] += 1
            said[first.last_words() if first.code > 0 else ""] += 1
            for one in wrong:
                problems.append(
                    f"kill {table.total()}, {role} {kill.delay:.2f} s after the first {since} ({happened}): {one}"
                )
                print(problems[-1], flush=True)
    finally:
        report(table, said, late, time.monotonic() - began)
    assert not problems, "\n".join(problems)


def listing(folder: Path) -> set[str]:
    return {str(path) for path in folder.rglob("*")}


def report(table: Counter[tuple[str, str, str]], said: Counter[str], late: int, seconds: float) -> None:
    print(f"{'hit':10} {'what happened':28} {'then':10} times")
    for (role, happened, ended), times in sorted(table.items()):
        print(f"{role:10} {happened:28} {ended or '-':10} {times:5}")
    for sentence, times in said.most_common():
        if sentence:
            print(f"{times:5} times: {sentence}")
    print(f"{table.total()} kills in {seconds:.0f} s; {late} more came after the end of their run")
