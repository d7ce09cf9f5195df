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
from daypack.types import Record
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
        "# Mooring fee for the café boat\n"
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


def test_a_forwarded_mail_stands_behind_the_one_that_holds_it() -> None:
    outer = message("Fwd: fee", "See below.\n")
    outer.add_attachment(message())
    text = read(bytes(outer)).text
    assert text.index("# Fwd: fee") < text.index("See below.") < text.index("# Mooring fee for the café boat")


def test_a_box_has_a_heading_for_each_message() -> None:
    reply = message("Re: fee", "Paid.\n\n>From what I see it was 1.240.\nFrom the harbour, Bo\n")
    box = b"".join(
        b"From bo@example.org Tue Nov  3 10:00:00 2026\n" + bytes(one) + b"\n" for one in (message(), reply)
    )
    text = read(box, "mail/all.mbox").text
    assert [line for line in text.splitlines() if line.startswith("# ")] == [
        "# Mooring fee for the café boat",
        "# Re: fee",
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
