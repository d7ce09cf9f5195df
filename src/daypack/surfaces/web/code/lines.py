"""Text of files as numbered lines with the colours of its syntax.

The text of the lines is unchanged but for characters that are invisible or turn a line around: those are written out.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup, escape

from daypack.guard.fences import encode

if TYPE_CHECKING:
    from pygments.lexer import Lexer

LONGEST = 100_000  # characters; a longer text has no colours

# Class of the style sheet for the begin of a token's type, the most special first.
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
    """The lines of a text, numbered from `first`, coloured as a file of that name; lines from `marked[0]` to
    `marked[1]` are marked.
    """
    low, high = marked or (0, -1)
    coloured = _coloured(encode(text)[0].removesuffix("\n"), name)
    return [Line(number, html, low <= number <= high) for number, html in enumerate(coloured, first)]


def coloured_fences(text: str) -> Markup:
    """Markdown whose fenced code has colours; without its tags it is the escaped text."""
    out: list[Markup] = []
    inside: list[str] = []
    fence = language = ""
    for line in text.split("\n"):
        if not fence:
            ticks = len(line) - len(line.lstrip("`"))
            if ticks >= 3 and line[ticks:].isidentifier():
                fence, language = line[:ticks], line[ticks:]
            out.append(escape(line))
        elif line == fence:
            out += [*(_coloured("\n".join(inside), "", language) if inside else ()), escape(line)]
            fence, inside = "", []
        else:
            inside.append(line)
    return Markup("\n").join([*out, *map(escape, inside)])


def _coloured(text: str, name: str, language: str = "") -> list[Markup]:
    plain = text.split("\n")
    lexer = _lexer(language, name.rpartition("/")[2]) if len(text) <= LONGEST else None
    if lexer is None:
        return [escape(line) for line in plain]
    tokens = [(str(kind), value) for kind, value in lexer.get_tokens(text)]
    if "".join(value for _, value in tokens) != text:  # a lexer must not change what is shown
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
def _lexer(language: str, name: str) -> Lexer | None:
    from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
    from pygments.util import ClassNotFound

    options = {"stripnl": False, "ensurenl": False, "stripall": False}
    try:
        if language:
            return get_lexer_by_name(language, **options)
        return get_lexer_for_filename(name, **options)
    except ClassNotFound:
        return None
