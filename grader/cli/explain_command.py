"""`grade explain CODE`: what a verdict means, and what usually causes it."""

from __future__ import annotations

import difflib
import re

import click

from grader.errors import UsageError
from grader.results.codes import CODES


@click.command("explain", epilog="Example: `grade explain wrong_gradient`")
@click.argument("code", required=False)
def command(code: str | None) -> int:
    """Explain CODE; without one, list all codes."""
    if code is None:
        width = max(map(len, CODES))
        click.echo("\n".join(f"{c.slug:<{width}}  {c.reason or '-'}" for c in CODES.values()))
        return 0
    code = code.lower()
    if code not in CODES:
        near = difflib.get_close_matches(code, CODES, 1)
        hint = f"Did you mean {near[0]!r}?" if near else "`grade explain` lists them."
        raise UsageError(f"No code {code!r}. {hint}")
    entry = CODES[code]
    sentence = re.sub(r"{[a-z_]+}", "…", entry.sentence)
    click.echo(f"{entry.slug} ({entry.reason or 'no failure'})\n\n{sentence}\n\n{entry.explain}")
    return 0
