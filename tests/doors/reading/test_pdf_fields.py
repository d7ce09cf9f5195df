"""What people add to a PDF is read with its pages: values of form fields, text typed over a page, comments."""

from __future__ import annotations

from documents_made import pdf, printed, text_of


def field(kind: str, box: tuple[int, int, int, int], value: str, *more: str) -> str:
    return " ".join(
        ("/Subtype /Widget /FT", kind, f"/T (at {box[0]}) /Rect [{' '.join(map(str, box))}]", value, *more)
    )


def read(page: bytes, *added: str) -> str:
    return text_of(pdf([page], added=added), "pdf").strip()


FORM = printed(
    ("F", 11, 72, 700, "Name"),
    ("F", 11, 300, 700, "Born"),
    ("F", 11, 72, 660, "Remarks"),
    ("F", 11, 72, 560, "Date"),
)
NAME, BORN, REMARKS = (110, 697, 290, 712), (340, 697, 480, 712), (72, 580, 480, 650)


def test_the_values_of_a_form_stand_behind_their_labels() -> None:
    text = read(FORM, field("/Tx", NAME, "/V (Ann Lee)"), field("/Tx", BORN, "/V (1 May 1980)"))
    assert text.split("\n")[0] == "Name Ann Lee Born 1 May 1980"


def test_a_value_below_its_label_stands_on_lines_of_its_own() -> None:
    text = read(FORM, field("/Tx", REMARKS, "/V (Ring twice.\\rBeware of the dog.)", "/Ff 4096"))
    lines = [line for line in text.split("\n") if line]
    assert lines.index("Ring twice.") == lines.index("Remarks") + 1
    assert lines[lines.index("Ring twice.") + 1 :] == ["Beware of the dog.", "Date"]


BOXES = printed(("F", 11, 90, 700, "married"), ("F", 11, 190, 700, "single"))


def box(left: int, state: str) -> str:
    return field(
        "/Btn",
        (left, 697, left + 12, 710),
        f"/V /{state} /AS /{state}",
        "/AP << /N << /Yes null /Off null >> >>",
    )


def test_the_boxes_of_a_form_show_which_is_checked() -> None:
    assert read(BOXES, box(74, "Yes"), box(174, "Off")) == "☒ married ☐ single"


def test_a_form_that_nobody_filled_in_is_read_without_boxes() -> None:
    assert read(BOXES, box(74, "Off"), box(174, "Off")) == "married single"


def test_a_choice_is_read_by_the_label_that_people_see() -> None:
    options = "/Opt [[(de) (Germany)] [(se) (Sweden)]]"
    assert "Name Sweden" in read(FORM, field("/Ch", NAME, "/V (se)", "/Ff 131072", options))


def test_passwords_hidden_fields_and_buttons_are_not_read() -> None:
    secret = field("/Tx", NAME, "/V (secret)", "/Ff 8192")
    hidden = field("/Tx", BORN, "/V (hidden)", "/F 2")
    button = field("/Btn", REMARKS, "/V (Submit)", "/Ff 65536")
    assert read(FORM, secret, hidden, button) == read(FORM)


def test_text_that_was_typed_over_a_page_is_read_at_its_place() -> None:
    typed = f"/Subtype /FreeText /DA (/F 11 Tf) /Rect [{' '.join(map(str, NAME))}] /Contents (Ann Lee)"
    assert "Name Ann Lee" in read(FORM, typed)


def test_a_comment_stands_below_its_line_with_its_author_and_date() -> None:
    comment = (
        "/Subtype /Text /Rect [200 655 220 675] /T (Bo Ek) /M (D:20261103101500Z) /Contents (Too\\nshort.)"
    )
    lines = read(FORM, comment).split("\n")
    assert "Comment by Bo Ek, 2026-11-03: Too short." in lines
    assert lines.index("Comment by Bo Ek, 2026-11-03: Too short.") > lines.index("Name Born")
    assert read(
        FORM, "/Subtype /Highlight /Rect [72 655 220 675] /QuadPoints [72 675 220 675 72 655 220 655]"
    ) == read(FORM)


def test_a_comment_below_a_title_is_no_part_of_the_title() -> None:
    rows = [("F", 11, 72, 700 - 14 * row, f"The rent of row {row} is paid each month.") for row in range(9)]
    comment = "/Subtype /Text /Rect [200 755 220 785] /T (Bo Ek) /Contents (Too short.)"
    lines = read(printed(("F", 24, 72, 760, "The lease"), *rows), comment).split("\n")
    assert [line for line in lines if line][:2] == ["# The lease", "Comment by Bo Ek: Too short."]
