"""Which names a piece of code binds, which it needs at once, and which only when it is called.

Read from tokens, scope by scope. Where that cannot tell, a name counts as needed: taking an import or a constant too
many does no harm.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Sequence
from dataclasses import dataclass

from grader.submission.notebook.tokens import Line, Token

KEYWORDS = frozenset(keyword.kwlist)
COMPOUND = ("if", "elif", "else", "for", "while", "with", "try", "except", "finally")
DEEPEST = 40  # definitions inside each other; beyond that all names count as needed
_ASSIGNS = re.compile(r"(?:[-+*/%@&|^]|\*\*|//|>>|<<)?=")
_WORD = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True, slots=True)
class Names:
    bound: frozenset[str] = frozenset()
    now: frozenset[str] = frozenset()  # needed when the code is run
    later: frozenset[str] = frozenset()  # needed when a function in it is called

    def __or__(self, other: Names) -> Names:
        return Names(self.bound | other.bound, self.now | other.now, self.later | other.later)


def names_of(lines: Sequence[Line], depth: int = 0) -> Names:
    """Of one scope: the lines of a block, with everything inside it."""
    if depth > DEEPEST:
        return Names(now=frozenset().union(*(_used(line.tokens) for line in lines)))
    found, at = Names(), 0
    while at < len(lines):
        end = at + 1
        if _defines(lines[at]):
            while end < len(lines) and lines[end].indent > lines[at].indent:
                end += 1
            found |= _definition(lines[at], lines[at + 1 : end], depth)
        else:
            found |= _simple(lines[at].tokens)
        at = end
    return found


def defined(line: Line) -> str:
    """The name behind def or class; empty if it is neither."""
    words = [token.text for token in line.tokens[:3]]
    words = words[1:] if words[:1] == ["async"] else words
    return words[1] if len(words) > 1 and words[0] in ("def", "class") and line.tokens[1].kind == "name" else ""


def _defines(line: Line) -> bool:
    return bool(defined(line))


def _definition(head: Line, body: Sequence[Line], depth: int) -> Names:
    tokens = head.tokens
    colon = next((i for i, t in enumerate(tokens) if t.text == ":" and t.depth == 0), len(tokens))
    name, signature, rest = defined(head), tokens[:colon], tokens[colon + 1 :]
    inside = names_of([*([Line(head.first, head.end, head.indent, rest)] if rest else []), *body], depth + 1)
    parameters = _parameters(signature) if head.word != "class" else frozenset()
    used = _used(tuple(t for t in signature if t.text != name or t.depth)) - parameters  # `class A(A)` needs A
    if head.word == "class":
        return Names(frozenset({name}), used | (inside.now - inside.bound), inside.later)
    shared = frozenset().union(*(_used(line.tokens) for line in body if line.word == "global"))
    free = ((inside.now | inside.later) - inside.bound - parameters) | shared
    return Names(frozenset({name}), used, free)


def _simple(tokens: tuple[Token, ...]) -> Names:
    """A logical line that is no definition."""
    word = tokens[0].text if tokens else ""
    if word in ("import", "from"):
        return Names(_imported(tokens))
    if word in ("global", "nonlocal"):
        return Names(now=_used(tokens))
    if word in COMPOUND:
        colon = next((i for i, t in enumerate(tokens) if t.text == ":" and t.depth == 0), len(tokens))
        head = Names(_bound_inside(tokens[:colon]), _used(tokens[:colon]))
        return head | _simple(tokens[colon + 1 :]) if tokens[colon + 1 :] else head
    bound = _bound_inside(tokens) | _targets(tokens)
    is_new = frozenset() if _augments(tokens) else frozenset(bound)
    return Names(frozenset(bound), _used(tokens) - is_new | (_read(tokens) & bound))


def _targets(tokens: tuple[Token, ...]) -> frozenset[str]:
    """The names an assignment gives a value."""
    equals = [i for i, t in enumerate(tokens) if t.depth == 0 and t.kind == "operator" and _ASSIGNS.fullmatch(t.text)]
    colon = next((i for i, t in enumerate(tokens) if t.text == ":" and t.depth == 0), len(tokens))
    if not equals and not (colon == 1 and tokens[0].kind == "name"):
        return frozenset()
    left = tokens[: min(equals[-1] if equals else colon, colon)]
    packed = bool(left) and left[0].text in ("(", "[")
    return frozenset(
        t.text
        for i, t in enumerate(left)
        if _is_free(left, i) and (packed or t.depth == 0) and not _goes_on(left, i)
    )  # fmt: skip


def _read(tokens: tuple[Token, ...]) -> frozenset[str]:
    """What stands behind the last = of an assignment."""
    equals = [i for i, t in enumerate(tokens) if t.depth == 0 and t.kind == "operator" and _ASSIGNS.fullmatch(t.text)]
    return _used(tokens[equals[-1] + 1 :]) if equals else frozenset()


def _augments(tokens: tuple[Token, ...]) -> bool:
    return any(t.depth == 0 and len(t.text) > 1 and _ASSIGNS.fullmatch(t.text) for t in tokens if t.kind == "operator")


def _bound_inside(tokens: tuple[Token, ...]) -> frozenset[str]:
    """By for … in, as, := and lambda, wherever they stand."""
    found: set[str] = set()
    collecting = ""
    for i, token in enumerate(tokens):
        if token.text in ("for", "lambda"):
            collecting = {"for": "in", "lambda": ":"}[token.text]
        elif token.text == collecting:
            collecting = ""
        elif token.kind == "name" and (
            (collecting == "in" and _is_free(tokens, i))
            or (collecting == ":" and tokens[i - 1].text in ("lambda", ",", "*", "**"))
            or (tokens[i - 1 : i] and tokens[i - 1].text == "as")
            or (tokens[i + 1 : i + 2] and tokens[i + 1].text == ":=")
        ):  # fmt: skip
            found.add(token.text)
    return frozenset(found)


def _imported(tokens: tuple[Token, ...]) -> frozenset[str]:
    """`import a.b` binds a, `import a.b as c` binds c, `from a import b as c` binds c."""
    words = [t.text for t in tokens if t.text not in ("(", ")")]
    parts: list[list[str]] = [[]]
    for word in words[words.index("import") + 1 if "import" in words else len(words) :]:
        if word in (",", ";"):
            parts.append([])
        else:
            parts[-1].append(word)
    return frozenset(part[-1] if "as" in part else part[0] for part in parts if part)


def _parameters(signature: tuple[Token, ...]) -> frozenset[str]:
    before = ("(", ",", "*", "**")
    return frozenset(
        t.text for i, t in enumerate(signature) if t.kind == "name" and t.depth == 1 and signature[i - 1].text in before
    )


def _used(tokens: tuple[Token, ...]) -> frozenset[str]:
    """Every name that is read, as far as tokens tell; those in f-strings too."""
    found = set()
    for i, token in enumerate(tokens):
        if token.kind == "name" and _is_free(tokens, i) and not _is_keyword_argument(tokens, i):
            found.add(token.text)
        elif token.kind == "string" and "{" in token.text and token.text[0] in "fFrRtT":
            found |= set(_WORD.findall(token.text))
    return frozenset(found) - KEYWORDS


def _is_free(tokens: tuple[Token, ...], i: int) -> bool:
    """A name of its own, not an attribute."""
    return tokens[i].kind == "name" and tokens[i].text not in KEYWORDS and not (i and tokens[i - 1].text == ".")


def _goes_on(tokens: tuple[Token, ...], i: int) -> bool:
    return i + 1 < len(tokens) and tokens[i + 1].text in (".", "[", "(")


def _is_keyword_argument(tokens: tuple[Token, ...], i: int) -> bool:
    follows = tokens[i + 1].text if i + 1 < len(tokens) else ""
    before = tokens[i - 1].text if i else ""
    return tokens[i].depth > 0 and follows == "=" and before in ("(", ",", "*", "**")
