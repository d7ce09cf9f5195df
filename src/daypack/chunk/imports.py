"""Chunks with nothing but a file's package, imports and exported names, or the targets of a page's links. They match the words of
questions, but do not answer them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

MOST = 0.8  # share of the characters
NOTICE_CHARACTERS = 200  # a shorter notice costs less than a further item
# The package of a file, the brackets of grouped imports, and directives of JavaScript.
_PLACE = re.compile(
    r"<\?php|declare\s*\(strict_types|(?:package|namespace|module)\s+[\w.:\\/]+\s*;?$|import\s*\($|(['\"])use [a-z ]+\1;?$"
)
# a comment, but not a line for a preprocessor
_HASH = (
    r"#(?!(?:define|elif|else|endif|error|if|ifdef|ifndef|import|include|line|pragma|region|undef|warning)\b)"
)
_NOTICE = re.compile(
    rf"\s*(?:<\?php\s+(?:declare\([^)]*\);\s*)?)?(/\*.*?\*/|(?:(?://|{_HASH}|--|;)[^\n]*(?:\n[ \t]*)?)+)",
    re.DOTALL,
)
# … and of the law, not of the key to a program
_SAYS_LEGAL = re.compile(r"(?i)copyright|\blicen[sc](?:e[ds]?|ing)\b(?!\s+(?:keys?|servers?)\b)")
# `[#12]: https://shop.test/12` of Markdown, `.. _shop: https://shop.test` of reStructuredText. For a line: one expression for
# a whole text would try all ways to divide each of its lines.
_LINK_TARGET = re.compile(
    r"[ \t]*(?:\[(?!\^)[^\]]{1,300}\]:|\.\.[ \t]+_[^\n]{1,300}?:)[ \t]+<?[\w.+/#-]+[:/#.]"
)


def only_link_targets(text: str) -> bool:
    """True when a text is nothing but addresses that the links of a page lead to."""
    lines = [line for line in text.split("\n") if line.strip()]
    return bool(lines) and all(map(_LINK_TARGET.match, lines))


def only_imports(text: str, imports: Sequence[str]) -> bool:
    """True when at least four fifths of a text are the imports of a file, its package and notices of copyright."""
    text = text[notice_end(text) :]
    imported = "\n".join("".join(statement.split()) for statement in imports)
    found = total = 0
    for line in text.split("\n"):
        bare = "".join(line.split())
        total += len(bare)
        core = bare.strip(";,(){}")
        if not core or core in imported or _PLACE.match(line.strip()):
            found += len(bare)
    return total > 0 and found >= MOST * total


def notice_end(text: str) -> int:
    """The end of the notices of copyright at the beginning of a text; 0 for none."""
    end = 0
    while (notice := _NOTICE.match(text, end)) and _SAYS_LEGAL.search(notice[1]):
        end = notice.end()
    return end
