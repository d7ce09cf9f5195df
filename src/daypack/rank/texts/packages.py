"""Packages that a question names, in a tree with several of them.

    packages/vue-query/package.json   packages/lit-query/package.json   packages/query-core/package.json
    "how does the Vue adapter subscribe to changes?"   →   code in packages/lit-query is held back, and so is query-core

A folder with a manifest is a package, and its name belongs to all of its files, and to those of folders elsewhere that are called
after it, as docs/vue and examples/lit are. They seldom repeat it, while a sibling
does the same and may have every other word of the question. A word that most packages share, as `query` above, tells
nothing, so a word of a name weighs as much as it is rare among the names. A word that the code of other packages has
as often, as `requests` or `label`, seldom means the package, so a name counts by its share of the code with its words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import lru_cache
from math import log
from typing import NamedTuple

from daypack.text import analysis
from daypack.text.name_sets import name_set
from daypack.text.paths import is_aside_path, is_test_path

MANIFESTS = name_set(
    "Cargo.toml Package.swift build.gradle build.gradle.kts composer.json go.mod mix.exs package.json pom.xml project.json pubspec.yaml"
    " pyproject.toml setup.cfg setup.py"
)
_SITE = r"(?:^|/)(?:site|website|www)(?:/|$)"
# The lowest factor of a file in another package than a named one; .25 to .6 are flat (docs/decisions/031-packages.md).
OTHER_PACKAGE_PRIOR = 0.5
# "RxJava 3", "RxJava v3", "RxJava-3": a folder may be called rxjava3
_NUMBERED = re.compile(r"\b([^\W\d_]{2,})[ -](?:v|version )?(\d{1,2})\b", re.IGNORECASE)
_KEPT_TREES = 4  # reading the names of 60 packages takes 1.5 ms
_KEPT_NAMES = 1_024  # of folders
LEAST_NAMED = 0.5  # guess: the share of a name, by weight, that names the package


class PackageName(NamedTuple):
    """The part of a package's name that a question says."""

    share: float  # of the name, by weight; less for words that several packages share
    words: frozenset[str]  # index terms


class Packages(NamedTuple):
    """The packages of a tree, by their folders, and the degree, above 0 and up to 1, to which a question names some."""

    folders: frozenset[str]
    named: Mapping[str, float]


NO_PACKAGES = Packages(frozenset(), {})


@lru_cache(maxsize=_KEPT_TREES)
def package_folders(manifests: frozenset[str]) -> frozenset[str]:
    """The folders of manifests, without the whole tree, tests, examples, and sites, whose pages are about the packages."""
    folders = {uri.rpartition("/")[0] for uri in manifests} - {""}
    return frozenset(
        folder
        for folder in folders
        if not (is_test_path(f"{folder}/") or is_aside_path(f"{folder}/") or re.search(_SITE, folder))
    )


def names_said(folders: frozenset[str], text: str) -> dict[str, PackageName]:
    """The packages that a text names, by folder. Of names with the same words, the longest of those that the text has whole:
    `react-query-tools`, not `react-query`. A word without a number is one with it, where no name has it alone: "Vue" is `vue3`.
    """
    names, weights = _names(folders)
    said = _words(_joined(text, weights)) - analysis.STOP_TERMS
    found: dict[str, PackageName] = {}
    whole_names: list[frozenset[str]] = []
    meant = {word: bare for word, bare in _unnumbered(folders).items() if bare in said}
    for folder, words in names.items():
        here = frozenset(word for word in words if weights[word] and (word in said or word in meant))
        whole = sum(weights[word] for word in words)
        if here and (share := sum(weights[word] for word in here) / whole) >= LEAST_NAMED:
            as_one_of_its_own = sum(weights[word] for word in here) / log(len(names))
            found[folder] = PackageName(
                share * min(1.0, as_one_of_its_own), frozenset(meant.get(word, word) for word in here)
            )
            if all(word in here or not weights[word] for word in words):
                whole_names.append(here)
    return {
        folder: name for folder, name in found.items() if not any(name.words < other for other in whole_names)
    }


@lru_cache(maxsize=_KEPT_TREES)
def _names(folders: frozenset[str]) -> tuple[Mapping[str, frozenset[str]], Mapping[str, float]]:
    """(folder → the words of its name, word → its weight)."""
    names = {folder: _words(folder.rpartition("/")[2]) for folder in sorted(folders)}
    counts = Counter(word for words in names.values() for word in words)
    return names, {word: log(len(names) / count) for word, count in counts.items()}


@lru_cache(maxsize=_KEPT_TREES)
def _unnumbered(folders: frozenset[str]) -> Mapping[str, str]:
    """Word of a name → the word without its number, where no name has that alone."""
    _, weights = _names(folders)
    bare = {word: word.rstrip("0123456789") for word in weights}
    return {word: other for word, other in bare.items() if len(other) > 1 and other not in weights}


def _joined(text: str, known: Container[str]) -> str:
    """The text with words joined to the numbers after them, where that is a word of a name: `rxjava3`, not `rxjava`."""

    def join(match: re.Match[str]) -> str:
        words = _words(match[1] + match[2])
        return match[1] + match[2] if words and all(word in known for word in words) else match[0]

    return _NUMBERED.sub(join, text)


def degree(name: PackageName, inside: int, outside: int) -> float:
    """The degree to which a name means its package, when so many chunks of code inside and outside have its words."""
    return float(name.share * ((inside + 1) / (inside + outside + 1)) ** 0.5)


def package_priors(uris: Mapping[int, str], packages: Packages) -> dict[int, float]:
    """Record id → prior, for records in other packages than the best named."""
    best = max(packages.named.values(), default=0.0)
    if not best:
        return {}
    priors: dict[int, float] = {}
    for record_id, uri in uris.items():
        above = [*_above(uri)]
        own = [folder for folder in above if folder in packages.folders] or _namesakes(
            packages.folders, above
        )
        if own:
            behind = best - max(packages.named.get(folder, 0.0) for folder in own)
            priors[record_id] = 1 - (1 - OTHER_PACKAGE_PRIOR) * behind
    return priors


def _namesakes(folders: frozenset[str], above: Sequence[str]) -> list[str]:
    """The packages that the folders of a file outside all packages are called after: `docs/vue/guide.md`, `examples/vue/cart.ts`."""
    return [package for folder in above for package in _called(folders, folder.rpartition("/")[2])]


@lru_cache(maxsize=_KEPT_NAMES)
def _called(folders: frozenset[str], name: str) -> tuple[str, ...]:
    """The packages with every word of a folder's name: `core-concepts` is not called after `core`."""
    words = _words(name)
    names, weights = _names(folders)
    bare = _unnumbered(folders).values()
    if not all(word in weights or word in bare for word in words):  # as most: spares a look at each package
        return ()
    return tuple(
        folder for folder, said in names_said(folders, name).items() if words <= names[folder] | said.words
    )


def _above(uri: str) -> Iterator[str]:
    """The folders that a file is in."""
    while uri := uri.rpartition("/")[0]:
        yield uri


def _words(text: str) -> frozenset[str]:
    """The index terms of the words of a text or a name; an identifier is one word."""
    terms: Sequence[tuple[str, ...]] = [analysis.ANALYZER[word] for word in re.split(r"[\W_]+", text) if word]
    return frozenset(term[0] for term in terms if term)
