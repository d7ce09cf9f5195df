"""Changelogs, known by their contents."""

from __future__ import annotations

import pytest

from daypack.text.changelogs import (
    below_version,
    is_changelog,
    is_unreleased,
    nearness,
    numbers_in,
    order_of,
    release_above,
    release_of,
    version_of,
    without_date,
)

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


@pytest.mark.parametrize(
    "heading",
    ["Unreleased", "[Unreleased]", "shop (development version)", "Next release", "2.5.0 / Unreleased"],
)
def test_changes_since_the_last_release_stand_below_a_version_too(heading: str) -> None:
    assert is_unreleased(heading)
    assert version_of(["Changes", heading, "Fixed"]) == heading
    shown = below_version("Fixed", ("Changes", heading))
    assert shown.endswith(" › Fixed") and "[" not in shown


@pytest.mark.parametrize("heading", ["Next steps", "Development", "Upcoming tides", "2.5.0 (2026-01-02)"])
def test_this_heading_is_not_about_the_next_release(heading: str) -> None:
    assert not is_unreleased(heading)


@pytest.mark.parametrize(
    ("headings", "uri", "release"),
    [
        (["Changes", "[2.4.0] - 2024-03-05", "Fixed"], "CHANGES.md", (2, 4, 0)),
        (["Upgrading to 3.0", "Carts"], "docs/upgrading.md", (3, 0)),
        (["5.0 to 6.0"], "UPGRADING.md", (6, 0)),
        (["Migration to 2.x"], "docs/migration.rst", (2,)),
        (["What's new in shop 3.1"], "docs/new.rst", (3, 1)),
        (["New carts"], "docs/whatsnew/v0.13.1.rst", (0, 13, 1)),
        (["Carts"], "docs/whats_new_3_0.rst", (3, 0)),
        (["2024-03-05, Version 21.0.0 (Current)"], "CHANGELOG.md", (21, 0, 0)),
        (["3.2.0 - The lamp - 2024-03-05"], "NEWS.md", (3, 2, 0)),
        (["1.0a37 (2026-07-14)"], "docs/changelog.rst", (1, 0, "a", 37)),
        (["2.4 Carts", "2.4.1 Payment"], "manual.md", None),  # numbered sections
        (["Support for Python 3.9"], "docs/install.md", None),  # of another program
        (["Carts"], "docs/carts.md", None),
    ],
)
def test_headings_and_the_name_of_a_page_tell_the_release(
    headings: list[str], uri: str, release: tuple[int | str, ...] | None
) -> None:
    assert release_above(headings, uri) == release


@pytest.mark.parametrize(
    ("asked", "said", "value"),
    [
        ("2.0", "2.0.0", 1.0),
        ("2.0.0", "2.0", 1.0),
        ("2.0", "2.0.3", 0.5),
        ("2.0", "12.0.0", 0.0),
        ("2.0", "2.1.0", 0.0),
        ("2", "2.0.0", 1.0),
        ("2", "2.1.0", 0.0),
        ("1.0", "1.0a3", 0.5),
        ("1.0a3", "1.0a37", 0.0),
    ],
)
def test_a_version_is_near_to_those_of_its_line(asked: str, said: str, value: float) -> None:
    assert nearness(release_of(asked), release_of(said)) == value


def test_versions_are_in_order() -> None:
    mixed = ["1.0", "1.2", "1.0a37", "1.10", "0.9.12", "1.0.1", "1.0rc1", "1.0a3", "1.0b1"]
    rising = sorted(mixed, key=lambda version: order_of(release_of(version)))
    assert rising == ["0.9.12", "1.0a3", "1.0a37", "1.0b1", "1.0rc1", "1.0", "1.0.1", "1.2", "1.10"]


def test_versions_of_other_programs_are_not_named() -> None:
    assert numbers_in("2.4 needs Python 3.9 or PHP >= 8.1, v3 runs on Node 20.1") == ["2.4", "3"]
