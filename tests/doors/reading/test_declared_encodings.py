"""Text in the encoding that it declares: older pages, XML files, sources and LaTeX."""

from __future__ import annotations

import pytest

from daypack.doors.reading.decoding import Decoded, decode
from daypack.doors.reading.formats import record_from_bytes
from daypack.types import Record

RUSSIAN = "Договор аренды заключён на пять лет."
POLISH = "Umowa najmu została zawarta na pięć lat."
JAPANESE = "契約は五年間です。"


def page(charset: str, text: str) -> bytes:
    head = f'<meta http-equiv="Content-Type" content="text/html; charset={charset}"><title>{text}</title>'
    return f"<html><head>{head}</head><body><h1>{text}</h1></body></html>".encode(charset, "strict")


@pytest.mark.parametrize(
    ("charset", "text"),
    [
        ("windows-1251", RUSSIAN),
        ("koi8-r", RUSSIAN),
        ("iso-8859-2", POLISH),
        ("windows-1250", POLISH),
        ("Shift_JIS", JAPANESE),
        ("euc-jp", JAPANESE),
        ("gb2312", "合同期限为五年。"),
    ],
)
def test_a_saved_page_is_read_in_the_encoding_that_it_declares(charset: str, text: str) -> None:
    record = record_from_bytes(page(charset, text), uid="page.html")
    assert isinstance(record, Record)
    assert (record.title, record.text.strip()) == (text, f"# {text}")


@pytest.mark.parametrize(
    ("head", "encoding"),
    [
        ('<?xml version="1.0" encoding="ISO-8859-2"?>', "iso-8859-2"),
        ("# -*- coding: iso-8859-2 -*-", "iso-8859-2"),
        ("#!/usr/bin/python\n# vim: set fileencoding=cp1250 :", "cp1250"),
        ("\\documentclass{article}\n\\usepackage[latin2]{inputenc}", "latin2"),
        ('<meta charset="windows-1250">', "windows-1250"),
    ],
)
def test_xml_sources_and_latex_are_read_in_the_encoding_that_they_declare(head: str, encoding: str) -> None:
    text = f"{head}\n{POLISH}\n"
    assert decode(text.encode(encoding)) == Decoded(text, encoding)


@pytest.mark.parametrize(
    "charset", ["iso-8859-1", "windows-1252", "us-ascii", "utf-8", "punycode", "no-such"]
)
def test_a_western_page_is_read_as_before_whatever_it_declares(charset: str) -> None:
    text = f'<meta charset="{charset}"> “grün”'
    assert decode(text.encode("cp1252")) == Decoded(text, "cp1252")


def test_a_text_that_is_utf_8_is_read_as_utf_8_although_it_declares_another_encoding() -> None:
    text = f'<meta charset="windows-1251"> {RUSSIAN}'
    assert decode(text.encode()) == Decoded(text)


def test_a_page_whose_bytes_are_not_in_the_declared_encoding_is_read_as_before() -> None:
    text = '<meta charset="euc-jp"> Der Hafen ist schön, die Möwen auch.'
    assert decode(text.encode("cp1252")) == Decoded(text, "cp1252")


def test_marks_of_windows_are_read_on_a_page_that_declares_a_relative_without_them() -> None:
    text = '<meta charset="iso-8859-15"> “L’été” – 20 € … à Paris'
    assert decode(text.encode("cp1252")) == Decoded(text, "iso-8859-15")


@pytest.mark.parametrize("charset", ["iso-8859-2", "cp037"])  # the second is of mainframes
def test_a_declared_encoding_that_gives_controls_is_not_believed(charset: str) -> None:
    text = f'<meta charset="{charset}"> œuvre, Šárka, café'
    assert decode(text.encode("cp1252")) == Decoded(text, "cp1252")
