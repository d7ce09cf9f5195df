"""Tables whose merged cells keep their value in each row, and formulas that no program has computed."""

from __future__ import annotations

import io
import zipfile

import pytest

from daypack.doors.reading.pages.rendering import render_html, with_plain_tables
from documents_made import docx, odf_cell, odf_sheet, open_document, paragraph, pptx, text_of, zipped


def workbook(rows: list[list[str | float | None]], *merged: str) -> bytes:
    book = pytest.importorskip("openpyxl").Workbook()
    sheet = book.active
    for row in rows:
        sheet.append(row)
    for place in merged:
        sheet.merge_cells(place)
    book.save(out := io.BytesIO())
    return out.getvalue()


ROTA = (
    "| Day | Who | Work |\n| --- | --- | --- |\n"
    "| Monday | Ann | mop |\n| Monday | Bob | sweep |\n| Tuesday | Cleo | rest |\n"
)


def word_cell(text: str, facts: str = "") -> str:
    return f"<w:tc><w:tcPr>{facts}</w:tcPr>{paragraph(text)}</w:tc>"


def word_rows(*rows: str) -> str:
    return "<w:tbl>" + "".join(f"<w:tr>{row}</w:tr>" for row in rows) + "</w:tbl>"


def test_a_merged_cell_of_excel_stands_in_each_row_that_it_covers() -> None:
    made = workbook(
        [
            ["Day", "Who", "Work"],
            ["Monday", "Ann", "mop"],
            [None, "Bob", "sweep"],
            ["Tuesday", "Cleo", "rest"],
        ],
        "A2:A3",
    )
    assert ROTA in text_of(made, "xlsx")


def test_a_merged_cell_of_word_stands_in_each_row_that_it_covers() -> None:
    made = word_rows(
        word_cell("Day") + word_cell("Who") + word_cell("Work"),
        word_cell("Monday", '<w:vMerge w:val="restart"/>') + word_cell("Ann") + word_cell("mop"),
        word_cell("", "<w:vMerge/>") + word_cell("Bob") + word_cell("sweep"),
        word_cell("Tuesday") + word_cell("Cleo") + word_cell("rest"),
    )
    assert text_of(docx(made), "docx") == ROTA


def test_a_merged_cell_of_an_open_document_stands_in_each_row_that_it_covers() -> None:
    made = odf_sheet(
        "Rota",
        odf_cell("Day") + odf_cell("Who") + odf_cell("Work"),
        odf_cell("Monday", 'table:number-rows-spanned="2"') + odf_cell("Ann") + odf_cell("mop"),
        "<table:covered-table-cell/>" + odf_cell("Bob") + odf_cell("sweep"),
        odf_cell("Tuesday") + odf_cell("Cleo") + odf_cell("rest"),
    )
    assert ROTA in text_of(open_document("spreadsheet", made), "ods")


def test_a_merged_cell_of_a_slide_stands_in_each_row_that_it_covers() -> None:
    def cell(text: str, facts: str = "") -> str:
        return f"<a:tc {facts}><a:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></a:txBody></a:tc>"

    rows = (
        cell("Day") + cell("Who") + cell("Work"),
        cell("Monday", 'rowSpan="2"') + cell("Ann") + cell("mop"),
        cell("", 'vMerge="1"') + cell("Bob") + cell("sweep"),
        cell("Tuesday") + cell("Cleo") + cell("rest"),
    )
    table = "<a:tbl>" + "".join(f"<a:tr>{row}</a:tr>" for row in rows) + "</a:tbl>"
    slides = pptx(("Rota", [], ""))
    with zipfile.ZipFile(io.BytesIO(slides)) as archive:
        parts = {name: archive.read(name).decode() for name in archive.namelist()}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part.replace("</p:sld>", f"{table}</p:sld>"))
    assert ROTA in text_of(out.getvalue(), "pptx")


def test_a_merged_cell_of_a_page_stands_in_each_row_that_it_covers() -> None:
    page = (
        "<h1>Rota</h1><table><tr><th>Day<th>Who<th>Work</tr>"
        "<tr><td ROWSPAN='2'>Monday</td><td>Ann</td><td>mop</td></tr>\n<tr><td>Bob</td><td>sweep</td></tr>"
        "<tr><td>Tuesday</td><td>Cleo</td><td>rest</td></tr></table>"
    )
    text = render_html(page)
    assert text is not None
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if "|" in line
    ]
    assert rows[2:] == [["Monday", "Ann", "mop"], ["Monday", "Bob", "sweep"], ["Tuesday", "Cleo", "rest"]]


def test_the_head_of_a_table_names_each_column_and_a_title_above_it_stands_once() -> None:
    made = workbook(
        [
            ["Takings of the kiosk", None, None],
            ["Month", "2025", None],
            [None, "ice", "tea"],
            ["May", 12, 30],
            ["June", "closed", None],
        ],
        "A1:C1",
        "A2:A3",
        "B2:C2",
        "B5:C5",
    )
    assert text_of(made, "xlsx") == (
        "## Sheet\n\nTakings of the kiosk\n\n| Month | 2025 | 2025 |\n| --- | --- | --- |\n| Month | ice | tea |\n"
        "| May | 12 | 30 |\n| June | closed |\n"
    )
    made = docx(
        word_rows(
            word_cell("Month") + word_cell("2025", '<w:gridSpan w:val="2"/>'),
            word_cell("May") + word_cell("12") + word_cell("30"),
        )
    )
    assert text_of(made, "docx") == "| Month | 2025 | 2025 |\n| --- | --- | --- |\n| May | 12 | 30 |\n"
    page = "<table><tr><th>Month</th><th colspan=2>2025</th></tr><tr><td>May</td><td>12</td><td>30</td></tr></table>"
    assert "| Month | 2025 | 2025 |" in (render_html(page) or "")


