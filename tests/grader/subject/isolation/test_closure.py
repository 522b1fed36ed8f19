"""What a subject may read: torch and numpy with all they need, and nothing else that lies beside them."""

from __future__ import annotations

import importlib.metadata
from pathlib import Path

import pytest

from grader.subject.isolation.closure import closure, keep_apart
from grader.subject.isolation.level import Refused
from grader.subject.isolation.level4 import arguments


def test_torch_and_numpy_are_in_and_what_they_need() -> None:
    packages = closure().packages
    assert {"torch", "numpy", "sympy", "filelock"} <= packages.keys()
    assert all(path.exists() for path in packages.values())


def test_the_tools_of_the_trusted_side_are_not() -> None:
    packages = closure().packages
    for name in ("pytest", "hypothesis", "msgspec", "click", "rich", "transformers", "psutil", "grader"):
        assert name not in packages, name
    assert not [name for name in packages if name.endswith(".pth")]


def test_no_extra_is_followed() -> None:
    extras = [line for line in importlib.metadata.distribution("torch").requires or [] if "extra" in line]
    names = {line.split(";")[0].split(">")[0].strip() for line in extras}
    assert not names & closure().packages.keys()


def test_the_library_comes_without_other_peoples_packages() -> None:
    found = closure()
    entries = {path.name for folder in found.library for path in found.entries(folder)}
    assert "json" in entries
    assert not entries & {"site-packages", "dist-packages"}


def test_whoever_lies_in_something_readable_is_named(tmp_path: Path) -> None:
    link = tmp_path / "link"
    (tmp_path / "packages" / "course").mkdir(parents=True)
    link.symlink_to(tmp_path / "packages" / "course")
    with pytest.raises(Refused, match=f"{tmp_path}/packages must stay readable"):
        keep_apart([tmp_path / "packages"], [link])
    keep_apart([tmp_path / "packages"], [tmp_path, tmp_path / "packages2"])


@pytest.mark.parametrize("user", [None, 61000])
def test_bubblewrap_is_told_every_namespace_and_nothing_writable(user: int | None) -> None:
    words = list(arguments(closure(), user))
    assert {"--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--die-with-parent"} <= set(words)
    assert ("--unshare-user" in words) == (user is None)
    assert not {"--bind", "--dev", "--share-net", "--unshare-all"} & set(words)
    assert words[-2:] == ["--remount-ro", "/"]
    tmpfs = [words[at + 1] for at, word in enumerate(words) if word == "--tmpfs"]
    read_only = [words[at + 1] for at, word in enumerate(words) if word == "--remount-ro"]
    assert set(tmpfs) < set(read_only)
