"""The older encodings of Chinese, Japanese and Korean texts, told apart by the characters that their bytes would be.

Bytes that are valid in one are often valid in others, as characters that no text has: a Japanese text has kana, a Korean
one syllables, and nine of ten Chinese characters are among the 3,755 or 5,401 common ones, which each standard lists first.
"""

from __future__ import annotations

FEWEST = 12  # characters beyond ASCII; fewer are too few to tell. guess


def east_asian(data: bytes) -> tuple[str, str] | None:
    """(text, encoding) of bytes that are Chinese, Japanese or Korean in an encoding before Unicode; None where none fits."""
    for encoding, is_written_so in _WRITTEN.items():
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        beyond = [character for character in text if character > "\x7f"]
        if len(beyond) >= FEWEST and is_written_so(beyond):
            return text, encoding
    return None


def _share(characters: list[str], first: str, last: str) -> float:
    return sum(first <= character <= last for character in characters) / len(characters)


def _is_japanese(characters: list[str]) -> bool:
    kana, half_wide = _share(characters, "\u3041", "\u30ff"), _share(characters, "\uff61", "\uff9f")
    return kana >= 0.2 and half_wide < 0.2


def _is_korean(characters: list[str]) -> bool:
    syllables = [character for character in characters if "\uac00" <= character <= "\ud7a3"]
    # cp949 has 8,822 more than these two-byte ones, and they are rare
    usual = sum(len(syllable.encode("euc_kr")) == 2 for syllable in syllables)
    return len(syllables) >= 0.8 * len(characters) and usual >= 0.95 * len(syllables)


def _is_simplified(characters: list[str]) -> bool:
    return _is_common(characters, "gb2312", range(0xB0, 0xD8))


def _is_traditional(characters: list[str]) -> bool:
    return _is_common(characters, "big5", range(0xA4, 0xC7))


def _is_common(characters: list[str], encoding: str, common: range) -> bool:
    """True if nine of ten Chinese characters have a first byte of these, and some are of the last quarter: Korean syllables
    would all be in the first part of the common characters of GB 2312.
    """
    chinese = [character for character in characters if "\u4e00" <= character <= "\u9fff"]
    if 2 * len(chinese) < len(characters):
        return False
    first = [character.encode(encoding, "ignore")[:1] for character in chinese]
    last = common[3 * len(common) // 4 :]
    return sum(byte != b"" and byte[0] in common for byte in first) >= 0.9 * len(chinese) and any(
        byte != b"" and byte[0] in last for byte in first
    )


_WRITTEN = {
    "cp932": _is_japanese,
    "euc_jp": _is_japanese,
    "cp949": _is_korean,
    "gb18030": _is_simplified,
    "big5": _is_traditional,
}
