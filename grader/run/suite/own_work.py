"""The own-work check of a task: run it with the student's own parts and see whether it calls what it should be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grader.subject.failure import Blocked, CheckFailed, NotStarted, SubjectLost
from grader.subject.proxy import Proxy


def own_work(subject: Proxy, task: str, *args: Any, construct: Sequence[Any] | None = None, **kwargs: Any) -> None:
    """Call the function `task`, or build the class with `construct` and call that; no forbidden call may be seen.

    Values are judged by other checks: an error of the task's own is no finding here, one of another part blocks.
    """
    try:
        if construct is None:
            subject.call(task, *args, **kwargs)
        else:
            module = subject.construct(task, *construct)
            module(*args, **kwargs)
            module.eval()
            module(*args, **kwargs)
    except NotStarted as stub:
        if str(stub).partition(".")[0] != task:
            _no_forbidden_call(subject, task)
            raise Blocked(f"{task} calls {stub}, which is not written yet.") from None
        raise
    except CheckFailed as failure:
        _no_forbidden_call(subject, task)
        raise Blocked(f"with your own parts it does not run. {failure}") from None
    except SubjectLost:
        raise Blocked(f"with your own parts {task} does not come to an end.") from None
    _no_forbidden_call(subject, task)


def _no_forbidden_call(subject: Proxy, task: str) -> None:
    try:
        seen = subject.forbidden_calls(task)
    except CheckFailed:  # the file cannot be imported, so nothing ran
        return
    for call in seen:
        where = f" ({call.get('file')}, line {call.get('line')}: `{call.get('source')}`)" if call.get("line") else ""
        raise CheckFailed("forbidden", {"task": task, "name": str(call.get("name"))[:100], "where": where})
