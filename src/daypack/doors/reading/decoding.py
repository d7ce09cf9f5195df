"""Decodes bytes as text, or refuses them with a reason.

Byte order marks, first bytes, NUL, UTF-8, the encoding that the text declares, those of Chinese, Japanese and Korean, cp1252,
Latin-1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from daypack.doors.reading.east_asian import east_asian
from daypack.types import SkipReason

# First bytes of common binary formats. The list is needed for those that begin with printable characters (PDF, SQLite, …).
# The others also have NUL bytes, but "a PNG image" is a better reason than "NUL bytes".
_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG\r\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF87a", "a GIF image"),
    (b"GIF89a", "a GIF image"),
    (b"\x7fELF", "an ELF binary"),
    (b"PK\x03\x04", "a zip archive"),
    (b"PK\x05\x06", "a zip archive"),
    (b"\x1f\x8b", "gzip data"),
    (b"BZh", "bzip2 data"),
    (b"\xfd7zXZ\x00", "xz data"),
    (b"\x28\xb5\x2f\xfd", "zstandard data"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"\xca\xfe\xba\xbe", "a class file or Mach-O binary"),
    (b"\xcf\xfa\xed\xfe", "a Mach-O binary"),
    (b"\xfe\xed\xfa\xcf", "a Mach-O binary"),
    (b"\x00asm", "WebAssembly"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"OggS", "Ogg media"),
    (b"fLaC", "FLAC audio"),
    (b"ID3\x03", "MP3 audio"),
    (b"ID3\x04", "MP3 audio"),
    (b"wOFF", "a web font"),
    (b"wOF2", "a web font"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document"),
    (b"!<arch>\n", "an ar archive"),
)
_MAGICS = tuple(magic for magic, _ in _MAGIC)

# UTF-32 before UTF-16, because its little-endian mark begins with that of UTF-16.
_MARKS: tuple[tuple[bytes, str], ...] = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)

# GNU Info marks its indexes and pictures so.
_INFO_MARK = re.compile(rb"\0\x08\[[^\0]{0,2000}\0\x08\]")
_CONTROL = bytes(byte for byte in range(32) if byte not in b"\t\n\r\f\x1b\x08") + b"\x7f"
_HIGH = bytes(range(128, 256))
_HIGH_RUN = re.compile(rb"[\x80-\xff]+")
_WESTERN_MARKS = bytes(range(128)) + b"\x85\x91\x92\x93\x94\x95\x96\x97"  # ASCII, dashes, quotation marks
# Two or more kana or common kanji; as Western text, quotes and dashes between letters.
_SHIFT_JIS = re.compile(rb"(?:[\x81-\x9f][\x40-\x7e\x80-\xfc]){2,}")
# Two or more common characters of EUC-JP, EUC-KR and GBK: as Western text, capitals and signs without a small letter first.
_EUC = re.compile(rb"(?:[\xa1-\xd7][\xa1-\xfe]){2,}")
_CAPITALS = bytes(byte for byte in range(0xC0, 0xDF) if byte != 0xD7)
_POWERS = b"\xb2\xb3\xb9\xbc\xbd\xbe"  # superscripts and fractions
# As Shift-JIS, the apostrophe and its letter would be one character.
_ELISION = re.compile(rb"(?<=[A-Za-z])\x92(?=[\xe0-\xff])")
# Polish letters of Windows-1250 and ISO 8859-2; as Western text, fractions and powers inside words.
_POLISH = re.compile(rb"(?<=[a-z]{2})[\xb1\xb3\xb6\xb9\xbc\xbe\xbf](?=[a-z])")

# `<meta charset="windows-1251">`, `<?xml … encoding="iso-8859-2"?>`, `-*- coding: euc-jp -*-`, `\usepackage[latin2]{inputenc}`
_DECLARED = re.compile(
    rb"<meta\b[^<>]{0,200}?\bcharset\s*=\s*[\"']?([\w.:-]{2,30})"
    rb"|\A\s*<\?xml\b[^<>]{0,200}?\bencoding\s*=\s*[\"']([\w.:-]{2,30})"
    rb"|\A(?:[^\n]{0,200}\n)?[^\n]{0,100}coding[:=][ \t]*([\w.:-]{2,30})"
    rb"|^[ \t]*\\usepackage\[(\w{2,30})\]\{inputenc\}",
    re.IGNORECASE | re.MULTILINE,
)
_DECLARED_WITHIN = 4_096  # bytes
# Only the encodings of texts, because decoding "punycode" takes a time that grows with the square of the text.
KNOWN_ENCODING = re.compile(
    r"(?:us-)?ascii|utf[-_]?(?:7|8|16|32)(?:[-_]?[lb]e)?|(?:iso|latin|windows|cp|koi8|gb|hz|big5|euc|shift|ks|tis|mac)[\w-]*",
    re.IGNORECASE | re.ASCII,
)
# Pages state these names whatever their bytes are.
_SAYS_NOTHING = re.compile(
    r"(?i)utf|us-?ascii|ascii|(?:iso[-_]?8859[-_]?|latin[-_]?)1\Z|(?:windows-?|cp)1252\Z"
)
# Programs write the characters of the larger encoding under the name of a part.
_WHOLE = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "ks_c_5601-1987": "cp949",
    "euc-kr": "cp949",
}
# Quotation marks, dashes and dots of Windows, which have the same bytes in all its encodings; in those of ISO 8859, controls.
_MARKS_OF_WINDOWS = {
    byte: bytes((byte,)).decode("cp1252")
    for byte in b"\x80\x82\x84\x85\x86\x87\x89\x8b\x91\x92\x93\x94\x95\x96\x97\x99\x9b"
}
_CONTROLS = re.compile(r"[\x80-\x9f]")

_NOT_WESTERN = "neither UTF-8 nor Western European text; save it as UTF-8"


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text, and the encoding that its bytes had."""

    text: str
    encoding: str = "utf-8"


