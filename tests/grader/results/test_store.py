"""Results files: what is written can be read again, and what cannot be read is refused in one sentence."""

from __future__ import annotations

import errno
import json
import os
import stat
import subprocess
import threading
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from grader.errors import EngineError, ResultsError, UsageError
from grader.results import store
from grader.results.schema import SCHEMA, Adjustment, Results, total
from grader.results.store import dump, load, write_atomic


def strict(data: bytes) -> Any:
    """Python's parser, without the literals that JSON does not have."""
    return json.loads(data, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))


def with_values(results: Results, **values: Any) -> Results:
    exercise = results.exercises[0]
    checks = [replace(exercise.checks[0], values=values), *exercise.checks[1:]]
    return replace(results, exercises=[replace(exercise, checks=checks)])


def test_what_is_dumped_is_loaded(results: Results, tmp_path: Path) -> None:
    (tmp_path / "results.json").write_bytes(dump(results))
    assert load(tmp_path / "results.json") == results


def test_the_file_is_sorted_indented_and_utf8(results: Results) -> None:
    def ordered(pairs: list[tuple[str, Any]]) -> None:
        assert pairs == sorted(pairs, key=lambda pair: pair[0])

    data = dump(results)
    json.loads(data, object_pairs_hook=ordered)
    assert data.startswith(b'{\n  "adjustments": [],\n  "environment": {\n    "course": "c",\n')
    assert data.endswith(b"\n}\n")
    assert "Ömer".encode() in data


def test_equal_results_give_equal_bytes(results: Results) -> None:
    one, other = with_values(results, a=1, b=2), with_values(results, b=2, a=1)
    assert dump(one) == dump(other)


def test_what_json_has_no_letters_for_is_spelt_out(results: Results, tmp_path: Path) -> None:
    odd = {"nan": float("nan"), "deep": [{"up": float("inf")}, (float("-inf"),)], "lone": "a\ud800", 3: 2**70}
    data = dump(with_values(results, **{str(k): v for k, v in odd.items()}))
    values = strict(data)["exercises"][0]["checks"][0]["values"]
    assert values == {"nan": "nan", "deep": [{"up": "inf"}, ["-inf"]], "lone": "a\\ud800", "3": 2**70}
    (tmp_path / "results.json").write_bytes(data)
    assert load(tmp_path / "results.json").exercises[0].checks[0].values["nan"] == "nan"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"points": float("nan")}, r"\$\.points"),
        ({"points": "2"}, r"\$\.points"),
        ({"exercises": None}, r"\$\.exercises"),
        ({"problems": [object()]}, "unsupported"),
    ],
)
def test_no_file_is_made_that_could_not_be_read(results: Results, change: dict[str, Any], reason: str) -> None:
    with pytest.raises(EngineError, match=f"The results of 'Ömer' are no valid results .*{reason}"):
        dump(replace(results, **change))


def test_a_wrong_status_is_refused(results: Results) -> None:
    wrong: Any = "fine"
    with pytest.raises(EngineError, match="fine"):
        dump(replace(results, exercises=[replace(results.exercises[0], status=wrong)]))


def test_a_value_that_holds_itself_is_refused(results: Results) -> None:
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(EngineError, match="recursion"):
        dump(with_values(results, loop=loop))


BROKEN = {
    "empty": (b"", "is not JSON"),
    "cut": (b'{"schema": 1, "stud', "is not JSON"),
    "nan": (b'{"schema": NaN}', "is not JSON"),
    "not utf-8": (b'{"schema": 1, "student": "\xff"}', "is not JSON"),
    "deep": (b"[" * 100_000, "is not JSON"),
    "a list": (b"[1]", "no results file of this grader"),
    "other json": (b'{"score": 3, "tests": []}', "no results file of this grader"),
    "schema is no number": (b'{"schema": true}', "no results file of this grader"),
    "newer": (b'{"schema": %d}' % (SCHEMA + 1), f"has schema {SCHEMA + 1}, newer than this grader's {SCHEMA}: update"),
    "too old": (b'{"schema": 0}', "has schema 0, which this grader no longer reads: grade again"),
    "a field is missing": (b'{"schema": 1}', r"does not follow its schema \(.*student"),
}


@pytest.mark.parametrize(("data", "reason"), BROKEN.values(), ids=BROKEN)
def test_other_files_are_refused_in_one_sentence(tmp_path: Path, data: bytes, reason: str) -> None:
    (tmp_path / "results.json").write_bytes(data)
    with pytest.raises(ResultsError, match=reason) as caught:
        load(tmp_path / "results.json")
    assert "\n" not in str(caught.value)
    assert str(tmp_path) in str(caught.value)


def test_a_wrong_field_is_named(results: Results, tmp_path: Path) -> None:
    tree = strict(dump(results))
    tree["exercises"][0]["checks"][1]["status"] = "fine"
    (tmp_path / "results.json").write_text(json.dumps(tree))
    with pytest.raises(ResultsError, match=r"'fine' - at `\$\.exercises\[0\]\.checks\[1\]\.status`"):
        load(tmp_path / "results.json")


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    for path in [tmp_path / "none.json", tmp_path]:
        with pytest.raises(ResultsError, match="cannot be read"):
            load(path)


