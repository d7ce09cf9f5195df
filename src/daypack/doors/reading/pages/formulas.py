"""The formulas of a web page, once and as TeX where the page has it, and powers with a sign: 10<sup>6</sup> is not 106."""

from __future__ import annotations

import html
import re

from daypack.doors.reading.office.text import ends_ordinal
from daypack.doors.reading.pages.tables import Edit, edited

_MATH = re.compile(r"<(/?)math\b([^<>]*)>", re.IGNORECASE)
_TEX = re.compile(r"<annotation\b[^<>]*\bx-tex\b[^<>]*>([^<]*)</annotation", re.IGNORECASE)
_TOLD = re.compile(r"""\b(?:alttext|alt)\s*=\s*(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)
_WRITTEN = re.compile(  # for MathJax
    r"<script\b[^<>]*\btype\s*=\s*[\"']?math/tex\b[^<>]*+>([^<]*+(?:<(?!/script)[^<]*+){0,200}+)</script\s*>",
    re.IGNORECASE,
)
# A formula in the signs of MathJax between two tags, as Sphinx, pandoc and Quarto write it.
_BETWEEN = re.compile(r"(?<=>)\s*+\\[(\[]([^<>]*)\\[)\]]\s*(?=</(?:span|div|p)\b)")
_IN_SIGNS = re.compile(r"""\bclass\s*=\s*["']?math\b""")
_PICTURE = re.compile(r"<img\b[^<>]*\bmwe-math-fallback[^<>]*>", re.IGNORECASE)  # of MediaWiki
_DISPLAYED = re.compile(r"\{\\(?:display|text)style\s+(.*)\}", re.DOTALL)
_POWER = re.compile(r"<sup\b[^<>]*>\s*((?:[-+−]|&minus;)?(?:\d{1,4}|[a-z]))\s*</sup\s*>", re.IGNORECASE)
_NEAR = 100  # characters before a power
_STARTS = re.compile(
    r"(?:\A|<(?:p|li|td|th|dt|dd|div|br|hr|tr|blockquote|h[1-6])\b[^<>]*>|</(?:p|li|div|ul|ol|table|h[1-6])\s*>)\s*(?:<(?:a|b|i|em|strong|span|small|font)\b[^<>]*>\s*)*\Z",
    re.IGNORECASE,
)


def with_formulas(text: str) -> str:
    """The page with its formulas as code, and with a sign before each power."""
    if "<math" in text:
        text = edited(text, _edits(text))
    if _IN_SIGNS.search(text):
        text = _BETWEEN.sub(lambda found: _shown(found[1]), text)
    if "math/tex" in text:
        text = _WRITTEN.sub(lambda found: _shown(found[1]), text)
    if "mwe-math-fallback" in text:
        text = _PICTURE.sub(lambda found: _shown(_told(found[0])) or found[0], text)
    return _POWER.sub(_signed, text) if "<sup" in text or "<SUP" in text else text


def _signed(power: re.Match[str]) -> str:
    """The power with its sign; without, where it is the mark of a note at the start of a block, or of an ordinal number."""
    before = power.string[max(0, power.start() - _NEAR) : power.start()]
    is_mark = _STARTS.search(before) or ends_ordinal(power[1], before)
    return power[1] if is_mark else f"^{power[1]}"


def _edits(text: str) -> list[Edit]:
    """The replacements of formulas that have their TeX."""
    edits, begins = list[Edit](), None
    for tag in _MATH.finditer(text):
        if not tag[1]:
            begins = begins or tag
        elif begins is not None:
            tex = _TEX.search(text, begins.end(), tag.start())
            if shown := _shown(tex[1] if tex else _told(begins[2])):
                edits.append((begins.start(), tag.end(), shown))
            begins = None
    return edits


def _told(attributes: str) -> str:
    found = _TOLD.search(attributes)
    return (found[1] or found[2] or "") if found else ""


def _shown(tex: str) -> str:
    """The element for a formula of a page; "" for an empty one. Code is shown as it is written."""
    words = " ".join(html.unescape(tex).split())
    displayed = _DISPLAYED.fullmatch(words)
    return f"<code>{html.escape(displayed[1] if displayed else words, quote=False)}</code>" if words else ""
