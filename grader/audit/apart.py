"""Whether the probes tell the known bugs of some exercises from a right answer, and from each other.

`python -P -m grader.audit.apart COURSE NAME…` prints a JSON list of [exercise, problem]: in a process of its own, since
references are imported by their names.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from grader.audit.finding import Finding
from grader.catalogue.load import load_course
from grader.catalogue.model import Course
from grader.errors import EngineError
from grader.run.launch import warm_environment


def too_close(course: Course, names: Sequence[str]) -> list[Finding]:
    """Bugs with the same answers to all probes."""
    command = [sys.executable, "-P", "-m", "grader.audit.apart", str(course.root), *names]
    done = subprocess.run(command, env=warm_environment(), capture_output=True, text=True)
    if done.returncode:
        raise EngineError(f"the probes could not be compared: {(done.stderr.strip().splitlines() or ['?'])[-1]}")
    return [Finding(exercise, problem) for exercise, problem in json.loads(done.stdout)]


def main(root: Path, names: Sequence[str]) -> list[tuple[str, str]]:
    import torch

    from grader.run.diagnosis.diagnose import alike
    from grader.run.diagnosis.suspects import Suspects

    torch.set_num_threads(1)
    course = load_course(root)
    sys.path.append(str(course.root))
    exercises = [course.exercise(name) for name in names]
    return [(e.name, problem) for e in exercises for t in e.tasks for problem in alike(Suspects(course, e), t.name)]


if __name__ == "__main__":
    found = main(Path(sys.argv[1]), sys.argv[2:])
    sys.stdout.write(json.dumps(found) + os.linesep)
