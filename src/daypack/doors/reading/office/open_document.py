"""OpenDocument: texts, spreadsheets and presentations, zips of XML that LibreOffice and others write."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from daypack.doors.reading.office.list_styles import ListStyles
from daypack.doors.reading.office.numbering import BULLET, number_of
from daypack.doors.reading.office.text import WIDEST, Covered, Text, add_table, escaped, in_sheet, spread
from daypack.doors.reading.office.zipped_xml import (
    NOT_SHOWN,
    add_remarks,
    attribute,
    blocks,
    first,
    local,
    needed,
    opened,
    part,
    signed,
)

_MOST_REPEATED = 100  # of a row with values; a row for each of a million lines would be a bomb. guess


def _body(data: bytes) -> Element | None:
    return first(needed(opened(data), "content.xml"), "body")


def read_odt(data: bytes, text: Text, _most_pages: int) -> None:
    """Add to `text` the paragraphs, numbered from 1, with footnotes and comments below theirs."""
    archive = opened(data)
    content, styles = needed(archive, "content.xml"), part(archive, "styles.xml")
    lists = ListStyles([content] if styles is None else [styles, content])
    titles = _title_styles(content)
    body = first(content, "body")
    for block, label in lists.placed(body) if body is not None else ():
        told = [*_remarks(block)]
        if local(block) == "table":
            text.gap()
            text.begin()
            add_table((row for row in _rows(block) if any(row)), text)
            add_remarks(told, text)
            continue
        said = " ".join(_words(block).split()) if local(block) == "h" else _words(block)
        if not said:
            continue
        is_heading = local(block) == "h" or attribute(block, "style-name") in titles
        if not label or is_heading:
            text.gap()
        text.begin()
        if is_heading:
            level = attribute(block, "outline-level")
            text.title = text.title or said
            number = f"{label} " if label and label != BULLET else ""
            text.add(f"{'#' * max(1, min(6, number_of(level)))} {number}{said}")
            text.gap()
        elif label:
            text.add(f"{label if label == BULLET else escaped(label)} {' '.join(said.split())}")
        else:
            text.add("\n".join(map(escaped, said.split("\n"))))
        add_remarks(told, text)


def _title_styles(content: Element) -> set[str]:
    """The styles of paragraphs that hold the title of the document."""
    styles = (one for one in content.iter() if local(one) == "style")
    return {
        _TITLE,
        *(attribute(one, "name") for one in styles if attribute(one, "parent-style-name") == _TITLE),
    }


_TITLE = "Title"


def read_ods(data: bytes, text: Text, most_pages: int) -> None:
    """Add to `text` the sheets by name, each a table of its rows that are not empty, with comments below it."""
    body = _body(data)
    sheets = [one for one in body.iter() if local(one) == "table"] if body is not None else []
    for sheet in sheets[:most_pages]:
        name = attribute(sheet, "name")
        text.gap()
        text.begin(name)
        text.add(f"## {' '.join(name.split()) or 'Sheet'}")
        in_sheet(_rows(sheet), text)
        add_remarks([*_remarks(sheet)], text)
    if len(sheets) > most_pages:
        text.leave_out(f"{len(sheets) - most_pages:,} sheets were")


def read_odp(data: bytes, text: Text, most_pages: int) -> None:
    """Add to `text` the slides in order, each under its title, with tables and notes."""
    body = _body(data)
    slides = [one for one in body.iter() if local(one) == "page"] if body is not None else []
    for number, slide in enumerate(slides[:most_pages], 1):
        frames = [one for one in slide if local(one) not in ("notes", "animations")]
        title = next(
            (" ".join(_words(one).split()) for one in frames if attribute(one, "class") == "title"), ""
        )
        text.gap()
        text.begin()
        text.title = text.title or title
        text.add(f"## {title or f'Slide {number}'}")
        text.gap()
        for frame in frames:
            if attribute(frame, "class") != "title":
                _add_frame(frame, text)
        notes = next((one for one in slide if local(one) == "notes"), None)
        said = _words(notes) if notes is not None else ""
        if said:
            text.gap()
            text.add("\n".join(["Notes:", *map(escaped, said.split("\n"))]))
    if len(slides) > most_pages:
        text.leave_out(f"slides {most_pages + 1:,} to {len(slides):,} were")


def _add_frame(frame: Element, text: Text) -> None:
    """Add the lines and tables of a part of a slide."""
    for block in blocks(frame, frozenset({"p", "h"}), "table"):
        if local(block) == "table":
            add_table((row for row in _rows(block) if any(row)), text)
        elif said := _words(block):
            text.add(f"- {' '.join(said.split())}")


# ---------------------------------------------------------------- tables


def _rows(table: Element) -> Iterator[list[str]]:
    """The rows of a table as far as they have values, empty ones too."""
    return spread(_cells(table))


def _cells(table: Element) -> Iterator[list[str | Covered]]:
    """The cells of each row, as far as they have values."""
    covering: dict[int, int] = {}  # column → rows that a merged cell in it covers from here on
    for row in table.iter():
        if local(row) != "table-row":
            continue
        cells = list[str | Covered]()
        high: dict[int, int] = {}
        for cell in row:
            if local(cell) not in ("table-cell", "covered-table-cell") or len(cells) >= WIDEST:
                continue
            times = min(_repeated(cell, "number-columns-repeated"), WIDEST - len(cells))
            if local(cell) == "covered-table-cell":
                places = range(len(cells), len(cells) + times)
                cells += [Covered.ABOVE if covering.get(at) else Covered.LEFT for at in places]
                continue
            high[len(cells)] = _repeated(cell, "number-rows-spanned")
            cells += [_value(cell)] * times
        while cells and not cells[-1]:
            cells.pop()
        covering = {at: rows - 1 for at, rows in {**covering, **high}.items() if rows > 1}
        for _ in range(min(_repeated(row, "number-rows-repeated"), _MOST_REPEATED) if cells else 1):
            yield cells


def _repeated(element: Element, name: str) -> int:
    times = attribute(element, name)
    return max(1, int(times)) if times.isdecimal() and len(times) < 9 else 1


def _value(cell: Element) -> str:
    """The text of a cell as it is shown; a date in the form of ISO 8601, which does not depend on the country."""
    if attribute(cell, "value-type") == "date" and (day := attribute(cell, "date-value")):
        return day.replace("T", " ").removesuffix(" 00:00:00")
    return " ".join(_words(cell).split())


# ---------------------------------------------------------------- words


def _words(element: Element) -> str:
    return "".join(_flowing(element)).strip()


_BREAKS = {"tab": "\t", "line-break": "\n", "s": " ", "p": "\n", "h": "\n"}


def _flowing(element: Element) -> Iterator[str]:
    """The text between and inside of elements, as OpenDocument orders it."""
    yield _BREAKS.get(local(element), "") + (element.text or "")
    for child in element:
        if local(child) not in NOT_SHOWN:
            yield from _flowing(child)
        yield child.tail or ""


def _remarks(element: Element) -> Iterator[str]:
    """The footnotes and comments inside an element, in the order of the text."""
    for one in element.iter():
        if local(one) == "note" and (body := first(one, "note-body")) is not None:
            if said := " ".join(_words(body).split()):
                yield f"{'Endnote' if attribute(one, 'note-class') == 'endnote' else 'Footnote'}: {said}"
        elif local(one) == "annotation":
            who, day = (first(one, name) for name in ("creator", "date"))
            label = signed(_of(who), _of(day))
            lines = (" ".join(_words(line).split()) for line in one if local(line) in ("p", "list"))
            if said := " ".join(filter(None, lines)):
                yield f"Comment{label}: {said}"


def _of(element: Element | None) -> str:
    return (element.text or "") if element is not None else ""
