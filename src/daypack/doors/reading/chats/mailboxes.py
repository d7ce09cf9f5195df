"""Mailboxes that keep each message in a file of its own, without an ending: maildirs, and folders of MH."""

from __future__ import annotations

import re

# `cur/1718000000.M1P2.host:2,S` of a maildir, `42` of MH
_OF_A_MAILBOX = re.compile(r"(?:\A|/)(?:(?:cur|new)/[^/]+|[^/.]+|[^/]+:2,[A-Za-z]*)\Z")
_HEADERS = re.compile(rb"(?:[A-Za-z][!-9;-~]*:[^\n]*\n(?:[ \t][^\n]*\n)*){3,}")
_OF_A_MESSAGE = tuple(
    re.compile(rb"^" + name + rb":", re.IGNORECASE | re.MULTILINE)
    for name in (rb"From", rb"Date", rb"(?:Message-ID|Received|MIME-Version)")
)
_LONGEST_HEADERS = 65_536  # bytes


def is_message(path: str, data: bytes) -> bool:
    """True for a message of a mailbox, by its path and its headers."""
    if not _OF_A_MAILBOX.search(path):
        return False
    headers = _HEADERS.match(data, 0, _LONGEST_HEADERS)
    return headers is not None and all(name.search(headers[0]) for name in _OF_A_MESSAGE)
