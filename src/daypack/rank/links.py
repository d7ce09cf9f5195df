"""Links: a document that one of the best hits names by its title is likely a part of the answer.

    question   "where was the architect of the Hollow Ford bridge born?"
    subject    the hit "Hollow Ford", whose title the question says; its text names Ida Marten
    link       the record "Ida Marten": a bridge, the second step of a question that takes two

A document that any other good hit names has a weaker link. A document whose title is in the question is linked by the
question itself: a question about two things shares half of its words with each, so words and vectors rank neither high.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from daypack.rank.blend import Features, Pool, Scored
from daypack.rank.views import PostingsOf
from daypack.text import analysis
from daypack.types import Chunk

LINKING_HITS = 5  # best hits whose texts may name other documents; 2 to 10 is flat
BRIDGE = 3.0  # a link from the subject of the question, against one from the best hit; 2 to 4.5 is flat
SAID = 1.5  # a link from the question itself; 1 to 1.5 is flat
MOST_NAMES = 400  # spans of the subjects' texts that are looked up as titles
# a title without a rarer word is the subject of the whole store
COMMON_TITLE_CHUNKS, COMMON_TITLE_SHARE = 5, 0.1
SHORTEST_TITLE = 4  # characters
LONGEST_NAME = 6  # capitalised words
SHORT_WORD = 3  # letters; such words stand inside names without a capital: of, the, de, von
_CAPITALISED = r"(?:[^\W\d_a-z](?:\.(?=\s)|\w*(?:[.'’&-]\w+)*)|\d+)"
_NAME_WORD = re.compile(_CAPITALISED)
_NAMES = re.compile(rf"(?<!\w){_CAPITALISED}(?:[ -](?:[^\W\d_]{{1,{SHORT_WORD}}} ){{0,2}}{_CAPITALISED})*")
_QUOTED = re.compile(r"[`\"“\[]([^`\"“”\[\]\n]{4,80})[`\"”\]]")


class Hit(NamedTuple):
    """One of the best hits."""

    chunk: Chunk
    quality: float  # its score over the best score
    asked: bool  # the question contains its title, and other words beside


def best_hits(
    pool: Pool,
    scored: Scored,
    chunks_of: Callable[[Sequence[int]], Mapping[int, Chunk]],
    question: frozenset[str],
) -> list[Hit]:
    """The best hits that are not code, with their texts. `question` are the index terms of the query."""
    best = float(scored.scores[0]) if len(scored.scores) else 0.0
    if best <= 0:
        return []
    code = pool.features.code
    rows = [row for row in scored.order[: 2 * LINKING_HITS].tolist() if not code[row]][:LINKING_HITS]
    ids = pool.chunk_ids[rows].tolist()
    chunks = chunks_of(ids)
    beside = len(analysis.content_terms(sorted(question)))
    hits = []
    for row, chunk_id in zip(rows, ids, strict=True):
        if (chunk := chunks.get(chunk_id)) is None:
            continue
        shared = _said_of(title_name(pool.titles.get(chunk.record_id, "")), question)
        hits.append(Hit(chunk, float(scored.blend.score[row]) / best, 0 < shared < beside))
    return hits


def with_said(pool: Pool, question: str, postings_of: PostingsOf, living: int) -> Pool:
    """The pool with `link` set for the best chunk by words of each document whose title is in the question.

    A title inside a longer such title is not meant; documents of one title share the link; a title that most of the
    `living` chunks contain does not count.
    """
    features = pool.features
    text = " ".join(question.split())
    lower = text.lower()
    records: dict[str, list[int]] = {}
    for record_id, title in _title_names(pool):
        # A plain search rules out most titles: an expression for each would take longer than the ranking.
        if title.lower() in lower and _says(text, title):
            records.setdefault(title, []).append(record_id)
    link = features.link.copy()
    for title, namesakes in records.items():
        inside = any(
            len(title) < len(other) and names_title(other.lower(), title.lower()) for other in records
        )
        if inside or not _is_rare(title, postings_of, living):
            continue
        for record_id in namesakes:
            link[_best_row(features, record_id)] = SAID / len(namesakes) ** 0.5
    return pool._replace(features=features._replace(link=link)) if link.any() else pool


def _title_names(pool: Pool) -> list[tuple[int, str]]:
    """(record, its title as a name) of the documents of a pool that have one, by record."""
    documents = sorted(set(pool.features.record[~pool.features.code].tolist()))
    named = [(record_id, title_name(pool.titles.get(record_id, ""))) for record_id in documents]
    return [(record_id, name) for record_id, name in named if name]


def _best_row(features: Features, record_id: int) -> int:
    """The row of the best chunk of a record by words."""
    rows = np.flatnonzero(features.record == record_id)
    return int(rows[np.argmax(features.unit[rows])])


def _says(text: str, title: str) -> bool:
    """True when a text contains a title as a name: spelt the same, but not at the start of the text, where any word has a
    capital; or of several words, with a capital on each long one.
    """
    for match in re.finditer(rf"(?<!\w){re.escape(title)}(?!\w)", text, re.IGNORECASE):
        words = match[0].split()
        capital = all(not word[0].islower() for word in words if word is words[0] or len(word) > SHORT_WORD)
        if (match[0] == title and match.start()) or (len(words) > 1 and capital):
            return True
    return False


def _said_of(title: str, question: frozenset[str]) -> int:
    """The number of different terms of a title where the question says them all, else 0."""
    terms = {*analysis.content_terms(analysis.terms(title))}
    return len(terms) if terms <= question else 0


def names_in(text: str) -> list[str]:
    """Spans of a text that may be the title of another document, each once: quoted ones, then runs of up to
    LONGEST_NAME capitalised words or numbers, with every shorter run inside.
    """
    names = [span.strip() for span in _QUOTED.findall(text)]
    for run in _NAMES.finditer(text):
        words = [*_NAME_WORD.finditer(run[0])]
        for first, begin in enumerate(words):
            for end in words[first : first + LONGEST_NAME]:
                name = run[0][begin.start() : end.end()]
                names.append(name.removesuffix("'s").removesuffix("’s"))
    return [*dict.fromkeys(name for name in names if title_name(name))]


def with_links(
    pool: Pool, hits: Sequence[Hit], question: frozenset[str], postings_of: PostingsOf, living: int
) -> Pool:
    """The pool with `link` set for documents whose titles are in the texts of the best hits.

    The link of a document is the quality of the hit that names it, divided by the root of the number of documents with
    that title. It is BRIDGE instead for the best chunk of a document that the subject of the question names, and the
    question does not. Titles that most of the `living` chunks contain do not count.
    """
    features = pool.features
    together = "\n".join(hit.chunk.text for hit in hits)
    titles = {record_id: title for record_id, title in _title_names(pool) if title in together}
    link: dict[int, float] = {}
    bridge: dict[int, float] = {}
    for title, number in Counter(titles.values()).items():
        naming = [hit for hit in hits if names_title(hit.chunk.text, title)]
        if not naming or not _is_rare(title, postings_of, living):
            continue
        new = not _said_of(title, question)
        for record_id in (record_id for record_id, name in titles.items() if name == title):
            others = [hit for hit in naming if titles.get(hit.chunk.record_id) != title]
            link[record_id] = max((max(0.0, hit.quality) for hit in others), default=0.0) / number**0.5
            if new and any(hit.asked for hit in others):
                bridge[record_id] = BRIDGE / number**0.5
    if not any(link.values()) and not bridge:
        return pool
    values = np.asarray([link.get(i, 0.0) for i in features.record.tolist()], dtype=np.float32)
    for record_id, value in bridge.items():
        values[_best_row(features, record_id)] = value
    return pool._replace(
        features=features._replace(
            link=np.where(features.code, 0, np.maximum(values, features.link)).astype(np.float32)
        )
    )


def _is_rare(title: str, postings_of: PostingsOf, living: int) -> bool:
    most = max(COMMON_TITLE_CHUNKS, COMMON_TITLE_SHARE * living)
    # Long terms first: they are mostly rare, and postings of common ones take long to read.
    terms = sorted(set(analysis.terms(title)), key=lambda term: (-len(term), term))
    return any(0 < len(postings_of(term).positions) <= most for term in terms)


def title_name(title: str) -> str:
    """The title as another text would write it, without a part in brackets; "" when it is not a name."""
    bare = title.partition(" (")[0]  # Mercury (planet)
    return bare if len(bare) >= SHORTEST_TITLE and bare != bare.lower() else ""


def names_title(text: str, title: str) -> bool:
    """True when a text names a title, letter for letter and as whole words."""
    at = text.find(title)
    while at != -1:
        end = at + len(title)
        if not (at and text[at - 1].isalnum()) and not text[end : end + 1].isalnum():
            return True
        at = text.find(title, at + 1)
    return False
