"""The items of an assembly that fit a budget: each whole, or cut to its most telling sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from daypack.doors.sources.retrieval.assembly import assembly_text, in_sections
from daypack.doors.sources.types import AssemblyMode, RetrievedSource
from daypack.pack.variants import choices
from daypack.pack.weigher import Weigher
from daypack.text import analysis
from daypack.types import Candidate, Chunk

GAP = "\n…\n"  # between two parts of a text


class Fitted(NamedTuple):
    """The chosen items in their order, their text and its size, and the items without room."""

    chosen: list[RetrievedSource]
    text: str
    used: int
    left_out: list[RetrievedSource]


def fitted(
    mode: AssemblyMode,
    items: Sequence[RetrievedSource],
    limit: int,
    count: Callable[[str], int],
    shorter: Callable[[RetrievedSource], Iterator[RetrievedSource]],
) -> Fitted:
    """Items best first, each in its longest form that has room beside those before it."""
    chosen: list[RetrievedSource] = []
    left_out: list[RetrievedSource] = []
    text, used = "", count("")
    for item in items:
        for form in chain([item], shorter(item)):
            tried = assembly_text(in_sections(mode, [*chosen, form]))
            if (counted := count(tried)) <= limit:
                chosen.append(form)
                text, used = tried, counted
                break
        else:
            left_out.append(item)
    return Fitted(chosen, text, used, left_out)


def cuts(query: str, chunks: Mapping[int, Chunk]) -> Callable[[RetrievedSource], Iterator[RetrievedSource]]:
    """A function from an item to its shorter forms, longest first: sentences that tell most of the query. The last are
    shorter than an extract of a common pack may be: a short record has no other, and the alternative is to leave it out.
    """
    weigher = Weigher(dict.fromkeys(analysis.content_terms(analysis.terms(query)), 1.0))

    def shorter(item: RetrievedSource) -> Iterator[RetrievedSource]:
        chunk = chunks.get(item.chunk_id)
        if chunk is None:
            return
        candidate = Candidate(chunk, item.score, 0.0, ())
        size = len(chunk.text)
        for least in (None, 0):
            found = choices(candidate, weigher, whole=item.tokens, overhead=0, further=1, least=least)
            for choice in reversed(found[:-1]):
                text = GAP.join(chunk.text[start:end].strip() for start, end in choice.parts)
                if len(text) < size:
                    size = len(text)
                    yield replace(item, text=text, tokens=choice.cost, cut=True)

    return shorter
