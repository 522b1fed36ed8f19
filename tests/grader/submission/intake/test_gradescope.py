"""What Gradescope hands out: folders by number, and the metadata that says whose they are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grader.errors import UsageError
from grader.submission.files import Unreadable
from grader.submission.intake.metadata import iso, of_export

from .packing import ATTENTION, MASKING, archive, both_ways, rows, texts

# Keys as Ruby writes symbols, times with nanoseconds, what an autograder printed, groups, ids that begin with 0.
METADATA = """---
submission_409194023:
  :submitters:
  - :name: Ada Lovelace
    :sid: '0012'
    :email: ada@example.org
  :created_at: 2026-04-26 17:34:00.861687000 Z
  :score: 2.0
  :results:
    score: 2.0
    tests:
    - name: submitters
      output: 'Don''t worry, it just checks that you submitted the

        correct assignment.

'
submission_500000001:
  :submitters:
  - :name: Li Wei
    :sid: 0111
    :email: li1@example.org
  - :name: Li Wei
    :sid: 222
    :email: li2@example.org
  :created_at: 2026-04-27 09:00:00.000000000 +02:00
  :history:
  - :created_at: 2020-01-01 00:00:00.000000000 Z
...
submission_500000002:
  :submitters:
  - :name: Ada Lovelace
    :sid: '0012'
  :created_at: 2026-04-28 08:00:00.5 Z
submission_600000002:
  :submitters:
  - :email: only@example.org
submission_700000003:
  :submitters: []
submission_800000004:
  :submitters:
  - :name: Gone
"""
EXPORT = {
    "assignment_9_export/submission_metadata.yml": METADATA,
    "assignment_9_export/.DS_Store": "x",
    "__MACOSX/assignment_9_export/._submission_metadata.yml": "x",
    "assignment_9_export/submission_409194023/attention.py": "old = 1\n",
    "assignment_9_export/submission_500000001/hw/attention.py": ATTENTION,
    "assignment_9_export/submission_500000002/attention.py": "new = 1\n",
    "assignment_9_export/submission_600000002/exercises/masking.py": MASKING,
    "assignment_9_export/submission_700000003/masking.py": MASKING,
    "assignment_9_export/submission_999/masking.py": MASKING,
}


def test_an_export_ends_in_the_right_rows(tmp_path: Path) -> None:
    for path in both_ways(tmp_path, EXPORT):
        found = rows(path)
        assert {student: sorted(row.files) for student, row in found.items()} == {
            "Ada Lovelace": ["attention"], "Li Wei (gradescope 0111)": ["attention"],
            "Li Wei (gradescope 222)": ["attention"], "only@example.org": ["masking"],
            "submission_700000003": ["masking"], "submission_999": ["masking"], "Gone": [],
        }  # fmt: skip
        ada, wei = found["Ada Lovelace"], found["Li Wei (gradescope 0111)"]
        assert texts(ada) == {"attention": "new = 1\n"}
        assert ada.problems == ("There are 2 submissions: the newest, submission_500000002, is graded.",)
        assert wei.origin is not None
        assert wei.origin.ids == {"gradescope": "0111", "email": "li1@example.org"}
        assert (wei.origin.submitted, wei.origin.folder) == ("2026-04-27T09:00:00+02:00", "submission_500000001")
        assert wei.problems == ()
        assert found["submission_999"].problems[0].startswith("It is not in submission_metadata.yml")
        assert "submission_800000004 is not in the export" in found["Gone"].problems[0]


def test_one_submission_with_its_json(tmp_path: Path) -> None:
    single = {
        "id": 7, "created_at": "2026-05-01T10:00:00.123456-07:00", "assignment": {"title": "HW"},
        "users": [{"id": 1, "email": "ada@example.org", "name": "Ada"}], "previous_submissions": [],
    }  # fmt: skip
    files = {"submission_metadata.json": json.dumps(single), "submission/attention.py": ATTENTION}
    for path in both_ways(tmp_path, files):
        (row,) = rows(path).values()
        assert (row.student, list(row.files), row.problems) == ("Ada", ["attention"], ())
        assert row.origin is not None
        assert row.origin.submitted == "2026-05-01T10:00:00-07:00"


@pytest.mark.parametrize(
    ("time", "expected"),
    [
        ("2026-04-26 17:34:00.861687000 Z", "2026-04-26T17:34:00+00:00"),
        ("2026-04-26 17:34:00 +0530", "2026-04-26T17:34:00+05:30"),
        ("2026-04-26T17:34:00Z", "2026-04-26T17:34:00+00:00"),
        ("2026-04-26 17:34:00", None),  # whose clock?
        ("yesterday", None),
        ("", None),
    ],
)
def test_times(time: str, expected: str | None) -> None:
    assert iso(time) == expected


@pytest.mark.parametrize(
    "data", [b"", b"- a\n- b\n", b"a: [", b"\xff\xfe\xfa", b"? [1]\n: 2\n", b"{" * 9999, b"just text"]
)
def test_metadata_that_is_none_is_a_sentence(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(Unreadable):
        of_export(data)
    with pytest.raises(UsageError, match=r"submission_metadata\.yml cannot be read: .* again\."):
        rows(archive(tmp_path, {"submission_metadata.yml": data, "submission_1/attention.py": ATTENTION}))


def test_a_bomb_of_aliases_costs_nothing() -> None:
    lines = ["a0: &a0 [x, x]"] + [f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 60)]
    entries = of_export("\n".join([*lines, "submission_1:", "  :submitters:", "  - :sid: 5"]).encode())
    assert [(entry.folder, entry.people[0].sid) for entry in entries] == [("submission_1", "5")]


def test_an_export_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"There is no submission_metadata\.yml in 'class'"):
        rows(archive(tmp_path, {"ada/attention.py": ATTENTION}), "gradescope")
