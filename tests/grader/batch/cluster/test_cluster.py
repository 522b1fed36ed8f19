"""A class on many machines: the same rows as on one, whatever happens to a worker, and sentences where it cannot be."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from grader.batch.cluster.client import Cluster
from grader.batch.cluster.kit import pack, unpack
from grader.batch.outcome import environment_key
from grader.batch.run import GRADEBOOK, run_batch
from grader.catalogue.load import load_course
from grader.catalogue.stubs import as_submission, make_stub
from grader.errors import EngineError, UsageError
from grader.report.rows import Row
from grader.results.schema import Environment, Isolation
from grader.run.engine import Engine
from grader.submission.model import SourceFile, Submission
from tests.grader.batch.cluster.conftest import Machines

TOY = Path(__file__).parents[2] / "data" / "toy"
COURSE = load_course(TOY)
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


def on_one_machine(out: Path) -> dict[str, bytes]:
    with Engine(COURSE, COURSE.names, others=True) as engine:
        key = environment_key(engine.ready(), engine.isolation.level if engine.isolation else 0)
        run_batch(CLASS, engine.grade, out, 2, title="t", environment_key=key)
    return tree(out)


def test_a_lost_worker_changes_nothing(machines: Machines, tmp_path: Path) -> None:
    done: list[str] = []

    def one_is_killed(row: Row, kept: bool) -> None:
        done.append(row.student)
        if len(done) == 3:
            machines.kill_one()

    with Cluster(COURSE, COURSE.names, str(machines.scheduler)) as cluster:
        key = environment_key(cluster.ready(), cluster.isolation.level if cluster.isolation else 0)
        out = tmp_path / "cluster"
        run_batch(CLASS, cluster.grade, out, 4, title="t", environment_key=key, progress=one_is_killed)
    assert len(done) == len(CLASS)
    assert len(machines.workers) == 1
    assert machines.workers[0].poll() is None, "the other worker lives"
    assert tree(out) == on_one_machine(tmp_path / "local")
    assert (tmp_path / "local" / GRADEBOOK).read_text("utf-8").count("student ") == len(CLASS)


def test_a_cluster_of_another_course_version_is_refused(machines: Machines, monkeypatch: pytest.MonkeyPatch) -> None:
    with Cluster(COURSE, COURSE.names, str(machines.scheduler)) as cluster:
        monkeypatch.setattr(cluster, "fingerprint", "of another grader")
        with pytest.raises(UsageError, match="has another version of grade: install the same one there"):
            cluster.ready()


def test_no_scheduler_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.batch.cluster.client.PATIENCE", 0.5)
    with (
        pytest.raises(UsageError, match=r"No dask scheduler answers at 'tcp://127\.0\.0\.1:9'"),
        Cluster(COURSE, COURSE.names, "tcp://127.0.0.1:9"),
    ):
        pass


def test_an_address_that_is_none_is_a_sentence() -> None:
    with pytest.raises(UsageError, match="No dask scheduler answers at"), Cluster(COURSE, COURSE.names, "no://where"):
        pass


def test_workers_that_would_not_grade_alike_are_named() -> None:
    cluster = Cluster(COURSE, COURSE.names, "tcp://x:1")
    here = Environment(
        grader="1", python="3", torch="2.13", platform="p", course=cluster.fingerprint, submission="", salt="none"
    )
    level = Isolation(level=4, name="n")
    cluster._alike({"a": (here, level), "b": (here, level)})
    with pytest.raises(UsageError, match=r"a and b would not grade alike \(torch 2\.13 and 2\.9\)"):
        cluster._alike({"a": (here, level), "b": (replace(here, torch="2.9"), level)})
    with pytest.raises(UsageError, match=r"a and b would not grade alike \(isolation level 4 and 2\)"):
        cluster._alike({"a": (here, level), "b": (here, replace(level, level=2))})


def test_a_kit_is_the_whole_course(tmp_path: Path) -> None:
    kit = pack(COURSE, tuple(COURSE.names), b"salt", "auto")
    unpack(kit, tmp_path)
    there = load_course(tmp_path, configured=COURSE.configured)
    assert Engine(there, list(there.names)).fingerprint == Engine(COURSE, list(COURSE.names)).fingerprint
    assert pack(there, tuple(there.names), b"salt", "auto").key == kit.key
    assert pack(there, tuple(there.names), b"other", "auto").key != kit.key


def test_what_dask_raises_becomes_a_sentence() -> None:
    cluster = Cluster(COURSE, COURSE.names, "tcp://x:1")
    with pytest.raises(EngineError, match=r"the cluster failed \(KeyError: 'lost'\)"), cluster._asking():
        raise KeyError("lost")
    with pytest.raises(UsageError, match="has no worker"), cluster._asking():
        raise TimeoutError
