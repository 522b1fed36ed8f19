"""`grade explain CODE`: what a verdict means, and what usually causes it."""

from __future__ import annotations

import difflib
import re

import click

from grader.errors import UsageError
from grader.language import N_, _
from grader.results.codes import CODES

REASONS = (
    N_("shape"), N_("value"), N_("gradient"), N_("side effect"), N_("structure"), N_("crash"), N_("time-out"),
    N_("memory"), N_("output"), N_("forbidden"), N_("protocol"),
)  # fmt: skip


@click.command("explain", epilog="Example: `grade explain wrong_gradient`")
@click.argument("code", required=False)
def command(code: str | None) -> int:
    """Explain CODE; without one, list all codes."""
    if code is None:
        width = max(map(len, CODES))
        click.echo("\n".join(f"{c.slug:<{width}}  {_(c.reason) if c.reason else '-'}" for c in CODES.values()))
        return 0
    code = code.lower()
    if code not in CODES:
        near = difflib.get_close_matches(code, CODES, 1)
        hint = N_(f"Did you mean {near[0]!r}?") if near else N_("`grade explain` lists them.")
        raise UsageError(f"No code {code!r}. {hint}")
    entry = CODES[code]
    sentence = re.sub(r"{[a-z_]+}", "…", _(entry.sentence))
    click.echo(f"{entry.slug} ({_(entry.reason or N_('no failure'))})\n\n{sentence}\n\n{_(entry.explain)}")
    return 0
