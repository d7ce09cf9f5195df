"""Measures of one answer, by the names of ir_measures where those exist.

    ranking     nDCG@10 (linear gains, as trec_eval), R@10, R@100, RR over distinct documents in order of first appearance;
                Acc@k for files: whether all that are wanted stand among the first k
    packs       ER@B: share of the evidence inside a pack for B tokens. Of documents: those of which the pack holds at least 200
                characters, or all that there are. Of spans: of their characters. Of files: of which it holds a line
                Lines@B: share of the wanted lines; Fill@B: tokens used of B; Over@B: packs above B; Cites@B: citations that
                lead back to the excerpt's very text; Frame@B: tokens beside the texts by item; Content@B: share of the tokens
                that are texts (both in o200k, of packs with items)

A query without an answer counts zero; one that nothing answers is in no mean. A system ranks, so there are no
ties of scores: items count in the order given. Spans without graded documents are themselves what is ranked:
one is found at the first rank at which the items so far cover half of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from daypack.evaluate import measures
from daypack.evaluate.measures import dcg
from evals.quality.datasets import Dataset, GoldKind, Interval, Qrel

ENOUGH = 200  # characters of a document that count as having it
CUTOFFS = (1, 5, 10)

Item = Mapping[str, Any]
"""Part of a document: doc_id, and start and end (characters) or start_line and end_line.

Without bounds the whole document.
"""
Ranking = Callable[[Sequence[str], Mapping[str, int]], float]


# ---------------------------------------------------------------- rankings


def reciprocal_rank(ranked: Sequence[str], grades: Mapping[str, int]) -> float:
    """1 / rank of the first relevant document, 0 where none was found."""
    return measures.reciprocal_rank(
        next((rank for rank, document in enumerate(ranked, 1) if document in grades), None)
    )


def recall_at(cutoff: int) -> Ranking:
    def recall(ranked: Sequence[str], grades: Mapping[str, int]) -> float:
        ranks = {document: rank for rank, document in enumerate(ranked[:cutoff], 1)}
        return measures.recall([ranks.get(document) for document in grades], cutoff)

    return recall


def ndcg_at(cutoff: int) -> Ranking:
    """Linear gains, as trec_eval has them."""

    def ndcg(ranked: Sequence[str], grades: Mapping[str, int]) -> float:
        gains = [grades.get(document, 0) for document in ranked[:cutoff]]
        return dcg(gains) / dcg(sorted(grades.values(), reverse=True)[:cutoff])

    return ndcg


def accuracy_at(cutoff: int) -> Ranking:
    """1 when everything relevant stands among the first `cutoff`, else 0."""

    def accuracy(ranked: Sequence[str], grades: Mapping[str, int]) -> float:
        return float(grades.keys() <= set(ranked[:cutoff]))

    return accuracy


RANKINGS: dict[str, Ranking] = {
    "nDCG@10": ndcg_at(10),
    "R@10": recall_at(10),
    "R@100": recall_at(100),
    "RR": reciprocal_rank,
}
ACCURACIES: dict[str, Ranking] = {f"Acc@{cutoff}": accuracy_at(cutoff) for cutoff in CUTOFFS}


def distinct(items: Iterable[Item]) -> list[str]:
    """Documents in order of first appearance."""
    return list(dict.fromkeys(item["doc_id"] for item in items))


def span_ranking(
    items: Sequence[Item], spans: Mapping[str, Sequence[Interval]], lengths: Mapping[str, int]
) -> dict[str, float]:
    """The measures of a ranking where single spans are to be found."""
    wanted = [(document, span) for document, found in spans.items() for span in found]
    missing, held, gains = list(wanted), defaultdict(list), []
    for item in items:
        held[item["doc_id"]].append(item)
        have = covered(held[item["doc_id"]], item["doc_id"], lengths)
        new = [
            (document, span)
            for document, span in missing
            if document == item["doc_id"] and 2 * overlap(merged([span]), have) >= span[1] - span[0]
        ]
        missing = [span for span in missing if span not in new]
        gains.append(len(new))
        if not missing:
            break
    first = next((rank for rank, gain in enumerate(gains, 1) if gain), None)
    return {
        # one item may find several spans
        "nDCG@10": min(1.0, dcg(gains[:10]) / dcg([1] * min(len(wanted), 10))),
        "R@10": sum(gains[:10]) / len(wanted),
        "R@100": sum(gains[:100]) / len(wanted),
        "RR": 0.0 if first is None else 1 / first,
    }


# ---------------------------------------------------------------- packs


def merged(intervals: Iterable[Interval]) -> list[Interval]:
    """Sorted, and joined where they touch."""
    joined: list[Interval] = []
    for start, end in sorted(intervals):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((start, end))
    return joined


def overlap(one: Sequence[Interval], other: Sequence[Interval]) -> int:
    """Length that two merged lists share."""
    return sum(max(0, min(end, last) - max(start, first)) for start, end in one for first, last in other)


def covered(items: Iterable[Item], document: str, lengths: Mapping[str, int]) -> list[Interval]:
    """The characters of a document that items hold."""
    length = lengths.get(document, 10**12)
    return merged(
        (max(0, item.get("start", 0)), min(length, item.get("end", length)))
        for item in items
        if item["doc_id"] == document and item.get("start", 0) < item.get("end", length)
    )


def evidence_recall(items: Sequence[Item], qrel: Qrel, kind: GoldKind, lengths: Mapping[str, int]) -> float:
    """Share of the evidence that a pack holds."""
    named = set(distinct(items))
    match kind:
        case GoldKind.SPANS:
            wanted = {document: merged(spans) for document, spans in qrel.spans.items()}
            total = sum(end - start for spans in wanted.values() for start, end in spans)
            return (
                sum(overlap(spans, covered(items, document, lengths)) for document, spans in wanted.items())
                / total
            )
        case GoldKind.FILES:
            return len(named & qrel.grades.keys()) / len(qrel.grades)
        case GoldKind.DOCUMENTS:
            held = 0
            for document in qrel.evidence:
                characters = sum(end - start for start, end in covered(items, document, lengths))
                held += document in named and characters >= min(lengths.get(document, 0), ENOUGH)
            return held / len(qrel.evidence)


def line_recall(items: Sequence[Item], lines: Mapping[str, Sequence[Interval]]) -> float:
    """Share of the wanted lines that a pack shows."""
    total = held = 0
    for path, spans in lines.items():
        wanted = merged((first, last + 1) for first, last in spans)
        shown = merged(
            (item.get("start_line", 1), item.get("end_line", 10**9) + 1)
            for item in items
            if item["doc_id"] == path
        )
        total += sum(end - start for start, end in wanted)
        held += overlap(wanted, shown)
    return held / total


def content_tokens(pack: str, texts: Sequence[str], count: Callable[[str], int]) -> tuple[int, int]:
    """Tokens of the texts of a pack's items, each by itself, and of the pack as rendered."""
    return sum(map(count, texts)), count(pack)


