"""Lists of Word, whose numbers the file counts and does not write."""

from __future__ import annotations

from documents_made import docx, paragraph, text_of


def item(text: str, number: str, level: int = 0) -> str:
    facts = f'<w:pPr><w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr></w:pPr>'
    return f"<w:p>{facts}<w:r><w:t>{text}</w:t></w:r></w:p>"


def kind(number: str, *levels: tuple[str, str, int]) -> str:
    """A kind of list: (format, label, first number) of each level."""
    parts = (
        f'<w:lvl w:ilvl="{at}"><w:start w:val="{begin}"/><w:numFmt w:val="{form}"/><w:lvlText w:val="{label}"/></w:lvl>'
        for at, (form, label, begin) in enumerate(levels)
    )
    return f'<w:abstractNum w:abstractNumId="{number}">{"".join(parts)}</w:abstractNum>'


def list_of(number: str, of: str, more: str = "") -> str:
    return f'<w:num w:numId="{number}"><w:abstractNumId w:val="{of}"/>{more}</w:num>'


_RESTART = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>'
_NUMBERING = (
    kind("7", ("decimal", "%1.", 1), ("lowerLetter", "%1.%2)", 1), ("lowerRoman", "(%3)", 1))
    + kind("8", ("bullet", "·", 1))
    + kind("9", ("decimal", "Step %1:", 4))
    + list_of("1", "7")
    + list_of("2", "8")
    + list_of("3", "9")
    + list_of("4", "7", _RESTART)
)


def test_the_steps_of_a_list_have_their_numbers() -> None:
    made = docx(
        item("Drain the tank", "1"),
        item("open the cock", "1", 1),
        item("wait", "1", 1),
        item("an hour in summer", "1", 2),
        item("Close the cock", "1"),
        item("close it tight", "1", 1),
        paragraph("Then call Ida."),
        item("gloves", "2"),
        item("Prime the pump", "3"),
        item("Note the time", "3"),
        item("Rinse", "4"),
        item("Lock up", "1"),
        item("no item", "0"),
        parts={"numbering": _NUMBERING},
    )
    assert text_of(made, "docx") == (
        "1. Drain the tank\n1.a) open the cock\n1.b) wait\n(i) an hour in summer\n2. Close the cock\n2.a) close it tight\n\n"
        "Then call Ida.\n- gloves\nStep 4: Prime the pump\nStep 5: Note the time\n1. Rinse\n2. Lock up\n\nno item\n"
    )


def test_a_style_may_number_its_paragraphs_and_headings() -> None:
    made = docx(
        paragraph("Tenancy", "berschrift1"),
        paragraph("Rent", "berschrift2"),
        paragraph("Pets", "berschrift2"),
        paragraph("one", "Listenabsatz"),
        parts={
            "numbering": kind("7", ("decimal", "%1", 1), ("decimal", "%1.%2", 1)) + list_of("1", "7"),
            "styles": "".join(
                f'<w:style w:styleId="{key}"><w:name w:val="{name}"/>{more}<w:pPr>{numbered}</w:pPr></w:style>'
                for key, name, more, numbered in (
                    ("berschrift1", "heading 1", "", '<w:numPr><w:numId w:val="1"/></w:numPr>'),
                    (
                        "berschrift2",
                        "heading 2",
                        '<w:basedOn w:val="berschrift1"/>',
                        '<w:numPr><w:ilvl w:val="1"/></w:numPr>',
                    ),
                    ("Listenabsatz", "List Paragraph", "", ""),
                )
            ),
        },
    )
    assert text_of(made, "docx") == "# 1 Tenancy\n\n## 1.1 Rent\n\n## 1.2 Pets\n\n- one\n"
