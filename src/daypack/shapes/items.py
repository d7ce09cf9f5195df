"""Items of a pack, read back by a shape from its text."""

from __future__ import annotations

from typing import NamedTuple


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
