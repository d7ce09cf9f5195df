"""Reads the items of a pack back from its Markdown, exactly, whatever strings they hold."""

from __future__ import annotations

import re
from collections.abc import Sequence

from daypack.guard.fences import decode, unescape
from daypack.shapes.bases import is_relative
from daypack.shapes.items import ParsedItem
from daypack.shapes.markdown import all_lines
from daypack.types import Variant

_CUT = frozenset({"part", *(variant.value for variant in Variant if not variant.is_whole)})
"""Flags of a turn that is not shown whole."""

_FLAGS = r"(?: \((?P<flags>[a-z0-9, ]+)\))?"
_LINES = r":(?P<start>[0-9]+)(?:-(?P<end>[0-9]+))?"
_PIECE = re.compile(
    r'\[(?P<label>[0-9]+) (?:"(?P<quoted>[^"]*)"|(?P<plain>(?:(?! @)[^\]])+?))'
    rf"(?:{_LINES})? @(?P<sum>[0-9]+|-){_FLAGS}(?: · .*)?\]"
)
_FURTHER = re.compile(rf"\[(?P<label>[0-9]+) {_LINES}{_FLAGS}(?: · .*)?\]")
_TURN = re.compile(
    r'\[(?P<label>[0-9]+) (?:"(?P<quoted>[^"]*)"(?P<lines>:[0-9-]+)?|(?P<plain>[^\s"\]][^\s\]]*))'
    rf"{_FLAGS}(?: [^\]]*)?\](?: (?P<text>.*))?"
)
_BASE = re.compile(r"\[(?P<base>[^\s\]]+)\]")
_FENCE = re.compile(r"`{3,}")


class _Reader:
    def __init__(self, text: str) -> None:
        # not splitlines: an unescaped text has no other line end, and must not get one
        self.lines = text.split("\n")
        self.at = 0
        self.shared = ""  # the fence that is open around several items
        self.base = ""
        self.uri, self.sum = "", ""  # of the piece above

    def items(self) -> list[ParsedItem]:
        items_read: list[ParsedItem] = []
        while self.at < len(self.lines):
            line = self.lines[self.at]
            self.at += 1
            if line == self.shared:
                self.shared = ""
            elif not self.shared and _FENCE.fullmatch(line):
                self.shared = line
            elif header := _FURTHER.fullmatch(line) or _PIECE.fullmatch(line):
                items_read.append(self._piece(header))
            elif header := _TURN.fullmatch(line):
                items_read.append(self._turn(header))
            elif header := _BASE.fullmatch(line):
                self.base = header["base"]
        return items_read

    def _piece(self, header: re.Match[str]) -> ParsedItem:
        if "sum" in header.groupdict():
            self.uri, self.sum = self._uri(header), header["sum"].strip("-")
        text, flags = self._text(), _flags(header)
        first, last = all_lines(text)
        if header["start"]:
            first = int(header["start"])
            last = int(header["end"] or first)
        return _item(header, self.uri, first, last, text, flags, self.sum)

    def _turn(self, header: re.Match[str]) -> ParsedItem:
        flags = _flags(header)
        text = header["text"] if header["text"] is not None else self._text()
        uri, numbers = self._uri(header), ""
        if header["quoted"] is not None:
            numbers = (header["lines"] or "")[1:]
        elif _CUT.intersection(flags):
            uri, _, numbers = uri.rpartition(":")
        if numbers:
            start, _, end = numbers.partition("-")
            return _item(header, uri, int(start), int(end or start), text, flags, "")
        return _item(header, uri, *all_lines(_decoded(text, flags)), text, flags, "")

    def _uri(self, header: re.Match[str]) -> str:
        if header["quoted"] is not None:
            return unescape(header["quoted"])
        plain: str = header["plain"]
        return self.base + plain if is_relative(plain) else plain

    def _text(self) -> str:
        """The text that starts here, up to the end of its fence or the next line of Daypack's."""
        start = self.at
        line = self.lines[start] if start < len(self.lines) else ""
        if not self.shared and _FENCE.fullmatch(line):
            end = self.lines.index(line, start + 1)
            self.at = end + 1
            return "\n".join(self.lines[start + 1 : end])
        while self.at < len(self.lines) and not self._ends(self.lines[self.at]):
            self.at += 1
        return "\n".join(self.lines[start : self.at]).rstrip("\n")

    def _ends(self, line: str) -> bool:
        if line.startswith("["):
            return True
        return line == self.shared if self.shared else _FENCE.fullmatch(line) is not None


def parse(text: str) -> list[ParsedItem]:
    """The items of a rendered pack. Lines other than headers and their texts are skipped."""
    return _Reader(text).items()


def _item(
    header: re.Match[str], uri: str, first: int, last: int, text: str, flags: Sequence[str], digits: str
) -> ParsedItem:
    return ParsedItem(
        label=int(header["label"]),
        uri=uri,
        start_line=first,
        end_line=last,
        text=_decoded(text, flags),
        record_hash=digits,
        escaped="escaped" in flags,
        crlf="crlf" in flags,
        untrusted="untrusted" in flags,
    )


def _decoded(text: str, flags: Sequence[str]) -> str:
    return decode(text, crlf="crlf" in flags, escaped="escaped" in flags)


def _flags(header: re.Match[str]) -> list[str]:
    return header["flags"].split(", ") if header["flags"] else []
