"""Mail as a person saves it: `.eml` files and boxes of many messages."""

from __future__ import annotations

from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daypack import Daypack
from daypack.doors.reading.formats import record_from_bytes
from daypack.doors.reading.mail import read_mail
from daypack.types import IngestIssue, Record
from documents_made import docx, paragraph
from support import WORDS

TEXT = "Hello Bo,\n\nthe mooring fee of 1.240 € is due on 30 November. The old account — the one in Emden — is closed.\n"


def message(subject: str = "Mooring fee for the café boat", text: str = TEXT) -> EmailMessage:
    made = EmailMessage()
    made["Received"] = "from quay.example.org by mole.example.org"
    made["From"] = "Änne Lee <anne@example.org>"
    made["To"] = "bo@example.org"
    made["Subject"] = subject
    made["Date"] = "Tue, 03 Nov 2026 10:00:00 +0100"
    made.set_content(text, cte="quoted-printable")
    return made


def read(data: bytes, name: str = "inbox/fee.eml") -> Record:
    record = record_from_bytes(data, uid=name, mtime_ns=5)
    assert isinstance(record, Record)
    return record


def test_a_mail_is_its_subject_its_people_its_date_and_its_text() -> None:
    assert read(bytes(message())).text == (
        "# Änne Lee, 3 Nov 2026: Mooring fee for the café boat\n"
        "From: Änne Lee <anne@example.org>\n"
        "To: bo@example.org\n"
        "Date: Tue, 03 Nov 2026 10:00:00 +0100\n\n" + TEXT
    )


def test_a_mail_has_the_title_author_and_time_that_it_states() -> None:
    record = read(bytes(message()))
    assert (record.title, record.author) == ("Mooring fee for the café boat", "Änne Lee")
    assert record.time == datetime(2026, 11, 3, 9, tzinfo=UTC).timestamp()
    assert (record.language, record.rendered) == ("markdown", "mail")


def test_an_attachment_is_its_name_and_no_line_of_its_bytes() -> None:
    made = message()
    made.add_attachment(
        bytes(range(256)) * 200, maintype="application", subtype="pdf", filename="fee 2026.pdf"
    )
    text = read(bytes(made)).text
    assert text.endswith(TEXT + "\nAttachments: fee 2026.pdf\n")


def test_of_a_text_and_a_page_that_say_the_same_the_text_is_read() -> None:
    made = message()
    made.add_alternative("<p>Hello <b>Bo</b>, a page</p>", subtype="html")
    assert "a page" not in read(bytes(made)).text


def test_a_mail_that_is_a_page_alone_is_read_as_a_page() -> None:
    made = EmailMessage()
    made["Subject"] = "Fee"
    made.set_content("<html><body><p>Due on <b>30 November</b>.</p></body></html>", subtype="html")
    assert "Due on **30 November**." in read(bytes(made)).text


def attached(name: str, data: bytes, kind: str = "application/octet-stream") -> str:
    """The text of a mail with this file."""
    made = message(text="See below.\n")
    main, _, sub = kind.partition("/")
    made.add_attachment(data, maintype=main, subtype=sub, filename=name)
    return read(bytes(made)).text


def test_files_that_a_folder_is_read_for_are_read_in_a_mail_under_their_names() -> None:
    table = attached("offer.csv", b"term,rate\n15 years,3.58\n")
    assert table.endswith(
        "See below.\n\nAttachments: offer.csv\n\n## Attachment: offer.csv\n\n| term | rate |\n| --- | --- |\n| 15 years | 3.58 |\n"
    )
    letter = attached("plan.docx", docx(paragraph("Coach 21", "berschrift1"), paragraph("Seats 44 and 45.")))
    assert letter.endswith("## Attachment: plan.docx\n\n### Coach 21\n\nSeats 44 and 45.\n")
    page = attached("terms.html", b"<h1>Terms</h1><pre># not one</pre><p>Nine percent.</p>", "text/html")
    assert "## Attachment: terms.html\n\n### Terms" in page
    assert "\n# not one\n" in page


