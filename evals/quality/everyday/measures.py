"""Measures of one answer to a question of the everyday world."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from evals.quality.everyday.world import Passage

WHOLE = 0.6  # share of a record without a quote that counts as its text
CALLED_WEAK = "weak"  # the word by which an answer says so before its first item

Facts = Sequence[Sequence[Passage]]
"""The passages that state each fact: one of them is enough."""


class Item(NamedTuple):
    """Half-open characters of a record, as ranked or packed; `tokens` of the text alone."""

    uri: str
    start: int
    end: int
    tokens: int = 0


class Answered(NamedTuple):
    """The answer of a system: its ranking, and its pack with the tokens of the whole string."""

    ranked: Sequence[Item]
    items: Sequence[Item]
    used: int
    weak: bool = False  # plainly called weak, whatever it holds


def overlap(item: Item, passage: Passage) -> tuple[int, int]:
    """The characters that both have, an empty range without any."""
    if item.uri != passage.uri:
        return 0, 0
    start, end = max(item.start, passage.start), min(item.end, passage.end)
    return (start, end) if start < end else (0, 0)


def is_right(item: Item, facts: Facts) -> bool:
    """Tell whether an item shows the beginning of what decides a fact."""
    return any(
        item.uri == one.uri and (one.end - one.start == 0 or item.start <= one.core[0] < item.end)
        for fact in facts
        for one in fact
    )


def holds(items: Sequence[Item], passage: Passage) -> bool:
    """Tell whether a pack has the deciding part of a passage: all of a quote, most of a whole record."""
    if passage.core != (passage.start, passage.end):
        first, last = passage.core
        return any(item.uri == passage.uri and item.start <= first and last <= item.end for item in items)
    shown = sum(end - start for start, end in (overlap(item, passage) for item in items))
    return shown >= WHOLE * (passage.end - passage.start)


def answer_tokens(
    items: Sequence[Item], facts: Facts, texts: Mapping[str, str], count: Callable[[str], int]
) -> int:
    """Tokens of the packed items that belong to an answer. Passages that overlap count once."""
    total = 0
    for item in items:
        spans = sorted(span for fact in facts for one in fact if (span := overlap(item, one)) != (0, 0))
        reached = 0
        for start, end in spans:
            if end > max(start, reached):
                total += count(texts[item.uri][max(start, reached) : end])
            reached = max(reached, end)
    return total


def measures(
    answer: Answered, facts: Facts, texts: Mapping[str, str], count: Callable[[str], int]
) -> dict[str, float]:
    """Name → value. A question without facts has `turned away` and the sizes only."""
    items = answer.items
    item_tokens = sum(item.tokens for item in items)
    found: dict[str, float] = {}
    if facts:
        found["first found"] = float(bool(answer.ranked) and is_right(answer.ranked[0], facts))
        found["found in 5"] = float(any(is_right(item, facts) for item in answer.ranked[:5]))
        found["first packed"] = float(bool(items) and is_right(items[0], facts))
        found["gold packed"] = sum(any(holds(items, one) for one in fact) for fact in facts) / len(facts)
        share = answer_tokens(items, facts, texts, count) / item_tokens if item_tokens else 0.0
        found["answer share"] = min(share, 1.0)
        found["wrongly empty"] = float(not items)
        found["wrongly weak"] = float(answer.weak)
    else:
        found["turned away"] = float(answer.weak or not items)
    found["tokens"] = float(answer.used)
    found["items"] = float(len(items))
    if items:
        found["frame an item"] = (answer.used - item_tokens) / len(items)
        found["content"] = item_tokens / answer.used
    return found


def is_called_weak(text: str, first: str) -> bool:
    """Tell whether a pack warns that it is weak before its first item, whose text is given."""
    frame = text[: text.find(first)] if first and first in text else text
    lines = [line for line in frame.splitlines() if not line.startswith("# Context for:")]
    return any(CALLED_WEAK in line.lower().split() for line in lines)
