"""The subjects of one exercise: a process per kind, ordered ahead, replaced when lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grader.catalogue.model import Course, Exercise
from grader.run.plan import Kind, kinds
from grader.subject.failure import CheckFailed, SubjectLost
from grader.subject.proxy import Proxy
from grader.subject.remote import Remote

Launch = Callable[[], Remote]


class SubjectPool:
    """A transport that sends every request to the process of the current check's kind.

    `plan`: the kind of each check, if it is not the usual one.
    """

    def __init__(
        self, course: Course, exercise: Exercise, files: dict[str, str], launch: Launch,
        plan: dict[str, Kind] | None = None,
    ) -> None:  # fmt: skip
        self.course = course
        self.exercise = exercise
        self.files = files
        self.launch = launch
        self.proxy = Proxy(self)
        self._kinds = {check: kind.given(files) for check, kind in (plan or kinds(course, exercise)).items()}
        # The zygote forks them one by one while the first is asked already.
        self._ordered = {kind: launch() for kind in dict.fromkeys(self._kinds.values())}
        self._living: dict[Kind, Remote] = {}
        self._import_failure: dict[Kind, BaseException] = {}
        self._check = exercise.tasks[0].checks[0].name
        self._task = exercise.tasks[0].name
        self.killed = False  # a process of the current check, from outside, for the first time: nobody's fault here
        self._forgiven = False
        self._spent = 0.0  # CPU seconds of processes that have ended

    def start_check(self, check: str) -> None:
        """From now on requests belong to `check`."""
        self.killed = False
        self._check = check
        self._task = self.exercise.task_of(check).name
        remote = self._living.get(self._kinds[check])
        if remote is not None and remote.alive:
            remote.output()

    def ask(self, op: str, /, *, seed: int, **fields: Any) -> Any:
        remote = self._remote()
        try:
            return remote.ask(op, what=self._task, seed=seed, **fields)
        except SubjectLost:
            self._note_kill(remote)
            self._forget(remote)
            raise

    def cpu_seconds(self) -> float:
        """Used by all processes of this exercise so far."""
        return self._spent + sum(r.process.cpu_seconds() for r in self._living.values())

    def output(self) -> str:
        """What the current check's process has printed; nothing where stand-ins could be printed."""
        kind = self._kinds[self._check]
        remote = self._living.get(kind)
        return remote.output() if remote is not None and not (kind.rebind or kind.siblings or kind.watched) else ""

    def close(self) -> None:
        for remote in [*self._living.values(), *self._ordered.values()]:
            self._forget(remote)
        self._ordered.clear()

    def _remote(self) -> Remote:
        kind = self._kinds[self._check]
        if kind in self._import_failure:
            raise self._import_failure[kind]
        if kind not in self._living:
            self._living[kind] = self._ordered.pop(kind) if kind in self._ordered else self.launch()
            self._import(self._living[kind], kind)
        return self._living[kind]

    def _import(self, remote: Remote, kind: Kind) -> None:
        sources = {
            "files": {name: text.encode() for name, text in self.files.items()},
            "given": {"model_args": (self.course.root / "exercises" / "model_args.py").read_bytes()},
            "standins": kind.standins(self.course),
            "siblings": {module: list(tasks) for module, tasks in kind.siblings},
        }
        wanted: dict[str, Any] = {
            "rebind": list(kind.rebind),
            "own": [task.name for task in self.exercise.tasks],
            "tasks": sorted(self.course.tasks),
            "watched": list(kind.watched),
        }
        name = self.exercise.name
        try:
            remote.ask("import", what=f"{name}.py", exercise=name, sources=sources, **wanted)
        except (CheckFailed, SubjectLost) as failure:
            self._note_kill(remote)
            if not self.killed:
                self._import_failure[kind] = failure
            if isinstance(failure, SubjectLost) and not self.killed:  # it would only be lost again, at the same price
                self._import_failure = dict.fromkeys(self._kinds.values(), failure)
            self._forget(remote)
            raise

    def _note_kill(self, remote: Remote) -> None:
        self.killed = self.killed or (remote.killed and not self._forgiven)
        self._forgiven = self._forgiven or remote.killed

    def _forget(self, remote: Remote) -> None:
        self._living = {kind: r for kind, r in self._living.items() if r is not remote}
        if remote.alive:
            self._spent += remote.process.cpu_seconds()
            remote.close()
