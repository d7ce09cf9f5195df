"""Texts that are added to the pages of a PDF: values of form fields, text typed over a page, comments.

    Name ______  Born ______            Name Ann Lee Born 1 May 1980      a value is at its place in the line of its label
    [x] married  [ ] single             ☒ married ☐ single                on a page with a box that is checked
    The rent is 900 a month.            The rent is 900 a month.
                    ^ sticky note       Comment by Bo, 2026-11-03: Too much.

The text of a page has none of them, because programs draw them over it. Passwords and hidden fields are left out.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from daypack.doors.reading.office.columns import Word
from daypack.doors.reading.office.layout import Letter, Line

MOST = 2_000  # on a page
LONGEST = 10_000  # characters of a value
SIZE = 10.0  # points, where a page has no smaller letters
_HIDDEN, _PASSWORD = 0b10, 1 << 13  # flags of an annotation and of a field (ISO 32000-1, tables 165 and 228)
_BOX, _CHECKED = "☐", "☒"
_DATE = re.compile(r"(?:D:)?(\d{4})(\d\d)(\d\d)")


class Added(NamedTuple):
    """A text that was added to a page, and the edges of its place."""

    text: str
    left: float
    bottom: float
    right: float
    top: float
    is_comment: bool = False


def forms_of(document: Any) -> Any:
    """The fields of a document's forms, for `added_to`; None without forms."""
    from pypdfium2 import raw

    if raw.FPDF_GetFormType(document) == raw.FORMTYPE_NONE:
        return None
    document.init_forms()
    return document.formenv


def added_to(page: Any, forms: Any) -> list[Added]:
    """The values of fields, the typed texts and the comments of a page, in the order of the document."""
    from pypdfium2 import raw

    found = []
    for at in range(min(raw.FPDFPage_GetAnnotCount(page), MOST)):
        annotation = raw.FPDFPage_GetAnnot(page, at)
        if not annotation:
            continue
        text, is_comment = "", False
        kind = raw.FPDFAnnot_GetSubtype(annotation)
        if raw.FPDFAnnot_GetFlags(annotation) & _HIDDEN:
            pass
        elif kind == raw.FPDF_ANNOT_WIDGET:
            text = _value(annotation, forms) if forms is not None else ""
        elif kind == raw.FPDF_ANNOT_FREETEXT:
            text = _string(annotation, "Contents")
        elif kind in _remarks():
            text, is_comment = _comment(annotation), True
        box = raw.FS_RECTF()
        if text.strip() and raw.FPDFAnnot_GetRect(annotation, box):
            found.append(Added(text.strip()[:LONGEST], box.left, box.bottom, box.right, box.top, is_comment))
        raw.FPDFPage_CloseAnnot(annotation)
    if all(each.text != _CHECKED for each in found):  # a form without answers
        found = [each for each in found if each.text != _BOX]
    return found


def _remarks() -> frozenset[int]:
    from pypdfium2 import raw

    return frozenset(
        (raw.FPDF_ANNOT_TEXT, raw.FPDF_ANNOT_HIGHLIGHT, raw.FPDF_ANNOT_UNDERLINE, raw.FPDF_ANNOT_SQUIGGLY,
         raw.FPDF_ANNOT_STRIKEOUT, raw.FPDF_ANNOT_CARET, raw.FPDF_ANNOT_SQUARE, raw.FPDF_ANNOT_CIRCLE,
         raw.FPDF_ANNOT_LINE, raw.FPDF_ANNOT_INK, raw.FPDF_ANNOT_POLYGON, raw.FPDF_ANNOT_STAMP)
    )  # fmt: skip


