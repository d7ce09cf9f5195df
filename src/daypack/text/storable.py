"""Text in the form that a store can hold, and its hash."""

from __future__ import annotations

from _blake2 import blake2b  # hashlib's own; hashlib itself loads OpenSSL first


def text_hash(text: str) -> str:
    """The hash that citations and chunks carry: 32 hex digits of BLAKE2b over the UTF-8 text."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def text_digest(text: str) -> bytes:
    """The 16 bytes of BLAKE2b that `text_hash` writes as hex digits."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def is_storable(text: str) -> bool:
    """True for Unicode text; False with a lone surrogate, as of bytes that were not decoded."""
    if text.isascii():
        return True
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def storable(text: str) -> str:
    """Text in the form that SQLite can hold: lone surrogates, which are not characters, become question marks."""
    return text if is_storable(text) else text.encode("utf-8", "replace").decode("utf-8")


def bytes_of(text: str) -> bytes:
    """The bytes from which a text was read: those of standard input that are not UTF-8 come back as they were. Other lone
    surrogates become question marks.
    """
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace")
