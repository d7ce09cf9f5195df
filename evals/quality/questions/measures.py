"""Measures of one answer to one question.

    Acc@k        all gold files stand among the first k files of `search`
    Gold@B       share of the gold files of which a pack of B tokens holds a line
    Lines@B      share of the gold lines in the pack
    Whole@B      1 when the pack holds every gold line
    First@B      1 when the first item is of a gold file
    FirstLines@B 1 when the first item shows a gold line
    Kind@B       1 when the first item is of the kind that the question wants
    FirstPage@B  1 when the first item is prose
    Pages@B      share of the item tokens in prose
    Outside@B    share of the item tokens outside gold files
    Largest@B    share of the item tokens in the file that has most of them
    Used@B       tokens of the pack as rendered
    Items@B      items
    Frame@B      tokens an item beside the texts of the items
    Content@B    share of the pack's tokens that are texts of items
    Away@B       1 when the pack is empty, or says that its answer is weak

A question that other pages answer as well counts by the page with which it fares best, measure by measure.

An empty pack has zero of Gold, Lines, Whole, First, FirstLines, Kind and Content, and none of the shares that it
cannot have. Lines, Whole and FirstLines are known only where the question names lines. A question without gold has
Away, Used and Items alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from evals.quality.datasets import Interval
from evals.quality.measures import CUTOFFS, accuracy_at, line_recall
from evals.quality.questions.asked import Kind, Question

LOWER_IS_BETTER = ("FirstPage", "Pages", "Outside", "Largest", "Used", "Items", "Frame", "Away")


class Shown(NamedTuple):
    """An item of a pack: lines of a file, from 1, both included. `tokens` are those of its text alone."""

    path: str
    first: int
    last: int
    tokens: int
    kind: Kind
    score: float = 0.0


class Packed(NamedTuple):
    """A pack in the order of its items. `used` counts the tokens of the whole string."""

    items: tuple[Shown, ...]
    used: int
    weak: bool = False  # the pack says that its answer is weak


class Reply(NamedTuple):
    """The answer of an arm: the files of its search, best first, and packs by budget."""

    files: tuple[str, ...]
    packs: Mapping[int, Packed]


def measured(question: Question, reply: Reply) -> dict[str, float]:
    """Every measure of a reply, by name."""
    found = _with_gold(question, reply)
    for spans in question.also:
        other = _with_gold(replace(question, gold=tuple(spans), lines=spans, also=()), reply)
        for name, value in other.items():
            least = name.partition("@")[0] in LOWER_IS_BETTER
            found[name] = min(found[name], value) if least else max(found[name], value)
    return found


def _with_gold(question: Question, reply: Reply) -> dict[str, float]:
    values: dict[str, float] = {}
    if question.gold:
        wanted = dict.fromkeys(question.gold, 1)
        values |= {f"Acc@{k}": accuracy_at(k)(reply.files, wanted) for k in CUTOFFS}
    for budget, pack in sorted(reply.packs.items()):
        found = {**_of_pack(pack), **(_of_gold(question, pack) if question.gold else {})}
        values |= {f"{name}@{budget}": value for name, value in found.items()}
    return values


def _of_pack(pack: Packed) -> dict[str, float]:
    return {
        "Used": float(pack.used),
        "Items": float(len(pack.items)),
        "Away": float(pack.weak or not pack.items),
    }


def _of_gold(question: Question, pack: Packed) -> dict[str, float]:
    items, gold = pack.items, set(question.gold)
    first = items[0] if items else None
    values = {
        "Gold": len({item.path for item in items} & gold) / len(gold),
        "First": float(first is not None and first.path in gold),
        "Kind": float(first is not None and first.kind is question.wanted),
        "FirstPage": float(first is not None and first.kind is Kind.PAGE),
    }
    if question.lines:
        values["Lines"] = line_recall([_as_lines(item) for item in items], question.lines)
        values["Whole"] = float(values["Lines"] == 1)
        values["FirstLines"] = float(first is not None and _meets(first, question.lines))
    tokens = sum(item.tokens for item in items)
    values["Content"] = min(1.0, tokens / pack.used) if pack.used else 0.0
    if tokens:
        by_file: Counter[str] = Counter()
        for item in items:
            by_file[item.path] += item.tokens
        values |= {
            "Pages": sum(item.tokens for item in items if item.kind is Kind.PAGE) / tokens,
            "Outside": sum(count for path, count in by_file.items() if path not in gold) / tokens,
            "Largest": max(by_file.values()) / tokens,
            "Frame": max(0, pack.used - tokens) / len(items),
        }
    return values


def _as_lines(item: Shown) -> dict[str, str | int]:
    return {"doc_id": item.path, "start_line": item.first, "end_line": item.last}


def _meets(item: Shown, lines: Mapping[str, tuple[Interval, ...]]) -> bool:
    return any(item.first <= last and first <= item.last for first, last in lines.get(item.path, ()))
