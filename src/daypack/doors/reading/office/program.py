"""Reads one document on standard input and prints its text as JSON. A separate program, because its process may crash.

    program.py pdf '{"seconds": 60, "megabytes": 1024, "pages": 2000, "characters": 10000000}' < report.pdf

Documents may be hostile, and their parsers are large. So the program runs without the environment of its caller, limits its
memory and time before it reads, and imports of Daypack only this folder, `system` and the rendering of web pages. It prints

    {"text": …, "unit": "page", "lines": [1, 40, …], "names": […], "title": …}     or     {"error": reason, "detail": …}

where `lines` are the first lines of pages, slides, sheets, chapters or paragraphs, and `names` their names unless they are
numbered from 1.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from daypack.doors.reading.office.book import read_epub
from daypack.doors.reading.office.columns import Word
from daypack.doors.reading.office.fields import added_to, forms_of, with_added
from daypack.doors.reading.office.layout import LEADERS, Letter, Line, arranged
from daypack.doors.reading.office.open_document import read_odp, read_ods, read_odt
from daypack.doors.reading.office.running import running
from daypack.doors.reading.office.sheets import read_xlsx
from daypack.doors.reading.office.slides import read_pptx
from daypack.doors.reading.office.text import WIDEST, FullError, RefusedError, Text, add_table, escaped
from daypack.doors.reading.office.word import read_docx
from daypack.system import limit_process


def read_pdf(data: bytes, text: Text, most_pages: int) -> None:
    """Add to `text` the text of each page with its headings, by PDFium."""
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower():
            raise RefusedError(
                "locked_or_damaged", "the PDF is encrypted; save a copy without a password and add that"
            ) from None
        raise RefusedError("locked_or_damaged", "the PDF is damaged; open it and save it again") from None
    pages = len(document)
    title = " ".join(document.get_metadata_dict().get("Title", "").split())
    text.title = "" if _NO_TITLE.match(title) else title
    forms = forms_of(document)
    read = [_lines(document, number, forms) for number in range(min(pages, most_pages))]
    repeated = running([[line.text for line in page] for page in read])
    kept = [
        [line._replace(is_running=at in lines.kept) for at, line in enumerate(page) if at not in lines.gone]
        for page, lines in zip(read, repeated, strict=True)
    ]
    found = arranged(kept)
    if not text.title and found and (heading := _FIRST_HEADING.match(found[0])):
        text.title = heading[1]
    for page in found:
        text.begin()
        text.add(page)
        text.gap()
    if not any(found):
        raise RefusedError(
            "empty",
            f"no text on its {'page' if pages == 1 else f'{pages:,} pages'}; if it was scanned, run OCR on it (as ocrmypdf does) and add the result",
        )
    if pages > most_pages:
        text.leave_out(f"pages {most_pages + 1:,} to {pages:,} were")


# Titles that programs fill in when the author gave none.
_NO_TITLE = re.compile(
    r"(?i)about:blank|untitled|\(?(?:anonymous|unspecified)\)?\Z|microsoft \w+ - |(?:powerpoint presentation|(?:document|presentation|slide) ?\d*)\Z"
    r"|.*\.(?:ai|docx?|eps|exe|html?|indd|odt|pdf|pptx?|ps|pub|qxd|rtf|tex|tmp|txt|wpd|xlsx?)\Z|\W*\Z"
)
_FIRST_HEADING = re.compile(r"#{1,2} (.+)")


def _lines(document: Any, number: int, forms: Any) -> list[Line]:
    """The lines of a page that are not blank, with the texts that people added; none for an unreadable page, so that the
    other pages are read.
    """
    from pypdfium2 import PdfiumError

    try:
        page = document[number]
        words = page.get_textpage()
    except PdfiumError:
        return []
    text: str = words.get_text_bounded()
    found, starts, start = [], [], 0
    for line in text.splitlines(keepends=True):
        if bare := line.strip():
            first = start + line.index(bare[0])
            found.append(Line(bare, _letters(words, bare, first)))
            starts.append(first)
        start += len(line)
    added = added_to(page, forms)
    has_columns = _has_wide_lines(found)
    if has_columns or added:
        found = [
            line
            if LEADERS.search(line.text)  # a row of dots leads to a page; it does not divide columns
            else line._replace(words=_words(words, line.text, first))
            for line, first in zip(found, starts, strict=True)
        ]
    if added:
        found = with_added(found, added)
        found = found if has_columns else [line._replace(words=()) for line in found]
    words.close()
    page.close()
    return found


def _has_wide_lines(lines: Sequence[Line]) -> bool:
    """True when two lines and more are wider for their letters than others, so that they may have gaps as rows of a table do."""
    widths = sorted(
        (line.letters[-1].left - line.letters[0].left) / (len(line.text) * line.size)
        for line in lines
        if len(line.letters) > 1 and line.size and " " in line.text and not line.is_fixed
    )
    usual = min(_USUAL_LETTER, widths[len(widths) // 4]) if widths else 0.0
    return sum(width > _WIDER * usual for width in widths) > 1


def _words(words: Any, text: str, first: int) -> tuple[Word, ...]:
    """The words of a line with their places; none where a place is unknown."""
    found = []
    for match in re.finditer(r"\S+", text):
        begin, end = (_box(words, first + place) for place in (match.start(), match.end() - 1))
        if begin is None or end is None:
            return ()
        found.append(Word(match[0], begin.left, end.right, begin.base))
    return tuple(found)


class _Box(NamedTuple):
    """The edges of a letter's box, and its base line; `at` is its index among the letters of the page."""

    at: int
    left: float
    right: float
    top: float
    bottom: float
    base: float


