"""Imitations of CI platforms: their variables and folders, how GitHub's runner reads a log, and three submissions."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[3]
TOY = Path(__file__).parents[1] / "data" / "toy"
CANARY = "token-of-the-platform"

GOOD = {
    "scale.py": (TOY / "solutions" / "scale.py").read_text("utf-8"),
    "block.py": (TOY / "solutions" / "block.py").read_text("utf-8").replace("from solutions.", "from exercises."),
}
BAD = {
    "scale.py": GOOD["scale.py"].replace("x * factor", "x + factor"),
    "block.py": GOOD["block.py"].replace("return x + scale(self.w(x), 0.5)", "return torch.cat([x, x], 5)"),
}
FORGERIES = (
    "::error file=scale.py,line=1::forged", "::set-output name=points::99", "::stop-commands::x", "##[error]forged",
    "  ::add-mask::0", "##[group]forged", "\x1b[0Ksection_start:1:forged\r\x1b[0Kforged", "::endgroup::",
    "%0A::error::x",
)  # fmt: skip
HOSTILE = {
    "scale.py": f"""
import os, sys

TEXT = {chr(10).join(("", *FORGERIES, ""))!r}
print(TEXT)
print(TEXT, file=sys.stderr)
Forged = type("::error::forged", (Exception,), {{}})

def scale(x, factor=2.0):
    os.write(1, TEXT.encode())
    raise Forged(TEXT)

def soften(x, factor=2.0):
    raise ValueError(TEXT + "x" * 100_000)
""",
    "block.py": "raise SystemExit('::error::forged')\n",
}


@dataclass
class Job:
    """A job in `folder`, with the student's checkout below it."""

    folder: Path
    environ: dict[str, str] = field(default_factory=dict)

    @property
    def checkout(self) -> Path:
        return self.folder / "checkout"

    @property
    def out(self) -> Path:
        return self.folder / "grade-results"

    def hand_in(self, files: dict[str, str], below: str = "") -> None:
        for name, text in files.items():
            path = self.checkout / below / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")

    def grade(self, *words: str, course: Path = TOY, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        """What `grade ci` does; both streams are one log, as platforms take it."""
        command = [sys.executable, "-P", "-m", "grader.cli.main", "--course", str(course), "ci", *words]
        return subprocess.run(
            command, cwd=cwd or self.folder, env=self.environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, errors="replace", check=False,
        )  # fmt: skip

    def environment(self) -> dict[str, str]:
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
        return {**kept, "LC_ALL": "C.UTF-8", "PYTHONPATH": str(ROOT), "SOME_TOKEN": CANARY, **self.environ}


def github(folder: Path, workflow: str = "CI") -> Job:
    (folder / "checkout").mkdir(parents=True)
    return Job(folder, {
        "CI": "true", "GITHUB_ACTIONS": "true", "GITHUB_WORKFLOW": workflow, "GITHUB_REPOSITORY": "class/ada-work",
        "GITHUB_WORKSPACE": str(folder / "checkout"), "GITHUB_STEP_SUMMARY": str(folder / f"summary-{CANARY}"),
        "GITHUB_OUTPUT": str(folder / f"output-{CANARY}"), "ACTIONS_RUNTIME_TOKEN": CANARY, "GITHUB_TOKEN": CANARY,
    })  # fmt: skip


def gitlab(folder: Path) -> Job:
    (folder / "checkout").mkdir(parents=True)
    return Job(folder, {
        "CI": "true", "GITLAB_CI": "true", "CI_PROJECT_DIR": str(folder / "checkout"), "CI_JOB_TOKEN": CANARY,
        "CI_PROJECT_PATH": "class/ada-work",
    })  # fmt: skip


def outputs(path: Path) -> dict[str, str]:
    """Of a step, as the runner reads them from its file."""
    found, lines = {}, iter(path.read_text("utf-8").splitlines())
    for line in lines:
        name, _, delimiter = line.partition("<<")
        found[name] = "\n".join(iter(lambda: next(lines), delimiter))
    return found


@dataclass(frozen=True)
class Command:
    name: str
    properties: dict[str, str]
    message: str


def obeyed(log: str) -> list[Command]:
    """What GitHub's runner does about a log: the commands of lines that begin with `::`, unless they are stopped."""
    found, stopped = [], ""
    for line in re.split(r"\r\n|\r|\n", log):
        assert not re.search(r"##\w*\[", line), line  # the older form works anywhere in a line
        match = re.match(r"\s*::(?P<name>[^ :]+)(?: (?P<rest>.*?))?::(?P<message>.*)$", line)
        if match is None:
            continue
        if stopped:
            stopped = "" if match["name"] == stopped else stopped
        elif match["name"] == "stop-commands":
            stopped = match["message"]
            assert len(stopped) >= 20, "a token that can be guessed"
        else:
            found.append(Command(match["name"], _properties(match["rest"] or ""), _unescaped(match["message"])))
    assert not stopped, "what comes later in the step is not obeyed either"
    return found


def _properties(text: str) -> dict[str, str]:
    pairs = (part.partition("=") for part in text.split(",") if part)
    return {key: _unescaped(value.replace("%3A", ":").replace("%2C", ",")) for key, _, value in pairs}


def _unescaped(text: str) -> str:
    return text.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%")
