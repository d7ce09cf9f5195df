"""Packages of a tree: which of them a question names, and which are held back then."""

from __future__ import annotations

import pytest

from daypack.rank.texts.packages import (
    NO_PACKAGES,
    OTHER_PACKAGE_PRIOR,
    PackageName,
    Packages,
    degree,
    names_said,
    package_folders,
    package_priors,
)

FERRIES = frozenset(
    f"packages/{name}"
    for name in (
        "sail-ferry",
        "steam-ferry",
        "steam-ferry-tools",
        "ferry-core",
        "ferry-log-keeper",
        "lintPier",
    )
)


def said(text: str) -> set[str]:
    return {folder.rpartition("/")[2] for folder in names_said(FERRIES, text)}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("how does the sail adapter moor?", {"sail-ferry"}),
        ("how does SAIL_FERRY moor?", {"sail-ferry"}),
        ("which winch do steam ferries use?", {"steam-ferry"}),
        ("what do the tools for steam ferries print?", {"steam-ferry-tools"}),  # not steam-ferry
        ("how does the core moor?", {"ferry-core"}),
        ("who keeps the log?", set()),  # half of a name, without its rarer word
        ("how does a ferry moor?", set()),  # all but one have that word
        ("how does it moor?", set()),
    ],
)
def test_a_question_names_a_package_by_the_words_that_tell_it_from_others(text: str, names: set[str]) -> None:
    assert said(text) == names


RIVERS = frozenset(f"adapters/{name}" for name in ("rxriver", "rxriver2", "rxriver3", "rxlake", "sluice"))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("which thread runs requests in RxRiver 3?", {"rxriver3"}),
        ("which thread runs requests with RxRiver 3.1, and which with RxRiver v2?", {"rxriver3", "rxriver2"}),
        ("how do I use RxRiver version 2.", {"rxriver2"}),
        ("how do I use rxriver3?", {"rxriver3"}),
        ("how do I use RxRiver?", {"rxriver"}),
        ("are 5 requests of RxRiver 5 times as slow?", {"rxriver"}),  # no package has that number
        ("how do I use RxRiver 30?", {"rxriver"}),
        ("how does Sluice 3 open?", {"sluice"}),
    ],
)
def test_a_word_and_the_number_after_it_are_the_name_of_a_package(text: str, names: set[str]) -> None:
    assert {folder.rpartition("/")[2] for folder in names_said(RIVERS, text)} == names


def test_a_word_names_its_only_package_with_a_number() -> None:
    name = names_said(
        frozenset({"packages/river3", "packages/lake", "packages/h2"}), "How does h River open?"
    )
    assert name == {"packages/river3": PackageName(1.0, frozenset({"river"}))}


def test_a_longer_name_said_in_part_leaves_the_shorter_one_named() -> None:
    """ "tide" is a word of the question, and the log of sail rafts is not meant."""
    rafts = frozenset({"sail-raft", "oar-raft", "sail-raft-tide-log", "pier", "tide-log", "lamp"})
    assert {*names_said(rafts, "how does a sail raft read the tide?")} == {
        "sail-raft",
        "sail-raft-tide-log",
        "tide-log",
    }


def test_a_word_that_several_packages_share_names_them_less_than_one_of_its_own() -> None:
    steam = names_said(FERRIES, "which winch do steam ferries use?")["packages/steam-ferry"]
    sail = names_said(FERRIES, "which winch do sail ferries use?")["packages/sail-ferry"]
    assert steam.share < sail.share == 1


def test_one_package_has_no_name_to_tell() -> None:
    assert names_said(frozenset({"packages/sail"}), "how does the sail moor?") == {}
    assert names_said(frozenset(), "how does the sail moor?") == {}


def test_folders_of_manifests_are_packages_but_for_the_tree_itself_examples_tests_and_sites() -> None:
    manifests = {
        *("package.json", "packages/sail/package.json", "packages/sail/Cargo.toml", "libs/log/project.json"),
        *(
            "examples/sail/package.json",
            "tests/pier/package.json",
            "packages/log/__fixtures__/a/package.json",
        ),
        *("www/package.json", "docs/package.json"),
    }
    assert package_folders(frozenset(manifests)) == {"packages/sail", "libs/log"}


def test_a_name_whose_words_other_code_has_as_often_seldom_means_the_package() -> None:
    name = names_said(FERRIES, "how does the sail ferry moor?")["packages/sail-ferry"]
    assert degree(name, 9, 0) == 1
    assert 0.4 < degree(name, 9, 30) < 0.6
    assert degree(name, 9, 900) < 0.11
    assert degree(name, 0, 0) == 1  # its code never says its name


def test_other_packages_are_held_back_and_files_outside_packages_are_not() -> None:
    packages = Packages(FERRIES, {"packages/sail-ferry": 1.0, "packages/steam-ferry": 0.4})
    uris = {
        1: "packages/sail-ferry/src/moor.ts",
        2: "packages/steam-ferry/src/moor.ts",
        3: "packages/ferry-core/src/moor.ts",
        4: "docs/moor.md",
        5: "packages/moor.ts",
    }
    priors = package_priors(uris, packages)
    assert priors == pytest.approx({1: 1.0, 2: 1 - (1 - OTHER_PACKAGE_PRIOR) * 0.6, 3: OTHER_PACKAGE_PRIOR})


def test_folders_elsewhere_belong_to_the_package_that_they_are_called_after() -> None:
    packages = Packages(FERRIES, {"packages/sail-ferry": 1.0})
    uris = {
        1: "docs/guides/sail/moor.md",
        2: "docs/guides/steam/moor.md",
        3: "examples/steam/basic/moor.ts",
        4: "docs/guides/harbour/moor.md",
    }
    priors = package_priors(uris, packages)
    assert priors == pytest.approx({1: 1.0, 2: OTHER_PACKAGE_PRIOR, 3: OTHER_PACKAGE_PRIOR})


def test_a_folder_with_words_of_its_own_is_called_after_no_package() -> None:
    """`core-concepts` are no part of a package `core`."""
    packages = Packages(frozenset({"packages/core", "packages/river3"}), {"packages/river3": 1.0})
    uris = {1: "docs/core-concepts/moor.md", 2: "docs/core/moor.md", 3: "docs/river/moor.md"}
    assert package_priors(uris, packages) == pytest.approx({2: OTHER_PACKAGE_PRIOR, 3: 1.0})


def test_a_package_inside_a_named_one_belongs_to_it() -> None:
    packages = Packages(frozenset({"web", "web/sail", "shore"}), {"web": 1.0})
    priors = package_priors({1: "web/sail/moor.ts", 2: "shore/moor.ts"}, packages)
    assert priors == pytest.approx({1: 1.0, 2: OTHER_PACKAGE_PRIOR})


def test_nothing_is_held_back_where_no_package_is_named() -> None:
    assert package_priors({1: "packages/sail/moor.ts"}, NO_PACKAGES) == {}
    assert package_priors({1: "packages/sail/moor.ts"}, Packages(frozenset({"packages/sail"}), {})) == {}
