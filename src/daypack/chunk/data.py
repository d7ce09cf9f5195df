"""Data files: groups of neighbouring entries. Files are cut between entries, never inside an entry that fits.

    {"name": "daypack",         ┐ one piece, ROW: small entries of one level are grouped
     "license": "Apache-2.0",   ┘
     "scripts": {"a": …,        ┐ an entry above the size is opened, and its inner entries are grouped: name "scripts"
                 "b": …}}       ┘

Files are not parsed into values. A cutter finds the beginnings of entries, so spans are exact, and comments keep their place.
A file with syntax errors is cut by lines, and `fallback` names the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from daypack.chunk.sizing import PIECE_TOKENS, Draft, Drafts, characters, split_runs
from daypack.text.tables import joined_columns
from daypack.types import PieceKind

DEPTH_LIMIT = 8  # levels that are opened to find smaller entries; deeper ones are cut by lines
NAME_LIMIT = 200
KEY_LIMIT = 80
INDENTATION_LIMIT = 200


class Entry(NamedTuple):
    """The start of an entry, its key path, and its inner entries if it is too large for one piece."""

    start: int
    path: tuple[str, ...]
    inner: list[Entry]


def _lines(text: str) -> Iterator[Draft]:
    for start, end in split_runs(text, 0, len(text), characters(text, PIECE_TOKENS)):
        yield Draft(start, end, PieceKind.ROW)


def _drafts(text: str, entries: list[Entry] | None, limit: int) -> Drafts:
    """Groups of the entries, with the text before the first entry; the lines of a text without entries, or with syntax errors
    (None).
    """
    if entries is None:
        return Drafts(_lines(text), fallback="syntax errors")
    if not entries:
        return Drafts(_lines(text))
    return Drafts(grouped(text, [entries[0]._replace(start=0), *entries[1:]], limit, len(text)))


def grouped(
    text: str, entries: list[Entry], limit: int, size: int, *, is_list: bool = False
) -> Iterator[Draft]:
    """Drafts of entries in order, the last of which ends at `size`: small neighbours of a level are grouped, large entries
    opened. Neighbours in a list have the names of all.
    """
    section = -1
    stack: list[tuple[Iterator[tuple[Entry, int]], int]] = [(iter(_with_ends(entries, size)), 0)]
    first, last, names = -1, -1, list[tuple[str, ...]]()  # the group under construction

    def flush() -> Iterator[Draft]:
        nonlocal first
        if first >= 0:
            name, trail = _group_name(names)
            if is_list and not name:
                name = ", ".join(dict.fromkeys(".".join(path) for path in names if path))[:NAME_LIMIT]
            for start, end in split_runs(text, first, last, limit):
                yield Draft(start, end, PieceKind.ROW, name, trail, section=section)
        first = -1
        names.clear()

    while stack:
        entries_left, depth = stack[-1]
        following = next(entries_left, None)
        if following is None:
            stack.pop()
            yield from flush()
            continue
        entry, end = following
        if first >= 0 and end - first > limit:
            yield from flush()
        if entry.inner and end - entry.start > limit:
            yield from flush()
            section += depth == 0
            inner = list(entry.inner)
            # the line of the key belongs to its first inner entry
            inner[0] = inner[0]._replace(start=entry.start)
            stack.append((iter(_with_ends(inner, end)), depth + 1))
            continue
        if first < 0:
            section += depth == 0
            first = entry.start
        last = end
        names.append(entry.path)
    yield from flush()


def _with_ends(entries: list[Entry], end: int) -> Iterable[tuple[Entry, int]]:
    return zip(entries, [*(entry.start for entry in entries[1:]), end], strict=True)


def _group_name(paths: list[tuple[str, ...]]) -> tuple[str, tuple[str, ...]]:
    """The key path of a single entry; for several entries, the longest common path."""
    common = paths[0]
    for path in (paths[0], paths[-1]) if len(paths) > 1 else ():
        while common and path[: len(common)] != common:
            common = common[:-1]
    if len(paths) > 1 and common == paths[0]:
        common = common[:-1] if any(path != common for path in paths) else common
    return ".".join(common)[:NAME_LIMIT], common[:-1]


# ---------------------------------------------------------------- JSON

_JSON_TOKEN = re.compile(
    r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\],:"]|//[^\n]*|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/', re.DOTALL
)


class _Level:
    """An open object or array: its entries, and the current entry."""

    __slots__ = ("entries", "inner", "key", "start")

    def __init__(self, start: int) -> None:
        self.entries: list[Entry] = []
        self.inner: list[Entry] = []  # the entries of the last value
        self.key = ""
        self.start = start

    def end_entry(self, path: list[str]) -> None:
        """End the current entry; an item of an array has the array's path."""
        self.entries.append(Entry(self.start, tuple(key for key in (*path, self.key) if key), self.inner))


