"""Texts of files as numbered lines with syntax colours.

The text of the lines is unchanged, but invisible characters, and those that reverse a line, are shown as escapes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from math import ceil, log
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup, escape

from daypack.guard.fences import encode
from daypack.text import analysis

if TYPE_CHECKING:
    from pygments.lexer import Lexer

_HEAD = re.compile(r"\[\d+ (\S*?)(?::[\d-]+)?(?: [^\]]*)?\]$")  # of an item, with its path
HEATS = 4  # classes m1 … m4 in the style sheet
LONGEST = 100_000  # characters; a longer text has no colours

# The class in the style sheet for a token whose type begins so, the most special first.
_CLASSES = (
    ("Token.Comment", "tc"), ("Token.Literal.String", "ts"), ("Token.Literal.Number", "tn"), ("Token.Keyword", "tk"),
    ("Token.Name.Function", "tf"), ("Token.Name.Class", "tf"), ("Token.Name.Decorator", "tf"), ("Token.Name.Tag", "tk"),
    ("Token.Generic.Heading", "tf"), ("Token.Generic.Subheading", "tf"),
)  # fmt: skip


class Line(NamedTuple):
    number: int
    html: Markup
    marked: bool = False


def lines_of(text: str, name: str, *, first: int = 1, marked: tuple[int, int] | None = None) -> list[Line]:
    """The lines of a text, numbered from `first`, with the colours of a file of that name. The lines `marked[0]` to
    `marked[1]` are marked.
    """
    low, high = marked or (0, -1)
    coloured = _coloured(encode(text)[0].removesuffix("\n"), name)
    return [Line(number, html, low <= number <= high) for number, html in enumerate(coloured, first)]


def coloured_pack(text: str, question: str = "") -> Markup:
    """A pack in Markdown, as HTML: the items have the colours of their files, and each line a class for the share of the
    question that it matches. Without the tags it is the escaped text.
    """
    out: list[Markup] = []
    inside: list[str] = []
    name = fence = ""

    def flush() -> None:
        if inside:
            out.extend(_coloured("\n".join(inside), name) if name else map(escape, inside))
            inside.clear()

    for line in text.split("\n"):
        if match := _HEAD.match(line):
            flush()
            name = match[1] or name  # an empty path is that of the item before
        elif line.startswith("```"):
            flush()
            name, fence = ("", "") if line == fence else (name, fence or line)
        else:
            inside.append(line)
            continue
        out.append(escape(line))
    flush()
    warm = Markup('<span class="m{}">{}</span>')
    heats = heats_of(text.split("\n"), question)
    return Markup("\n").join(
        warm.format(heat, line) if heat else line for heat, line in zip(heats, out, strict=True)
    )


def heats_of(lines: Sequence[str], question: str) -> list[int]:
    """For each line of a pack, 0 to HEATS by its share of the question's rare words; 0 for heads of items."""
    wanted = {term for term in analysis.terms(question) if term not in analysis.STOP_TERMS}
    held = [
        set() if not wanted or _HEAD.match(line) else wanted.intersection(analysis.terms(line))
        for line in lines
    ]
    counts = Counter(term for terms in held for term in terms)
    worth = [sum(log(1 + len(lines) / counts[term]) for term in terms) for terms in held]
    most = max(worth, default=0.0)
    return [ceil(HEATS * one / most) if one else 0 for one in worth]


def _coloured(text: str, name: str) -> list[Markup]:
    plain = text.split("\n")
    lexer = _lexer(name.rpartition("/")[2]) if len(text) <= LONGEST else None
    if lexer is None:
        return [escape(line) for line in plain]
    tokens = [(str(kind), value) for kind, value in lexer.get_tokens(text)]
    if "".join(value for _, value in tokens) != text:  # a lexer must not change the text
        return [escape(line) for line in plain]
    found: list[list[str]] = [[]]
    for kind, value in tokens:
        css = _class_of(kind)
        for number, piece in enumerate(value.split("\n")):
            if number:
                found.append([])
            if piece:
                safe = str(escape(piece))
                found[-1].append(f'<span class="{css}">{safe}</span>' if css else safe)
    return [Markup("".join(line)) for line in found]  # noqa: S704 - every piece was escaped


@cache
def _class_of(kind: str) -> str:
    return next((css for begin, css in _CLASSES if kind.startswith(begin)), "")


@lru_cache(128)
def _lexer(name: str) -> Lexer | None:
    from pygments.lexers import get_lexer_for_filename
    from pygments.util import ClassNotFound

    try:
        found: Lexer = get_lexer_for_filename(name, stripnl=False, ensurenl=False, stripall=False)
    except ClassNotFound:
        return None
    return found
