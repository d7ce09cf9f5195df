"""A question that names a version, or asks for the latest or the next one, is answered from the section of that version, and
one for a version in use from a manifest.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from daypack import Daypack
from support import WORDS, project

VERSIONS = ("12.0.0", "2.1.0", "2.0.1", "2.0.0", "1.9.0", "1.8.0")
LOG = "# Changes\n\n## Unreleased\n\n### Added\n\n- The cart 0 takes vouchers.\n\n" + "".join(
    f"## {version} - 2024-0{number}-01\n\n### Fixed\n\n- The release of cart {number} was changed: what it broke is mended.\n\n### Added\n\n- The cart {number} takes boats.\n\n"
    for number, version in enumerate(VERSIONS, 1)
)
CODE = 'def release_of_cart(cart):\n    """What changed in the cart since the release broke it."""\n    return cart.changed\n'
PAGES = {
    "docs/cart.md": "# Cart\n\nA cart was changed when a boat broke.\n\n## Boats\n\nThe cart takes what its owner wants.\n",
    "src/cart.py": CODE,
}


def first_of(folder: Path, files: Mapping[str, str], asked: str) -> str:
    """The place and text of the first item of a pack."""
    project(folder, files)
    with Daypack.open(folder / ".daypack", settings=WORDS) as daypack:
        daypack.files.add(folder)
        pack = daypack.pack(asked, budget=300)
    return f"{pack.excerpts[0].citation.uri} {pack.excerpts[0].trail} {pack.excerpts[0].text}"


@pytest.mark.parametrize(
    ("asked", "cart"),
    [
        ("what changed in 2.0?", 4),
        ("what broke in v2?", 4),
        ("what did 2.0.1 change?", 3),
        ("what is new in the latest release?", 1),
        ("what will the next release change?", 0),
        ("which unreleased changes are there?", 0),
    ],
)
def test_the_section_of_the_version_comes_first(tmp_path: Path, asked: str, cart: int) -> None:
    first = first_of(tmp_path, PAGES | {"CHANGELOG.md": LOG}, asked)
    assert first.startswith("CHANGELOG.md")
    assert f"cart {cart} " in first


def test_each_release_may_have_a_page_of_its_own(tmp_path: Path) -> None:
    pages = {
        f"docs/whatsnew/v{version}.md": f"# What changed\n\nThe release of cart {number} was changed.\n"
        for number, version in enumerate(VERSIONS, 1)
    }
    assert first_of(tmp_path, PAGES | pages, "what changed in the newest release?").startswith(
        "docs/whatsnew/v12.0.0.md"
    )


def test_an_archive_of_old_releases_has_not_the_latest(tmp_path: Path) -> None:
    files = PAGES | {"CHANGELOG.md": LOG, "docs/history/changelog-1.md": LOG.replace("12.0.0", "1.9.9")}
    assert first_of(tmp_path, files, "what is new in the latest release?").startswith("CHANGELOG.md")


def test_a_guide_for_an_upgrade_is_about_the_later_version(tmp_path: Path) -> None:
    guide = "# Guide\n\n## 4.0 to 5.0\n\nThe total of a cart is a number.\n\n## 5.0 to 6.0\n\nThe total of a cart is money.\n"
    assert "is money" in first_of(
        tmp_path, PAGES | {"UPGRADING.md": guide}, "what changed for totals in 6.0?"
    )


def test_fragments_tell_of_the_next_release(tmp_path: Path) -> None:
    files = PAGES | {
        "CHANGES.md": LOG,
        "changelog.d/71.breaking.md": "The anchor of a ferry costs extra.\n",
        "changelog.d/README.md": "# Anchors\n\nWhat will change for the anchor of a ferry: write a file for each issue.\n",
    }
    first = first_of(tmp_path, files, "what will change for the anchor of a ferry in the next release?")
    assert first.startswith("changelog.d/71.breaking.md")


def test_a_question_for_the_version_of_a_change_is_answered_from_texts_with_versions(tmp_path: Path) -> None:
    files = {
        "docs/cart.md": "# Currencies of a cart\n\nA cart can have a currency. It is that of the harbour.\n",
        "CHANGELOG.md": LOG.replace("The cart 4 takes boats", "A currency can be passed to a cart"),
    }
    assert "CHANGELOG.md" in first_of(
        tmp_path, files | {"src/cart.py": CODE}, "since which version can a currency be passed to a cart?"
    )


def test_a_function_with_the_mark_of_a_version_is_before_others(tmp_path: Path) -> None:
    def module(name: str, mark: str) -> str:
        return f'"""Carts."""\n\n\ndef {name}(cart, currency):\n    """The cart in a currency.\n\n    {mark}\n    """\n    return cart\n'

    files = {
        "src/cart.py": module("cart_currency", "It takes one."),
        "src/money.py": module("exchanged", ".. versionadded:: 2.4"),
        "docs/harbour.md": "# Harbour\n\nThe lamp is lit at night.\n",
    }
    assert "versionadded:: 2.4" in first_of(tmp_path, files, "since which version has a cart a currency?")


MANIFEST = """[project]
name = "harbour"
version = "3.4.1"
requires-python = ">=3.11"
dependencies = ["sails>=3.1", "lamps>=0.27"]
"""
CLIENT = """{
  "name": "client",
  "version": "0.9.0",
  "dependencies": { "sails": "^2.2.0" }
}
"""
VERSIONED = "# Boats\n\nThe version of a boat is on its side. Ask the harbour.\n"


@pytest.mark.parametrize(
    ("asked", "line"),
    [
        ("which version are we on?", 'version = "3.4.1"'),
        ("minimum sails version?", "sails>=3.1"),
        ("which python version does it need?", "requires-python"),
    ],
)
def test_a_version_in_use_is_in_the_manifest(tmp_path: Path, asked: str, line: str) -> None:
    files = {"pyproject.toml": MANIFEST, "client/package.json": CLIENT, "docs/versions.md": VERSIONED}
    first = first_of(tmp_path, PAGES | files | {"CHANGELOG.md": LOG}, asked)
    assert first.startswith("pyproject.toml")
    assert line in first


def test_an_extract_of_a_long_manifest_has_the_line(tmp_path: Path) -> None:
    classifiers = "".join(f'    "Programming Language :: Python :: 3.{n}",\n' for n in range(11, 40))
    manifest = MANIFEST.replace("requires-python", f"classifiers = [\n{classifiers}]\nrequires-python")
    project(tmp_path, PAGES | {"pyproject.toml": manifest})
    with Daypack.open(tmp_path / ".daypack", settings=WORDS) as daypack:
        daypack.files.add(tmp_path)
        pack = daypack.pack("which python version does it need?", budget=150)
    assert 'requires-python = ">=3.11"' in pack.text
