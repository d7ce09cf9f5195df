r"""Stored text is made inert: nothing in it can end its fence, forge a header, hide from a reader or drive a
terminal.

    fence("a ``` b")                 "````"       longer than any run of backticks inside
    escape("red ␛[31m C:\dir")       "red \u{1B}[31m C:\\dir"     and unescape() gives the original back

Escaping is reversible, and is done only where it is needed: a text that holds one of the dangerous characters
is written with each of them as `\u{XXXX}` and each backslash doubled, and is marked as escaped; an unmarked
text is verbatim.

Dangerous are

    C0 (but newline and tab), DEL, C1     drive terminals; some are line ends to some readers
    U+2028, U+2029                        line ends to some readers
    U+061C, 200E-F, 202A-E, 2066-F        reorder the visible text
    U+180E, 200B, 2060-65, FEFF, FFF9-B   are not seen
    U+E0000-E007F                         a second, invisible alphabet
    lone surrogates, noncharacters        cannot be written in UTF-8 or XML

The joiners U+200C and U+200D and the variation selectors stay, because scripts and emoji need them, one at a
time. In runs they spell out hidden messages, so each that follows another of its kind is dangerous as well.
"""

from __future__ import annotations

import re

from daypack.text.fences import fence as fence

_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_JOINERS = "\u200c\u200d"
DANGEROUS = (
    "["
    "\x00-\x08\x0b-\x1f\x7f-\x9f"
    "\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff\U000e0000-\U000e007f"
    + "".join(f"{chr(plane | 0xFFFE)}{chr(plane | 0xFFFF)}" for plane in range(0x10000, 0x110000, 0x10000))
    + f"]|(?<=[{_JOINERS}{_SELECTORS}])[{_SELECTORS}]|(?<=[{_JOINERS}])[{_JOINERS}]"
)
_MAY_RUN = f"[{_JOINERS}{_SELECTORS}]"
_ESCAPED = r"\\(?:\\|u\{((?:10|[0-9A-F])?[0-9A-F]{1,4})\})"
_WHITE_SPACE = r"\s+"
_LESS_THAN = r"\\*<"
LONGEST_LINE = 200


def is_inert(text: str) -> bool:
    """True when the text can be shown unchanged."""
    # `isprintable` is false for every single dangerous character (and for some harmless ones), so it settles
    # nearly all text, ten times faster than the pattern; only runs of joiners and selectors escape it.
    if text.replace("\n", "").replace("\t", "").isprintable():
        return text.isascii() or re.search(_MAY_RUN, text) is None or re.search(DANGEROUS, text) is None
    return re.search(DANGEROUS, text) is None


def escape(text: str) -> str:
    r"""The text with dangerous characters as `\u{XXXX}` and backslashes doubled."""
    return re.sub(DANGEROUS, _escape_match, text.replace("\\", "\\\\"))


def unescape(text: str) -> str:
    """Undo `escape`. A backslash that `escape` cannot have written stays."""
    return re.sub(_ESCAPED, lambda match: chr(int(match[1], 16)) if match[1] else "\\", text)


def code_point(character: str) -> str:
    return f"\\u{{{ord(character):X}}}"


def _escape_match(match: re.Match[str]) -> str:
    return code_point(match[0])


def has_crlf_lines(text: str) -> bool:
    """True when every line end of the text is "\r\n", and no carriage return is anywhere else."""
    pairs = text.count("\r\n")
    return pairs > 0 and pairs == text.count("\n") == text.count("\r")


def encode(text: str) -> tuple[str, bool, bool]:
    """The text in its shown form, True when its lines ended in "\r\n" (and now in "\n"), and True when it was
    escaped.
    """
    if is_inert(text):
        return text, False, False
    crlf = has_crlf_lines(text)
    if crlf:
        text = text.replace("\r\n", "\n")
        if is_inert(text):
            return text, True, False
    return escape(text), crlf, True


def decode(shown: str, *, crlf: bool, escaped: bool) -> str:
    """Undo `encode`."""
    # Line ends first: an escaped text may hold a carriage return that was written as \u{D}.
    if crlf:
        shown = shown.replace("\n", "\r\n")
    return unescape(shown) if escaped else shown


def one_line(text: str, limit: int = LONGEST_LINE) -> str:
    """The text inside one line: white space joined, clipped, dangerous characters escaped for good."""
    text = text[: 8 * limit].strip()
    if not (len(text) <= limit and text.isascii() and text.isprintable() and "  " not in text):
        text = re.sub(_WHITE_SPACE, " ", text)
        if len(text) > limit:
            text = text[: limit - 1].rstrip() + "…"
        # Backslashes stay single: this is not read back, and an escape in the text itself does no harm.
        text = re.sub(DANGEROUS, _escape_match, text)
    return text


def displayed(text: str) -> str:
    """The text as a terminal may show it: its lines stay, dangerous characters are escaped for good."""
    return text if is_inert(text) else re.sub(DANGEROUS, _escape_match, text.replace("\r\n", "\n"))


def printed_line(text: str) -> str:
    """A line as a program printed it: its columns stay, it is clipped, dangerous characters are escaped for good."""
    text = re.sub(r"[^\S ]+", " ", text[: 8 * LONGEST_LINE].expandtabs()).rstrip()
    if len(text) > LONGEST_LINE:
        text = text[: LONGEST_LINE - 1].rstrip() + "…"
    return re.sub(DANGEROUS, _escape_match, text)


LONGEST_MESSAGE = 1_000  # characters of an error


def both_ends(text: str, limit: int = LONGEST_MESSAGE) -> str:
    """The text, or its beginning and its end where it is longer than `limit`: a message ends with the next step."""
    if len(text) <= limit:
        return text
    end = limit // 3
    return f"{text[: limit - end - 3]} … {text[-end:]}"


def inline(text: str, limit: int = LONGEST_LINE) -> str:
    """`one_line` for a line of Markdown outside any fence: it produces no HTML, link, image or definition of a
    link.

    Images matter most: a client that renders Markdown fetches them, and their addresses can carry data away.
    """
    text = one_line(text, limit)
    if "<" in text:
        text = re.sub(_LESS_THAN, escape_less_than, text)
    return text.replace("](", "]\\(").replace("]:", "]\\:") if "]" in text else text


def escape_less_than(match: re.Match[str]) -> str:
    # An odd number of backslashes before it escapes it already; one more would set it free.
    return match[0] if len(match[0]) % 2 == 0 else f"{match[0][:-1]}\\<"