def cut_json(text: str) -> Drafts:
    """Entries of the outermost object or array, large ones opened; comments and trailing commas are accepted."""
    limit = characters(text, PIECE_TOKENS)
    return _drafts(text, _json_entries(text, limit), limit)


def _json_entries(text: str, limit: int) -> list[Entry] | None:
    """The entries; None when brackets or quotes do not match."""
    found = _JsonEntries(limit)
    string = (0, 0)
    for match in _JSON_TOKEN.finditer(text):
        start, end = match.span()
        mark = text[start]
        if mark == '"':
            if end - start == 1:
                return None  # an unclosed quote
            string = start, end
        elif mark in "{[":
            found.open(mark, end)
        elif mark in "}]":
            if not found.close(mark, end):
                return None
        elif (level := found.level()) is not None:
            if mark == ":":
                level.key = text[string[0] + 1 : min(string[1] - 1, string[0] + 1 + KEY_LIMIT)]
            elif mark == ",":
                level.end_entry(found.path)
                level.start, level.key, level.inner = end, "", []
    return found.entries if not found.brackets else None


class _JsonEntries:
    """The open brackets of a text, and the entries of the closed ones. Values longer than `limit` keep their own."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.brackets: list[str] = []
        self.levels: list[_Level] = []  # the outermost DEPTH_LIMIT open brackets
        self.path: list[str] = []
        self.entries: list[Entry] = []

    def level(self) -> _Level | None:
        """The innermost open bracket, unless it is deeper than DEPTH_LIMIT."""
        return self.levels[-1] if self.levels and len(self.levels) == len(self.brackets) else None

    def open(self, mark: str, after: int) -> None:
        self.brackets.append(mark)
        if len(self.brackets) <= DEPTH_LIMIT:
            if self.levels:
                self.path.append(self.levels[-1].key)
            self.levels.append(_Level(after))

    def close(self, mark: str, after: int) -> bool:
        """False when another bracket is open, or none."""
        if not self.brackets or (self.brackets.pop() == "{") is not (mark == "}"):
            return False
        if len(self.levels) > len(self.brackets):
            closed = self.levels.pop()
            closed.end_entry(self.path)
            if self.levels:
                self.path.pop()
                is_long = after - self.levels[-1].start > self.limit
                self.levels[-1].inner = closed.entries if is_long else []
            else:
                self.entries += closed.entries
        return True


# ---------------------------------------------------------------- XML

_TAG = re.compile(
    r"<(?:(?P<aside>!--|!\[CDATA\[|\?)"
    r"|(?P<close>/?)(?P<name>[^\W\d][\w.:-]*)(?:[^<>\"']|\"[^<\"]*\"|'[^<']*')*?(?P<empty>/?)>)"
)
_ASIDE_ENDS = {"!--": "-->", "![CDATA[": "]]>", "?": "?>"}


def cut_xml(text: str) -> Drafts:
    """Elements inside the outermost one, large ones opened; text between elements belongs to the element before it."""
    limit = characters(text, PIECE_TOKENS)
    return _drafts(text, _xml_entries(text, limit), limit)


def _xml_entries(text: str, limit: int) -> list[Entry] | None:
    """The elements inside the outermost ones; None when tags do not match."""
    names: list[str] = []
    starts: list[int] = []
    inside: list[list[Entry]] = [[]]  # for each open element, its elements so far
    position = 0
    while match := _TAG.search(text, position):
        position = match.end()
        if match["aside"]:
            position = text.find(_ASIDE_ENDS[match["aside"]], position)
            if position < 0:
                return None
            continue
        name = match["name"]
        if not match["close"]:
            names.append(name[:KEY_LIMIT])
            line = text.rfind("\n", max(0, match.start() - INDENTATION_LIMIT), match.start()) + 1
            indented = line > 0 and not text[line : match.start()].strip(" \t")
            starts.append(line if indented else match.start())
            if len(names) <= DEPTH_LIMIT:
                inside.append([])
            if not match["empty"]:
                continue
        elif not names or names[-1] != name[:KEY_LIMIT]:
            return None
        if len(names) <= DEPTH_LIMIT:
            within = inside.pop()
            large = match.end() - starts[-1] > limit
            inside[-1].append(Entry(starts[-1], (*names,), within if large else []))
        names.pop()
        starts.pop()
    if names:
        return None
    return inside[0]


# ---------------------------------------------------------------- records of one line


def cut_records(text: str) -> Drafts:
    """NDJSON: groups of whole lines; only a line above the size is cut."""
    return Drafts(_lines(text))


_QUOTED_ROW_LIMIT = 65_536  # characters; in a longer row a quote was not closed


def cut_rows(text: str) -> Drafts:
    """CSV and TSV: groups of rows with the header's names. A quoted field may contain newlines."""
    limit = characters(text, PIECE_TOKENS)
    header = text.lstrip("\ufeff \t\r\n").partition("\n")[0][: 2 * NAME_LIMIT]
    name = joined_columns(re.split(r"[\t;,|\"]+", header)) if re.search(r"[\t;,\"]", header) else ""
    spans = _row_runs(text, limit) if '"' in text else split_runs(text, 0, len(text), limit)
    return Drafts(Draft(start, end, PieceKind.ROW, name[:NAME_LIMIT]) for start, end in spans)


