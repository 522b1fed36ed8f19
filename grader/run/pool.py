"""The subjects of one exercise: a process per kind, ordered ahead, replaced when lost."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import Any

from grader.catalogue.model import Course, Exercise
from grader.run.ahead import Ahead, Asked, Strayed, ask_again
from grader.run.plan import Kind, kinds
from grader.run.recall import Question
from grader.subject.failure import CheckFailed, SubjectLost
from grader.subject.proxy import Proxy
from grader.subject.remote import Remote, question

Launch = Callable[[], Remote]


class SubjectPool:
    """A transport that sends every request to the process of the current check's kind.

    `plan`: the kind of each check, if it is not the usual one. `spans`: of notebooks, where their lines come from.
    """

    def __init__(
        self, course: Course, exercise: Exercise, files: dict[str, str], launch: Launch,
        plan: dict[str, Kind] | None = None, spans: dict[str, Any] | None = None,
    ) -> None:  # fmt: skip
        self.course = course
        self.exercise = exercise
        self.files = files
        self.spans = spans or {}
        self.launch = launch
        self.proxy = Proxy(self)
        self._kinds = {check: kind.given(files) for check, kind in (plan or kinds(course, exercise)).items()}
        # The zygote forks them one by one while the first is asked already.
        self._ordered = {kind: launch() for kind in dict.fromkeys(self._kinds.values())}
        self._living: dict[Kind, Ahead] = {}
        self._strayed: dict[Kind, Asked] = {}  # kinds that were sent too much: what they were asked
        self._step_by_step: set[Kind] = set()  # no questions ahead for these any more
        self._import_failure: dict[Kind, BaseException] = {}
        self._check, self._kind = next(iter(self._kinds.items()))
        self._task = exercise.task_of(self._check).name
        self._questions: Sequence[Question] = ()
        self._record: list[Question] | None = None
        self.killed = False  # a process of the current check, from outside, for the first time: nobody's fault here
        self._forgiven = False
        self._spent = 0.0  # CPU seconds of processes that have ended

    def start_check(
        self, check: str, questions: Sequence[Question] = (), record: list[Question] | None = None, ahead: bool = True
    ) -> None:
        """From now on requests belong to `check`.

        `questions`: what it is known to ask, sent `ahead` or not; `record`: filled with it.
        """
        self._withdraw()
        self.proxy.start_case()
        self.killed = False
        self._check = check
        self._task = self.exercise.task_of(check).name
        self._kind = self._kinds[check]
        if not ahead:
            self._step_by_step.add(self._kind)
        self._questions, self._record = questions, record
        living = self._living.get(self._kind)
        if living is not None:
            living.remote.output()
            self._begin(living)

    def ask(self, op: str, /, *, seed: int, **fields: Any) -> Any:
        try:
            return self._ask(op, seed, fields)
        except SubjectLost:
            living = self._living.get(self._kind)
            if living is not None:
                self._note_kill(living.remote)
                self._forget(living)
            raise

    def _ask(self, op: str, seed: int, fields: dict[str, Any]) -> Any:
        living = self._subject()
        if living.sends:
            try:
                return living.take(op, seed, fields, self._task)
            except Strayed:
                self._step_by_step.add(self._kind)
            except SubjectLost as lost:
                if lost.code != "too_much_output":  # else perhaps of a question that is not asked yet
                    raise
                living.asked[-1].pop()
            living = self._exact(living)
        frame = living.frame(op, seed, fields)
        if self._record is not None:
            self._record.append(Question(op, seed, fields, frame))
        living.remote.send(frame)
        return living.remote.answer(op, self._task)

    def cpu_seconds(self) -> float:
        """Used by all processes of this exercise so far."""
        return self._spent + sum(living.remote.process.cpu_seconds() for living in self._living.values())

    def output(self) -> str:
        """What the current check's process has printed; nothing where stand-ins could be printed."""
        kind, living = self._kind, self._living.get(self._kind)
        if living is None or kind.rebind or kind.siblings or kind.watched:
            return ""
        text = living.remote.output()
        if text and living.too_far:  # some of it may be of questions that were not asked
            with contextlib.suppress(CheckFailed, SubjectLost):
                return self._exact(living).remote.output()
        return text

    def recorded_case(self) -> bytes:
        """The frames of what was asked in the current case, behind that of the import; the submission is not in it."""
        imported = self._imported(self._kind)
        imported["sources"] |= {"files": {}, "spans": {}}
        return question("import", 0, imported) + b"".join(question(*asked) for asked in self.proxy.asked)

    def close(self) -> None:
        for living in list(self._living.values()):
            self._forget(living)
        for remote in self._ordered.values():
            remote.close()
        self._ordered.clear()
        self._strayed.clear()

    def _subject(self) -> Ahead:
        """The process of the current check's kind."""
        kind = self._kind
        if kind in self._import_failure:
            raise self._import_failure[kind]
        if kind not in self._living:
            living = Ahead(self._ordered.pop(kind) if kind in self._ordered else self.launch())
            self._living[kind] = living
            self._import(living)
            ask_again(living.remote, self._strayed.pop(kind, []), self._task)
            self._begin(living)
        return self._living[kind]

    def _begin(self, living: Ahead) -> None:
        """Send ahead what the current check will ask, if all that this process was asked is known."""
        if not self._questions:
            self._step_by_step.add(self._kind)
        living.start_check(self._questions, self._kind in self._step_by_step)

    def _exact(self, living: Ahead) -> Ahead:
        """A process that was asked what the suite has asked, and nothing else."""
        if not living.too_far:
            return living
        self._withdraw()
        return self._subject()

    def _withdraw(self) -> None:
        """Do without a process that was sent more than it was asked, and without one that is gone."""
        for kind, living in list(self._living.items()):
            if living.too_far:
                self._step_by_step.add(kind)
                self._strayed[kind] = living.asked
                living.remote.close()  # its CPU time does not count: what was asked is asked again
            if not living.remote.alive:
                del self._living[kind]

    def _imported(self, kind: Kind) -> dict[str, Any]:
        """What a process of this kind is told to import."""
        return {
            "exercise": self.exercise.name,
            "sources": {
                "files": {name: text.encode() for name, text in self.files.items()},
                "spans": self.spans,
                "given": _given(self.course),
                "standins": kind.standins(self.course),
                "siblings": {module: list(tasks) for module, tasks in kind.siblings},
            },
            "rebind": list(kind.rebind),
            "own": [task.name for task in self.exercise.tasks],
            "tasks": sorted(self.course.tasks),
            "watched": list(kind.watched),
        }

    def _import(self, living: Ahead) -> None:
        kind = self._kind
        try:
            living.remote.ask("import", what=f"{self.exercise.name}.py", **self._imported(kind))
        except (CheckFailed, SubjectLost) as failure:
            self._note_kill(living.remote)
            if not self.killed:
                self._import_failure[kind] = failure
            if isinstance(failure, SubjectLost) and not self.killed:  # it would only be lost again, at the same price
                self._import_failure = dict.fromkeys(self._kinds.values(), failure)
            self._forget(living)
            raise

    def _note_kill(self, remote: Remote) -> None:
        self.killed = self.killed or (remote.killed and not self._forgiven)
        self._forgiven = self._forgiven or remote.killed

    def _forget(self, living: Ahead) -> None:
        self._living = {kind: other for kind, other in self._living.items() if other is not living}
        if living.remote.alive:
            self._spent += living.remote.process.cpu_seconds()
            living.remote.close()


def _given(course: Course) -> dict[str, bytes]:
    """Modules that students use and do not write, in courses that have them."""
    path = course.root / "exercises" / "model_args.py"
    return {"model_args": path.read_bytes()} if path.is_file() else {}
