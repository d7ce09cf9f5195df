"""Silent texts: parts of pages that lead elsewhere or serve tools, and tell a reader nothing.

    ## Next steps                      a heading over nothing, unless it is a clause or a task
    See also [Limits](limits.md).      links to other pages of the same store, which can be found themselves
    .. _docs: https://docs.example     the definition of a link
    .. toctree::                       tables of contents, menus
    :toc: left                         settings of a format, but no field with a value for readers
    ![top](up.gif)  <br/>              images, tags, comments
    title: Limits                      the front matter, where it has the title alone, or few of its keys a value

What is left without these must have a few words that say something.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from daypack.text.analysis import STOP_WORDS
from daypack.text.prose.fields import without_settings
from daypack.text.prose.front_matter import tells
from daypack.text.prose.unfilled import COMMENTS_AND_HEADINGS, is_unfilled
from daypack.text.unspaced import extent
from daypack.types import Chunk, PieceKind, RecordKind

LEAST = 3  # words
LONGEST = 1_200  # characters; a longer text has something to say
_PROSE = frozenset(
    {"", "markdown", "md", "mdx", "rst", "restructuredtext", "asciidoc", "text", "org", "texinfo"}
)
_POINTING = STOP_WORDS | {
    "also",
    "back",
    "below",
    "details",
    "documentation",
    "information",
    "more",
    "next",
    "page",
    "previous",
    "read",
    "see",
}
_WORD = re.compile(r"[^\W_]{2,}")
_TASK = re.compile(r"\*+ (?:TODO|NEXT|WAITING|DONE) ")  # of Org
_CLAUSE = re.compile(r"[ \t]*\d+(?:\.\d+)*[.)]?[ \t]+[^\n]*[^\W_][)\"'”’]*[.!;。][ \t]*$")
CLAUSE = 2  # words that say something, of a clause
_MARKS = tuple(
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        r"^[ \t]*\.\.[ \t]+_[^\n]*|^[ \t]*\[(?!\^)[^\]\n]+\]:[ \t]*\S[^\n]*",  # targets and definitions of links
        r"^\.\.[ \t]+(?:include|index|program|module|moduleauthor|currentmodule|highlight|image)::[^\n]*(?:\n[ \t]+:[^\n]*)*",
        r"^include::[^\n]*|^\[[#.\[][^\]\n]*\]{1,2}$",  # of AsciiDoc
        r"^@(?:node|anchor|c|comment|end|\w+index|\w*section|chapter|appendix|unnumbered)\b[^\n]*",  # of Texinfo
        r"</?[A-Za-z][\w-]*(?:\s[^<>]{0,500})?/?>",
    )
)
_LINKS = tuple(  # to other pages
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        r"^\.\.[ \t]+(?:toctree|contents)::[^\n]*(?:\n(?:[ \t]*\n)*[ \t]+\S[^\n]*)*",
        r"!?\[(?:[^\[\]\n]|!?\[[^\[\]\n]*\](?:\([^()\n]*\))?)*\]\((?!https?:)[^()\n]*\)",
        r"^@menu\b(?:(?!\n@end menu)[\s\S])*",
        r"^[^\n]*?(?:\.[ \t]?){4,}[ \t]*[\divxlc]*[ \t]*$",  # entries of a table of contents
        r"^\* [^\n]+:[ \t][^\n]*(?:\n[ \t]*)?\(line[ \t]+\d+\)[ \t]*$",  # … of an index of GNU Info
        r":(?:ref|doc|any|numref):`[^`]*`|xref:[^\s\[]*\[[^\]\n]*\]|<<[^<>\n]*>>",
    )
)


def says_nothing(chunk: Chunk) -> bool:
    """True for a part of a page that leads elsewhere, or serves tools, and nothing else."""
    if chunk.kind is PieceKind.HEADING:
        return not any(map(_is_statement, chunk.text.splitlines()))
    if (
        chunk.record_kind is not RecordKind.DOCUMENT
        or chunk.language not in _PROSE
        or len(chunk.text) > LONGEST
    ):
        return False
    if chunk.kind is PieceKind.FRONT_MATTER:
        return not tells(chunk.text)
    if chunk.kind not in (PieceKind.PARAGRAPH, PieceKind.LIST):
        return False
    text = _without(without_settings(chunk.text, chunk.language), (*COMMENTS_AND_HEADINGS, *_MARKS))
    left = _without(text, _LINKS)
    return _words(left) < (1 if len(left) == len(text) else LEAST)


def is_empty_list(chunk: Chunk) -> bool:
    """True for a list of empty items, as a template has under a heading: `- [ ]`."""
    return chunk.kind is PieceKind.LIST and is_unfilled(chunk.text)


def _is_statement(heading: str) -> bool:
    """True for a sentence with a number of its own, or a task."""
    return _TASK.match(heading) is not None or (
        _CLAUSE.match(heading) is not None and _words(heading) >= CLAUSE
    )


def _without(text: str, patterns: Sequence[re.Pattern[str]]) -> str:
    for pattern in patterns:
        text = pattern.sub("", text)
    return text


def _words(text: str) -> int:
    """The number of words that say something; each two characters of Chinese or Japanese are about one."""
    return sum(
        (extent(word) - len(word)) // 2 or word not in _POINTING for word in _WORD.findall(text.lower())
    )
