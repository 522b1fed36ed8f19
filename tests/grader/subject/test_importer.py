"""Submissions are imported from memory; stand-ins answer for other files, the student's own files for the rest."""

from __future__ import annotations

import bdb
import errno
import linecache
import marshal
import sys
from collections.abc import Iterator

import pytest

from grader.subject.worker.failures import describe
from grader.subject.worker.importer import Sources, SubmissionImporter

STANDINS = marshal.dumps(compile("def part(x):\n    return 'right'\n", "<given>", "exec"))
PARTS = "def part(x):\n    return 'mine'\n\ndef helper(x):\n    return 'my helper'\n"


@pytest.fixture(autouse=True)
def _clean() -> Iterator[None]:
    before, finders = set(sys.modules), list(sys.meta_path)
    kept = {n: m for n, m in sys.modules.items() if n == "exercises" or n.startswith("exercises.")}
    for name in kept:
        del sys.modules[name]
    yield
    sys.meta_path[:] = finders
    for name in set(sys.modules) - before:
        del sys.modules[name]
    sys.modules.update(kept)


def install(files: dict[str, str], **options: object) -> SubmissionImporter:
    importer = SubmissionImporter(Sources(files, **options))  # type: ignore[arg-type]
    importer.install()
    return importer


def test_package_relative_and_flat_names_are_one_module() -> None:
    install(
        {
            "whole": "from parts import part\nfrom exercises.parts import part as b\nfrom .parts import part as c\n",
            "parts": PARTS,
        }
    )
    import exercises.whole  # type: ignore[import-not-found]

    assert exercises.whole.part is exercises.whole.b is exercises.whole.c
    assert sys.modules["parts"] is sys.modules["exercises.parts"]


def test_a_stand_in_answers_for_its_task_and_the_own_file_for_the_rest() -> None:
    install(
        {"whole": "from parts import part, helper\n", "parts": PARTS}, standins=STANDINS, siblings={"parts": ["part"]}
    )
    import exercises.whole

    assert exercises.whole.part(1) == "right"
    assert exercises.whole.helper(1) == "my helper"


def test_an_own_file_that_breaks_is_not_run_unless_asked_for() -> None:
    install({"whole": "from parts import part\n", "parts": "1 / 0\n"}, standins=STANDINS, siblings={"parts": ["part"]})
    import exercises.whole

    assert exercises.whole.part(1) == "right"


def test_a_star_import_brings_stand_ins_and_helpers() -> None:
    install({"whole": "from parts import *\n", "parts": PARTS}, standins=STANDINS, siblings={"parts": ["part"]})
    import exercises.whole

    assert exercises.whole.part(1) == "right"
    assert exercises.whole.helper(1) == "my helper"


def test_a_missing_file_is_covered_by_its_stand_ins() -> None:
    install({"whole": "from exercises.parts import part\n"}, standins=STANDINS, siblings={"parts": ["part"]})
    import exercises.whole

    assert exercises.whole.part(1) == "right"


def test_the_given_file_wins_over_the_students_copy() -> None:
    install({"whole": "from given import X\n", "given": "X = 'forged'\n"}, given={"given": "X = 'true'\n"})
    import exercises.whole

    assert exercises.whole.X == "true"


def test_failures_show_the_students_own_line() -> None:
    install({"whole": "def f():\n    return elf.x\n"})
    import exercises.whole

    with pytest.raises(NameError) as caught:
        exercises.whole.f()
    told = describe(caught.value)
    assert told["code"] == "raised"
    assert told["frames"] == [{"file": "whole.py", "line": 2, "function": "f", "source": "return elf.x"}]
    linecache.clearcache()


def test_a_syntax_error_has_its_line() -> None:
    install({"whole": "x = 1\ndef f(x)\n    return x\n"})
    with pytest.raises(SyntaxError) as caught:
        import exercises.whole  # noqa: F401
    told = describe(caught.value, "whole")
    assert told["code"] == "syntax_error"
    assert told["values"]["file"] == "whole.py"
    assert told["frames"][0]["line"] == 2


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (RuntimeError("can't start new thread"), "too_many_threads"),
        (PermissionError(errno.EACCES, "Permission denied"), "off_limits"),
        (OSError(errno.EFBIG, "File too large"), "off_limits"),
        (FileNotFoundError(errno.ENOENT, "No such file"), "raised"),
        (bdb.BdbQuit(), "breakpoint"),
        (RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory"), "memory"),
    ],
)
def test_what_a_limit_of_the_process_answers_has_a_verdict_of_its_own(error: Exception, code: str) -> None:
    assert describe(error)["code"] == code
    assert describe(error, "whole")["code"] == ("import_failed" if code == "raised" else code)