def _box(words: Any, place: int) -> _Box | None:
    """The box of a letter of a page; None for one without a box, such as a blank."""
    import ctypes

    from pypdfium2 import raw

    at = raw.FPDFText_GetCharIndexFromTextIndex(words, place)
    box, left, base = raw.FS_RECTF(), ctypes.c_double(), ctypes.c_double()
    if at < 0 or not raw.FPDFText_GetLooseCharBox(words, at, box):
        return None
    raw.FPDFText_GetCharOrigin(words, at, left, base)
    found = _Box(at, box.left, box.right, box.top, box.bottom, base.value)
    height, width = box.top - box.bottom, box.right - box.left
    # one by one: `max` may drop NaN, with which every comparison is false
    is_known = all(abs(place) < _FARTHEST for place in (box.left, box.top, base.value))
    return found if is_known and 0 < height < _FARTHEST and 0 < width < _FARTHEST else None


def _letters(words: Any, line: str, first: int) -> tuple[Letter, ...]:
    """The first, middle and last letter of a line. For one without a box there is another, because the size of a line is
    that of most letters.
    """
    last = len(line) - 1
    found = dict[int, Letter]()
    for place in dict.fromkeys((0, len(line) // 2, last, 3 * last // 4, last // 4)):
        if len(found) < _SAMPLE and (letter := _letter(words, first + place, line[place])) is not None:
            found[place] = letter
    return tuple(letter for _, letter in sorted(found.items()))


_SAMPLE = 3  # letters of a line


def _letter(words: Any, place: int, character: str) -> Letter | None:
    """A letter of a page; None for one without a box."""
    import ctypes

    from pypdfium2 import raw

    box = _box(words, place)
    if box is None:
        return None
    name, flags = ctypes.create_string_buffer(128), ctypes.c_int()
    raw.FPDFText_GetFontInfo(words, box.at, name, len(name), flags)
    bold = BOLD_FONT.search(name.value) is not None
    fixed = bool(flags.value & _FIXED_PITCH) or _FIXED.search(name.value) is not None
    tall = TALL.match(character) is not None
    return Letter(box.top - box.bottom, box.right - box.left, box.left, box.top, bold, fixed, tall)


TALL = re.compile(r"[()\[\]{}|/\U0001d400-\U0001d7ff]")  # brackets, and the letters of formulas
_USUAL_LETTER = 0.45  # of its height: the most of usual fonts, with the blanks of a line
_WIDER = 1.12
_FARTHEST = 20_000.0  # points; a page has at most 14,400 (ISO 32000-1, annex C), and positions may be NaN
_FIXED_PITCH = 1  # the first flag of a font (ISO 32000-1, table 123), which TeX does not set
_FIXED = re.compile(rb"(?i)mono|courier|consol|\bCMTT")
# TeX's bold fonts do not say so: those of Computer Modern, and Times of URW
BOLD_FONT = re.compile(rb"(?i)bold|black|heavy|\b(?:CM(?:SS)?|SF|EC)BX|\bSFSX|-Medi(?:Ital)?\b|(?-i:Demi)")


# ---------------------------------------------------------------- rich text


def read_rtf(data: bytes, text: Text, _most_pages: int) -> None:
    """Add to `text` the paragraphs, numbered from 1, and the tables. The format does not mark headings."""
    from striprtf.striprtf import rtf_to_text

    if not data.startswith(b"{\\rtf"):
        raise RefusedError("locked_or_damaged", "it is not a document of its ending; save it again")
    # The format is ASCII; other bytes that programs write are in the usual code page.
    source = data.decode("cp1252", "replace")
    if (title := _RTF_TITLE.search(source, 0, _RTF_HEAD)) is not None:
        text.title = rtf_to_text(f"{{\\rtf1 {title[1]}}}", errors="ignore")
    rows: list[list[str]] = []
    for line in rtf_to_text(source, errors="ignore").split("\n"):
        if line.endswith("|"):
            rows.append(line[:-1].split("|")[:WIDEST])
            continue
        _add_rows(rows, text)
        rows = []
        if line.strip():
            text.gap()
            text.begin()
            text.add(escaped(line.strip()))
    _add_rows(rows, text)


_RTF_HEAD = 16_384  # characters with fonts, colours, styles and the title
_RTF_TITLE = re.compile(r"\{\\title ([^{}]{1,500})\}")


def _add_rows(rows: list[list[str]], text: Text) -> None:
    if rows:
        text.gap()
        text.begin()
        add_table(rows, text)


# ---------------------------------------------------------------- the program

READERS: dict[str, tuple[str, Callable[[bytes, Text, int], None]]] = {
    "pdf": ("page", read_pdf), "docx": ("paragraph", read_docx), "odt": ("paragraph", read_odt), "pptx": ("slide", read_pptx), "xlsx": ("sheet", read_xlsx),
    "epub": ("chapter", read_epub), "rtf": ("paragraph", read_rtf), "ods": ("sheet", read_ods), "odp": ("slide", read_odp),
}  # fmt: skip

_TOO_LARGE = {"error": "too_large", "detail": "reading it took more memory than a document may take"}


def read(form: str, data: bytes, *, pages: int, characters: int) -> dict[str, Any]:
    unit, reader = READERS[form]
    text = Text(unit, characters)
    try:
        reader(data, text, pages)
    except FullError:
        text.leave_out(f"what follows the first {characters:,} characters was")
    except RefusedError as error:
        return {"error": error.reason, "detail": error.detail}
    except (MemoryError, RecursionError):
        return _TOO_LARGE
    return text.as_data()


def main() -> int:
    options = json.loads(sys.argv[2])
    limit_process(seconds=options["seconds"], megabytes=options["megabytes"])
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # parsers warn at length
    try:
        found = read(
            sys.argv[1], sys.stdin.buffer.read(), pages=options["pages"], characters=options["characters"]
        )
        shown = json.dumps(found)
    except MemoryError:
        shown = json.dumps(_TOO_LARGE)
    sys.stdout.write(shown)
    sys.stdout.flush()
    os._exit(0)  # all output is written, and some parsers crash at a normal exit
