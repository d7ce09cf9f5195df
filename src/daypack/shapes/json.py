"""JSON, for programs: one line, its keys in the order of `pack.schema.json`, which describes each key.

Texts and uris are exact once the line is read. In the line itself every character that is not safe to show is
a `\\uXXXX` escape, which a JSON parser undoes, so that it can be printed on a terminal too.

An equal question to an equal store gives an equal line: durations are in `SearchStats` only. Statistics with
their default value are left out.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from itertools import islice
from typing import Any

from daypack.guard.fences import DANGEROUS, escape, is_inert
from daypack.shapes.wording import empty_sentence, instant, opening_sentence
from daypack.types import Chain, Excerpt, Pack, RecordKind, SearchStats, Trust

SCHEMA = "daypack.pack/1"
OMITTED_LISTED = 20

# Python tells two surrogates side by side from the character that they encode in UTF-16; JSON does not.
_SURROGATE_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
# Left out: the work that the cache of vectors saved or cost, for equal questions have equal answers.
_OF_THE_CACHE = frozenset({"embedded", "vectors_missing"})
_SAID_ABOVE = frozenset({"weak", "unknown"})  # in the head of the pack
_FACTS = frozenset({"start", "end", "trail", "language", "tokens"})
# of other items they tell two values of one thing apart
_FACTS_OF_CODE = _FACTS | {"kind", "title", "time"}
_STATISTICS = tuple(
    (name, default)
    for name, default in SearchStats._field_defaults.items()
    if not name.endswith("_seconds") and name not in _OF_THE_CACHE | _SAID_ABOVE
)


def render(pack: Pack) -> str:
    head = _head(pack)
    head["citations"] = [_exact(citation.reference) for citation in pack.citations]
    omitted = [
        {"ref": _exact(omission.reference), "reason": omission.reason.value, "score": _score(omission.score)}
        for omission in islice(pack.omitted, OMITTED_LISTED)
    ]
    head["omitted"] = {"count": _counts(pack), "items": omitted}
    head["stats"] = _statistics(pack.stats)
    return _line(head)


def render_without_list(pack: Pack) -> str:
    """JSON without the lists of omissions (their counts stay) and of citations, which are in the items."""
    return _line(_head(pack) | {"omitted": {"count": _counts(pack)}, "stats": _statistics(pack.stats)})


def render_lean(pack: Pack) -> str:
    """JSON without the list of omissions (its counts stay), statistics, and facts that a reader of the texts can do without. The
    number of files that changed stays.
    """
    head = _head(pack)
    head["items"] = [
        {
            key: value
            for key, value in item.items()
            if key not in (_FACTS_OF_CODE if excerpt.kind is RecordKind.CODE else _FACTS)
        }
        for item, excerpt in zip(head["items"], pack.excerpts, strict=True)
    ]
    stale = {"stats": {"stale": pack.stats.stale}} if pack.stats.stale else {}
    return _line(head | {"omitted": {"count": _counts(pack)}} | stale)


def render_bare(pack: Pack) -> str:
    """The items alone, with number, reference and text."""
    return _line(
        {
            "items": [
                {key: item[key] for key in ("n", "ref", "text", "escaped") if key in item}
                for item in map(_item, pack.excerpts)
            ]
        }
    )


def _head(pack: Pack) -> dict[str, Any]:
    budget = pack.budget
    head: dict[str, Any] = {
        "schema": SCHEMA,
        "query": pack.query,
        "budget": {
            "limit": budget.limit,
            "tokenizer": budget.tokenizer.value,
            "used": pack.tokens_used,
            "truncated": pack.truncated,
        },
    }
    if pack.chain is not None:
        head |= _chain(pack, pack.chain)
    if not pack.excerpts:
        if pack.empty_reason:
            head["empty_reason"] = pack.empty_reason.value
        head["hint"] = empty_sentence(pack.empty_reason, pack.stats)
    elif sentence := opening_sentence(pack.stats):
        if pack.weak:
            head["weak"] = True
        head["hint"] = sentence
    head["items"] = [*map(_item, pack.excerpts)]
    return head


def _chain(pack: Pack, chain: Chain) -> dict[str, Any]:
    """The pack's ID, None where the store could not keep it, and the state of its conversation."""
    labels = {"changed": chain.changed, "removed": chain.removed, "again": chain.again}
    before = {"after": chain.after} if chain.after else {}
    return {"id": pack.id or None, **before, **{name: some for name, some in labels.items() if some}}


def _item(excerpt: Excerpt) -> dict[str, Any]:
    citation, span = excerpt.citation, excerpt.citation.span
    item: dict[str, Any] = {
        "n": citation.label,
        "ref": _exact(citation.reference),
        "uri": _exact(citation.uri),
        "start": span.start,
        "end": span.end,
        "start_line": span.start_line,
        "end_line": span.end_line,
        "hash": citation.record_hash,
        "name": excerpt.name,
        "trail": excerpt.trail,
        "kind": excerpt.kind.value,
        "language": excerpt.language,
        "variant": excerpt.variant.value,
        "score": _score(excerpt.score),
        "tokens": excerpt.tokens,
        "text": _exact(excerpt.text),
    }
    if excerpt.title:
        item["title"] = excerpt.title
    if excerpt.author:
        item["author"] = excerpt.author
    if excerpt.time is not None and (time := instant(excerpt.time)):
        item["time"] = time
    if excerpt.trust is not Trust.USER:
        item["trust"] = excerpt.trust.value
    if excerpt.duplicates:
        item["duplicates"] = excerpt.duplicates
    stored = (("ref", citation.reference), ("uri", citation.uri), ("text", excerpt.text))
    if escaped := [key for key, value in stored if item[key] != value]:
        item["escaped"] = escaped
    return item


def _exact(text: str) -> str:
    """The text as it is, or escaped where JSON would read it back as another."""
    return text if text.isascii() or not _SURROGATE_PAIR.search(text) else escape(text)


def _score(score: float) -> float:
    # JSON knows no NaN; + 0.0 makes -0.0 a zero
    return round(score, 4) + 0.0 if math.isfinite(score) else 0.0


def _counts(pack: Pack) -> dict[str, int]:
    return {reason.value: len(candidates) for reason, candidates in pack.omitted.by_reason().items()}


def _statistics(stats: SearchStats) -> dict[str, Any]:
    changed: dict[str, Any] = {}
    for name, default in _STATISTICS:
        value = getattr(stats, name)
        if value != default:
            changed[name] = dict(value) if isinstance(value, Mapping) else value
    return changed


def _line(value: dict[str, Any]) -> str:
    line = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if not is_inert(line):
        line = re.sub(DANGEROUS, _escape_match, line)
    return line + "\n"


def _escape_match(match: re.Match[str]) -> str:
    return json.dumps(match[0])[1:-1]
