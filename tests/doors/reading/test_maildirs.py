"""Mailboxes with a file for each message: maildirs, and folders of MH."""

from __future__ import annotations

from pathlib import Path

import pytest

from daypack import Daypack
from daypack.doors.reading.formats import record_from_bytes
from daypack.doors.reading.walk import DEFAULT
from daypack.types import Record

MESSAGE = b"""Return-Path: <bo@example.org>
Received: from quay.example.org by mole.example.org;
 Tue, 3 Nov 2026 10:00:01 +0100
MIME-Version: 1.0
From: Bo Ek <bo@example.org>
Date: Tue, 3 Nov 2026 10:00:00 +0100
Subject: The mooring fee
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: base64

VGhlIGZlZSBpcyAxMjQwLgo=
"""


@pytest.mark.parametrize(
    "name",
    [
        "cur/1793696400.M12P3.quay:2,S",
        "Mail/new/1793696400.M12P3.quay",
        "inbox/42",
        "1793696400.M12P3.quay:2,RS",
    ],
)
def test_a_message_of_a_mailbox_is_read_as_mail(name: str) -> None:
    record = record_from_bytes(MESSAGE, uid=name)
    assert isinstance(record, Record)
    assert (record.title, record.author, record.rendered) == ("The mooring fee", "Bo Ek", "mail")
    assert "The fee is 1240." in record.text


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("notes/mail.txt", MESSAGE),
        ("letter", b"From: Bo\nTo: Ann\nDate: today\n\nThe fee is 1240.\n"),
        ("Makefile", b"all: lamp\nlamp: lamp.c\n\tcc lamp.c\n"),
        ("cur/plan.md", b"# Plan\n\nFrom: the pier\n"),
    ],
)
def test_other_files_are_no_mail(name: str, text: bytes) -> None:
    record = record_from_bytes(text, uid=name)
    assert isinstance(record, Record)
    assert record.rendered == ""


def test_a_message_of_a_maildir_may_be_as_long_as_other_mail() -> None:
    assert DEFAULT.limit("1793696400.M12P3.quay:2,S") == DEFAULT.limit("fee.eml")
    assert DEFAULT.limit("1793696400.json") == DEFAULT.limit("fee.json")


def test_a_maildir_answers_with_the_text_of_a_mail(tmp_path: Path) -> None:
    folder = tmp_path / "Maildir/cur"
    folder.mkdir(parents=True)
    (folder / "1793696400.M12P3.quay:2,S").write_bytes(MESSAGE)
    with Daypack.open(tmp_path / ".daypack", root=tmp_path) as dp:
        dp.files.add(tmp_path / "Maildir")
        assert "The fee is 1240." in dp.pack("how high is the mooring fee?", budget=200, vectors="none").text
