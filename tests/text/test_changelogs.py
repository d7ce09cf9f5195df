"""Changelogs, known by their contents."""

from __future__ import annotations

import pytest

from daypack.text.changelogs import below_version, is_changelog, version_of, without_date

HEADINGS = {
    "keep a changelog": "## [{}] - 2024-03-0{}",
    "git": "## v{} / 2024-03-0{}",
    "stars": "*** Release {} [2011-Jul-0{}]",
    "setext": "Version {}\n-------------\n",
    "product": "# acme-shop@{}",
    "asciidoc": "=== {} (0{} March 2024)",
    "bare": "{}",
}


@pytest.mark.parametrize("heading", HEADINGS.values(), ids=HEADINGS.keys())
def test_a_run_of_falling_versions_with_lists_is_a_changelog(heading: str) -> None:
    versions = ["2.1.0", "2.0.1", "2.0.0", "1.9.9", "1.9.8"]
    sections = [
        f"{heading.format(version, day)}\n\n * Mend the cart.\n" for day, version in enumerate(versions, 1)
    ]
    assert is_changelog("Old releases\n\n" + "\n".join(sections))
    assert not is_changelog("\n".join(sections[:3]))  # notes for an upgrade


def test_versions_that_rise_need_dates() -> None:
    versions = ["1.0", "1.1", "1.2", "1.3"]
    assert is_changelog("\n".join(f"## {version} (2024-03-01)\n\n- new\n" for version in versions))
    assert not is_changelog("\n".join(f"## {version}\n\n- a rule\n" for version in versions))


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(f"## 1.{n} How to pay\n\n- by card\n" for n in range(9, 0, -1)),  # numbered sections
        "\n".join(f"cart=={n}.0.1" for n in range(9, 0, -1)),  # pinned packages
        "\n".join(f"## {n}.0\n\nSupported until 2026.\n" for n in range(9, 0, -1)),  # no lists
        "\n".join(f"- 3.{n}\n" for n in range(9, 0, -1)),  # a list of versions
    ],
)
def test_this_is_no_changelog(text: str) -> None:
    assert not is_changelog(text)


@pytest.mark.parametrize(
    ("heading", "version"),
    [
        ("[2.4.0] - 2024-03-05", "2.4.0"),
        ("[2.4.0](https://shop.test/2.4.0) - (2024-03-05)", "2.4.0"),
        ("v2.4.0 / 2024-03-05", "2.4.0"),
        ("Version 2.4.0 (5 March 2024)", "2.4.0"),
        ("2.4.0rc1 (2024-03-05)", "2.4.0rc1"),
        ("2.4.0", "2.4.0"),
    ],
)
def test_a_version_is_known_among_headings(heading: str, version: str) -> None:
    assert version_of(["Changes", heading, "Fixed"]) == heading
    assert without_date(heading) == version


def test_numbered_sections_are_no_versions() -> None:
    assert version_of(["Manual", "2.4 Carts", "2.4.1 Payment"]) == ""


def test_a_heading_is_listed_behind_its_version() -> None:
    trail = ("Changes", "[2.4.0] - 2024-03-05")
    assert below_version("Fixed", trail) == "2.4.0 › Fixed"
    assert below_version("2.3.0 (2024-01-09)", trail) == "2.3.0 (2024-01-09)"
    assert below_version("", ("Cart", "total")) == "Cart › total"
    assert below_version("Cart.total", ("Cart",)) == "Cart.total"
