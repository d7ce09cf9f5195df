"""The tables of a web page: their rows and cells as places in its text, and edits at such places."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

_TOKEN = re.compile(
    r"<(/?)(table|tr|t[dh]|thead|tbody|tfoot|caption|colgroup|col|pre|h[1-6])\b", re.IGNORECASE
)
# A value between quotation marks may hold < and >. Nothing is read twice.
_PART = r"""(?:[^<>"'=]++|=\s*+(?:"[^"]{0,LONGEST}+"|'[^']{0,LONGEST}+'|(?!["']))|["'])"""
_REST = re.compile(rf"{_PART.replace('LONGEST', '4000')}*+>")
LONGEST_TAG = 4_000  # characters of attributes; a table with a longer tag stays as it is
_SPAN = re.compile(r"""\s(row|col)span\s*=\s*["']?\s*(\d{1,5})[^\s"'>]{0,20}["']?""", re.IGNORECASE)
# bounded, because values that hold tags would be read again for each
_TAG = re.compile(rf"<(?:{_PART.replace('LONGEST', '300')}{{0,20}}+|[^<>]*)>")
_LAYOUT = re.compile(r"""role\s*=\s*["']?(?:presentation|none)\b""", re.IGNORECASE)
_BREAK = re.compile(r"<br\b[^<>]*>", re.IGNORECASE)


class Cell(NamedTuple):
    """A cell: the places of its tag and its content, the rows and columns that it covers, and what it holds."""

    start: int
    content: int
    end: int
    after: int  # behind its end tag, if it has one
    high: int
    wide: int
    is_head: bool
    has_code: bool  # of several lines
    has_heading: bool
    has_table: bool


@dataclass
class Table:
    """A table, and the places of its tags, without those of its cells."""

    start: int
    is_presentation: bool
    """Its page gives it the role of a table that only arranges."""
    is_unread: bool = False
    """A tag was not understood, so the table stays as it is."""
    end: int = 0
    rows: list[list[Cell]] = field(default_factory=list)
    tags: list[tuple[int, int]] = field(default_factory=list)


Edit = tuple[int, int, str]
"""The first and the last place of a stretch of the page, and its replacement."""


def edited(text: str, edits: Iterable[Edit]) -> str:
    """The page with its edits, which do not overlap."""
    parts, at = list[str](), 0
    for first, last, added in sorted(edits, key=lambda edit: edit[:2]):
        parts += [text[at:first], added]
        at = last
    return "".join((*parts, text[at:]))


def words_in(text: str) -> str:
    """The words of a stretch of a page, without tags."""
    return " ".join(_TAG.sub(" ", text).split())


def without_spans(tag: str) -> str:
    """The tag of a cell that covers one row and one column."""
    return _SPAN.sub("", tag)


class _Reading:
    """A table while it is read."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._open: Cell | None = None

    def open_cell(self, start: int, content: int, attributes: str, *, is_head: bool) -> None:
        if self.table.rows:
            spans = {found[1].lower(): max(1, int(found[2])) for found in _SPAN.finditer(attributes)}
            high, wide = spans.get("row", 1), spans.get("col", 1)
            self._open = Cell(start, content, 0, 0, high, wide, is_head, False, False, False)

    def hold(self, **held: bool) -> None:
        """Note what the open cell holds."""
        if (cell := self._open) is not None:
            self._open = cell._replace(**held)

    def close_cell(self, end: int, after: int) -> None:
        if self._open is not None:
            self.table.rows[-1].append(self._open._replace(end=end, after=after))
            self._open = None


def read_tables(text: str) -> Iterator[Table]:
    """The tables of a page that end in it, the inner ones first."""
    stack = list[_Reading]()
    end = code = 0
    for token in _TOKEN.finditer(text):
        if token.start() < end:  # in an attribute
            continue
        closes, name = bool(token[1]), token[2].lower()
        if not stack and (closes or name != "table"):
            continue
        rest = _REST.match(text, token.end(), token.end() + LONGEST_TAG)
        attributes, end = (rest[0], rest.end()) if rest else ("", token.end())
        if stack and rest is None:
            stack[-1].table.is_unread = True
        if name == "table" and not closes:
            if stack:
                stack[-1].hold(has_table=True)
            table = Table(token.start(), _LAYOUT.search(attributes) is not None, is_unread=rest is None)
            stack.append(_Reading(table))
        elif name == "pre":
            if closes and _has_lines(text[code : token.start()]):
                stack[-1].hold(has_code=True)
            code = end
            continue
        elif name[1:].isdigit():
            stack[-1].hold(has_heading=True)
            continue
        reading = stack[-1]
        is_cell = name in ("td", "th")
        if is_cell or name in ("tr", "table"):
            reading.close_cell(token.start(), end if closes and is_cell else token.start())
        if not is_cell:
            reading.table.tags.append((token.start(), end))
        if is_cell and not closes:
            reading.open_cell(token.start(), end, attributes, is_head=name == "th")
        elif name == "tr" and not closes:
            reading.table.rows.append([])
        elif name == "table" and closes:
            reading.table.end = end
            yield stack.pop().table


def _has_lines(code: str) -> bool:
    return "\n" in _TAG.sub("", _BREAK.sub("\n", code)).strip()