def test_an_older_schema_is_migrated_step_by_step(
    results: Results, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = strict(dump(results))
    tree["schema"] = SCHEMA - 2
    tree["pupil"] = tree.pop("student")
    (tmp_path / "results.json").write_text(json.dumps(tree))
    monkeypatch.setitem(store.MIGRATIONS, SCHEMA - 2, lambda old: {**old, "name": old["pupil"]})
    monkeypatch.setitem(store.MIGRATIONS, SCHEMA - 1, lambda old: {**old, "student": old["name"]})
    assert load(tmp_path / "results.json") == results
    monkeypatch.setitem(store.MIGRATIONS, SCHEMA - 1, lambda old: {"student": old["nickname"]})
    with pytest.raises(ResultsError, match="does not follow its schema"):
        load(tmp_path / "results.json")


def test_unknown_fields_are_skipped(results: Results, tmp_path: Path) -> None:
    (tmp_path / "results.json").write_text(json.dumps({**strict(dump(results)), "later": 1}))
    assert load(tmp_path / "results.json") == results


def test_a_file_is_written_whole_and_replaced(tmp_path: Path) -> None:
    for data in [b"first", b"second, longer", b""]:
        write_atomic(tmp_path / "page.html", data)
        assert (tmp_path / "page.html").read_bytes() == data
    assert os.listdir(tmp_path) == ["page.html"]


def test_a_reader_never_sees_a_half(tmp_path: Path) -> None:
    path, seen, done = tmp_path / "page.html", set[bytes](), threading.Event()
    versions = [bytes([65 + n]) * 200_000 for n in range(4)]
    write_atomic(path, versions[0])

    def read() -> None:
        while not done.is_set():
            seen.add(path.read_bytes())

    reader = threading.Thread(target=read)
    reader.start()
    for n in range(40):
        write_atomic(path, versions[n % 4])
    done.set()
    reader.join()
    assert seen <= set(versions)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no umask")
def test_others_may_read_it_as_the_umask_says(tmp_path: Path) -> None:
    old = os.umask(0o027)
    try:
        write_atomic(tmp_path / "page.html", b"x")
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "page.html").stat().st_mode) == 0o640


FAILURES = [
    (errno.ENOSPC, "There is no space left to write .*page.html.*free some"),
    (errno.EDQUOT, "There is no space left"),
    (errno.EROFS, "You have no rights to write"),
    (errno.EACCES, "You have no rights to write"),
    (errno.EIO, r"cannot be written \(Input/output error\)"),
]


@pytest.mark.parametrize("step", ["fsync", "replace"])
@pytest.mark.parametrize(("number", "sentence"), FAILURES)
def test_a_failing_disk_is_one_sentence_and_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, number: int, sentence: str
) -> None:
    def fail(*args: Any) -> None:
        raise OSError(number, os.strerror(number))

    write_atomic(tmp_path / "page.html", b"old")
    monkeypatch.setattr(os, step, fail)
    with pytest.raises(UsageError, match=sentence):
        write_atomic(tmp_path / "page.html", b"new")
    assert os.listdir(tmp_path) == ["page.html"]
    assert (tmp_path / "page.html").read_bytes() == b"old"


def test_an_interrupt_leaves_no_temporary_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*args: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_atomic(tmp_path / "page.html", b"new")
    assert os.listdir(tmp_path) == []


def test_a_folder_in_the_way_or_none_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "page.html").mkdir()
    for path in [tmp_path / "page.html", tmp_path / "none" / "page.html"]:
        with pytest.raises(UsageError, match="cannot be written"):
            write_atomic(path, b"new")
    assert os.listdir(tmp_path) == ["page.html"]


def test_a_disk_that_is_really_full(tmp_path: Path) -> None:
    mount = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(tmp_path)], capture_output=True)
    if mount.returncode:
        pytest.skip("only root can mount a tiny disk")
    try:
        write_atomic(tmp_path / "page.html", b"old")
        with pytest.raises(UsageError, match="no space left"):
            write_atomic(tmp_path / "page.html", b"x" * 100_000)
        assert os.listdir(tmp_path) == ["page.html"]
        assert (tmp_path / "page.html").read_bytes() == b"old"
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)


def test_adjustments_are_in_the_final_points(results: Results) -> None:
    override = Adjustment(kind="override", exercise=results.exercises[0].name, before=1, after=2.5, reason="by hand")
    late = Adjustment(kind="late", before=10, after=9, reason="a day late")
    comment = Adjustment(kind="comment", before=3, after=3, reason="", comment="Well done.")
    adjusted = replace(results, adjustments=[override, late, comment])
    assert adjusted.final == total([results.points, 0.5])
    assert results.final == results.points
