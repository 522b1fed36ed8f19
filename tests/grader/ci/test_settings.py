"""Which platform it is, which folder, and where results may go."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.ci.restart import clean
from grader.ci.settings import detect, in_range, settings
from grader.errors import UsageError

from .imitation import CANARY, TOY, github, gitlab


def test_platforms_are_known_by_what_they_set(tmp_path: Path) -> None:
    assert detect({}) == "plain"
    assert detect({"CI": "true"}) == "plain"
    assert detect({"GITLAB_CI": "true"}) == "gitlab"
    job = github(tmp_path / "a")
    assert detect(job.environ) == "github"
    assert detect(github(tmp_path / "b", "Autograding Tests").environ) == "classroom"
    (job.checkout / ".github" / "classroom").mkdir(parents=True)
    assert detect(job.environ) == "github", "with a folder of their own students would turn a failed job green"
    assert detect({**job.environ, "AUTOGRADER_ROOT": str(tmp_path)}) == "gradescope"


def test_the_folder_is_the_platforms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for make in (github, gitlab):
        job = make(tmp_path / make.__name__)
        told = settings(job.environ, TOY, None, "auto", None)
        assert told.folder == str(job.checkout)
        assert told.student == "ada-work"
    (tmp_path / "submission").mkdir()
    told = settings({"AUTOGRADER_ROOT": str(tmp_path)}, TOY, None, "auto", None)
    assert (told.folder, told.out) == (str(tmp_path / "submission"), str(tmp_path / "grade-results"))
    assert settings({}, TOY, None, "auto", "x").folder == str(tmp_path)


def test_links_in_a_checkout_lead_nowhere(tmp_path: Path) -> None:
    (tmp_path / "checkout").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "checkout" / "grade-results").symlink_to(tmp_path / "elsewhere")
    for out in ("grade-results", "grade-results/below"):
        with pytest.raises(UsageError, match="symbolic link"):
            settings({}, TOY, str(tmp_path / "checkout"), "plain", str(tmp_path / "checkout" / out))


@pytest.mark.parametrize("out", ["checkout", ".", "checkout/file"])
def test_results_need_a_folder_of_their_own(tmp_path: Path, out: str) -> None:
    (tmp_path / "checkout").mkdir()
    (tmp_path / "checkout" / "file").touch()
    with pytest.raises(UsageError, match="--out"):
        settings({}, TOY, str(tmp_path / "checkout"), "plain", str(tmp_path / out))


@pytest.mark.parametrize("seconds", [-1.0, float("inf"), float("nan"), 1e30])
def test_seconds_that_no_clock_can_count_are_said(seconds: float) -> None:
    assert in_range(0) == 0
    with pytest.raises(UsageError, match=r"--seconds is .*: give a number from 0 to 864000"):
        in_range(seconds)


def test_a_missing_checkout_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="name the student's checkout"):
        settings({}, TOY, str(tmp_path / "nowhere"), "plain", None)


def test_only_what_finds_files_and_words_is_kept(tmp_path: Path) -> None:
    kept = clean({**github(tmp_path).environ, "PATH": "/bin", "LANG": "C", "PYTHONPATH": "/student", "LD_PRELOAD": "x"})
    assert CANARY not in str(kept)
    assert set(kept) == {"PATH", "LANG", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE"}
    assert kept["PYTHONPATH"] != "/student"
