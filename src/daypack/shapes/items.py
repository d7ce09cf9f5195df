"""What a shape gives back when it is read: the items of a pack, as they stood in it."""

from __future__ import annotations

from typing import NamedTuple


class ParsedItem(NamedTuple):
    """One excerpt, read back from a rendered pack. `text` is the exact text, whatever the shape did to show
    it.

    `record_hash` is as much of the hash as the shape shows: all of it in JSON, its first eight digits in XML,
    six in Markdown, where turns and memories have none.
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
