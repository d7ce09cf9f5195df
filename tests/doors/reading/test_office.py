"""PDF and Office files: read with their pages, cited by them, and never for long."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daypack import Daypack
from daypack.doors.reading.office import extract as office
from daypack.doors.reading.office.extract import Extracted, Limits, extract, form_of
from daypack.doors.reading.office.text import Text
from daypack.errors import NotFound
from daypack.types import Pages, SkipReason
from documents_made import (
    docx,
    epub,
    odt,
    paragraph,
    pdf,
    pptx,
    printed,
    rtf,
    text_of,
    word_table,
    xlsx,
    zipped,
)
from support import WORDS, daypack, ills, project

TIDES = "High water at the north pier is at noon.\nLow water is at six."
PUMP = "The pump is oiled on Mondays (and never on Sundays)."
LEAN = Limits(seconds=10, megabytes=400, pages=50, characters=200_000)


@pytest.fixture
def dp(tmp_path: Path) -> Iterator[Daypack]:
    root = project(tmp_path / "ferry", {"README.md": "# Ferry\n"})
    with Daypack.open(root / ".daypack", settings=WORDS) as found:
        yield found


def put(dp: Daypack, name: str, data: bytes) -> Path:
    (path := dp.root / name).write_bytes(data)
    return path


def refused(data: bytes, form: str, limits: Limits = LEAN) -> tuple[SkipReason, str]:
    found = extract(data, form, limits)
    assert not isinstance(found, Extracted)
    return found


# ---------------------------------------------------------------- what is read


def test_a_pdf_is_read_page_by_page_and_cited_by_its_pages(dp: Daypack) -> None:
    put(dp, "manual.pdf", pdf([TIDES, "", PUMP], title="The manual"))
    dp.files.add(dp.root)
    (hit,) = dp.search("when is the pump oiled", limit=1, vectors="none").candidates
    assert hit.chunk.reference == "manual.pdf#page=3:5-5"
    assert (hit.chunk.text, hit.chunk.title, hit.chunk.uri) == (PUMP, "The manual", "manual.pdf")
    assert dp.get("manual.pdf#page=1").text == TIDES + "\n"
    assert dp.get("manual.pdf").text == f"{TIDES}\n\n\n{PUMP}\n"
    assert ills(dp) == []


def test_a_citation_of_a_page_leads_back_to_exactly_its_text(dp: Daypack) -> None:
    put(
        dp,
        "manual.pdf",
        pdf([f"Page {n} tells of pier {n}.\nIts tide is late by {n} minutes." for n in range(1, 30)]),
    )
    put(
        dp,
        "talk.pptx",
        pptx(*((f"Pier {n}", [f"The tide of pier {n}", "It is late"], "") for n in range(1, 12))),
    )
    dp.files.add(dp.root)
    for query in ("tide of pier 7", "late by 21 minutes"):
        pack = dp.pack(query, budget=400, vectors="none")
        assert pack.excerpts
        for excerpt in pack.excerpts:
            found = dp.get(f"{excerpt.citation.reference}@{excerpt.citation.record_hash}")
            assert (found.text, found.state, found.reference) == (
                excerpt.text,
                "current",
                excerpt.citation.reference,
            )
            name, _, place = excerpt.citation.uri.partition("#")
            assert name in pack.text
            assert f"#{place}:" in pack.text
    assert any("#page=" in e.citation.uri for e in pack.excerpts)


def test_no_excerpt_reaches_over_the_end_of_a_page(dp: Daypack) -> None:
    put(dp, "small.pdf", pdf([f"The tide of pier {n}." for n in range(1, 9)]))
    dp.files.add(dp.root)
    pack = dp.pack("tide of pier", budget=1000, vectors="none")
    assert sorted(e.citation.uri for e in pack.excerpts) == [f"small.pdf#page={n}" for n in range(1, 9)]


def test_a_page_that_is_not_there_is_said_to_be_none(dp: Daypack) -> None:
    put(dp, "manual.pdf", pdf([TIDES, PUMP]))
    dp.files.add(dp.root)
    with pytest.raises(NotFound, match="its last is page=2"):
        dp.get("manual.pdf#page=9")
    with pytest.raises(NotFound, match=r"line 1 of manual\.pdf is not on page=2; it is on page=1"):
        dp.get("manual.pdf#page=2:1-2")
    with pytest.raises(NotFound):
        dp.get("README.md#page=1")
    assert dp.get("manual.pdf:4").reference == "manual.pdf#page=2:4-4"


def test_a_word_document_keeps_headings_lists_tables_and_numbers_its_paragraphs() -> None:
    made = docx(
        paragraph("Harbour rules", "Titel"),
        paragraph("Mooring", "berschrift1"),
        paragraph("# no heading"),
        paragraph(""),
        paragraph("one", "Listenabsatz"),
        paragraph("two", "Listenabsatz"),
        word_table(["what", "price"], ["paint", "12 | 13"]),
        "<w:sdt><w:sdtContent>" + paragraph("inside a control") + "</w:sdtContent></w:sdt>",
        "<w:p><w:r><w:t>kept</w:t></w:r><w:del><w:r><w:delText> deleted</w:delText></w:r></w:del><w:ins><w:r><w:t> new</w:t></w:r></w:ins></w:p>",
    )
    found = extract(made, "docx")
    assert isinstance(found, Extracted)
    assert found.text == (
        "# Harbour rules\n\n# Mooring\n\n\\# no heading\n- one\n- two\n\n| what | price |\n| --- | --- |\n| paint | 12 \\| 13 |\n\n"
        "inside a control\n\nkept new\n"
    )
    assert (found.title, found.pages["unit"], found.pages["lines"]) == (
        "Harbour rules",
        "paragraph",
        [1, 3, 5, 6, 7, 9, 13, 15],
    )


def test_slides_stand_in_their_order_with_notes() -> None:
    found = extract(pptx(("Tides", ["noon", "six"], "Say hello"), ("", ["# 2"], "")), "pptx")
    assert isinstance(found, Extracted)
    assert found.text == "## Tides\n\n- noon\n- six\n\nNotes:\nSay hello\n\n## Slide 2\n\n- # 2\n"
    assert found.pages == {"unit": "slide", "lines": [1, 9]}


def test_sheets_are_tables_cited_by_name(dp: Daypack) -> None:
    put(
        dp,
        "prices.xlsx",
        xlsx({"Prices 2026": [["what", "price"], ["funnel paint", 12.5]], "Notes": [["Ask the harbour"]]}),
    )
    dp.files.add(dp.root)
    (hit,) = dp.search("price of funnel paint", limit=1, vectors="none").candidates
    assert hit.chunk.reference == "prices.xlsx#sheet=Prices%202026:1-5"
    assert "| funnel paint | 12.5 |" in dp.get("prices.xlsx#sheet=Prices%202026").text


def test_a_sheet_is_fetched_by_its_name_as_typed_and_a_wrong_name_lists_the_sheets(dp: Daypack) -> None:
    name = "It's a #1 sheet & more"
    put(dp, "prices.xlsx", xlsx({name: [["funnel paint", 12.5]], "Notes #2": [["Ask the harbour"]]}))
    dp.files.add(dp.root)
    for reference in (
        f"prices.xlsx#sheet={name}",
        "prices.xlsx#sheet=It%27s%20a%20%231%20sheet%20%26%20more",
    ):
        assert "funnel paint" in dp.get(reference).text
        assert "harbour" not in dp.get(reference).text
    assert dp.get(f"prices.xlsx#sheet={name}:1-1").span.end_line == 1
    with pytest.raises(
        NotFound, match=r"prices\.xlsx has no sheet=Nots #2; its sheets are It's a #1 sheet & more, Notes #2"
    ):
        dp.get("prices.xlsx#sheet=Nots #2")


def test_an_open_document_is_read() -> None:
    body = '<text:h text:outline-level="2">Mooring</text:h><text:p>Two<text:s/>hours, <text:span>no more</text:span>.</text:p>'
    body += "<table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell></table:table-row></table:table>"
    assert text_of(odt(body), "odt") == "## Mooring\n\nTwo hours, no more.\n\n| a |\n| --- |\n"


def test_a_pdf_is_read_with_its_headings_paragraphs_and_code(dp: Daypack) -> None:
    first = printed(
        ("F", 22, 72, 720, "The keeper's"),
        ("F", 22, 72, 694, "handbook"),
        ("F", 16, 72, 650, "Oiling"),
        ("F", 11, 72, 620, "The pump is oiled on Mondays, and the"),
        ("F", 11, 72, 606, "winch on Fridays."),
        ("F", 11, 72, 578, "# is no heading here."),
        ("B", 11, 72, 550, "In winter"),
        ("F", 11, 72, 536, "Use thin oil, and call"),
        ("C", 10, 90, 512, "def oil(pump):"),
        ("C", 10, 114, 500, "return pump.oil(2)"),
        ("F", 11, 72, 476, "once a day."),
    )
    second = printed(("F", 11, 72, 720, "Never oil the lamp."), ("F", 11, 72, 706, "It burns."))
    put(dp, "keeper.pdf", pdf([first, second], title="Microsoft Word - keeper.doc"))
    dp.files.add(dp.root)
    assert dp.get("keeper.pdf").text == (
        "# The keeper's handbook\n\n## Oiling\n\n"
        "The pump is oiled on Mondays, and the\nwinch on Fridays.\n\n\\# is no heading here.\n\n"
        "### In winter\n\nUse thin oil, and call\n\n```\ndef oil(pump):\n    return pump.oil(2)\n```\n\nonce a day.\n\n"
        "Never oil the lamp.\nIt burns.\n"
    )
    (hit,) = dp.search("may the lamp be oiled?", limit=1, vectors="none").candidates
    assert (hit.chunk.title, hit.chunk.reference) == ("The keeper's handbook", "keeper.pdf#page=2:21-22")
    assert (hit.chunk.name, hit.chunk.trail) == ("In winter", ("The keeper's handbook", "Oiling"))


def test_a_typewritten_pdf_and_one_in_large_print_have_text_alone() -> None:
    typed = printed(*[("C", 10, 72 + n, 720 - 12 * n, f"Line {n} of the letter") for n in range(9)])
    text = text_of(pdf([typed]), "pdf")
    assert text == "".join(f"Line {n} of the letter\n" for n in range(9))
    mixed = printed(*[("F", 11 + 9 * (n % 2), 72, 720 - 24 * n, f"Point {n} of the slide") for n in range(8)])
    assert "#" not in text_of(pdf([mixed]), "pdf")


def test_a_book_is_read_chapter_by_chapter_in_the_order_of_its_spine(dp: Daypack) -> None:
    chapters = {
        "z.xhtml": "<h1>The lamp</h1><p>Marten kept it burning, see <a href='a.xhtml#n1'>the storm</a>.</p>",
        "cover.xhtml": "<img src='cover.png'/>",
        "a.xhtml": "<h1>The storm</h1><p>It came <em>at noon</em>, <a href='https://sea.example'>said the sea</a>.</p>",
    }
    put(dp, "keeper.epub", epub(chapters, title="The keeper"))
    dp.files.add(dp.root)
    (hit,) = dp.search("when did the storm come", limit=1, vectors="none").candidates
    assert (hit.chunk.title, hit.chunk.reference) == ("The keeper", "keeper.epub#chapter=2:5-7")
    text = dp.get("keeper.epub").text
    assert text == (
        "# The lamp\n\nMarten kept it burning, see the storm.\n\n"
        "# The storm\n\nIt came *at noon*, [said the sea](https://sea.example).\n"
    )
    assert dp.get("keeper.epub#chapter=2").text == text[text.index("# The storm") :]
    assert ills(dp) == []


def test_a_protected_book_is_refused_and_a_scrambled_font_is_no_protection() -> None:
    page = {"a.xhtml": "<p>Marten kept the lamp burning.</p>"}
    reason, detail = refused(epub(page, locked=["a.xhtml"]), "epub")
    assert reason is SkipReason.LOCKED_OR_DAMAGED
    assert "without protection" in detail
    assert text_of(epub(page, locked=["font.otf"]), "epub") == "Marten kept the lamp burning.\n"


def test_rich_text_is_read_without_its_control_words(dp: Daypack) -> None:
    body = (
        r"{\b Deposit}\par The sum of 1,450\'80 is paid back, says Frau M\u252?ller.\par\par"
        r"\trowd what\cell price\cell\row paint\cell 12\cell\row\pard # no heading\par"
    )
    put(dp, "lease.rtf", rtf(body, title="The lease"))
    dp.files.add(dp.root)
    (hit,) = dp.search("who says what is paid back", limit=1, vectors="none").candidates
    assert (hit.chunk.title, hit.chunk.reference) == ("The lease", "lease.rtf#paragraph=1:1-7")
    assert dp.get("lease.rtf").text == (
        "Deposit\n\nThe sum of 1,450€ is paid back, says Frau Müller.\n\n"
        "| what | price |\n| --- | --- |\n| paint | 12 |\n\n\\# no heading\n"
    )


def test_a_document_is_read_wherever_it_comes_in(dp: Daypack) -> None:
    path = put(dp, "manual.pdf", pdf([TIDES, PUMP]))
    dp.knowledge.add_path(path, label="rules")
    dp.knowledge.add_text("piped", path.read_bytes().decode("utf-8", "surrogateescape"))
    assert dp.get("source:rules#page=2").text == dp.get("source:piped#page=2").text == PUMP + "\n"


def test_a_document_that_changed_is_read_again_and_its_citation_says_so(dp: Daypack) -> None:
    path = put(dp, "manual.pdf", pdf([TIDES, PUMP]))
    dp.files.add(dp.root)
    (hit,) = dp.search("pump oiled", limit=1, vectors="none").candidates
    path.write_bytes(pdf([TIDES, "A new page.", "The pump is oiled by a robot."]))
    os.utime(path, (1, 1))
    (now,) = dp.search("pump oiled", limit=1, vectors="none").candidates
    assert now.chunk.reference.startswith("manual.pdf#page=3:")
    assert dp.get(f"{hit.chunk.reference}@{hit.chunk.record_hash}").state == "changed"


def test_rebuilding_the_index_keeps_the_pages(dp: Daypack) -> None:
    put(dp, "manual.pdf", pdf([TIDES, PUMP]))
    dp.files.add(dp.root)
    before = [c.chunk.reference for c in dp.search("pump water", vectors="none").candidates]
    dp.reindex()
    assert [c.chunk.reference for c in dp.search("pump water", vectors="none").candidates] == before


def test_a_secret_in_a_document_is_replaced_and_lines_still_lead_to_their_pages(dp: Daypack) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2
    put(dp, "manual.pdf", pdf([f"The token is {secret}", PUMP]))
    dp.files.add(dp.root)
    assert "[REDACTED:github_token" in dp.get("manual.pdf#page=1").text
    assert dp.get("manual.pdf#page=2").text == PUMP + "\n"


@given(st.lists(st.integers(1, 40), unique=True, min_size=1).map(sorted), st.integers(1, 60))
def test_a_line_stands_on_the_page_that_is_found_for_it(lines: list[int], line: int) -> None:
    pages = Pages("page", tuple(lines))
    place = pages.at(line)
    if line < lines[0]:
        assert place == ""
        return
    first, last = pages.find(place) or (0, 0)
    assert first <= line
    assert last is None or line <= last


# ---------------------------------------------------------------- what is not


def test_what_cannot_be_opened_is_said_with_the_next_step(dp: Daypack) -> None:
    put(dp, "locked.pdf", pdf([TIDES], encrypted=True))
    put(dp, "half.pdf", pdf([TIDES])[:300])
    put(dp, "scan.pdf", pdf(["", ""]))
    put(dp, "half.docx", docx(paragraph(TIDES))[:200])
    put(dp, "other.docx", zipped({"hello.txt": "hello"}))
    put(dp, "old.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500))
    put(dp, "other.epub", zipped({"hello.txt": "hello"}))
    put(dp, "old.mobi", b"BOOKMOBI" + bytes(500))
    put(dp, "locked.xlsx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500))
    told = {issue.uri: (issue.reason.value, issue.detail) for issue in dp.files.add(dp.root).issues}
    for name, reason, step in (
        ("locked.pdf", "locked_or_damaged", "save a copy without a password"),
        ("half.pdf", "locked_or_damaged", "save it again"),
        ("scan.pdf", "empty", "run OCR"),
        ("half.docx", "locked_or_damaged", "save it again"),
        ("other.docx", "locked_or_damaged", "no word/document.xml"),
        ("old.doc", "binary", "save it as .docx"),
        ("other.epub", "locked_or_damaged", "no META-INF/container.xml"),
        ("old.mobi", "binary", "save it as .epub"),
        ("locked.xlsx", "locked_or_damaged", "without a password"),
    ):
        assert told[name][0] == reason, name
        assert step in told[name][1], name


def test_a_scan_of_one_page_says_page() -> None:
    assert refused(pdf([""]), "pdf")[1].startswith("no text on its page;")
    assert refused(pdf(["", ""]), "pdf")[1].startswith("no text on its 2 pages;")


BOMBS = {
    "a PDF whose page unpacks to 200 MB": (
        "pdf",
        lambda: pdf([b"BT /F 11 Tf " + b"(a) Tj " * (28 << 20) + b"ET"]),
    ),
    "a zip that unpacks to 200 MB": ("docx", lambda: zipped({"word/document.xml": b" " * (200 << 20)})),
    "entities of entities": ("docx", lambda: zipped({"word/document.xml": laughs()})),
    "elements in elements": (
        "docx",
        lambda: zipped({"word/document.xml": "<a>" * 200_000 + "</a>" * 200_000}),
    ),
    "a workbook of one endless row": ("xlsx", lambda: zipped({f"xl/{n}.xml": "<a/>" for n in range(20_001)})),
}


def laughs() -> str:
    entities = "".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9))
    return f'<!DOCTYPE d [<!ENTITY a "haha">{entities}]><d>&j;</d>'


@pytest.mark.slow
@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_and_the_next_file_is_read(name: str) -> None:
    form, make = BOMBS[name]
    reason, detail = refused(make(), form)
    assert reason in (SkipReason.TOO_LARGE, SkipReason.LOCKED_OR_DAMAGED)
    assert detail
    assert text_of(pdf([TIDES]), "pdf") == TIDES + "\n"


def test_of_too_many_pages_the_first_are_read_and_that_is_said() -> None:
    found = extract(pdf([f"page {n}" for n in range(1, 61)]), "pdf", LEAN)
    assert isinstance(found, Extracted)
    assert found.text.endswith("page 50\n\n[… pages 51 to 60 were not read …]\n")
    long = extract(docx(paragraph("word " * 50_000)), "docx", LEAN)
    assert isinstance(long, Extracted)
    assert len(long.text) < 200_100
    assert "not read …]" in long.text


def test_without_the_extra_it_is_said_how_to_get_it_and_with_it_the_file_is_read(
    dp: Daypack, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(dp, "manual.pdf", pdf([TIDES]))
    with monkeypatch.context() as without:
        without.setitem(office.NEEDS, "pdf", "a_package_that_nobody_has")
        (issue,) = (issue for issue in dp.files.add(dp.root).issues if issue.uri == "manual.pdf")
        assert issue.reason is SkipReason.NEEDS_EXTRA
        assert "pip install '.[office]'" in issue.detail
        assert dp.files.why(dp.root / "manual.pdf") == issue
    assert dp.files.add(dp.root).added == 1
    assert dp.get("manual.pdf#page=1").text == TIDES + "\n"


def test_the_process_that_reads_sees_nothing_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """A parser that was taken over would find no key there; a broken Python start-up file would break it."""
    monkeypatch.setenv("PYTHONSTARTUP", "/nowhere")
    monkeypatch.setenv("PYTHONHOME", "/nowhere")
    assert text_of(pdf([TIDES]), "pdf") == TIDES + "\n"


@pytest.mark.parametrize(
    "data",
    [b"", b"%PDF-", b"PK\x03\x04", b"%PDF-1.7\n" + bytes(range(256)) * 40],
    ids=["none", "mark", "zip", "noise"],
)
def test_whatever_the_bytes_are_there_is_an_answer(data: bytes) -> None:
    for form in office._WHAT:
        assert not isinstance(extract(data, form, LEAN), Extracted)
    assert form_of("a.txt", data) == ("pdf" if data.startswith(b"%PDF-") else "")


# ---------------------------------------------------------------- as somebody types it


def test_add_search_and_get_of_a_pdf(tmp_path: Path) -> None:
    ferry = project(tmp_path / "ferry", {"README.md": "# Ferry\n"})
    (ferry / "manual.pdf").write_bytes(pdf([TIDES, PUMP]))
    assert "added 2" in daypack("add", ".", cwd=ferry).stdout
    assert "manual.pdf#page=2:" in daypack("search", "when is the pump oiled", cwd=ferry).stdout
    assert "#page=2:4 @" in daypack("pack", "when is the pump oiled", cwd=ferry).stdout
    assert daypack("get", "manual.pdf#page=2", cwd=ferry).stdout == PUMP + "\n"


def test_the_heads_and_feet_of_pages_stand_in_the_text_once(dp: Daypack) -> None:
    body = "{0} is the pier of number {1}.\nIts ferry leaves at {1}:15.\nIts keeper is called {0}."
    names = ("Ada", "Bo", "Cy", "Di", "Eve", "Flo")
    pages = [
        f"The harbour book 2026\n{body.format(name, n + 10)}\nTotal of the day: {n * 37}\n{n} of 6"
        for n, name in enumerate(names, 1)
    ]
    put(dp, "book.pdf", pdf(pages))
    dp.files.add(dp.root)
    text = dp.get("book.pdf").text
    assert text.count("The harbour book 2026") == text.count(" of 6") == 1
    assert all(f"Total of the day: {n * 37}\n" in text for n in range(1, 7))
    assert dp.get("book.pdf#page=4").text.startswith("Di is the pier of number 14.\n")


def test_forms_and_short_documents_keep_what_their_pages_repeat() -> None:
    forms = text_of(pdf(["Name of the keeper\nDate of the tide"] * 6), "pdf")
    short = text_of(pdf([f"The harbour book\nPier {n}.\nIt is old.\nIt is grey." for n in "abc"]), "pdf")
    assert (forms.count("Name of the keeper"), short.count("The harbour book")) == (6, 3)


@pytest.mark.parametrize(
    ("split", "whole"),
    [
        ("a harb\x02\nour at dusk", "a harbour at dusk"),
        ("call with --without-tide-\x02\nlog", "call with --without-tide-log"),
        ("call with --without-tide\x02\r\nlog", "call with --without-tide-log"),
        ("the North\ufffe\nSea", "the North-Sea"),
        ("pier-\x025", "pier-5"),
    ],
)
def test_a_word_that_a_line_of_a_pdf_splits_is_whole_again(split: str, whole: str) -> None:
    text = Text("page", 1_000)
    text.add(split)
    assert text.as_data()["text"] == whole + "\n"