def test_an_attached_file_that_is_never_read_from_a_folder_is_a_name() -> None:
    for name in ("id_rsa", "passwords.kdbx", "picture.png", "setup.exe"):
        text = attached(name, b"MZ secret words")
        assert text.endswith(f"Attachments: {name}\n"), name
        assert "secret words" not in text


def test_of_the_documents_of_a_large_box_the_first_are_read_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("daypack.doors.reading.mail._MOST_DOCUMENTS", 1)
    made = message(text="See below.\n")
    for name in ("one.docx", "two.docx"):
        made.add_attachment(
            docx(paragraph(f"Words of {name}")), maintype="application", subtype="octet-stream", filename=name
        )
    made.add_attachment(b"and a table\n", maintype="text", subtype="csv", filename="three.csv")
    text = read(bytes(made)).text
    assert "Words of one.docx" in text
    assert "Words of two.docx" not in text
    assert "[… two.docx was not read: only the first 1 documents of a box are …]" in text
    assert "and a table" in text


def test_an_invitation_says_when_it_is() -> None:
    made = message(text="Please come.\n")
    made.add_attachment(
        b"BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART;VALUE=DATE:20261203\nSUMMARY:Tide talk\nEND:VEVENT\nEND:VCALENDAR\n",
        maintype="text",
        subtype="calendar",
    )
    assert read(bytes(made)).text.endswith("### Tide talk\nWhen: Thursday 3 December 2026\n")


def test_a_page_that_says_far_more_than_its_plain_version_is_read() -> None:
    made = message(text="Your program cannot show this message.\n")
    made.add_alternative(f"<p>{'The berth costs 387 euros. ' * 20}</p>", subtype="html")
    text = read(bytes(made)).text
    assert "387 euros" in text
    assert "cannot show" not in text


def test_each_part_of_a_long_message_says_who_wrote_it_and_when(tmp_path: Path) -> None:
    long = "\n\n".join(f"The hull of boat {n} is old. {'Its paint is dry. ' * 9}" for n in range(40))
    (tmp_path / "long.eml").write_bytes(bytes(message("Hulls", f"{long}\n\nThe crane comes on Friday.\n")))
    with Daypack.open(tmp_path / "store", root=tmp_path, settings=WORDS) as dp:
        dp.files.add(tmp_path)
        found = dp.pack("when does the crane come?", budget=100, vectors="none")
    assert "The crane comes on Friday." in found.text
    assert "Änne Lee, 3 Nov 2026: Hulls" in found.text


@pytest.mark.parametrize("name", ["Inbox", "old.txt", "all.mbox"])
def test_a_box_is_known_by_its_first_line(name: str) -> None:
    box = b"From - Tue Nov  3 10:00:00 2026\n" + bytes(message()) + b"\n"
    assert read(box, name).rendered == "mail"
    assert "1.240 €" in read(box, name).text


def test_a_message_of_apple_mail_is_read_without_what_surrounds_it() -> None:
    inner = bytes(message())
    text = read(b"%d\n" % len(inner) + inner + b"<?xml version='1.0'?><plist/>\n", "fee.emlx").text
    assert text.startswith("# Änne Lee, 3 Nov 2026: Mooring fee")
    assert "plist" not in text


def test_a_page_that_was_saved_in_one_file_is_read_as_a_page() -> None:
    made = EmailMessage()
    made["From"] = "<Saved by a browser>"
    made["Subject"] = "Tide tables"
    made.set_content("<title>Tides</title><h1>Höchste Flut</h1><p>High water at 14:20.</p>", subtype="html")
    made.add_related(bytes(range(256)), maintype="image", subtype="png")
    record = read(bytes(made), "tides.mht")
    assert (record.text, record.title) == ("# Höchste Flut\n\nHigh water at 14:20.\n", "Tides")
    assert (record.rendered, record.language) == ("html", "markdown")
    assert read(b"no page at all", "tides.mht").text == "no page at all"


def test_a_message_of_outlook_says_what_to_save_it_as() -> None:
    issue = record_from_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(99), uid="fee.msg")
    assert isinstance(issue, IngestIssue)
    assert issue.detail.endswith("; save it as .eml, which is read")
    assert read(b"int32 x\nfloat64 y\n", "Point.msg").text == "int32 x\nfloat64 y\n"


