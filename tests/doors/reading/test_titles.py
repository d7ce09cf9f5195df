"""The title of a document is found in little time, whatever its lines hold."""

from __future__ import annotations

import time

import pytest

from daypack.doors.reading.titles import find_title

FORMS = [
    ("title:: {}", "markdown"),
    ("# {}", "markdown"),
    ("---\ntitle: {}\n---", "markdown"),
    ("= {}", "asciidoc"),
    ("#+title: {}", "org"),
    ("@settitle {}", "texinfo"),
    ("= {} =", "mediawiki"),
    ("Feature: {}", "gherkin"),
]


@pytest.mark.parametrize(("form", "language"), FORMS)
def test_a_title_ends_before_blanks(form: str, language: str) -> None:
    assert find_title(form.format("Heron and  mill  ") + "\nmore\n", language) == "Heron and  mill"


@pytest.mark.parametrize(("form", "language"), FORMS)
def test_a_line_of_blanks_takes_no_time(form: str, language: str) -> None:
    began = time.monotonic()
    find_title(form.format(f"a{' ' * 150_000}b"), language)
    find_title(form.format(f"a{' ' * 15_000}b"), language)
    assert time.monotonic() - began < 0.5
