"""The frame of a pack: the tokens that a shape puts around the texts and adds by its escapes, measured before anything is
chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from daypack.ports import CountTokens
from daypack.types import Candidate, Chunk, Excerpt, RecordKind, Span

MORE = 3  # excerpts of one source that are measured together
FIRST = 5  # candidates, by the longest of which the cost of escapes is measured
LONGER = 60  # tokens by which that one must exceed its sample, for a useful measure


class Frame(NamedTuple):
    """Costs of a pack beside its texts, in the unit of the budget. Estimates, which fitting corrects."""

    fixed: int  # of the pack
    first: Mapping[RecordKind, int]  # of the first excerpt of a source, for a uri of `named` characters
    further: Mapping[RecordKind, int]  # of each further excerpt of a source
    named: Mapping[RecordKind, int]
    rate: float  # tokens a character of a uri
    stretch: (
        float  # rendered tokens a token of text; above 1 where the shape escapes. Costs are in tokens of text
    )

    def around(self, chunk: Chunk, *, further: bool) -> int:
        """The cost of an excerpt of a chunk beside its text."""
        kind = chunk.record_kind
        if further:
            return self.further[kind]
        return max(
            self.further[kind], self.first[kind] + round(self.rate * (len(chunk.uri) - self.named[kind]))
        )


def measured(
    competing: Sequence[Candidate],
    count: CountTokens,
    *,
    excerpt_of: Callable[[Candidate], Excerpt],
    render: Callable[[Sequence[Excerpt]], str],
) -> Frame:
    """The frame, by rendering the best candidate of each kind alone, with one of another source, and with more of that
    source.
    """

    def tokens_of(*shown: Excerpt) -> int:
        return count(render(shown))

    fixed: int | None = None
    rate = 0.0
    stretch = _stretch(competing, count, excerpt_of, tokens_of)
    first: dict[RecordKind, int] = {}
    further: dict[RecordKind, int] = {}
    named: dict[RecordKind, int] = {}
    for candidate in competing:
        kind = candidate.chunk.record_kind
        if kind in first:
            continue
        sample = _sample(excerpt_of(candidate))
        uri = sample.citation.uri
        other = f"~{uri[1:]}"  # begins differently
        turns = kind in (RecordKind.EVENT, RecordKind.MEMORY)
        beside = [f"{other[:-1]}{n}" if turns else other for n in range(MORE)]
        tokens = count(sample.text)
        shown = (
            sample,
            *(
                sample._replace(citation=sample.citation._replace(label=2, uri=name))
                for name in (other, *beside)
            ),
        )
        used = [tokens_of(*shown[:number]) for number in (1, 2, 2 + MORE)]
        first[kind] = max(0, round((used[1] - used[0]) / stretch) - tokens)
        further[kind] = max(0, round((used[2] - used[1]) / MORE / stretch) - tokens)
        named[kind] = len(uri)
        if fixed is None:
            fixed = max(0, used[0] - round((tokens + first[kind]) * stretch))
            rate = count(uri) / max(1, len(uri))
    return Frame(fixed or 0, first, further, named, rate, stretch)


def _stretch(
    competing: Sequence[Candidate],
    count: CountTokens,
    excerpt_of: Callable[[Candidate], Excerpt],
    tokens_of: Callable[[Excerpt], int],
) -> float:
    """Rendered tokens a token of text, measured on the longest of the first texts against its own beginning."""
    if not competing:
        return 1.0
    longest = excerpt_of(max(competing[:FIRST], key=lambda candidate: len(candidate.chunk.text)))
    short = _sample(longest)
    longer = count(longest.text) - count(short.text)
    return max(1.0, (tokens_of(longest) - tokens_of(short)) / longer) if longer >= LONGER else 1.0


def _sample(excerpt: Excerpt) -> Excerpt:
    """The excerpt cut to a few lines, which decide how it is shown and are quick to count."""
    text = "\n".join(line[:60] for line in excerpt.text.split("\n")[:5])
    here, span = excerpt.citation, excerpt.citation.span
    short = Span(span.start, span.end, span.start_line, span.start_line + text.rstrip("\n").count("\n"))
    return excerpt._replace(text=text, citation=here._replace(span=short))
