"""Mail as Markdown: one message (`.eml`) or a box of them (`.mbox`).

    # Ann Lee, 3 Nov 2026: Invoice 4711     who, when and the subject: it names each part of a long message
    From: Ann Lee <ann@example.org>         as the message has them, decoded
    Date: Tue, 03 Nov 2026 10:00:00 +0000

    Hello Bo, …                             the plain text, else the page
    Attachments: invoice.pdf                their names, without their bytes

    ## Attachment: invoice.pdf
    …                                       the text of those that a folder's files are read like

A message that is forwarded as a part follows the message around it, under its own subject. Boxes are known by their first line,
because some programs give them no ending.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import datetime
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import Message
from email.parser import BytesParser
from email.utils import parseaddr, parsedate_to_datetime
from typing import NamedTuple, cast

from daypack.doors.reading.decoding import KNOWN_ENCODING, Decoded, decode
from daypack.doors.reading.names import DOCUMENT_BEGINNINGS
from daypack.doors.reading.pages.rendering import render_html
from daypack.text.checks import in_utc
from daypack.text.prose.written_days import written_day

_SHOWN = ("From", "To", "Cc", "Date")
_HEADER = re.compile(rb"(?:[!-9;-~]+:[^\n]*\n(?:[ \t][^\n]*\n)*)*(?i:from|date|subject|message-id):")
# A line "From " separates messages if a header follows it; "From the harbour" at the start of a paragraph does not.
_SEPARATOR = re.compile(rb"(?:\A|(?<=\n)\r?\n)From [^\n]*\n(?=[!-9;-~]+:)")
_LONGEST_HEADER = 2_000  # characters
_QUOTED_SEPARATOR = re.compile(rb"^>(?=>*From )", re.MULTILINE)


Reading = Callable[[str, bytes], str]
"""(name of a file, its bytes) → its text as Markdown, "" for none."""


_MOST_DOCUMENTS = 100  # that are attached in one file of mail, and read: each starts a process


class Mail(NamedTuple):
    """The text of a file of mail. A single message has `title`, `author` and `time` (Unix seconds)."""

    text: str
    title: str = ""
    author: str = ""
    time: float | None = None


def read_mail(data: bytes, reading: Reading = lambda _name, _data: "") -> Mail | None:
    """The mail in the bytes of a file; None for other files. `reading` reads what is attached."""
    # Apple Mail writes the length before a message, and facts after it.
    if (counted := _COUNTED.match(data)) is not None:
        data = data[counted.end() :][: int(counted[1])]
    messages = _SEPARATOR.split(data) if _SEPARATOR.match(data) else [data]
    sources = [_QUOTED_SEPARATOR.sub(b"", source) for source in messages if source.strip()]
    if not sources or not _HEADER.match(sources[0]):
        return None
    attachments = _Attachments(reading)
    if len(sources) == 1:
        return _parsed(sources[0], attachments)
    return Mail(
        "\n".join(
            mail.text if (mail := _parsed(source, attachments)) else _as_it_is(source) for source in sources
        )
    )


def saved_page(data: bytes) -> str:
    """The HTML of a page that a browser saved with its pictures in one file (`.mht`), which has the form of a message; "" for
    other files.
    """
    if not _HEADER.match(data):
        return ""
    try:
        parts = BytesParser().parsebytes(data).walk()
        return next((_decoded(part) for part in parts if part.get_content_type() == "text/html"), "")
    except (LookupError, RecursionError, ValueError):
        return ""


class _Attachments:
    """Reads the files that are attached in one file of mail."""

    def __init__(self, reading: Reading) -> None:
        self._reading, self._documents = reading, 0

    def section(self, name: str, data: bytes) -> str:
        """The text of an attached file under its name, with its headings below that; "" for none."""
        if data.startswith(DOCUMENT_BEGINNINGS):
            self._documents += 1
            if self._documents > _MOST_DOCUMENTS:
                return f"[… {name} was not read: only the first {_MOST_DOCUMENTS} documents of a box are …]"
        text = self._reading(name, data).strip("\n") if data else ""
        return f"## Attachment: {name}\n\n{_lowered(text)}" if text.strip() else ""


def _lowered(text: str) -> str:
    """The Markdown with its headings two levels lower."""
    fenced, lines = "", list[str]()
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if mark and (not fenced or line.strip() == fenced):
            fenced = "" if fenced else mark[1]
        elif not fenced and (heading := _HEADING.match(line)):
            line = f"{'#' * min(6, len(heading[1]) + 2)}{line[len(heading[1]) :]}"
        lines.append(line)
    return "\n".join(lines)


_HEADING = re.compile(r"(#{1,6})(?= )")
_FENCE = re.compile(r"(`{3,}|~{3,})")
_COUNTED = re.compile(rb"\s*(\d{1,9})[ \t]*\r?\n(?=[!-9;-~]+:)")


def _parsed(source: bytes, attachments: _Attachments) -> Mail | None:
    """A message; None when the parser fails, as for endlessly nested parts, and names in forged encodings."""
    try:
        return _mail(BytesParser().parsebytes(source), attachments)
    except (LookupError, RecursionError, ValueError):
        return None


def _as_it_is(source: bytes) -> str:
    text = source.decode("utf-8", "replace").replace("\r\n", "\n").replace("\0", "")
    return f"# (unreadable message)\n\n{text}"


def _mail(message: Message, attachments: _Attachments) -> Mail:
    title = _header(message, "Subject")
    name, address = parseaddr(_header(message, "From"))
    moment = _moment(_header(message, "Date"))
    begins = ", ".join(filter(None, (name or address, written_day(moment) if moment else "")))
    lines = [f"# {': '.join(filter(None, (begins, title or '(no subject)')))}"]
    lines += [f"{name}: {value}" for name in _SHOWN if (value := _header(message, name))]
    found = _Found(attachments)
    paragraphs = ["\n".join(lines), *_bodies(message, found)]
    if found.names:
        paragraphs.append(f"Attachments: {', '.join(found.names)}")
    paragraphs += found.texts
    return Mail(
        "\n\n".join(paragraphs) + "\n", title, name or address, moment.timestamp() if moment else None
    )


class _Found:
    """The names and texts of the files that a message has attached."""

    def __init__(self, attachments: _Attachments) -> None:
        self.attachments, self.names, self.texts = attachments, list[str](), list[str]()

    def add(self, part: Message) -> None:
        kind = part.get_content_type()
        name = _in_one_line(part.get_filename() or "")
        if name:
            self.names.append(name)
        shown = name or _UNNAMED.get(kind, "")
        data = part.get_payload(decode=True)
        if shown and isinstance(data, bytes) and (text := self.attachments.section(shown, data)):
            self.texts.append(text)


_UNNAMED = {"text/calendar": "invitation.ics", "text/vcard": "contact.vcf", "text/csv": "table.csv"}


def _header(message: Message, name: str) -> str:
    """The value of the first header with this name, on one line; "" for none."""
    value = next((raw for key, raw in message.raw_items() if key.lower() == name.lower()), "")
    plain = str(value)[:_LONGEST_HEADER].encode("ascii", "surrogateescape").decode("utf-8", "replace")
    try:
        words = decode_header(plain)
        if all(encoding is None or KNOWN_ENCODING.fullmatch(encoding) for _, encoding in words):
            plain = str(make_header(words))
    except (HeaderParseError, LookupError, ValueError):  # words in an unknown encoding are shown as they are
        pass
    return _in_one_line(plain)


def _bodies(message: Message, found: _Found) -> Iterator[str]:
    """The texts of a message in order; its attachments are added to `found`."""
    kind = message.get_content_type()
    if message.is_multipart():
        parts = cast("list[Message]", message.get_payload())
        if kind == "message/rfc822":
            yield from (_mail(part, found.attachments).text.strip() for part in parts)
            return
        bodies = [[*_bodies(part, found)] for part in parts]
        if kind == "multipart/alternative":  # versions of one text, the plainest first
            bodies = _plainest([texts for texts in bodies if texts])
        yield from (text for texts in bodies for text in texts)
    elif (
        message.get_content_disposition() == "attachment" or kind in _UNNAMED or not kind.startswith("text/")
    ):
        found.add(message)
    elif text := _text(message):
        yield text


def _plainest(versions: list[list[str]]) -> list[list[str]]:
    """The first version, unless another says far more: some messages hold "your program cannot show this" beside their page."""
    sizes = [sum(map(len, texts)) for texts in versions]
    return (
        [versions[0] if _FAR_MORE * sizes[0] >= max(sizes) else versions[sizes.index(max(sizes))]]
        if sizes
        else []
    )


_FAR_MORE = 5  # times the characters; guess


def _text(part: Message) -> str:
    """The text of a part, a page as Markdown; "" when its bytes are not text."""
    text = _decoded(part)
    if part.get_content_subtype() == "html":
        text = render_html(text) or text
    return text.strip()


def _decoded(part: Message) -> str:
    encoding = part.get_content_charset() or "utf-8"
    if not KNOWN_ENCODING.fullmatch(encoding):
        part.del_param("charset")  # otherwise the parser would decode with it
        encoding = "utf-8"
    data = cast("bytes", part.get_payload(decode=True))
    try:
        text = data.decode(encoding)
    except (LookupError, ValueError):  # an unknown encoding, or the wrong one
        decoded = decode(data)
        text = decoded.text if isinstance(decoded, Decoded) else ""
    return text.replace("\r\n", "\n").replace("\0", "")


def _in_one_line(text: str) -> str:
    return " ".join(text.replace("\0", "").split())


def _moment(date: str) -> datetime | None:
    try:
        moment = in_utc(parsedate_to_datetime(date))
        moment.timestamp()  # fails for years that have none
        return moment
    except (ValueError, OverflowError):
        return None
