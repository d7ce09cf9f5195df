"""Random packs of hostile texts, in every shape and way of packing, counted by every tokenizer. Run by `make packs`.

python random_packs.py COUNT SEED      exit status 1 when one was over its budget, or not word for word the text of its citations
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from itertools import pairwise, product

from daypack import shapes, tokens
from daypack.pack.fit import Fitting, pack_candidates
from daypack.pack.weigher import Weigher
from daypack.testing import make_chunk
from daypack.types import (
    Budget,
    Candidate,
    Chunk,
    Contribution,
    EmptyReason,
    Pack,
    Packing,
    PieceKind,
    RecordKind,
    SearchStats,
    Span,
    SymbolKind,
    Tokenizer,
    Trust,
)
from packs_read import PARSED, parse

COMBINATIONS = list(product(shapes.SHAPES, Packing))

FRAGMENTS = [
    "retry",
    "the call",
    " ",
    "\n",
    "\n\n",
    "\t",
    "\r\n",
    ". ",
    "! ",
    "def run(self):\n    return 1\n",
    "    x = 1\n",
    "```",
    "````\n",
    "\n[1 a:1 @-]\n",
    "<item>",
    "]]>",
    "&amp;",
    '"',
    "\\",
    "\x00",
    "\x1b[31m",
    "\u202e",
    "\u200b",
    "\ud800",
    "日本語",
    "ไทย",
    "👩‍👩‍👧",
    "é",
    "x" * 60,
    "0123456789",
    "<|endoftext|>",
    "- item\n",
    "{",
    "}",
    "\u2028",
    "a" * 300,
]
NAMES = ["", "run", "Retry.run", "a\nb", "`x`", "日本", "<b>", "n" * 200]
URIS = ["a.md", "src/pay/retry.py", "日本.md", 'o"d d@y.md', "x\ny", "s:1-2", "p/" * 60 + "q.py"]
GAPS = ["", "\n", "\n\n", "and so on\n"]
STATS = [
    SearchStats(),
    SearchStats(degraded=("vectors: gone",), anchors_missing=("x`y",), stale=3, vectors_pending=9),
]


def text_from(chance: random.Random) -> str:
    return "".join(chance.choices(FRAGMENTS, k=chance.randint(1, 14)))


def record_from(chance: random.Random, number: int) -> tuple[str, list[Chunk]]:
    """A record's text and its chunks, as chunkers cut them: in order, with blank or short gaps, none of them
    blank.
    """
    uri, kind, trust, title = (
        chance.choice(URIS),
        chance.choice([*RecordKind]),
        chance.choice([*Trust]),
        chance.choice(NAMES),
    )
    name, signature, trail = (
        chance.choice(NAMES),
        chance.choice(["", "def run(self):", "zz"]),
        tuple(chance.choices(NAMES, k=chance.randint(0, 2))),
    )
    symbol = chance.choice([None, SymbolKind.METHOD]) if kind is RecordKind.CODE else None
    text, chunks = "", []
    for ordinal in range(chance.randint(1, 4)):
        part = text_from(chance)
        if not part.strip():
            part += "word"
        start, first = len(text), 1 + text.count("\n")
        text += part
        chunks.append(
            make_chunk(
                part,
                number * 10 + ordinal,
                record_id=number,
                ordinal=ordinal,
                span=Span(start, len(text), first, first + part.rstrip("\n").count("\n")),
                uri=uri,
                record_kind=kind,
                kind=PieceKind.SYMBOL if symbol else PieceKind.PARAGRAPH,
                name=name,
                trail=trail,
                signature=signature,
                symbol=symbol,
                title=title,
                trust=trust,
                language="python" if kind is RecordKind.CODE else "",
                tokens=tokens.counter(Tokenizer.O200K)(part),
            )
        )
        text += chance.choice(GAPS)
    return text, chunks


def table_from(seeds: list[int]) -> tuple[dict[int, str], list[Candidate]]:
    """Texts by record id, and ranked candidates; one record a seed, so that a failing example can shed
    records.
    """
    found = [record_from(random.Random(seed), number) for number, seed in enumerate(seeds, 1)]
    chunks = [chunk for _, chunks in found for chunk in chunks]
    chance = random.Random(seeds[0])
    chance.shuffle(chunks)
    scores = sorted((chance.random() * chance.choice([0, 1, 1, 1]) for _ in chunks), reverse=True)
    candidates = [
        Candidate(chunk, score, score**2, (Contribution("bm25", score, score),), chance.randint(0, 1))
        for chunk, score in zip(chunks, scores, strict=True)
    ]
    return {number: text for number, (text, _) in enumerate(found, 1)}, candidates


def packed(
    query: str,
    texts: dict[int, str],
    candidates: list[Candidate],
    budget: Budget,
    packing: Packing,
    shape: str,
    stats: SearchStats,
    *,
    companions: bool = False,
) -> Pack:
    fitting = Fitting(
        count=tokens.counter_of_like_texts(budget.tokenizer),
        render=shapes.ladder(shape).forms[0],
        ladder=shapes.ladder(shape),
        text_of=texts.__getitem__,
        checked=texts.__getitem__,
        tokens_of=lambda chunk: tokens.counter(budget.tokenizer)(chunk.text),
        weigher=Weigher({"retri": 2.0, "run": 1.0}),
        shape=shape,
        companions=companions,
    )
    return pack_candidates(query, candidates, budget, packing, fitting, stats=stats)


def check(pack: Pack, texts: dict[int, str], candidates: list[Candidate]) -> None:
    count = tokens.counter(pack.budget.tokenizer)
    assert count(pack.text) <= pack.budget.limit
    assert pack.tokens_used == count(pack.text) or count(pack.text) < pack.tokens_used <= pack.budget.limit
    ids = {candidate.chunk.id: candidate.chunk for candidate in candidates}
    ends: dict[int, list[tuple[int, int]]] = {}
    for excerpt in pack.excerpts:
        span = excerpt.citation.span
        record = ids[excerpt.citation.chunk_ids[0]].record_id
        text = texts[record]
        assert excerpt.text == text[span.start : span.end]
        assert excerpt.text.strip()
        assert span.start_line == 1 + text.count("\n", 0, span.start)
        assert span.end_line == span.start_line + excerpt.text.rstrip("\n").count("\n")
        ends.setdefault(record, []).append((span.start, span.end))
    for spans in ends.values():
        spans.sort()
        assert all(left[1] <= right[0] for left, right in pairwise(spans)), "excerpts overlap"
    assert [excerpt.citation.label for excerpt in pack.excerpts] == list(range(1, len(pack.excerpts) + 1))
    assert pack.excerpts or pack.empty_reason is EmptyReason.BUDGET_TOO_SMALL
    assert 0 <= pack.optimality <= 1
    if pack.shape in PARSED and pack.excerpts:
        items = parse(pack.text, pack.shape)
        wanted = [
            (e.citation.label, e.citation.uri, e.citation.span.start_line, e.citation.span.end_line, e.text)
            for e in pack.excerpts
        ]
        assert [(item.label, item.uri, item.start_line, item.end_line, item.text) for item in items] == wanted


ENDS = (80, 600, 5_000)  # budgets are drawn below one of these
LITTLE = (0, 1, 2)


def main(count: int, seed: int) -> int:
    """Make the packs and print what was found; the number of packs that broke a promise."""
    chance, found, began = random.Random(seed), Counter[str](), time.monotonic()
    combinations = [(*one, tokenizer) for one in COMBINATIONS for tokenizer in Tokenizer]
    for number in range(count):
        shape, packing, tokenizer = combinations[number % len(combinations)]
        texts, candidates = table_from([chance.getrandbits(32) for _ in range(chance.randint(1, 5))])
        limit = chance.choice((*LITTLE, *(chance.randrange(end) for end in ENDS * 3)))
        query = text_from(chance) if number % 2 else "how does retry run"
        pack = packed(
            query, texts, candidates, Budget(limit, tokenizer), packing, shape, chance.choice(STATS)
        )
        found["packs"] += 1
        found["excerpts"] += len(pack.excerpts)
        found["tokens"] += pack.tokens_used
        found["over budget"] += tokens.counter(tokenizer)(pack.text) > limit
        try:
            check(pack, texts, candidates)
        except AssertionError as error:
            found["broken"] += 1
            sys.stderr.write(
                f"pack {number} of seed {seed}: {shape} {packing} {tokenizer} {limit}: {error}\n"
            )
    sys.stdout.write(
        f"{found['packs']:,} packs in {len(combinations)} combinations of shape, packing and tokenizer, {found['excerpts']:,} "
        f"excerpts, {found['tokens']:,} tokens, {(time.monotonic() - began) / 60:.1f} minutes: "
        f"{found['over budget']} over budget, {found['broken']} not verbatim or otherwise broken\n"
    )
    return found["over budget"] + found["broken"]


if __name__ == "__main__":
    sys.exit(1 if main(int(sys.argv[1]), int(sys.argv[2])) else 0)