def _row_runs(text: str, limit: int) -> Iterator[tuple[int, int]]:
    """Groups of rows. A row ends with the first newline after an even number of quotes."""
    size = len(text)
    group_start = row = position = 0
    while position < size:
        newline = text.find("\n", position)
        end = size if newline < 0 else newline + 1
        quotes = text.count('"', position, end)
        while quotes % 2 and end < size and end - row <= _QUOTED_ROW_LIMIT:
            newline = text.find("\n", end)
            after = size if newline < 0 else newline + 1
            quotes += text.count('"', end, after)
            end = after
        if end - row > _QUOTED_ROW_LIMIT:  # ignore the quote, and keep the rows
            newline = text.find("\n", row)
            end = size if newline < 0 else newline + 1
        if end - group_start > limit and row > group_start:
            yield from split_runs(text, group_start, row, limit)
            group_start = row
        if end - group_start > limit:
            yield from split_runs(text, group_start, end, limit)
            group_start = end
        row = position = end
    if group_start < size:
        yield group_start, size


# ---------------------------------------------------------------- TOML, INI, properties

_TABLE = re.compile(
    r'"""[\s\S]*?"""|' + r"'''[\s\S]*?'''|(?:\A|\n)[ \t]*(?P<open>\[{1,2})[ \t]*(?P<name>[^\]\n]{1,200})\]"
)
# A setting with the comments directly above it.
_SETTING = re.compile(r"\n((?:[#;!][^\n]*\n)*+[A-Za-z_\"'][^\n=:]{0,100}[=:])")


def cut_tables(text: str) -> Drafts:
    """Tables of TOML and INI, each with the comments above it; the settings of a large table in groups."""
    limit = characters(text, PIECE_TOKENS)
    entries = [Entry(0, (), [])]
    last = 0
    for match in _TABLE.finditer(text):
        if match["open"]:
            start = text.rfind("\n", 0, match.start("open")) + 1
            while start > last:  # with the comments directly above
                above = text.rfind("\n", last, start - 1) + 1
                if above < last or text[above] not in "#;":
                    break
                start = above
            last = match.end()
            path = tuple(part.strip(" \t\"'") for part in match["name"].split("."))
            if entries[0].path or text[:start].strip():
                entries.append(Entry(start, path, []))
            else:
                entries = [Entry(0, path, [])]
    opened: list[Entry] = []
    for entry, end in _with_ends(entries, len(text)):
        inner: list[Entry] = []
        if end - entry.start > limit:
            starts = [entry.start, *(match.start(1) for match in _SETTING.finditer(text, entry.start, end))]
            inner = [Entry(start, entry.path, []) for start in starts]
        opened.append(entry._replace(inner=inner))
    return Drafts(grouped(text, opened, limit, len(text)))