def decode(data: bytes) -> Decoded | tuple[SkipReason, str]:
    """The bytes as text, or the reason for refusing them. Only a byte order mark is removed."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            try:
                text = data[len(mark) :].decode(encoding)
            except UnicodeDecodeError:
                break  # the bytes only look like a mark
            if "\0" in text:
                break
            return Decoded(text, encoding)
    if data.startswith(_MAGICS):
        return SkipReason.BINARY, next(what for magic, what in _MAGIC if data.startswith(magic))
    if b"\0\b[" in data and b"\x1f\nFile: " in data:
        data = _INFO_MARK.sub(b"", data)
    if b"\0" in data:
        return SkipReason.BINARY, "it holds NUL bytes"
    try:
        return Decoded(data.decode("utf-8"))
    except UnicodeDecodeError:
        return _decode_legacy(data)


def _decode_legacy(data: bytes) -> Decoded | tuple[SkipReason, str]:
    control = len(data) - len(data.translate(None, _CONTROL))
    if control > len(data) // 200:
        return SkipReason.BINARY, f"{control:,} control characters in {len(data):,} bytes"
    # A UTF-8 file with a few broken bytes is still UTF-8, if more of its characters of several bytes are valid than broken.
    mended = data.decode("utf-8", "replace")
    broken = mended.count("\ufffd")
    if sum(1 for character in mended if character > "\x7f") - broken > broken:
        return Decoded(mended, "utf-8 with errors")
    if (declared := _as_declared(data)) is not None:
        return declared
    high = len(data) - len(data.translate(None, _HIGH))
    # Western European text has a few per cent of such characters; other scripts would be decoded to noise
    other = "" if high > 0.3 * len(data) else _other_encoding(data)
    if other or high > 0.3 * len(data):
        if found := east_asian(data):
            return Decoded(*found)
        return SkipReason.UNREADABLE, f"{_NOT_WESTERN} (it looks like {other})" if other else _NOT_WESTERN
    try:
        return Decoded(data.decode("cp1252"), "cp1252")
    except UnicodeDecodeError:
        return Decoded(data.decode("latin-1"), "latin-1")


def _as_declared(data: bytes) -> Decoded | None:
    """The text in the encoding that a page, an XML file or a source declares; None without one, or where the bytes are in another."""
    found = _DECLARED.search(data, 0, _DECLARED_WITHIN)
    name = next(filter(None, found.groups())).decode("ascii").lower() if found else ""
    if not KNOWN_ENCODING.fullmatch(name) or _SAYS_NOTHING.match(name):
        return None
    encoding = _WHOLE.get(name, name)
    try:
        text = data.decode(encoding).translate(_MARKS_OF_WINDOWS)
    except (LookupError, ValueError):
        return None
    # In an encoding of mainframes, the declaration itself would be unreadable.
    is_other = _CONTROLS.search(text) or name not in text[:_DECLARED_WITHIN].lower()
    return None if is_other else Decoded(text, encoding)


def _other_encoding(data: bytes) -> str:
    """The encoding of other scripts that the bytes show although most bytes are ASCII; "" where nothing shows one."""
    runs = _HIGH_RUN.findall(data)
    pairs = sum(map(len, runs)) / 2
    foreign = (run for run in _EUC.findall(data) if not _lists_letters(run))
    if all(len(run) % 2 == 0 for run in runs) and _most(foreign, pairs):
        return "EUC or GBK"
    if _most(_SHIFT_JIS.findall(_ELISION.sub(b"'", data)), pairs) and _is_valid(data, "cp932"):
        return "Shift-JIS"
    letters = _POLISH.findall(data)
    return "Windows-1250 or ISO 8859-2" if len(letters) >= 3 and len({*letters}) >= 2 else ""


def _most(found: Iterable[bytes], pairs: float) -> bool:
    """True when the runs found make up most of the `pairs`. Rows of dashes or dots, and letters between quotation marks,
    are none.
    """
    runs = (run for run in found if len({*run}) > 2 and run.translate(None, _WESTERN_MARKS))
    size = sum(map(len, runs)) / 2
    return size > 0 and size >= 0.5 * pairs


def _lists_letters(run: bytes) -> bool:
    """True for Western capitals, for superscripts and fractions, and for signs and letters in the order of their table:
    code lists them so.
    """
    is_sorted = all(first < second for first, second in pairwise(run))
    return is_sorted or not run.translate(None, _CAPITALS) or not run.translate(None, _POWERS)


def _is_valid(data: bytes, encoding: str) -> bool:
    try:
        data.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True
