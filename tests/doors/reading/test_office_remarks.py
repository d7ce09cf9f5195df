"""Office files beyond plain text: spreadsheets and presentations of OpenDocument, comments, footnotes, letterheads, text
boxes, titles above tables, hidden sheets.
"""

from __future__ import annotations

import io
import zipfile
from datetime import timedelta
from pathlib import Path

import pytest

from daypack import Daypack
from daypack.doors.reading.office.extract import Extracted, extract
from documents_made import (
    docx,
    odf_cell,
    odf_sheet,
    odt,
    open_document,
    paragraph,
    pptx,
    text_of,
    word_table,
    xlsx,
)

_CREATOR = "<dc:creator>Ida Holm</dc:creator><dc:date>2026-05-01T10:00:00</dc:date>"


def with_parts(data: bytes, parts: dict[str, str]) -> bytes:
    """The zip with these parts added or replaced."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        kept = {name: archive.read(name).decode() for name in archive.namelist()}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, part in {**kept, **parts}.items():
            archive.writestr(name, part)
    return out.getvalue()


# ---------------------------------------------------------------- OpenDocument


def test_sheets_of_open_document_are_tables_cited_by_name(tmp_path: Path) -> None:
    rows = (
        odf_cell("Boat") + odf_cell("Until") + odf_cell("Price"),
        odf_cell("dinghy", 'table:number-columns-repeated="2"') + odf_cell("12,50 €", 'office:value="12.5"'),
        "<table:covered-table-cell/>"
        + odf_cell("30.11.", 'office:value-type="date" office:date-value="2026-11-30T00:00:00"')
        + odf_cell("9 €"),
        odf_cell("spare"),
    )
    made = open_document("spreadsheet", odf_sheet("Berths 2026", *rows) + odf_sheet("Empty"))
    assert text_of(made, "ods") == (
        "## Berths 2026\n\n| Boat | Until | Price |\n| --- | --- | --- |\n| dinghy | dinghy | 12,50 € |\n|  | 2026-11-30 | 9 € |\n"
        "\nspare\n\n## Empty\n"
    )
    (tmp_path / "berths.ods").write_bytes(made)
    with Daypack.open(tmp_path / ".daypack", root=tmp_path) as dp:
        assert dp.files.add(tmp_path).added == 1
        (hit,) = dp.search("price of a dinghy", limit=1, vectors="none").candidates
        assert hit.chunk.reference.startswith("berths.ods#sheet=Berths%202026:")


def test_slides_of_open_document_have_titles_tables_and_notes() -> None:
    def frame(kind: str, inner: str) -> str:
        return f'<draw:frame presentation:class="{kind}">{inner}</draw:frame>'

    title = frame("title", "<draw:text-box><text:p>Tides</text:p></draw:text-box>")
    lines = "<text:list><text:list-item><text:p>noon</text:p></text:list-item><text:list-item><text:p>six</text:p></text:list-item></text:list>"
    table = (
        f"<table:table><table:table-row>{odf_cell('high')}{odf_cell('low')}</table:table-row></table:table>"
    )
    notes = "<presentation:notes><draw:frame><draw:text-box><text:p>Say hello</text:p></draw:text-box></draw:frame></presentation:notes>"
    slides = (
        f"<draw:page>{title}{frame('outline', f'<draw:text-box>{lines}</draw:text-box>')}{notes}</draw:page>"
    )
    slides += f"<draw:page>{frame('table', table)}</draw:page>"
    found = extract(open_document("presentation", slides), "odp")
    assert isinstance(found, Extracted)
    assert found.text == (
        "## Tides\n\n- noon\n- six\n\nNotes:\nSay hello\n\n## Slide 2\n\n| high | low |\n| --- | --- |\n"
    )
    assert (found.title, found.pages) == ("Tides", {"unit": "slide", "lines": [1, 9]})


def test_footnotes_and_comments_of_open_document_stand_below_their_paragraph() -> None:
    note = "<text:note text:note-class='footnote'><text:note-citation>1</text:note-citation><text:note-body><text:p>By report 55.</text:p></text:note-body></text:note>"
    comment = f"<office:annotation>{_CREATOR}<text:p>Ask him again.</text:p></office:annotation>"
    made = odt(f"<text:p>No leak{note} was found.</text:p><text:p>It starts {comment}in May.</text:p>")
    assert text_of(made, "odt") == (
        "No leak was found.\nFootnote: By report 55.\n\nIt starts in May.\nComment by Ida Holm, 2026-05-01: Ask him again.\n"
    )


# ---------------------------------------------------------------- Word


def test_footnotes_and_comments_of_word_stand_below_their_paragraph() -> None:
    refer = '<w:p><w:r><w:t>{}</w:t></w:r><w:r><w:{} w:id="{}"/></w:r></w:p>'
    made = docx(
        refer.format("No leak was found.", "footnoteReference", 1),
        refer.format("It starts in May.", "commentReference", 0),
        paragraph("The end."),
        parts={
            "footnotes": f'<w:footnote w:id="-1"><w:p/></w:footnote><w:footnote w:id="1">{paragraph("By report 55.")}</w:footnote>',
            "comments": f'<w:comment w:id="0" w:author="Ida Holm" w:date="2026-05-01T10:00:00Z">{paragraph("Ask him")}{paragraph("again.")}</w:comment>',
        },
    )
    found = extract(made, "docx")
    assert isinstance(found, Extracted)
    assert found.text == (
        "No leak was found.\nFootnote: By report 55.\n\nIt starts in May.\nComment by Ida Holm, 2026-05-01: Ask him again.\n\nThe end.\n"
    )
    assert found.pages["lines"] == [1, 4, 7]


def test_hidden_text_of_word_is_not_read_and_text_that_a_style_shows_again_is() -> None:
    def run(words: str, facts: str = "") -> str:
        return f'<w:r><w:rPr>{facts}</w:rPr><w:t xml:space="preserve">{words}</w:t></w:r>'

    marked = "<w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr>"  # the mark of the paragraph alone is hidden
    first = f"<w:p>{marked}{run('The pump stands')}{run('hidden words', '<w:b/><w:vanish/>')}</w:p>"
    shown = run("in the cellar.", '<w:vanish w:val="0"/>')
    made = docx(first, f"<w:p>{run('Nobody sees this.', '<w:vanish/>')}</w:p>", f"<w:p>{shown}</w:p>")
    assert text_of(made, "docx") == "The pump stands\n\nin the cellar.\n"


def test_a_letterhead_is_kept_once_and_a_page_number_is_not() -> None:
    made = docx(
        paragraph("Dear Ms Holm"),
        parts={
            "header1": paragraph("Pump and Sons"),
            "header2": paragraph("Pump and Sons"),
            "footer1": paragraph("2"),
        },
    )
    assert text_of(made, "docx") == "Dear Ms Holm\n\nHeader: Pump and Sons\n"


def test_paragraphs_of_a_cell_and_of_a_text_box_are_kept_apart() -> None:
    cell = f"<w:tbl><w:tr><w:tc>{paragraph('Monday')}{paragraph('closed')}</w:tc><w:tc/></w:tr></w:tbl>"
    box = f"<w:p><w:r><w:t>See the box.</w:t><w:txbxContent>{paragraph('Pay by May.')}</w:txbxContent></w:r></w:p>"
    assert (
        text_of(docx(cell, box), "docx")
        == "| Monday closed |  |\n| --- | --- |\n\nSee the box.\nPay by May.\n"
    )
    table = "<table:table><table:table-row><table:table-cell><text:p>Monday</text:p><text:p>closed</text:p></table:table-cell></table:table-row></table:table>"
    assert text_of(odt(table), "odt") == "| Monday closed |\n| --- |\n"
    assert "| paint | 12 |" in text_of(docx(word_table(["what", "price"], ["paint", "12"])), "docx")


# ---------------------------------------------------------------- Excel


def test_titles_and_notes_of_a_sheet_are_not_its_head_and_rows() -> None:
    made = xlsx(
        {
            "Plan": [["Budget 2027"], [], ["what", "euros"], ["paint", 12.5], [], ["Frozen until May"]],
            "List": [["one"], ["two"]],
        }
    )
    assert text_of(made, "xlsx") == (
        "## Plan\n\nBudget 2027\n\n| what | euros |\n| --- | --- |\n| paint | 12.5 |\n\nFrozen until May\n\n## List\n\n| one |\n| --- |\n| two |\n"
    )


def test_a_code_keeps_its_zeros_and_a_duration_its_hours() -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["Berth", "Postcode", "Moored"])
    sheet.append(["A1", 1069, timedelta(hours=30, minutes=5)])
    sheet["B2"].number_format = "00000"
    sheet["C2"].number_format = "[h]:mm"
    book.save(out := io.BytesIO())
    assert "| A1 | 01069 | 30:05:00 |" in text_of(out.getvalue(), "xlsx")


def test_a_hidden_sheet_a_share_and_a_comment_of_a_workbook_are_read() -> None:
    openpyxl = pytest.importorskip("openpyxl")
    from openpyxl.comments import Comment

    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Loans"
    sheet.append(["term", "rate"])
    sheet.append([15, 0.0358])
    sheet["B2"].number_format = "0.00%"
    sheet["B2"].comment = Comment("Ask for less.", "Ida Holm")
    book.create_sheet("Old").append(["a", "b"])
    book["Old"].sheet_state = "hidden"
    out = io.BytesIO()
    book.save(out)
    assert text_of(out.getvalue(), "xlsx") == (
        "## Loans\n\n| term | rate |\n| --- | --- |\n| 15 | 3.58 % |\n\nComment on B2 by Ida Holm: Ask for less.\n\n"
        "## Old (hidden sheet)\n\n| a | b |\n| --- | --- |\n"
    )


# ---------------------------------------------------------------- PowerPoint


def test_the_words_of_a_diagram_stand_on_its_slide() -> None:
    relation = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId5" Target="../diagrams/data1.xml"/></Relationships>'
    diagram = '<dgm:dataModel xmlns:dgm="d" xmlns:a="a"><dgm:pt><dgm:t><a:p><a:r><a:t>Plan first</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:dataModel>'
    made = with_parts(
        pptx(("Steps", ["Three"], "")),
        {"ppt/slides/_rels/slide1.xml.rels": relation, "ppt/diagrams/data1.xml": diagram},
    )
    assert text_of(made, "pptx") == "## Steps\n\n- Three\n- Plan first\n"


def test_documents_with_macros_are_read_as_those_without(tmp_path: Path) -> None:
    (tmp_path / "plan.xlsm").write_bytes(xlsx({"Plan": [["funnel paint", 12.5]]}))
    (tmp_path / "talk.ppsx").write_bytes(pptx(("Steps", ["Three"], "")))
    (tmp_path / "letter.docm").write_bytes(docx(paragraph("Dear Ms Holm")))
    (tmp_path / "old.xlsb").write_bytes(b"PK\x03\x04" + bytes(200))
    with Daypack.open(tmp_path / "store", root=tmp_path) as dp:
        report = dp.files.add(tmp_path)
        assert report.added == 3
        assert [(issue.uri, issue.detail) for issue in report.issues if "/" not in issue.uri] == [
            ("old.xlsb", "by its ending .xlsb; save it as .xlsx, which is read")
        ]
