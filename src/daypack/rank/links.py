"""Links: a document that one of the best hits names by its title is likely a part of the answer."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from daypack.rank.blend import Pool, Scored
from daypack.rank.views import PostingsOf
from daypack.text import analysis
from daypack.types import Chunk

LINKING_HITS = 5  # best hits whose texts may name other documents; 2 to 10 is flat
# a title without a rarer word is the subject of the whole store
COMMON_TITLE_CHUNKS, COMMON_TITLE_SHARE = 5, 0.1
SHORTEST_TITLE = 4  # characters
_ASIDE_IN_TITLE = r"\s*\([^()]*\)"  # Mercury (planet)


def with_links(
    pool: Pool,
    scored: Scored,
    chunks_of: Callable[[Sequence[int]], Mapping[int, Chunk]],
    postings_of: PostingsOf,
    living: int,
) -> Pool:
    """The pool with `link` set for documents that one of the best hits names by their title: a second step
    from the first findings.

    The link of a document is the score of the hit that names it, divided by the root of the number of
    documents with that title. Titles that most of the `living` chunks name link nothing.
    """
    features, best = pool.features, float(scored.scores[0]) if len(scored.scores) else 0.0
    titles = {
        record_id: name
        for record_id in sorted(set(features.record[~features.code].tolist()))
        if (name := title_name(pool.titles.get(record_id, "")))
    }
    if not titles or best <= 0:
        return pool
    rows = [row for row in scored.order[: 2 * LINKING_HITS].tolist() if not features.code[row]][:LINKING_HITS]
    ids = pool.chunk_ids[rows].tolist()
    chunks = chunks_of(ids)
    hits = [
        (float(scored.blend.score[row]) / best, chunks[i])
        for row, i in zip(rows, ids, strict=True)
        if i in chunks
    ]
    together = "\n".join(chunk.text for _, chunk in hits)
    bearers = Counter(titles.values())
    link: dict[int, float] = {}
    for title, number in bearers.items():
        if title not in together or not (
            naming := [(good, c.record_id) for good, c in hits if names_title(c.text, title)]
        ):
            continue
        if not _is_rare(title, postings_of, living):
            continue
        for record_id, name in titles.items():
            if name == title:
                good = max((good for good, namer in naming if namer != record_id), default=0.0)
                link[record_id] = max(0.0, good) / number**0.5
    if not any(link.values()):
        return pool
    values = np.asarray([link.get(i, 0.0) for i in features.record.tolist()], dtype=np.float32)
    return pool._replace(
        features=features._replace(link=np.where(features.code, 0, values).astype(np.float32))
    )


def _is_rare(title: str, postings_of: PostingsOf, living: int) -> bool:
    most = max(COMMON_TITLE_CHUNKS, COMMON_TITLE_SHARE * living)
    return any(0 < len(postings_of(term).positions) <= most for term in analysis.terms(title))


def title_name(title: str) -> str:
    """The title as another text would name it, without the part that tells it from its namesakes; "" where it
    is not a name.
    """
    bare = re.sub(_ASIDE_IN_TITLE, "", title).strip() if "(" in title else title
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
