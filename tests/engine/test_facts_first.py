"""Questions for a fact about a whole project begin with the text that states it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from daypack import Daypack
from daypack.types import VectorMode
from support import WORDS, project

README = """# Ledgerline

Ledgerline keeps double-entry books in plain text files.

## Features

Books are reconciled with statements of banks.

## Usage

Run `ledgerline check`. The license of a bank, the version of a statement and the owners of a book are columns.

## License

Ledgerline is under the terms of the ISC.
"""
FILES = {
    "README.md": README,
    "LICENSE": "ISC\n\nPermission to use, copy, modify, and distribute is granted to all.\n",
    "SECURITY.md": "# Holes\n\nWrite to the list of guards, and tell no one else.\n",
    "MAINTAINERS": "Ann Bell, Carl Dew\n",
    "CHANGELOG.md": "# Changelog\n\n## 2.1.0\n\n- Books are closed at night.\n\n## 2.0.0\n\n- What changed in the last release of the bank is read.\n",
    "pyproject.toml": '[project]\nname = "ledgerline"\nrequires-python = ">=3.9"\n\n[tool.pytest]\npython = "3 of them"\n\n[dependency-groups]\ndev = ["python-checks>=2"]\n',
    ".github/workflows/ci.yml": "name: quality\non: [push, pull_request]\njobs:\n  suite:\n    steps:\n      - run: make all\n",
    ".github/workflows/release.yml": "name: wheel\non: pull_request\njobs:\n  wheel:\n    steps:\n      - run: make wheel\n",
    "ledgerline/__init__.py": '"""Books."""\n\n__version__ = "2.1.0"\n',
    "ledgerline/__main__.py": "from ledgerline.books import close\n\n\ndef main() -> None:\n    close()\n\n\nmain()\n",
    "ledgerline/checks.py": 'def checks(request, ci):\n    """Run the checks of a pull request where the CI is defined, and its dependencies."""\n    return request\n',
    "ledgerline/books.py": 'def close(entry_point, main):\n    """The main function is the entry point of a book, and its license."""\n    return entry_point\n',
    "docs/licenses.md": "# Licenses of banks\n\nWhich license a bank is under, who maintains it, and its security problems to report.\n",
}


def opened(at: Path, files: dict[str, str]) -> Daypack:
    daypack = Daypack.open(at / "store", root=project(at / "project", files), settings=WORDS)
    daypack.files.add(at / "project")
    return daypack


@pytest.fixture
def ledgerline(tmp_path: Path) -> Iterator[Daypack]:
    with opened(tmp_path, FILES) as daypack:
        yield daypack


@pytest.mark.parametrize(
    ("question", "place"),
    [
        ("Which license is it under?", "LICENSE"),
        ("What license does ledgerline have?", "README.md:13-15"),
        ("Which dependencies does it have?", "pyproject.toml"),
        ("Where is CI defined?", ".github/workflows/ci.yml"),
        ("Which checks run on a pull request?", ".github/workflows/ci.yml"),
        ("Who maintains this project?", "MAINTAINERS"),
        ("How do I report a security problem?", "SECURITY.md"),
        ("What changed in the last release?", "CHANGELOG.md:1-5"),
        ("Which version is this?", "ledgerline/__init__.py"),
        ("Where is the entry point?", "ledgerline/__main__.py"),
        ("Where is the main function?", "ledgerline/__main__.py"),
        ("Why should I use ledgerline?", "README.md:5-7"),
    ],
)
def test_the_text_that_states_it_leads(ledgerline: Daypack, question: str, place: str) -> None:
    found = ledgerline.search(question, limit=3, vectors=VectorMode.NONE)
    assert not found.weak
    assert found.candidates[0].chunk.reference.startswith(place)


def test_a_changelog_has_the_version_that_no_file_states(tmp_path: Path) -> None:
    files = {name: text for name, text in FILES.items() if name != "ledgerline/__init__.py"}
    with opened(tmp_path, files) as daypack:
        found = daypack.search("Which version is this?", limit=1, vectors=VectorMode.NONE)
    assert found.candidates[0].chunk.reference.startswith("CHANGELOG.md:1-5")


def test_a_question_about_a_part_is_ranked_by_its_words(ledgerline: Daypack) -> None:
    found = ledgerline.search("Which license has a bank?", limit=1, vectors=VectorMode.NONE)
    assert found.candidates[0].chunk.reference.startswith("docs/licenses.md")


def test_a_memory_that_states_it_comes_before_the_files(ledgerline: Daypack) -> None:
    ledgerline.memories.remember("guards", "Report a security problem to Ann first.")
    found = ledgerline.search("How do I report a security problem?", limit=1, vectors=VectorMode.NONE)
    assert found.candidates[0].chunk.reference.startswith("memory:guards")