def test_a_forwarded_mail_stands_behind_the_one_that_holds_it() -> None:
    outer = message("Fwd: fee", "See below.\n")
    outer.add_attachment(message())
    text = read(bytes(outer)).text
    assert text.index(": Fwd: fee") < text.index("See below.") < text.index(": Mooring fee for the café boat")


def test_a_box_has_a_heading_for_each_message() -> None:
    reply = message("Re: fee", "Paid.\n\n>From what I see it was 1.240.\nFrom the harbour, Bo\n")
    box = b"".join(
        b"From bo@example.org Tue Nov  3 10:00:00 2026\n" + bytes(one) + b"\n" for one in (message(), reply)
    )
    text = read(box, "mail/all.mbox").text
    assert [line for line in text.splitlines() if line.startswith("# ")] == [
        "# Änne Lee, 3 Nov 2026: Mooring fee for the café boat",
        "# Änne Lee, 3 Nov 2026: Re: fee",
    ]
    assert "\nFrom what I see it was 1.240.\nFrom the harbour, Bo" in text


@pytest.mark.parametrize(
    "header",
    [
        b"Subject: Geb\xc3\xbchr\n",
        b"Subject: =?utf-8?q?Geb=C3=BChr?=\n",
        b"subject: =?iso-8859-1?q?Geb=FChr?=\n",
        b"Subject:\n =?utf-8?b?R2Viw7xocg==?=\n",
    ],
)
def test_a_subject_is_read_in_any_form_that_mail_programs_write(header: bytes) -> None:
    assert read(header + b"From: a@example.org\n\nText\n").title == "Gebühr"


@pytest.mark.parametrize("charset", ["klingon", "punycode", "idna", "rot13", "utf-8"])
def test_a_text_in_an_encoding_that_it_does_not_have_is_read_by_its_bytes(charset: str) -> None:
    data = f"From: a@example.org\nContent-Type: text/plain; charset={charset}\n\n".encode() + "Gebühr".encode(
        "cp1252"
    )
    assert "Gebühr" in read(data).text


def test_a_file_that_is_no_mail_is_text_whatever_its_name() -> None:
    record = read(b"The quay is closed.\nFrom Monday on it is open.\n")
    assert (record.text, record.rendered) == ("The quay is closed.\nFrom Monday on it is open.\n", "")


def test_parts_within_parts_without_end_are_text() -> None:
    nested = b"".join(
        b'Content-Type: multipart/mixed; boundary="%d"\n\n--%d\n' % (n, n) for n in range(3_000)
    )
    assert read_mail(b"From: a@example.org\n" + nested) is None


def test_one_message_that_cannot_be_parsed_does_not_hide_the_others_of_its_box() -> None:
    forged = b"From: a@example.org\nContent-Type: application/pdf; name*=\0utf-8''a.pdf\n\nx\n"
    separator = b"From bo@example.org Tue Nov  3 10:00:00 2026\n"
    text = read(separator + forged + b"\n" + separator + bytes(message()), "all.mbox").text
    assert text.startswith("# (unreadable message)\n\nFrom: a@example.org\n")
    assert "1.240 €" in text


@given(st.lists(st.sampled_from(bytes(message()).splitlines(keepends=True)) | st.binary(max_size=40)))
def test_any_bytes_are_a_mail_or_none(lines: list[bytes]) -> None:
    mail = read_mail(b"From: a@example.org\n" + b"".join(lines))
    assert mail is not None
    assert mail.text.startswith("# ")


def test_a_mail_is_found_by_its_day_and_shown_without_its_encoding(tmp_path: Path) -> None:
    folder = tmp_path / "inbox"
    folder.mkdir()
    (folder / "fee.eml").write_bytes(bytes(message()))
    (folder / "note.md").write_text("# Fees\n\nMooring fees are paid by the owner of the boat.\n")
    with Daypack.open(tmp_path / "store", root=folder, settings=WORDS) as dp:
        dp.files.add(folder)
        found = dp.pack("mooring fee", budget=300, since="2026-11-01", before="2026-11-05")
    assert "1.240 €" in found.text
    assert "note.md" not in found.text
