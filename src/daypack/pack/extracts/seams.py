"""Seams: how well a piece of code can be cut before each of its lines, in any language.

    resp.close()                      ← a good place to begin, and to end
    raise InvalidUrl(                 ← good
        url,                          ← inside brackets: the statement goes on
    ) from error                      ← the same
    else:                             ← good to end at, but nothing begins with the rest of a block

Brackets, strings and comments are read roughly: a bracket without its partner opens nothing. Indentation tells blocks.
A cut between two items of a list in braces (fields, cases) or two lines of a text (a comment or string of several lines) costs
less than one inside a statement, and one between two paragraphs still less.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

# Shares of the worth of a run that begins or ends there (docs/decisions/036-extracts.md).
BROKEN = 0.5
LISTED = 0.75
APART = 0.9

_TOKENS = re.compile(
    r'(?P<text>"""[\s\S]*?"""|\'\'\'[\s\S]*?\'\'\'|/\*[\s\S]*?\*/|\{-[\s\S]*?-\}'
    r"|(?<![:\w])//[^\n]*|(?<!\S)#(?![\[{!])[^\n]*|(?<!\S)--(?!\S)[^\n]*"
    r'|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])*\'(?!\w)|`[^`]*`)'
    r"|[()\[\]{}]"
)
_PARTNERS = {")": "(", "]": "[", "}": "{"}
_ROUND = ("(", "[")
_COMMENT = re.compile(r"//|#(?![\w\[{!])|--(?!\w)|;;|/\*.*\*/$")
_DIRECTIVE = re.compile(r"#\s*(?:if|el|end|pragma|define|undef)")
_REST = re.compile(
    r"[)\]}]|(?:end|done|esac|fi)\b(?!\s*(?:[-+*/|&]?=|[\w(\[]))"
    r"|(?:else|elif|elsif|elseif|except|finally|rescue|ensure)\b(?!\()|catch\b(?!\(:)"
)
_FURTHER = re.compile(r"[;,.?:]|&&|\|[|>]?|(?:[*/<>=+]|=[=>]|<>)\s|(?:and|or)\b")
_UNFINISHED = re.compile(r"(?:[\\=+*|&?]|&&|\|\||\b(?:and|or))$")
_ABOVE = re.compile(r"@[\w.]+(?:\(.*\))?$|#\[.*\]$|template\b.*>$")  # the whole line belongs to the one below
_FENCE = re.compile(r"`{3}|~{3}")


class Seams(NamedTuple):
    """Before each line: the share of its worth that a run keeps which begins there, and that a run keeps which ends there;
    the second has one value more, for the end of the piece. `indents` count characters, -1 in lines without one of their
    own: blank lines, texts, directives. `rests` are true for lines that close or continue a block.
    """

    begins: Sequence[float]
    ends: Sequence[float]
    inside: Sequence[bool]  # round or square brackets, before each line
    indents: Sequence[int]
    rests: Sequence[bool]


class _Piece(NamedTuple):
    """The lines of a piece of code, and facts about each."""

    bare: Sequence[str]  # without indentation
    around: Sequence[str]
    comments: Sequence[bool]
    fenced: Sequence[bool]
    indents: Sequence[int]
    rests: Sequence[bool]

    def seam(self, n: int, last: int) -> tuple[float, float]:
        """(share of a run that begins with line n, share of one that ends with the `last` line before it that is not blank)."""
        line, before, around = self.bare[n], self.bare[last], self.around[n]
        joined = n == last + 1
        if around == '"' or (self.comments[n] and self.comments[last] and joined):
            goes_on = joined and all(any(map(str.isalnum, text)) for text in (line, before))
            share = LISTED if goes_on or self.fenced[n] else APART
            return share, share
        if around in _ROUND or _UNFINISHED.search(before) or (_FURTHER.match(line) and not self.comments[n]):
            return BROKEN, BROKEN
        if before.endswith(","):
            share = LISTED if around == "{" else BROKEN
            return (BROKEN if self.rests[n] else share), share
        if joined and _ABOVE.match(before):
            return BROKEN, BROKEN
        if joined and (self.comments[last] or before.endswith("*/")) and not self.rests[n]:
            return APART, BROKEN
        opens = self.indents[n] > self.indents[last] >= 0
        return (BROKEN if self.rests[n] else 1.0), (BROKEN if opens else 1.0)


def seams(lines: Sequence[str]) -> Seams:
    """The seams of a piece of code."""
    bare = [line.strip() for line in lines]
    around = _around(lines)
    comments = [_COMMENT.match(text) is not None for text in bare]
    indents = [
        -1 if not text or around[n] == '"' or _DIRECTIVE.match(text) else len(line) - len(line.lstrip())
        for n, (line, text) in enumerate(zip(lines, bare, strict=True))
    ]
    rests = [around[n] != '"' and _REST.match(text) is not None for n, text in enumerate(bare)]
    piece = _Piece(bare, around, comments, _fenced(bare, around, comments), indents, rests)
    begins, ends = [1.0] * len(lines), [1.0] * (len(lines) + 1)
    said = [n for n, text in enumerate(bare) if text]
    for last, n in pairwise(said):
        begins[n], end = piece.seam(n, last)
        ends[last + 1 : n + 1] = [end] * (n - last)
    return Seams(begins, ends, [mark in _ROUND for mark in around], indents, rests)


def _around(lines: Sequence[str]) -> list[str]:
    """Before each line, the innermost bracket that is open, `"` inside a text of several lines, "" for neither."""
    text = "\n".join(lines)
    starts = [0, *accumulate([len(line) + 1 for line in lines])]
    around = [""] * len(lines)
    opened: list[tuple[str, int]] = []
    counts = dict.fromkeys(_PARTNERS.values(), 0)  # of those that are open
    for token in _TOKENS.finditer(text):
        line = bisect_right(starts, token.start()) - 1
        mark = token[0]
        if token["text"] is not None:
            for n in range(line + 1, line + 1 + mark.count("\n")):
                around[n] = '"'
        elif mark not in _PARTNERS:
            opened.append((mark, line))
            counts[mark] += 1
        elif counts[_PARTNERS[mark]]:
            kind, first = "", 0
            while kind != _PARTNERS[mark]:
                kind, first = opened.pop()
                counts[kind] -= 1
            for n in range(first + 1, line + 1):
                around[n] = around[n] or kind  # pairs end before those around them
    return around


def _fenced(bare: Sequence[str], around: Sequence[str], comments: Sequence[bool]) -> list[bool]:
    """True for each line of a text before which an example in backticks is open."""
    fenced, is_open = [False] * len(bare), False
    for n, text in enumerate(bare):
        if around[n] != '"' and not comments[n]:
            is_open = False
            continue
        fenced[n] = is_open
        if _FENCE.search(text):
            is_open = not is_open
    return fenced
