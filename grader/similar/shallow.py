"""Whether a text may be given to Python's parser: its tree cannot be deep enough to exhaust the stack.

A tree is deep where brackets are nested, or a logical line or a chain of `elif` is long. Both are bounded here from the
text alone, in one pass. Blocks need no bound: Python itself refuses more than 100 indents.
"""

from __future__ import annotations

import re

LONGEST = 2000  # characters of a logical line outside its strings; a chain of operators has at most half as many links
DEEPEST = 60  # brackets
BRANCHES = 200  # elif and else, of a whole file: each is nested in the one before
FORMATTED = 500  # characters of an f-string, which holds expressions of its own

_PART = re.compile(
    r"""
      (?P<comment>\#[^\n]*)
    | (?P<string>[rbuftRBUFT]{0,2}(?:
          \"\"\"(?:[^"\\]|\\.|"(?!""))*+(?:\"\"\"|\Z)
        | '''(?:[^'\\]|\\.|'(?!''))*+(?:'''|\Z)
        | "(?:[^"\\\n]|\\.)*+"?
        | '(?:[^'\\\n]|\\.)*+'?))
    | (?P<open>[(\[{])
    | (?P<close>[)\]}])
    | (?P<newline>\n)
    | (?P<branch>\b(?:elif|else)\b)
    """,
    re.VERBOSE | re.DOTALL,
)


def is_shallow(text: str) -> bool:
    depth = branches = strings = begin = 0
    for found in _PART.finditer(text):
        match found.lastgroup:
            case "comment":
                strings += len(found[0])
            case "string":
                strings += len(found[0])
                if len(found[0]) > FORMATTED and "f" in found[0][:2].lower():
                    return False
            case "open":
                depth += 1
            case "close":
                depth = max(0, depth - 1)
            case "branch":
                branches += 1
            case "newline" if depth == 0 and text[found.start() - 1 : found.start()] != "\\":
                if found.start() - begin - strings > LONGEST:
                    return False
                begin, strings = found.end(), 0
        if depth > DEEPEST or branches > BRANCHES:
            return False
    return len(text) - begin - strings <= LONGEST
