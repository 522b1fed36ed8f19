"""Make text of others safe to show: characters that steer a terminal or hide become visible escapes.

Student names, messages, tracebacks and printed output pass through here before they reach any report. HTML is
escaped on top of it, by the templates.
"""

from __future__ import annotations

import re

_INVISIBLE = re.compile(
    "["
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 without \t and \n, DEL, C1
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"  # soft hyphen, joiners, fillers
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb"  # zero width, line ends, bidi
    "\ud800-\udfff\ufffe\uffff"  # lone surrogates cannot even be written
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"  # musical controls, tags
    "]"
)
_CI_COMMAND = re.compile(r"##(?=\w*\[)")


def clean(text: str) -> str:
    """`text` with controls, bidi marks and zero-width characters shown as \\x1b or \\u202e; newline and tab stay."""
    return _INVISIBLE.sub(_escape, text)


def clean_line(text: str, limit: int = 0) -> str:
    """As `clean`, on one line, and cut to `limit` characters if one is given."""
    line = " ".join(clean(text).split())
    return line if not limit or len(line) <= limit else line[: limit - 1].rstrip() + "…"


def clean_output(text: str) -> str:
    """As `clean`, for a log that a CI runner may read: its commands that work anywhere in a line are broken up."""
    return _CI_COMMAND.sub("# #", clean(text))


def _escape(match: re.Match[str]) -> str:
    point = ord(match[0])
    return f"\\x{point:02x}" if point < 0x100 else f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"
