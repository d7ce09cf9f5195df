"""The language check: each rule finds its riddle, plain sentences pass, and the project is clean."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def english() -> ModuleType:
    """scripts/english.py as a module."""
    spec = importlib.util.spec_from_file_location("english", ROOT / "scripts" / "english.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["english"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("source", "rule"),
    [
        ('"""What is forgotten is in no byte of the store."""', "what-first"),
        ('"""Whether a text is stored."""', "question-first"),
        ("x = 1  # of whoever asks", "nobody"),
        ('raise ValueError(f"{word!r} is no date")', "is-no"),
        ('"""A verb that there is not."""', "that-there-is"),
        ("# The rest of what is stored.", "what-clause"),
        ('"""The place where it stands in the file."""', "stands"),
        ('say("this is what it was told, as was said")', "is-told"),
        ("# a function of ours", "of-ours"),
        ("# all of it is read", "of-it"),
        ("# read anew", "calque"),
        ('"""Delete records by uid; their number."""', "bare-result"),
    ],
)
def test_each_rule_finds_its_riddle(english: ModuleType, source: str, rule: str) -> None:
    assert rule in {finding.rule.name for finding in english.findings_in(Path("a.py"), source)}


@pytest.mark.parametrize(
    "source",
    [
        '"""Deleted memories are erased from disk."""',
        '"""Is there a store? Who asks?"""',
        'raise ValueError(f"{word!r} is not a valid date; there is no year")',
        'query = "SELECT text FROM record WHERE door = ?"',
    ],
)
def test_plain_sentences_pass(english: ModuleType, source: str) -> None:
    assert list(english.findings_in(Path("a.py"), source)) == []


def test_markdown_is_read_outside_code_and_quotations(english: ModuleType) -> None:
    page = '# What it is\n\nText "is no date" stays.\n\n```\nWhat is code is skipped.\n```\n\n- nobody asks\n'
    found = list(english.findings_in(Path("a.md"), page))
    assert [(finding.line, finding.rule.name) for finding in found] == [(9, "nobody")]


def test_the_project_reads_well(english: ModuleType) -> None:
    found = [
        str(finding)
        for path in english.files([])
        for finding in english.findings_in(path, (ROOT / path).read_text(encoding="utf-8"))
    ]
    assert found == []
