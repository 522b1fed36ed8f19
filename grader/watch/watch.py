"""The loop of `grade watch`: look at files and keys, grade what was saved, show one screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from grader.errors import EngineError
from grader.language import _, said
from grader.report.next_step import in_order
from grader.results.schema import Exercise, Results
from grader.watch.files import Files

TICK = 0.05  # seconds between two looks at the files
SLOW = 1.0  # a run that took longer last time is announced with its length

View = Literal["verdict", "hint", "list", "problem"]


@dataclass(frozen=True, slots=True)
class Screen:
    """All that is shown."""

    name: str
    view: View
    rows: dict[str, Exercise]  # the newest verdicts
    text: str = ""  # the hint, or the problem
    busy: str = ""  # what is being done right now


class Keyboard(Protocol):
    def read(self, seconds: float) -> str | None: ...


@dataclass
class Watch:
    """`names`: exercises in their order. `grade` grades some of them, `hint` gives the next hint of one.

    `size`: of the window; when it is another one, the screen is shown again.
    """

    names: Sequence[str]
    files: Files
    keys: Keyboard
    grade: Callable[[list[str]], Results]
    hint: Callable[[str], str]
    show: Callable[[Screen], None]
    size: Callable[[], object] = tuple
    rows: dict[str, Exercise] = field(default_factory=dict)
    took: dict[str, float] = field(default_factory=dict)

    def run(self, name: str) -> None:
        """Until the key q."""
        screen, size = self._graded([name]), self.size()
        while True:
            key = self.keys.read(TICK)
            if key == "q":
                return
            changed = self.files.changed()
            if changed:
                screen = self._graded(sorted(changed, key=lambda name: name != screen.name))
            if key is not None:
                screen = self._pressed(key, screen.name)
            if size != self.size():
                screen, size = self._shown(screen), self.size()

    def _pressed(self, key: str, name: str) -> Screen:
        if key == "h":
            return self._shown(Screen(name, "hint", self.rows, self.hint(name)))
        if key == "l":
            return self._shown(Screen(name, "list", self.rows))
        if key == "n":
            return self._graded([self._following(name)])
        if key == "a":
            return self._graded(list(self.names), "list")
        return self._shown(Screen(name, "verdict", self.rows))

    def _graded(self, names: list[str], view: View = "verdict") -> Screen:
        """Of several, the first that does not pass is shown; else the first."""
        self._shown(Screen(names[0], "verdict", self.rows, busy=self._announced(names)))
        try:
            results = self.grade(names)
        except EngineError as error:
            return self._shown(
                Screen(names[0], "problem", self.rows, said(str(error)) + _(" Save again to try once more."))
            )
        self.rows |= {row.name: row for row in results.exercises}
        if len(names) == 1:
            self.took[names[0]] = results.seconds
        wrong = [name for name in names if self.rows[name].status != "passed"]
        return self._shown(Screen((wrong or names)[0], view, self.rows))

    def _announced(self, names: list[str]) -> str:
        one, many = _("Grading {name}"), _("Grading {n} exercises")
        what = one.format(name=names[0]) if len(names) == 1 else many.format(n=len(names))
        seconds = sum(self.took.get(name) or self._took_before(name) for name in names)
        return (
            _("{what}, about {seconds:.0f} s …").format(what=what, seconds=seconds) if seconds > SLOW else f"{what} …"
        )

    def _took_before(self, name: str) -> float:
        """As far as a verdict of an earlier run tells."""
        row = self.rows.get(name)
        return sum(check.seconds or 0.0 for check in row.checks) if row is not None else 0.0

    def _following(self, name: str) -> str:
        """What comes after it of all that does not pass, from the top again after the last."""
        following = in_order({n: self.rows[n].status if n in self.rows else "not_started" for n in self.names})
        names = following or self.names
        return names[(names.index(name) + 1) % len(names)] if name in names else names[0]

    def _shown(self, screen: Screen) -> Screen:
        self.show(screen)
        return screen