def _value(annotation: Any, forms: Any) -> str:
    """The value of a field, or the state of its box; "" without one."""
    from pypdfium2 import raw

    kind = raw.FPDFAnnot_GetFormFieldType(forms, annotation)
    if kind in (raw.FPDF_FORMFIELD_CHECKBOX, raw.FPDF_FORMFIELD_RADIOBUTTON):
        return _CHECKED if raw.FPDFAnnot_IsChecked(forms, annotation) else _BOX
    if kind in (raw.FPDF_FORMFIELD_COMBOBOX, raw.FPDF_FORMFIELD_LISTBOX):
        options = range(max(0, raw.FPDFAnnot_GetOptionCount(forms, annotation)))
        chosen = [at for at in options if raw.FPDFAnnot_IsOptionSelected(forms, annotation, at)]
        labels = [
            _read(lambda *to, at=at: raw.FPDFAnnot_GetOptionLabel(forms, annotation, at, *to))
            for at in chosen
        ]
        if any(labels):
            return ", ".join(filter(None, labels))
    elif kind != raw.FPDF_FORMFIELD_TEXTFIELD:
        return ""
    if raw.FPDFAnnot_GetFormFieldFlags(forms, annotation) & _PASSWORD:
        return ""
    return _read(lambda *to: raw.FPDFAnnot_GetFormFieldValue(forms, annotation, *to))


def _comment(annotation: Any) -> str:
    text = " ".join(_string(annotation, "Contents").split())
    if not text:
        return ""
    written = _DATE.match(_string(annotation, "CreationDate") or _string(annotation, "M"))
    author = _string(annotation, "T").strip()
    head = "Comment" + (f" by {author}," if author and written else f" by {author}" if author else "")
    return f"{head}{' ' + '-'.join(written.groups()) if written else ''}: {text}"


def _string(annotation: Any, key: str) -> str:
    from pypdfium2 import raw

    return _read(lambda *to: raw.FPDFAnnot_GetStringValue(annotation, key.encode(), *to))


def _read(ask: Callable[..., int]) -> str:
    """A string that PDFium writes in UTF-16, into a place of a length in bytes."""
    length = ask(None, 0)
    if length <= 2:
        return ""
    place = ctypes.create_string_buffer(length + 2)
    ask(ctypes.cast(place, ctypes.POINTER(ctypes.c_ushort)), length)
    return place.raw[: length - 2].decode("utf-16-le", "replace").replace("\r\n", "\n").replace("\r", "\n")


# ---------------------------------------------------------------- their places


def with_added(lines: Sequence[Line], added: Iterable[Added]) -> list[Line]:
    """The lines of a page, each with its words, and the added texts at their places: inside the line beside them, else behind
    the line above.
    """
    found = [*lines]
    height = min((SIZE, *(line.size for line in lines if line.size)))  # smaller than a heading
    for each in added:
        parts = [part for line in each.text.split("\n") if (part := line.strip())]
        inside = None if each.is_comment or len(parts) > 1 else _line_of(found, each)
        if inside is not None:
            found[inside] = _with_word(
                found[inside], Word(parts[0], each.left, each.right, found[inside].words[0].base)
            )
            continue
        at = _above(found, each)
        found[at:at] = [
            Line(part, (Letter(height, 5.0, each.left, each.top - number * height, bold=False, fixed=False),))
            for number, part in enumerate(parts)
        ]
    return found


def _line_of(lines: Sequence[Line], added: Added) -> int | None:
    """The index of the line whose words are beside an added text; None without one."""
    middle = (added.bottom + added.top) / 2
    beside = [
        (abs(line.words[0].base + line.size / 3 - middle), at)
        for at, line in enumerate(lines)
        if line.words and added.bottom - line.size / 2 < line.words[0].base < added.top and _is_level(line)
    ]
    return min(beside)[1] if beside else None


def _is_level(line: Line) -> bool:
    """True for words from left to right on one base line, as in level text of most scripts."""
    return all(
        first.left <= second.left and abs(first.base - second.base) < line.size
        for first, second in pairwise(line.words)
    )


def _with_word(line: Line, word: Word) -> Line:
    words = tuple(sorted((*line.words, word), key=lambda each: each.left))
    return line._replace(text=" ".join(each.text for each in words), words=words)


def _above(lines: Sequence[Line], added: Added) -> int:
    """The index behind the line that is next above an added text; behind all lines without one."""
    middle = (added.bottom + added.top) / 2
    above = [(line.top - middle, at) for at, line in enumerate(lines) if line.letters and line.top > middle]
    return min(above)[1] + 1 if above else len(lines)
