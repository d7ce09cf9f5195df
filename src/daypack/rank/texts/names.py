"""Names against the words of a query: the share of a symbol's or a file's name that it says, and keys of memories of which it says all."""

from __future__ import annotations

from collections.abc import Iterator, Set
from functools import lru_cache

from daypack.text import analysis

_KEPT_NAMES = 1 << 14
_FOLDER_FILES = frozenset({"__init__", "__main__", "index", "mod", "lib", "main"})


def name_share(name: str, terms: frozenset[str], said: frozenset[str]) -> float:
    """The share of the words of a symbol's own name that are index terms of a query; 1 where all are `said`, as by "is trusted proxy",
    and 0 for a name of one word: `open` and `get` occur everywhere, `read_header` does not.
    """
    parts = _name_parts(name)
    share = sum(part in terms for part in parts) / len(parts) if len(parts) > 1 else 0.0
    return 1.0 if share and said.issuperset(parts) else share


@lru_cache(maxsize=_KEPT_NAMES)
def _name_parts(name: str) -> tuple[str, ...]:
    """The distinct index terms of the last part of a qualified name, without compounds; of the part before it where the last
    names nothing, as in `aws_nat_gateway.this`.
    """
    before, _, last = name.rpartition(".")
    own = before.rpartition(".")[2] if before and last == "this" else last
    return tuple(dict.fromkeys(_terms_of_parts(own)))


def stem_share(uri: str, title: frozenset[str]) -> float:
    """The share of the words of a file's name that are among the index terms of a query's title, 0 to 1.

    For a file that represents its folder, as __init__.py or index.ts, the name of the folder counts.
    """
    parts = _stem_parts(uri)
    return 0.0 if title.isdisjoint(parts) else sum(term in title for term in parts) / len(parts)


@lru_cache(maxsize=_KEPT_NAMES)
def _stem_parts(uri: str) -> tuple[str, ...]:
    """The index terms of a file's name, with repeats.

    Cached: a pool names hundreds of files, and splitting their names took a fifth of a query.
    """
    folder, _, name = uri.rpartition("/")
    stem = name.partition(".")[0] or name
    if stem in _FOLDER_FILES and folder:
        stem = folder.rpartition("/")[2]
    return tuple(_terms_of_parts(stem))


def says_key(key: str, terms: Set[str]) -> bool:
    """True when a query, as its index terms without stop words, has all words of a memory's key; a key of one word must be the
    whole query.
    """
    parts = _terms_of_key(key)
    return bool(parts) and parts <= terms and (len(parts) > 1 or len(terms) == 1)


@lru_cache(maxsize=_KEPT_NAMES)
def _terms_of_key(key: str) -> frozenset[str]:
    return frozenset(_terms_of_parts(key))


def _terms_of_parts(compound: str) -> Iterator[str]:
    """The index terms of a name, with each compound replaced by its parts."""
    return (
        part
        for terms in map(analysis.ANALYZER.__getitem__, analysis.words(compound))
        for part in terms[1:] or terms
    )
