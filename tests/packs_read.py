"""Packs read back: the items of a rendered pack, exactly, whatever strings they hold. Daypack itself never reads one."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import NamedTuple
from xml.etree import ElementTree

from daypack.guard.fences import decode, unescape
from daypack.shapes.bases import is_relative
from daypack.shapes.markdown import all_lines
from daypack.types import Trust, Variant

PARSED = ("markdown", "xml", "json")  # an explanation, or the memory block, is not read back


class ParsedItem(NamedTuple):
    """One excerpt, read back from a rendered pack. `text` is exact, without the shape's quotes and escapes.

    `record_hash` is the part of the hash that the shape shows: all digits in JSON, the first eight in XML; in
    Markdown the three digits of its checksum, which turns and memories have none of.
    """

    label: int
    uri: str
    start_line: int
    end_line: int
    text: str
    record_hash: str = ""
    escaped: bool = False  # the text was shown with dangerous characters escaped
    crlf: bool = False  # the text was shown with "\n" for "\r\n"
    untrusted: bool = False


def parse(text: str, shape: str) -> list[ParsedItem]:
    """The items of a pack rendered in one of `PARSED`, in order."""
    return {"markdown": _of_markdown, "xml": _of_xml, "json": _of_json}[shape](text)


# ---------------------------------------------------------------- Markdown

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


def _of_markdown(text: str) -> list[ParsedItem]:
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


# ---------------------------------------------------------------- XML and JSON


def _of_xml(text: str) -> list[ParsedItem]:
    """The items of a rendered pack. Refuses declarations, which can make a small text huge."""
    if not text:
        return []
    if "<!" in text:
        raise ValueError("a pack has no XML declarations; this text was not rendered by daypack")
    items = []
    for item in ElementTree.fromstring(text).iter("item"):
        escaped = item.get("escaped", "").split()
        reference = item.get("ref", "")
        uri, _, lines = (unescape(reference) if "ref" in escaped else reference).rpartition(":")
        start, _, end = lines.partition("-")
        crlf, text_escaped = item.get("crlf") == "true", "text" in escaped
        items.append(
            ParsedItem(
                label=int(item.get("n", "0")),
                uri=uri,
                start_line=int(start),
                end_line=int(end),
                text=decode(item.text or "", crlf=crlf, escaped=text_escaped),
                record_hash=item.get("hash", ""),
                escaped=text_escaped,
                crlf=crlf,
                untrusted=item.get("trust") == "untrusted",
            )
        )
    return items


def _of_json(text: str) -> list[ParsedItem]:
    """The items of a rendered pack."""
    if not text:
        return []
    items = []
    for item in json.loads(text)["items"]:
        exact = {
            key: unescape(item[key]) if key in item.get("escaped", ()) else item[key]
            for key in ("ref", "text")
        }
        uri, _, lines = exact["ref"].rpartition(":")
        start, _, end = lines.partition("-")
        items.append(
            ParsedItem(
                label=item["n"],
                uri=uri,
                start_line=int(start),
                end_line=int(end),
                text=exact["text"],
                record_hash=item.get("hash", ""),
                escaped="text" in item.get("escaped", ()),
                untrusted=item.get("trust") == Trust.UNTRUSTED.value,
            )
        )
    return items
