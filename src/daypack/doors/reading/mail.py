"""Mail as Markdown: one message (`.eml`) or a box of them (`.mbox`).

    # Invoice 4711                          its subject
    From: Ann Lee <ann@example.org>         as the message has them, decoded
    Date: Tue, 03 Nov 2026 10:00:00 +0000

    Hello Bo, …                             the plain text, else the page
    Attachments: invoice.pdf                their names, without their bytes

A message that is forwarded as a part follows the message around it, under its own subject.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import Message
from email.parser import BytesParser
from email.utils import parseaddr, parsedate_to_datetime
from typing import NamedTuple, cast

from daypack.doors.reading.decoding import Decoded, decode
from daypack.doors.reading.rendering import render_html

_SHOWN = ("From", "To", "Cc", "Date")
_HEADER = re.compile(rb"(?:[!-9;-~]+:[^\n]*\n(?:[ \t][^\n]*\n)*)*(?i:from|date|subject|message-id):")
# A line "From " separates messages if a header follows it; "From the harbour" at the start of a paragraph does not.
_SEPARATOR = re.compile(rb"(?:\A|(?<=\n)\r?\n)From [^\n]*\n(?=[!-9;-~]+:)")
# Only the encodings of mail, because decoding "punycode" takes a time that grows with the square of the text.
_ENCODING = re.compile(
    r"(?:us-)?ascii|utf[-_]?(?:7|8|16|32)(?:[-_]?[lb]e)?|(?:iso|latin|windows|cp|koi8|gb|hz|big5|euc|shift|ks|tis|mac)[\w-]*",
    re.IGNORECASE | re.ASCII,
)
_LONGEST_HEADER = 2_000  # characters
_QUOTED_SEPARATOR = re.compile(rb"^>(?=>*From )", re.MULTILINE)


class Mail(NamedTuple):
    """The text of a file of mail. A single message has `title`, `author` and `time` (Unix seconds)."""

    text: str
    title: str = ""
    author: str = ""
    time: float | None = None


def read_mail(data: bytes) -> Mail | None:
    """The mail in the bytes of a file; None for other files."""
    messages = _SEPARATOR.split(data) if _SEPARATOR.match(data) else [data]
    sources = [_QUOTED_SEPARATOR.sub(b"", source) for source in messages if source.strip()]
    if not sources or not _HEADER.match(sources[0]):
        return None
    if len(sources) == 1:
        return _parsed(sources[0])
    return Mail(
        "\n".join(mail.text if (mail := _parsed(source)) else _as_it_is(source) for source in sources)
    )


def _parsed(source: bytes) -> Mail | None:
    """A message; None when the parser fails, as for endlessly nested parts, and names in forged encodings."""
    try:
        return _mail(BytesParser().parsebytes(source))
    except (LookupError, RecursionError, ValueError):
        return None


def _as_it_is(source: bytes) -> str:
    text = source.decode("utf-8", "replace").replace("\r\n", "\n").replace("\0", "")
    return f"# (unreadable message)\n\n{text}"


def _mail(message: Message) -> Mail:
    title = _header(message, "Subject")
    lines = [f"# {title or '(no subject)'}"]
    lines += [f"{name}: {value}" for name in _SHOWN if (value := _header(message, name))]
    attached = list[str]()
    paragraphs = ["\n".join(lines), *_bodies(message, attached)]
    if attached:
        paragraphs.append(f"Attachments: {', '.join(attached)}")
    name, address = parseaddr(_header(message, "From"))
    return Mail("\n\n".join(paragraphs) + "\n", title, name or address, _time(_header(message, "Date")))


def _header(message: Message, name: str) -> str:
    """The value of the first header with this name, on one line; "" for none."""
    value = next((raw for key, raw in message.raw_items() if key.lower() == name.lower()), "")
    plain = str(value)[:_LONGEST_HEADER].encode("ascii", "surrogateescape").decode("utf-8", "replace")
    try:
        words = decode_header(plain)
        if all(encoding is None or _ENCODING.fullmatch(encoding) for _, encoding in words):
            plain = str(make_header(words))
    except (HeaderParseError, LookupError, ValueError):  # words in an unknown encoding are shown as they are
        pass
    return _in_one_line(plain)


def _bodies(message: Message, attached: list[str]) -> Iterator[str]:
    """The texts of a message in order; the names of its attachments are added to `attached`."""
    kind = message.get_content_type()
    if message.is_multipart():
        parts = cast("list[Message]", message.get_payload())
        if kind == "message/rfc822":
            yield from (_mail(part).text.strip() for part in parts)
            return
        found = [[*_bodies(part, attached)] for part in parts]
        if kind == "multipart/alternative":  # versions of one text, the plainest first
            found = [texts for texts in found if texts][:1]
        yield from (text for texts in found for text in texts)
    elif message.get_content_disposition() == "attachment" or not kind.startswith("text/"):
        if name := _in_one_line(message.get_filename() or ""):
            attached.append(name)
    elif text := _text(message):
        yield text


def _text(part: Message) -> str:
    """The text of a part; "" when its bytes are not text."""
    encoding = part.get_content_charset() or "utf-8"
    if not _ENCODING.fullmatch(encoding):
        part.del_param("charset")  # otherwise the parser would decode with it
        encoding = "utf-8"
    data = cast("bytes", part.get_payload(decode=True))
    try:
        text = data.decode(encoding)
    except (LookupError, ValueError):  # an unknown encoding, or the wrong one
        decoded = decode(data)
        text = decoded.text if isinstance(decoded, Decoded) else ""
    text = text.replace("\r\n", "\n").replace("\0", "")
    if part.get_content_subtype() == "html":
        text = render_html(text) or text
    return text.strip()


def _in_one_line(text: str) -> str:
    return " ".join(text.replace("\0", "").split())


def _time(date: str) -> float | None:
    try:
        moment = parsedate_to_datetime(date)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None