# ---------------------------------------------------------------- one answer


def measured(
    dataset: Dataset, lengths: Mapping[str, int], line: Mapping[str, Any]
) -> dict[str, float] | None:
    """Every measure of one line of results; None where the query has no answer.

    `lengths` are those of the documents in characters. Packs are measured for the budgets that the line has.
    """
    qrel = dataset.qrels[line["id"]]
    if not (qrel.grades or qrel.spans):
        return None
    ranked = items_of(line.get("ranked"))
    values: dict[str, float] = {}
    if qrel.grades:
        order = distinct(ranked)
        values.update({name: measure(order, qrel.grades) for name, measure in RANKINGS.items()})
        if dataset.kind is GoldKind.FILES:
            values.update({name: measure(order, qrel.grades) for name, measure in ACCURACIES.items()})
    else:
        values.update(span_ranking(ranked, qrel.spans, lengths))
    packs, used, cites = line.get("packs") or {}, line.get("used") or {}, line.get("cites") or {}
    content = line.get("content") or {}
    for budget in sorted(packs, key=int):
        items = items_of(packs[budget])
        values[f"ER@{budget}"] = evidence_recall(items, qrel, dataset.kind, lengths)
        if any(qrel.lines.values()):
            values[f"Lines@{budget}"] = line_recall(items, qrel.lines)
        if budget in used:
            values[f"Fill@{budget}"] = used[budget] / int(budget)
            values[f"Over@{budget}"] = float(used[budget] > int(budget))
        if budget in cites:
            resolved, of = cites[budget]
            values[f"Cites@{budget}"] = resolved / of if of else 1.0
        if budget in content and items:
            texts, tokens = content[budget]
            values[f"Frame@{budget}"] = (tokens - texts) / len(items)
            values[f"Content@{budget}"] = texts / tokens
    return values


def items_of(listed: Sequence[Any] | None) -> list[Item]:
    return [{"doc_id": item} if isinstance(item, str) else item for item in listed or ()]