@pytest.mark.parametrize("form", ["xlsx", "html"])
def test_a_long_note_beside_several_rows_stands_once(form: str) -> None:
    note = "Bring gloves. " * 30
    if form == "xlsx":
        text = text_of(
            workbook([["Day", "Note"], ["Monday", note], ["Tuesday", None], ["Friday", None]], "B2:B4"), form
        )
    else:
        text = render_html(
            f"<table><tr><th>Day</th><th>Note</th></tr><tr><td>Monday</td><td rowspan=3>{note}</td></tr>"
            "<tr><td>Tuesday</td></tr><tr><td>Friday</td></tr></table>"
        )
    assert text is not None
    assert text.count("Bring gloves.") == 30


def test_a_formula_that_no_program_has_computed_is_shown() -> None:
    made = workbook(
        [
            ["Stand", "Fee"],
            ["cheese", 30],
            ["honey", 25],
            ["total", "=SUM(B2:B3)"],
            ["open?", '=IF(B4>5,"a & b","")'],
        ]
    )
    text = text_of(made, "xlsx")
    assert "| total | =SUM(B2:B3) |" in text
    assert '| open? | =IF(B4>5,"a & b","") |' in text


def test_a_formula_with_an_empty_text_as_its_value_is_blank() -> None:
    made = workbook([["Stand", "Note"], ["cheese", "=A9"], ["honey", "=A9"], ["tea", "late"]])
    made = with_sheet(made, b'<c r="B3"><f>', b'<c r="B3" t="str"><f>')
    assert "| cheese | =A9 |\n| honey |\n| tea | late |\n" in text_of(made, "xlsx")


def with_sheet(made: bytes, old: bytes, new: bytes) -> bytes:
    """A workbook with other XML in its sheet."""
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    sheet = parts["xl/worksheets/sheet1.xml"]
    assert old in sheet
    parts["xl/worksheets/sheet1.xml"] = sheet.replace(old, new)
    return zipped(parts)


def test_of_merged_cells_that_overlap_the_first_counts() -> None:
    rows: list[list[str | float | None]] = [["Day", "Who"], *([f"day {n}", f"name {n}"] for n in range(200))]
    places = (
        b'<mergeCell ref="A2:A3"/>' + b'<mergeCell ref="A2:XFD1048576"/>' * 20_000
    )  # takes a minute without
    made = with_sheet(
        workbook(rows), b"</sheetData>", b"</sheetData><mergeCells>" + places + b"</mergeCells>"
    )
    assert "| day 0 | name 0 |\n| day 0 | name 1 |\n| day 2 | name 2 |\n" in text_of(made, "xlsx")


def test_blanks_behind_a_formula_are_passed_over_once() -> None:
    made = workbook([["Stand", "Fee"], ["cheese", "=SUM(1)"], ["honey", "=SUM(2)"]])
    made = with_sheet(made, b"<f>SUM(1)</f>", b"<f>SUM(1)</f>" + b" " * 300_000 + b"<is/>")
    made = with_sheet(made, b"<f>SUM(2)</f><v", b"<f>SUM(2)</f> \n <v")
    assert "| honey | =SUM(2) |" in text_of(made, "xlsx")


def test_an_attribute_may_hold_angle_brackets() -> None:
    page = (
        "<table><tr><td rowspan=2 data-x='a>b'><b title='c>d'>Ann</b></td><td title=it's>1</td><td rowspan=2>C</td></tr>"
        '<tr><td alt="<td>">2</td></tr></table>'
    )
    assert with_plain_tables(page) == (
        "<table><tr><td data-x='a>b'><b title='c>d'>Ann</b></td><td title=it's>1</td><td>C</td></tr>"
        '<tr><td>Ann</td><td alt="<td>">2</td><td>C</td></tr></table>'
    )


@pytest.mark.parametrize("tag", [f"<td data-x='{'x' * 5_000}'>", "<td title='it>", "<td <b>"])
def test_a_table_with_a_tag_that_is_not_understood_stays_as_it_is(tag: str) -> None:
    page = f"<table><tr><td rowspan=2>A</td><td>1</td></tr><tr>{tag}2</td></tr></table>"
    plain = "<table><tr><td rowspan=2>A</td></tr><tr><td>2</td></tr></table>"
    assert with_plain_tables(page) == page
    assert with_plain_tables(plain + page) == with_plain_tables(plain) + page != plain + page


@pytest.mark.parametrize(
    "part", ['<td "', "<td ='", '<td ="<td" ', "<table ", "<td rowspan=2 '\"", '<b ="<b" ']
)
def test_a_page_of_broken_tags_is_read_in_a_moment(part: str) -> None:
    with_plain_tables(
        "<table><tr><td rowspan=2>" + part * 100_000 + "<tr><td>1</table>"
    )  # hours if quadratic
