"""Documents that were made for these tests, byte by byte, so that no library that reads them has written
them.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from html import escape

from daypack.doors.reading.office.extract import Extracted, extract

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
_P = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
_R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
_RELATIONS = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"'


# ---------------------------------------------------------------- PDF


def pdf(
    pages: Sequence[str | bytes], *, title: str = "", encrypted: bool = False, added: Sequence[str] = ()
) -> bytes:
    """A PDF with a line of text for each line of a page; a page of bytes is its content as it stands, in the fonts F, B
    (bold) and C (code). `added` are annotations of the first page, fields of forms among them.
    """
    objects: list[bytes] = [b""] * 5
    kids = []
    for page in pages:
        content = page if isinstance(page, bytes) else _lines(page)
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F 3 0 R /B 4 0 R /C 5 0 R >> >> /Contents %d 0 R >>"
            % (len(objects) + 2)
        )
        kids.append(b"%d 0 R" % len(objects))
        packed = zlib.compress(content, 9)
        objects.append(
            b"<< /Length %d /Filter /FlateDecode >>\nstream\n" % len(packed) + packed + b"\nendstream"
        )
    objects[0] = b"<< /Type /Catalog /Pages 2 0 R >>"
    if added:
        objects += [b"<< /Type /Annot %s >>" % each.encode("cp1252") for each in added]
        listed = b" ".join(b"%d 0 R" % at for at in range(len(objects) - len(added) + 1, len(objects) + 1))
        objects[5] = objects[5].replace(b"<< /Type /Page ", b"<< /Type /Page /Annots [%s] " % listed)
        objects[0] = b"<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [%s] >> >>" % listed
    objects[1] = b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(pages), b" ".join(kids))
    for at, font in enumerate((b"Helvetica", b"Helvetica-Bold", b"Courier"), 2):
        objects[at] = b"<< /Type /Font /Subtype /Type1 /BaseFont /%s /Encoding /WinAnsiEncoding >>" % font
    trailer = b"/Root 1 0 R /Size %d" % (len(objects) + 1)
    if title:
        objects.append(b"<< /Title (%s) >>" % title.encode("latin-1"))
        trailer += b" /Info %d 0 R" % len(objects)
    if encrypted:  # by a password whose hash no password has
        trailer += b" /ID [<%s> <%s>]" % (b"ab" * 16, b"ab" * 16)
        trailer += b" /Encrypt << /Filter /Standard /V 1 /R 2 /Length 40 /P -4 /O <%s> /U <%s> >>" % (
            b"cd" * 32,
            b"ef" * 32,
        )
    out = io.BytesIO(b"%PDF-1.4\n")
    out.seek(0, io.SEEK_END)
    places = []
    for number, body in enumerate(objects, 1):
        places.append(out.tell())
        out.write(b"%d 0 obj\n%s\nendobj\n" % (number, body))
    start = out.tell()
    out.write(
        b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
        + b"".join(b"%010d 00000 n \n" % place for place in places)
    )
    out.write(b"trailer\n<< %s >>\nstartxref\n%d\n%%%%EOF\n" % (trailer, start))
    return out.getvalue()


def printed(*lines: tuple[str, int, int, int, str]) -> bytes:
    """The content of a page: (font, size, points from the left, points from the foot, text) for each line."""
    return b"\n".join(
        b"BT /%s %d Tf %d %d Td (%s) Tj ET" % (font.encode(), size, left, top, _escaped(text))
        for font, size, left, top, text in lines
    )


def _escaped(text: str) -> bytes:
    return text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)").encode("cp1252")


def _lines(text: str) -> bytes:
    shown = [b"(%s) Tj T*" % _escaped(line) for line in text.split("\n")]
    return b"\n".join([b"BT /F 11 Tf 14 TL 72 720 Td", *shown, b"ET"])


# ---------------------------------------------------------------- read again


def text_of(data: bytes, form: str) -> str:
    """The text that Daypack reads from a file of this form."""
    found = extract(data, form)
    assert isinstance(found, Extracted), found
    return found.text


# ---------------------------------------------------------------- zips


def zipped(parts: Mapping[str, str | bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return out.getvalue()


def paragraph(text: str, style: str = "") -> str:
    chosen = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f'<w:p>{chosen}<w:r><w:t xml:space="preserve">{text}</w:t></w:r></w:p>'


def word_table(*rows: Sequence[str]) -> str:
    cells = ("".join(f"<w:tc>{paragraph(cell)}</w:tc>" for cell in row) for row in rows)
    return "<w:tbl>" + "".join(f"<w:tr>{row}</w:tr>" for row in cells) + "</w:tbl>"


def docx(*blocks: str, parts: Mapping[str, str] | None = None) -> bytes:
    """A Word document as it is written in Germany: ids of styles are German, names are not. `parts` are others by name:
    "comments", "footnotes", "header1".
    """
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="{key}"><w:name w:val="{name}"/></w:style>'
        for key, name in (
            ("Titel", "Title"),
            ("berschrift1", "heading 1"),
            ("berschrift2", "heading 2"),
            ("Listenabsatz", "List Paragraph"),
        )
    )
    return zipped(
        {
            "word/document.xml": f"<w:document {_W}><w:body>{''.join(blocks)}</w:body></w:document>",
            "word/styles.xml": f"<w:styles {_W}>{styles}</w:styles>",
            **{f"word/{name}.xml": f"<w:part {_W}>{body}</w:part>" for name, body in (parts or {}).items()},
        }
    )


def pptx(*slides: tuple[str, Sequence[str], str]) -> bytes:
    """Slides of (title, lines, notes), whose files are numbered backwards, for the order is not theirs."""

    def shape(kind: str, lines: Sequence[str]) -> str:
        said = "".join(f"<a:p><a:r><a:t>{line}</a:t></a:r></a:p>" for line in lines)
        return f'<p:sp><p:nvSpPr><p:nvPr><p:ph type="{kind}"/></p:nvPr></p:nvSpPr><p:txBody>{said}</p:txBody></p:sp>'

    parts, ids, relations = {}, [], []
    for number, (title, lines, notes) in enumerate(slides, 1):
        file = len(slides) - number + 1
        ids.append(f'<p:sldId id="{255 + number}" r:id="rId{number}"/>')
        relations.append(f'<Relationship Id="rId{number}" Target="slides/slide{file}.xml"/>')
        parts[f"ppt/slides/slide{file}.xml"] = (
            f"<p:sld {_P} {_A}>{shape('title', [title] if title else [])}{shape('body', lines)}</p:sld>"
        )
        if notes:
            parts[f"ppt/slides/_rels/slide{file}.xml.rels"] = (
                f'<Relationships {_RELATIONS}><Relationship Id="rId1" Target="../notesSlides/notesSlide{file}.xml"/></Relationships>'
            )
            parts[f"ppt/notesSlides/notesSlide{file}.xml"] = (
                f"<p:notes {_P} {_A}>{shape('body', [notes])}{shape('sldNum', ['7'])}</p:notes>"
            )
    parts["ppt/presentation.xml"] = (
        f"<p:presentation {_P} {_R}><p:sldIdLst>{''.join(ids)}</p:sldIdLst></p:presentation>"
    )
    parts["ppt/_rels/presentation.xml.rels"] = (
        f"<Relationships {_RELATIONS}>{''.join(relations)}</Relationships>"
    )
    return zipped(parts)


def xlsx(sheets: Mapping[str, Sequence[Sequence[str | float]]]) -> bytes:
    """A workbook with its texts in place."""
    main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    types = "application/vnd.openxmlformats-officedocument.spreadsheetml"

    def cell(value: str | float) -> str:
        return (
            f'<c t="inlineStr"><is><t>{value}</t></is></c>'
            if isinstance(value, str)
            else f"<c><v>{value}</v></c>"
        )

    parts: dict[str, str | bytes] = {}
    for number, rows in enumerate(sheets.values(), 1):
        body = "".join(f"<row>{''.join(map(cell, row))}</row>" for row in rows)
        parts[f"xl/worksheets/sheet{number}.xml"] = (
            f"<worksheet {main}><sheetData>{body}</sheetData></worksheet>"
        )
    named = "".join(
        f'<sheet name="{escape(name)}" sheetId="{n}" r:id="rId{n}"/>' for n, name in enumerate(sheets, 1)
    )
    related = "".join(
        f'<Relationship Id="rId{n}" Type="{office}/worksheet" Target="worksheets/sheet{n}.xml"/>'
        for n in range(1, len(sheets) + 1)
    )
    overrides = "".join(
        f'<Override PartName="/xl/worksheets/sheet{n}.xml" ContentType="{types}.worksheet+xml"/>'
        for n in range(1, len(sheets) + 1)
    )
    return zipped(
        {
            "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
            '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Override PartName="/xl/workbook.xml" ContentType="{types}.sheet.main+xml"/>{overrides}</Types>',
            "_rels/.rels": f'<Relationships {_RELATIONS}><Relationship Id="rId1" Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
            "xl/workbook.xml": f"<workbook {main} {_R}><sheets>{named}</sheets></workbook>",
            "xl/_rels/workbook.xml.rels": f"<Relationships {_RELATIONS}>{related}</Relationships>",
            **parts,
        }
    )


def odt(body: str) -> bytes:
    return open_document("text", body)


def open_document(kind: str, body: str) -> bytes:
    """An OpenDocument file: "text", "spreadsheet" or "presentation"."""
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{space}:1.0"'
        for name, space in (
            *((name, name) for name in ("office", "text", "table", "presentation")),
            ("draw", "drawing"),
        )
    )
    spaces += ' xmlns:dc="http://purl.org/dc/elements/1.1/"'
    return zipped(
        {
            "content.xml": f"<office:document-content {spaces}><office:body><office:{kind}>{body}</office:{kind}></office:body></office:document-content>"
        }
    )


def odf_sheet(name: str, *rows: str) -> str:
    """A sheet with rows of these cells, as programs write it: followed by a million empty rows of a thousand empty cells."""
    empty = '<table:table-cell table:number-columns-repeated="1024"/>'
    body = "".join(f"<table:table-row>{row}{empty}</table:table-row>" for row in rows)
    rest = f'<table:table-row table:number-rows-repeated="1048000">{empty}</table:table-row>'
    return f'<table:table table:name="{name}">{body}{rest}</table:table>'


def odf_cell(text: str, attributes: str = "") -> str:
    return f"<table:table-cell {attributes}><text:p>{text}</text:p></table:table-cell>"


def epub(chapters: Mapping[str, str], *, title: str = "", locked: Sequence[str] = ()) -> bytes:
    """A book of XHTML pages by name, in this order, behind a table of contents; `locked` names pages that need a key."""
    named = [f"Text/{name}" for name in chapters]
    items = "".join(
        f'<item id="i{n}" href="{name}" media-type="application/xhtml+xml"/>' for n, name in enumerate(named)
    )
    order = "".join(f'<itemref idref="i{n}"/>' for n in range(len(named)))
    keys = "".join(
        f'<EncryptedData><CipherData><CipherReference URI="OPS/Text/{name}"/></CipherData></EncryptedData>'
        for name in locked
    )
    page = '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title></head><body>{}</body></html>'
    parts = {f"OPS/{name}": page.format(chapters[name.removeprefix("Text/")]) for name in reversed(named)}
    return zipped(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
            '<rootfile full-path="OPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
            **({"META-INF/encryption.xml": f"<encryption>{keys}</encryption>"} if locked else {}),
            "OPS/book.opf": '<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
            f'<dc:title>{title}</dc:title></metadata><manifest><item id="toc" href="toc.xhtml" properties="nav" '
            f'media-type="application/xhtml+xml"/><item id="font" href="f.otf" media-type="font/otf"/>{items}</manifest>'
            f'<spine><itemref idref="toc"/>{order}</spine></package>',
            "OPS/toc.xhtml": page.format(
                "<nav><ol><li><a href='Text/a.xhtml'>Every chapter</a></li></ol></nav>"
            ),
            **parts,
        }
    )


def rtf(body: str, *, title: str = "") -> bytes:
    """Rich text as word processors write it, with fonts, a page head and information before its body."""
    told = f"{{\\info{{\\author Bo}}{{\\title {title}}}}}" if title else ""
    head = (
        r"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fswiss Times New Roman;}}{\colortbl;\red0\green0\blue0;}"
    )
    return f"{head}{told}{{\\header Page head}}\\f0\\fs24 {body}}}".encode("ascii")
