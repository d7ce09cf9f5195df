"""Questions about a whole project begin with what introduces it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from daypack import Daypack
from daypack.rank.texts.introductions import MOST_PAGES, Role, roles_of
from daypack.types import VectorMode
from support import opened_project

README = """<p align="center"><img src="logo.png"></p>

[![Build](https://ci.example/badge.svg)](https://ci.example)

# Ledgerline

Ledgerline keeps double-entry books in plain text files and reconciles them with bank statements.

## Installation

Run `pipx install ledgerline`, then `ledgerline init` in an empty folder.

## Testing

Books are tested by `ledgerline check`, which compares both columns.
"""
FILES = {
    "README.md": README,
    "CONTRIBUTING.md": "# Contributing\n\nWrite to the list before large patches.\n\n## Tests\n\nThe suite of checks runs with `make check`.\n",
    "ARCHITECTURE.md": "# Layers\n\nParsers feed a journal; reports read the journal and write nothing.\n",
    ".github/FUNDING.yml": "# sponsors of this project, what it does for the repository\ngithub: [ann]\n",
    ".github/dependabot.yml": "version: 2 # of this repository and project\nupdates: []\n",
    "docs/statements.md": "# Statements\n\nThe project reads statements of this code base, and what it does is in the code of this project.\n",
    "examples/shop/README.md": "# What this project is\n\nThis project is what this repository does as an example.\n",
    "src/project.py": 'def project(code):\n    """What this project does with the code of this repository."""\n    return code\n',
    "src/start.py": 'def start(install):\n    """Start, install and run the project, and how it is organised."""\n    return install\n',
}
FIRST = [
    ("What is this project?", "README.md:5-7"),
    ("What does this repository do?", "README.md:5-7"),
    ("Give me an overview of the code", "README.md:5-7"),
    ("Was macht dieses Projekt?", "README.md:5-7"),
    ("Explain the architecture", "ARCHITECTURE.md:1-3"),
    ("How is the code organised?", "ARCHITECTURE.md:1-3"),
    ("How do I install it?", "README.md:9-11"),
    ("How do I get started?", "README.md:9-11"),
    ("How do I run the tests?", "CONTRIBUTING.md:5-7"),
    ("How do I contribute?", "CONTRIBUTING.md"),
]


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Daypack]:
    with opened_project(tmp_path, FILES) as daypack:
        yield daypack


def first(daypack: Daypack, question: str) -> str:
    found = daypack.search(question, limit=3, vectors=VectorMode.NONE)
    assert not found.weak, question
    return found.candidates[0].chunk.reference if found.candidates else ""


@pytest.mark.parametrize(("question", "place"), FIRST)
def test_the_text_that_introduces_leads(project: Daypack, question: str, place: str) -> None:
    assert first(project, question).startswith(place)


def test_badges_do_not_introduce(project: Daypack) -> None:
    pack = project.pack("What is this project?", budget=120)
    assert "double-entry" in pack.text
    assert "badge.svg" not in pack.text


@pytest.mark.parametrize(
    ("name", "manifest"),
    [
        ("pyproject.toml", '[project]\nname = "ledgerline"\ndescription = "Double-entry books in plain text"\n'),
        ("ledgerline.gemspec", 'Gem::Specification.new do |it|\n  it.summary = "Double-entry books"\nend\n'),
        ("ledgerline.cabal", "name: ledgerline\nsynopsis: Double-entry books in plain text\n"),
    ],
)  # fmt: skip
def test_a_manifest_introduces_a_project_without_a_readme(tmp_path: Path, name: str, manifest: str) -> None:
    files = {name: text for name, text in FILES.items() if name.startswith(("src/", "examples/"))}
    with opened_project(tmp_path, files | {name: manifest}) as daypack:
        assert first(daypack, "What is this project?").startswith(name)


def test_notes_without_an_introduction_are_ranked_by_words(tmp_path: Path) -> None:
    notes = {"garden.md": "# Garden\n\nPlum trees.\n", "work.md": "# Work\n\nThis project is late.\n"}
    with opened_project(tmp_path, notes) as daypack:
        assert first(daypack, "What is this project?").startswith("work.md")


def test_a_question_about_a_part_is_not_about_the_whole(project: Daypack) -> None:
    assert first(project, "What does the project function do?").startswith("src/project.py")


@pytest.mark.parametrize(
    ("question", "place"),
    [
        ("What is ledgerline?", "README.md:5-7"),
        ("What does Ledgerline do?", "README.md:5-7"),
        ("Give me an overview of ledgerline", "README.md:5-7"),
        ("Was ist Ledgerline?", "README.md:5-7"),
        ("How is ledgerline organised?", "ARCHITECTURE.md:1-3"),
        ("How do I install ledgerline?", "README.md:9-11"),
    ],
)
def test_the_name_of_the_project_stands_for_the_whole(project: Daypack, question: str, place: str) -> None:
    assert first(project, question).startswith(place)


@pytest.mark.parametrize(
    ("name", "manifest"),
    [
        ("pyproject.toml", '[project]\nname = "tideline"\n'),
        ("package.json", '{\n  "name": "@harbour/tideline",\n  "version": "1.0.0"\n}\n'),
        ("go.mod", "module git.example/harbour/tideline/v2\n\ngo 1.22\n"),
        ("pubspec.yaml", "name: tideline\nversion: 1.0.0\n"),
        ("pom.xml", "<project>\n  <artifactId>tideline</artifactId>\n</project>\n"),
        ("mix.exs", "def project do\n  [app: :tideline, version: 1]\nend\n"),
        ("setup.py", 'setup(name="tideline", version="1")\n'),
        ("tideline.gemspec", 'Gem::Specification.new do |it|\n  it.version = "1"\nend\n'),
        ("tideline.cabal", "cabal-version: 2.2\n"),
        ("tideline-1.0-1.rockspec", 'package = "tide"\n'),
        ("src/Tideline/Tideline.csproj", "<Project>\n  <PropertyGroup />\n</Project>\n"),
    ],
)
def test_a_manifest_names_the_project(tmp_path: Path, name: str, manifest: str) -> None:
    told = {"README.md": "It counts the hours to high water.\n", name: manifest}
    notes = {"docs/tideline.md": "# What tideline is\n\nWhat tideline is, and what tideline does.\n"}
    with opened_project(tmp_path, told | notes) as daypack:
        assert first(daypack, "What is tideline?").startswith("README.md")


def test_another_word_of_the_project_is_no_name_of_it(project: Daypack) -> None:
    assert first(project, "What are statements?").startswith("docs/statements.md")
    assert first(project, "What is start?").startswith("src/start.py")


def test_a_memory_that_tells_how_comes_before_the_pages(project: Daypack) -> None:
    project.memories.remember("checks", "Run the tests with `make quick`, never the whole suite.")
    project.memories.remember("tea", "Tests of tea are at four.")
    found = project.search("How do I run the tests?", limit=3)
    assert found.candidates[0].chunk.reference.startswith("memory:checks")


def test_the_first_of_many_pages_for_beginners_are_enough(tmp_path: Path) -> None:
    pages = {f"docs/tutorial/page{n:03}.md": f"# Page {n}\n\nText about tide {n}.\n" for n in range(120)}
    files = {"README.md": README, "docs/tutorial/zz.md": "# Install\n\nInstall all.\n"}
    with opened_project(tmp_path, pages | files) as daypack:
        assert first(daypack, "How do I install it?").startswith("README.md:9-11")
        uris = dict(enumerate(pages | files))
        assert len(roles_of(uris)) == MOST_PAGES
        assert roles_of(uris)[len(pages)] is Role.README
