"""Occurrences: the lines of code that hold a name of a request for a change.

"Support TOML the way YAML is supported" has its places where the known name stands: in a list, a table, an export, a branch.
Each is a line or two of a chunk that scores low, so few packs held them all (docs/decisions/039-occurrences.md). From FROM
tokens on, a pack for a change shows the lines around each, up to MOST of its budget.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence

from daypack.pack.select import Selected
from daypack.pack.sent import Sent
from daypack.pack.variants import Choice, lines_around
from daypack.pack.weigher import Part
from daypack.ports import CountTokens
from daypack.text.paths import is_test_path
from daypack.types import Candidate, RecordKind, Variant

FROM = 3_000  # tokens of a budget; in 2,000 the lines to change would pay for it
MOST = 0.3  # of a budget; .4 shows one place more of 128
MOST_LINES = 80  # guess: of code with a name; a name of more is everywhere
LEAST_NAME = 3  # letters and digits
_FRAME = 10  # guess: tokens around an excerpt
_KEPT = 0.99  # of a candidate's value: nothing but the whole chunk takes the place of lines with a name
_NAME_PART = r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W_a-zA-Z0-9]+"
# No small letter joins the name: `loadYaml` and `MIMEYAML` have YAML, "capital" has no API.
_BEGIN, _END = r"(?:(?<![^\W\dA-Z_])|(?=[A-Z]))", r"(?:(?<=[A-Z])|(?![^\W\dA-Z_]))"


def with_occurrences(
    names: Sequence[str],
    candidates: Sequence[Candidate],
    chosen: Sequence[Selected],
    limit: int,
    count: CountTokens,
    sent: Sent | None,
) -> Iterator[Selected]:
    """The choices, with the lines around each occurrence of the names in code that they do not show, tests apart; those of
    the best candidates first. A candidate that was sent in part is the rest of it, as in the choices.
    """
    sources = [candidate for candidate in candidates if _is_source(candidate)]
    pattern = _pattern(names, [candidate.chunk.text for candidate in sources])
    if pattern is None:
        yield from chosen
        return
    shown = {item.candidate.chunk.id: item for item in chosen}
    room = MOST * limit
    added: dict[int, Selected] = {}
    for candidate in sources:
        chunk, item = candidate.chunk, shown.get(candidate.chunk.id)
        if item is not None and item.choice.variant is Variant.FULL:
            continue
        there = () if item is None else item.choice.parts
        places = [match.start() for match in pattern.finditer(chunk.text)]
        places = [at for at in places if not any(start <= at < end for start, end in there)]
        parts = [part for part in lines_around(chunk.text, places) if not _was_sent(candidate, part, sent)]
        cost = sum(count(chunk.text[start:end]) for start, end in parts) + _FRAME
        if not parts or cost > room:
            continue
        room -= cost
        if item is None:
            choice, density = Choice(Variant.EXTRACT, tuple(parts), _KEPT, cost), math.inf
        else:
            together = tuple(_joined([*there, *parts]))
            choice, density = Choice(Variant.EXTRACT, together, _KEPT, item.choice.cost + cost), item.density
        added[chunk.id] = Selected(candidate, choice, density)
    for item in chosen:
        yield added.pop(item.candidate.chunk.id, item)
    yield from added.values()


def _is_source(candidate: Candidate) -> bool:
    chunk = candidate.chunk
    return chunk.record_kind is RecordKind.CODE and not is_test_path(chunk.uri)


def _pattern(names: Sequence[str], texts: Sequence[str]) -> re.Pattern[str] | None:
    """The expression for the names that few lines hold: however it is written, `strict_commands` for strictCommands, or else as
    it is written, as a whole word. None where no text holds one.
    """
    kept = []
    for name in names:
        parts = [*map(re.escape, re.findall(_NAME_PART, name))]
        if sum(map(len, parts)) < LEAST_NAME:
            continue
        bare = re.escape(re.sub(r"^\W+|\W+$", "", name))
        for form in (rf"{_BEGIN}(?i:{'[-_ ]?'.join(parts)}){_END}", rf"(?<![^\W_]){bare}(?![^\W_])"):
            if 0 < sum(_lines_with(form, text) for text in texts) <= MOST_LINES:
                kept.append(form)
                break
    return re.compile("|".join(kept)) if kept else None


def _lines_with(form: str, text: str) -> int:
    return len({text.count("\n", 0, match.start()) for match in re.finditer(form, text)})


def _was_sent(candidate: Candidate, part: Part, sent: Sent | None) -> bool:
    """True when an earlier pack of the conversation showed some of a part."""
    chunk = candidate.chunk
    start, end = (chunk.span.start + place for place in part)
    earlier = () if sent is None else sent.spans.get(chunk.record_id, ())
    return any(one.start < end and start < one.end for one in earlier)


def _joined(parts: Sequence[Part]) -> Iterator[Part]:
    """Parts in order, those that touch as one."""
    first, last = min(parts)[0], 0
    for start, end in sorted(parts):
        if start > last + 1 and last:
            yield first, last
            first = start
        last = max(last, end)
    yield first, last
