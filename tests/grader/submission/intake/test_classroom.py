"""What GitHub Classroom hands out: clones, whose times are read and whose configuration is not obeyed."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from grader.submission.intake.commits import last_commit

from .packing import ATTENTION, MASKING, archive, laid_down, rows

WHEN = "2026-03-01T23:59:00+08:00"


def git(folder: Path, *arguments: str) -> None:
    person = {f"GIT_{role}_{what}": "ada@example.org" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    times = {"GIT_AUTHOR_DATE": WHEN, "GIT_COMMITTER_DATE": WHEN}
    own = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(
        ["git", *arguments], cwd=folder, env={**os.environ, **person, **times, **own}, check=True, capture_output=True
    )


def clone(folder: Path, files: dict[str, str]) -> Path:
    laid_down(folder, files)
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "hand in")
    return folder


@pytest.mark.needs("git")
def test_clones_end_in_the_right_rows(tmp_path: Path) -> None:
    root = tmp_path / "hw3-submissions"
    clone(
        root / "hw3-ann-lee", {"exercises/attention.py": ATTENTION, "solutions/masking.py": MASKING, "README.md": "#"}
    )
    clone(root / "hw3-ann-kim", {"exercises/masking.py": MASKING, "tests/test_masking.py": "def causal_mask(): ..."})
    laid_down(root / "hw3-nobody", {"README.md": "no clone"})
    found = rows(root)
    assert {student: sorted(row.files) for student, row in found.items()} == {
        "ann-lee": ["attention"], "ann-kim": ["masking"], "nobody": [],
    }  # fmt: skip
    lee = found["ann-lee"]
    assert lee.origin is not None
    assert (lee.origin.ids, lee.origin.folder) == ({"github": "ann-lee"}, "hw3-ann-lee")
    assert lee.origin.submitted == WHEN
    assert lee.problems == ()


@pytest.mark.needs("git")
def test_other_names_of_the_folder(tmp_path: Path) -> None:
    for user in ("ada", "ben"):
        clone(tmp_path / f"week-2-{user}", {"attention.py": ATTENTION})
    assert list(rows(tmp_path)) == ["ada", "ben"]
    assert list(rows(tmp_path, "classroom")) == ["ada", "ben"]


@pytest.mark.needs("git")
def test_packed_clones_have_a_time_too(tmp_path: Path) -> None:
    clone(tmp_path / "one", {"attention.py": ATTENTION})
    git(tmp_path / "one", "gc", "-q")
    git(tmp_path, "clone", "-q", "one", "two")
    assert last_commit(tmp_path / "one") == last_commit(tmp_path / "two") == WHEN


@pytest.mark.needs("git")
def test_nothing_that_a_clone_configures_is_run(tmp_path: Path) -> None:
    folder = clone(tmp_path / "evil", {"attention.py": ATTENTION})
    script = laid_down(tmp_path, {"program": f"#!/bin/sh\ntouch {tmp_path}/ran\n"}) / "program"
    script.chmod(0o755)
    for key in ("core.fsmonitor", "core.pager", "gpg.program", "core.sshCommand", "alias.cat-file"):
        git(folder, "config", key, f"!{script}" if key.startswith("alias") else str(script))
    git(folder, "config", "log.showSignature", "true")
    for hook in ("post-checkout", "pre-commit", "reference-transaction"):
        (folder / ".git/hooks").mkdir(exist_ok=True)
        (folder / ".git/hooks" / hook).symlink_to(script)
    assert last_commit(folder) == WHEN
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    "git_folder",
    [
        {"HEAD": "ref: refs/heads/../../../secret"},
        {"HEAD": "ref: refs/heads/main"},
        {"HEAD": "0" * 40},
        {"HEAD": "--help"},
        {"HEAD": b"\xff\0"},
        {"HEAD/x": ""},
        {"HEAD": "ref: refs/heads/main", "packed-refs": "nonsense\n# pack-refs\n" + "1" * 40 + " refs/heads/main\n"},
    ],
    ids=range(7),
)
def test_a_broken_clone_has_no_time(tmp_path: Path, git_folder: dict[str, str | bytes]) -> None:
    laid_down(tmp_path / ".git", git_folder)
    assert last_commit(tmp_path) is None


def test_clones_in_an_archive_have_no_time(tmp_path: Path) -> None:
    files = {
        f"hw-submissions/hw-{user}/{file}": ATTENTION
        for user in ("ada", "ben")
        for file in (".git/HEAD", "attention.py")
    }
    found = rows(archive(tmp_path, files))
    assert list(found) == ["ada", "ben"]
    assert all(row.origin and row.origin.submitted is None for row in found.values())
