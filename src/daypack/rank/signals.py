"""Signals of single candidates: what the path, the name and the author say to a query.

Constants and evidence: docs/decisions/006-constants.md. Test files win plain BM25 because they repeat an
issue's words, so they are held back unless the query asks for tests; they are never left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from daypack.text import analysis
from daypack.text.paths import names_path
from daypack.types import Frame, Query

if TYPE_CHECKING:
    from numpy.typing import NDArray

TEST_PRIOR = 0.4
# of the code beside its tests: where more of it says "test", the word does not ask for tests
TESTING_SHARE = 0.1
IMPORTS_PRIOR = 0.5  # guess
ASIDE_PRIOR = 0.6  # docs, examples, scripts, vendored code, generated code
PAGE_PRIOR = 0.6  # pages beside code, when the query is about code
# names: speakers tell of each other, but what there is to know of the user of an assistant the user said; 2
# to 4 is flat
ASKER = 2.5

_KEPT_NAMES = 1 << 14
_FOLDER_FILES = frozenset({"__init__", "__main__", "index", "mod", "lib", "main"})

_COMPONENT = re.compile(r"(?:[a-z]+\(([\w./-]{2,40})\)!?|([A-Za-z][\w./-]{1,40})):\s")
_BETWEEN_WORDS = re.compile(r"[\W_]+")


def place_prior(
    test: NDArray[np.bool_],
    aside: NDArray[np.bool_],
    imports: NDArray[np.bool_],
    page: NDArray[np.bool_],
    query: Query,
) -> NDArray[np.float32]:
    """How likely each chunk is meant by where it stands, before its text is read; 1 when the query asks for
    its like.

    `page` marks documentation and other prose that stands beside code: what a report is about is in the code,
    its words are in both.
    """
    prior = np.ones(len(test), dtype=np.float32)
    prior[imports] *= IMPORTS_PRIOR
    if not query.asks_for_tests:
        prior[test] *= TEST_PRIOR
    if not query.asks_for_docs:
        prior[aside] *= ASIDE_PRIOR
        if query.about_code:
            prior[page] *= PAGE_PRIOR
    return prior


def symbol_boost(name: str, mentions: Mapping[str, float], definitions: Mapping[str, int]) -> float:
    """The definition boost of a chunk called `name`: min(1, w / 3) / sqrt(number of definitions), capped at
    1.5.

    `definitions` counts the chunks that define each mentioned name; above 30 a name says nothing.
    """
    last = name.rpartition(".")[2]
    boost = 0.0
    for mention, weight in mentions.items():
        bare = mention.replace("::", ".").replace("->", ".").rstrip("()")
        count = definitions.get(mention, 0)
        if not 0 < count <= 30:
            continue
        if "." in bare and (name == bare or name.endswith("." + bare)):
            boost += 1 + min(1.0, weight / 3) / count**0.5
        elif bare.rpartition(".")[2] == last:
            boost += min(1.0, weight / 3) / count**0.5
    return min(boost, 1.5)


def name_share(name: str, terms: frozenset[str]) -> float:
    """The share of the words of a symbol's own name that are among index terms, 0 to 1.

    0 for a name of one word: `open` and `get` are said of everything, `read_header` is not.
    """
    parts = _name_parts(name)
    return sum(part in terms for part in parts) / len(parts) if len(parts) > 1 else 0.0


@lru_cache(maxsize=_KEPT_NAMES)
def _name_parts(name: str) -> tuple[str, ...]:
    """The different index terms of the last part of a qualified name, without compounds."""
    return tuple(dict.fromkeys(_terms_of_parts(name.rpartition(".")[2])))


def stem_share(uri: str, title: frozenset[str]) -> float:
    """The share of the words of a file's name that the title of a query, as index terms, holds: 0 to 1.

    A file that is called after its folder, as __init__.py and index.ts are, goes by the folder's name.
    """
    parts = _stem_parts(uri)
    return 0.0 if title.isdisjoint(parts) else sum(term in title for term in parts) / len(parts)


@lru_cache(maxsize=_KEPT_NAMES)
def _stem_parts(uri: str) -> tuple[str, ...]:
    """The index terms of a file's name, with repeats.

    Kept: a pool names hundreds of files, and taking them apart was a fifth of a query.
    """
    folder, _, name = uri.rpartition("/")
    stem = name.partition(".")[0] or name
    if stem in _FOLDER_FILES and folder:
        stem = folder.rpartition("/")[2]
    return tuple(_terms_of_parts(stem))


def _terms_of_parts(compound: str) -> Iterator[str]:
    """Index terms without compounds: of those the whole comes first, and the parts are what counts."""
    return (
        part
        for terms in map(analysis.ANALYZER.__getitem__, analysis.words(compound))
        for part in terms[1:] or terms
    )


def component_of(title: str) -> str:
    """The part of a project that a title begins with, as those of changes do: "shards: …", "cmd/tool: …",
    "fix(cli): …"; "" for any other.
    """
    found = _COMPONENT.match(title) if not title.endswith("?") else None
    return (found[1] or found[2]) if found else ""


def component_share(uri: str, component: str) -> float:
    """How far a file belongs to a component: 1 where folders of its path or the file are called so, 1/2 where
    it is a word of such a name.
    """
    folder, _, file = uri.rpartition("/")
    names = [_name_words(name) for name in (*folder.split("/"), file.partition(".")[0] or file)]
    wanted = [_name_words(name) for name in component.split("/")]
    if any(names[i : i + len(wanted)] == wanted for i in range(len(names))):
        return 1.0
    return 0.5 if len(wanted) == 1 and any(set(wanted[0]) <= set(name) for name in names) else 0.0


def _name_words(name: str) -> list[str]:
    return [word for word in _BETWEEN_WORDS.split(name) if word]


class SymbolPlace(NamedTuple):
    """Where a chunk stands, and the name of its symbol or ""."""

    uri: str
    name: str
    start_line: int
    end_line: int


def trace_boosts(places: Sequence[SymbolPlace], frames: Sequence[Frame]) -> list[float]:
    """For each chunk .6 x .8^depth of the deepest stack frame that stands in it.

    A frame stands where its function does in its file, for reports show lines of a release and the file is of
    another day; at its line where the file has no such function, or has several.
    """
    boosts = [0.0] * len(places)
    by_uri: dict[str, list[int]] = {}
    for i, place in enumerate(places):
        by_uri.setdefault(place.uri, []).append(i)
    for frame in frames:
        function = frame.function.rpartition(".")[2]
        for uri, members in by_uri.items():
            if not names_path(uri, frame.path):
                continue
            named = [i for i in members if function and places[i].name.rpartition(".")[2] == function]
            at_line = [
                i for i in named or members if places[i].start_line <= frame.line <= places[i].end_line
            ]
            for i in at_line or named:
                boosts[i] = max(boosts[i], 0.6 * 0.8**frame.depth)
    return boosts


_I = frozenset({"i", "me", "my", "mine", "myself"})
_YOU = frozenset({"you", "your", "yours"})
_REQUEST = re.compile(r"\b(?:can|could|will|would) you\b")
_ASKER = frozenset({"user", "human"})


def asker_cue(query: str, turns: float) -> float:
    """How surely a query means what its asker said, by the share of turns, 0 to 1, in what is ranked: beside
    documents "how do I" asks no memory.

    It must say "I", and "you" to nobody but to ask for something ("can you list …"); else it is 0.
    """
    if not turns:
        return 0.0
    words = frozenset(analysis.words(_REQUEST.sub(" ", query.lower())))
    return ASKER * turns if not _I.isdisjoint(words) and _YOU.isdisjoint(words) else 0.0


def author_cue(author: str, words: frozenset[str], asker: float) -> float:
    """How surely a query, as lower-case words, means what the author said: 1 by name, `asker` for the user of
    an assistant.
    """
    parts = author.lower().split()
    return max(
        float(any(part in words for part in parts if len(part) > 1)),
        0.0 if _ASKER.isdisjoint(parts) else asker,
    )
