"""The bullets and numbers of lists and headings in OpenDocument, and documents whose parts have other names."""

from __future__ import annotations

import io
import time
import zipfile
from pathlib import Path

import pytest

from daypack import Daypack
from documents_made import docx, odt, text_of
from support import WORDS

STYLES = (
    '<text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/>'
    '<text:list-level-style-number text:level="2" style:num-format="a" style:num-suffix=")" text:display-levels="2"/>'
    '</text:list-style><text:list-style style:name="L2"><text:list-level-style-bullet text:level="1"/></text:list-style>'
    '<text:outline-style><text:outline-level-style text:level="1" style:num-format="I"/>'
    '<text:outline-level-style text:level="2" style:num-format=""/></text:outline-style>'
)


def read(body: str, styles: str = STYLES) -> str:
    """The text of a document with this body and these styles."""
    made = io.BytesIO(odt(body))
    spaces = " ".join(f'xmlns:{name}="urn:{name}"' for name in ("office", "text", "style"))
    with zipfile.ZipFile(made, "a") as archive:
        archive.writestr("styles.xml", f"<office:document-styles {spaces}>{styles}</office:document-styles>")
    return text_of(made.getvalue(), "odt")


def items(*said: str) -> str:
    return "".join(f"<text:list-item>{one}</text:list-item>" for one in said)


def paragraph(said: str) -> str:
    return f"<text:p>{said}</text:p>"


def test_the_items_of_a_list_have_their_numbers() -> None:
    inner = f"<text:list>{items(paragraph('north'), paragraph('south'))}</text:list>"
    told = items(paragraph("Oil") + inner, paragraph("Ring") + paragraph("twice"), inner)
    again = '<text:list text:style-name="L1" text:continue-numbering="true">' + items(paragraph("Rest"))
    body = f'<text:list text:style-name="L1">{told}</text:list>{paragraph("Then")}{again}</text:list>'
    assert read(body) == (
        "1. Oil\n1.a) north\n1.b) south\n2. Ring\n\ntwice\n2.a) north\n2.b) south\n\nThen\n3. Rest\n"
    )


def test_bullets_and_unknown_styles_are_bullets_and_a_start_is_kept() -> None:
    begun = '<text:list-item text:start-value="7"><text:p>seven</text:p></text:list-item>'
    body = f'<text:list text:style-name="L2">{items(paragraph("a"))}</text:list>'
    body += f'<text:list text:style-name="L9">{items(paragraph("b"))}</text:list>'
    assert read(f'{body}<text:list text:style-name="L1">{begun}</text:list>') == "- a\n- b\n7. seven\n"


def test_headings_have_the_numbers_of_the_outline() -> None:
    body = '<text:h text:outline-level="1">Lamps</text:h><text:h text:outline-level="2">Oil</text:h>'
    body += f'<text:h text:outline-level="1" text:is-list-header="true">Notes</text:h>{paragraph("x")}'
    assert read(body) == "# I Lamps\n\n## Oil\n\n# Notes\n\nx\n"


def test_a_title_by_its_style_is_a_heading() -> None:
    named = '<office:automatic-styles><style:style style:name="P1" style:parent-style-name="Title"/></office:automatic-styles>'
    whole = odt('<text:p text:style-name="P1">Lamps</text:p>' + paragraph("x"))
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(whole)) as archive, zipfile.ZipFile(made, "w") as changed:
        content = archive.read("content.xml").decode().replace("<office:body>", f"{named}<office:body>")
        changed.writestr("content.xml", content.replace(">", ' xmlns:style="urn:style">', 1))
    assert text_of(made.getvalue(), "odt") == "# Lamps\n\nx\n"


@pytest.mark.parametrize("part", ["document2.xml", "document.xml"])
def test_a_document_of_word_is_read_from_the_part_that_holds_its_text(part: str) -> None:
    """`document.xml` too, where a relation names a part that is missing."""
    made = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(docx("<w:p><w:r><w:t>Oil</w:t></w:r></w:p>"))) as old,
        zipfile.ZipFile(made, "w") as new,
    ):
        for name in old.namelist():
            new.writestr(name.replace("document.xml", part), old.read(name))
        kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
        new.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="urn:r"><Relationship Type="{kind}" Target="/word/document2.xml"/></Relationships>',
        )
    assert text_of(made.getvalue(), "docx") == "Oil\n"


def test_a_template_is_read_as_a_document(tmp_path: Path) -> None:
    (tmp_path / "letter.dotx").write_bytes(docx("<w:p><w:r><w:t>Dear keeper</w:t></w:r></w:p>"))
    (tmp_path / "plan.ott").write_bytes(odt(paragraph("Oil the lamps")))
    with Daypack.open(tmp_path / ".daypack", settings=WORDS) as dp:
        dp.files.add(tmp_path)
        assert "Dear keeper" in dp.get("letter.dotx").text
        assert "Oil the lamps" in dp.get("plan.ott").text


def test_levels_that_no_document_has_take_no_time() -> None:
    level = '<text:outline-level-style text:level="99999999" style:num-format="1" text:display-levels="99999999"/>'
    began = time.monotonic()
    styles = f"<text:outline-style>{level}</text:outline-style>"
    said = read('<text:h text:outline-level="99999999">Mill</text:h>', styles)
    assert said.strip() == "###### 1 Mill"
    assert time.monotonic() - began < 3


def test_a_level_that_is_no_number_counts_as_the_first() -> None:
    assert text_of(odt('<text:h text:outline-level="²">Mill</text:h>'), "odt").strip() == "# Mill"
