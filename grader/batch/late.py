"""What a late submission loses: a calculation on one instant and a policy, and the sentence that explains it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime, timedelta

from grader.language import N_

DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class LatePolicy:
    """`due` has an offset. Days are of 24 hours, and count from `due` and the grace period on; one begun is one."""

    due: datetime
    grace: timedelta = timedelta()
    percent_per_day: float = 0
    most_percent: float = 100
    final_day: int | None = None  # after so many days nothing is left, whatever the cap


@dataclass(frozen=True, slots=True)
class Lateness:
    """`by`: after the due time itself. `percent`: of the points that are lost."""

    by: timedelta
    days: int
    percent: float


def lateness(policy: LatePolicy, submitted: datetime) -> Lateness | None:
    """None for what came in time, or within the grace period. Instants are compared, whatever their offsets."""
    counted = submitted - policy.due - policy.grace
    if counted <= timedelta():
        return None
    days = math.ceil(counted / DAY)
    too_late = policy.final_day is not None and days > policy.final_day
    percent = 100.0 if too_late else min(days * policy.percent_per_day, policy.most_percent)
    return Lateness(submitted - policy.due, days, percent)


def points_left(late: Lateness, points: float) -> float:
    """To a hundredth. Never less than nothing, and never more than before."""
    return max(0.0, round(points * (1 - late.percent / 100), 2)) if points > 0 else points


def explained(policy: LatePolicy, late: Lateness, points: float) -> str:
    """One sentence, in which the numbers of the calculation stand in its order."""
    when = f"{_length(late.by)}{_free(policy.grace)}"
    loss = points_left(late, points) - points
    if policy.final_day is not None and late.days > policy.final_day:
        return N_(
            f"Handed in {when} after the due time: nothing counts after {policy.final_day} days, "
            f"so {_number(points)} points become 0."
        )
    full = late.days * policy.percent_per_day
    cap = N_(f", at most {_number(policy.most_percent)} %") if full > policy.most_percent else ""
    return N_(
        f"Handed in {when} after the due time: {_days(late.days)} at {_number(policy.percent_per_day)} % each{cap}: "
        f"{_number(late.percent)} % of {_number(points)} points = {_number(loss)}."
    )


def _free(grace: timedelta) -> str:
    return N_(f" (of which {_length(grace)} are free)") if grace else ""


def _days(days: int) -> str:
    return N_("1 started day") if days == 1 else N_(f"{days} started days")


def _length(span: timedelta) -> str:
    """`1 day 3 h`, `3 h 20 min`: the two largest parts. Less than a minute is told in seconds."""
    minutes, seconds = divmod(math.ceil(span.total_seconds()), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    parts = [f"{days} {'day' if days == 1 else 'days'}" if days else "", f"{hours} h" if hours else "",
             f"{minutes} min" if minutes else "", f"{seconds} s" if seconds else ""]  # fmt: skip
    return " ".join([part for part in parts if part][:2]) or "0 s"


def _number(value: float) -> str:
    return f"{round(value, 2):g}"
