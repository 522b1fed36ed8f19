"""A class on many machines: the same rows as on one, whatever happens to a worker, and sentences where it cannot be."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from grader.batch.cluster.client import Cluster, cluster_backend
from grader.batch.cluster.kit import pack, unpack
from grader.batch.job import Backend
from grader.batch.local import engine_backend
from grader.batch.progress import Done
from grader.batch.run import run_batch
from grader.batch.tables import GRADEBOOK
from grader.catalogue.load import load_course
from grader.catalogue.stubs import as_submission, make_stub
from grader.errors import EngineError, UsageError
from grader.results.schema import Isolation
from grader.run.engine import Engine
from grader.run.present import Present
from grader.submission.model import SourceFile, Submission
from tests.grader.batch.cluster.conftest import Machines

TOY = Path(__file__).parents[2] / "data" / "toy"
COURSE = load_course(TOY)
PRESENT = Present(COURSE, COURSE.names)
HERE = PRESENT.environment
RIGHT = {name: as_submission(COURSE.reference_path(name).read_text("utf-8")) for name in COURSE.names}
STUBS = {name: make_stub(COURSE.reference_path(name).read_text("utf-8"), name) for name in COURSE.names}
WRONG = RIGHT["scale"].replace("return x * factor", "return x + factor")
ENDS = RIGHT["scale"].replace("return x * factor", "import os; os._exit(3)")
KINDS = [RIGHT, STUBS, RIGHT | {"scale": WRONG}, RIGHT | {"scale": ENDS}, RIGHT | {"block": "def broken("}]
CLASS = [
    Submission(f"student {n:02}", {name: SourceFile(name, text) for name, text in KINDS[n % len(KINDS)].items()})
    for n in range(15)
]
TIMES = re.compile(rb'"seconds": [^,\n]+')


def tree(out: Path) -> dict[str, bytes]:
    """Everything that was written, without times."""
    files = [path for path in sorted(out.rglob("*")) if path.is_file() and path.suffix in (".json", ".csv")]
    return {str(path.relative_to(out)): TIMES.sub(b"", path.read_bytes()) for path in files}


def there(machines: Machines) -> Backend:
    return cluster_backend(COURSE, HERE, str(machines.scheduler))


def test_a_lost_worker_changes_nothing(machines: Machines, tmp_path: Path) -> None:
    done: list[str] = []

    def one_is_killed(one: Done) -> None:
        done.append(one.row.student)
        if len(done) == 3:
            machines.kill_one()

    out, local = tmp_path / "cluster", tmp_path / "local"
    run_batch(CLASS, there(machines), PRESENT, out, 1, title="t", progress=one_is_killed)
    assert len(done) == len(CLASS)
    assert [worker.poll() for worker in machines.workers] == [None], "the other worker lives"
    run_batch(CLASS, engine_backend(COURSE, HERE.course), PRESENT, local, 2, title="t")
    assert tree(out) == tree(local)
    assert (local / GRADEBOOK).read_text("utf-8").count("student ") == len(CLASS)


def test_workers_that_grade_with_something_else_are_refused(machines: Machines, tmp_path: Path) -> None:
    backend = cluster_backend(COURSE, replace(HERE, course="another"), str(machines.scheduler))
    with pytest.raises(UsageError, match=f"would not grade as this command does .course {HERE.course}, here another."):
        run_batch(CLASS, backend, PRESENT, tmp_path / "out", 1, title="t")


def test_no_scheduler_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.batch.cluster.client.PATIENCE", 0.5)
    with (
        pytest.raises(UsageError, match=r"No dask scheduler answers at 'tcp://127\.0\.0\.1:9'"),
        Cluster(COURSE, COURSE.names, HERE, "tcp://127.0.0.1:9"),
    ):
        pass


def test_an_address_that_is_none_is_a_sentence() -> None:
    cluster = Cluster(COURSE, COURSE.names, HERE, "no://where")
    with pytest.raises(UsageError, match="No dask scheduler answers at"), cluster:
        pass


def test_workers_that_would_not_grade_alike_are_named() -> None:
    cluster = Cluster(COURSE, COURSE.names, HERE, "tcp://x:1")
    level = Isolation(level=4, name="n")
    cluster._alike({"a": (HERE, level), "b": (HERE, level)})
    with pytest.raises(
        UsageError, match=f"worker b would not grade as this command does .torch 1.0, here {re.escape(HERE.torch)}"
    ):
        cluster._alike({"a": (HERE, level), "b": (replace(HERE, torch="1.0"), level)})
    with pytest.raises(UsageError, match=r"The worker a has isolation level 4, b has 2: ask .* --isolation 2"):
        cluster._alike({"a": (HERE, level), "b": (HERE, replace(level, level=2))})


def test_a_kit_is_the_whole_course(tmp_path: Path) -> None:
    kit = pack(COURSE, tuple(COURSE.names), b"salt", "auto")
    unpack(kit, tmp_path)
    there = load_course(tmp_path, configured=COURSE.configured)
    assert Engine(there, list(there.names)).fingerprint == Engine(COURSE, list(COURSE.names)).fingerprint
    assert pack(there, tuple(there.names), b"salt", "auto").key == kit.key
    assert pack(there, tuple(there.names), b"other", "auto").key != kit.key


def test_what_dask_raises_becomes_a_sentence() -> None:
    cluster = Cluster(COURSE, COURSE.names, HERE, "tcp://x:1")
    with pytest.raises(EngineError, match=r"The cluster failed \(KeyError: 'lost'\)"), cluster._asking():
        raise KeyError("lost")
    with pytest.raises(UsageError, match="has no worker"), cluster._asking():
        raise TimeoutError
