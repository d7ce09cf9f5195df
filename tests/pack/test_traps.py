"""Where packers go wrong: crumbs that look cheap, one text that fills everything, copies, scores that say
nothing.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from daypack import Daypack, shapes, tokens
from daypack.pack.fit import Fitting, pack_candidates
from daypack.pack.variants import choices
from daypack.pack.weigher import Weigher
from daypack.testing import make_chunk
from daypack.text import analysis
from daypack.types import (
    Budget,
    Candidate,
    Chunk,
    Contribution,
    OmissionReason,
    Pack,
    Packing,
    RecordKind,
    SearchStats,
    Tokenizer,
    Variant,
    VectorMode,
)
from support import WORDS, project

LEDGER = (
    "The ledger is closed on the last working day of a month. Invoices that arrive later belong to the next one. "
    "Refunds are booked on the day on which the bank confirms them, whatever the customer was told. "
    "Nobody may reopen a closed month without the consent of the auditor. "
    "The auditor is asked by letter, and a copy of the answer is kept with the books for ten years."
)


def chunk(number: int, text: str, kind: RecordKind = RecordKind.DOCUMENT) -> Chunk:
    count = tokens.counter(Tokenizer.O200K)
    return make_chunk(text, number, uri=f"notes/{number}.md", record_kind=kind, tokens=count(text))


def ranked(texts: list[str], scores: list[float], kind: RecordKind = RecordKind.DOCUMENT) -> list[Candidate]:
    found = [
        (chunk(n, text, kind), score) for n, (text, score) in enumerate(zip(texts, scores, strict=True), 1)
    ]
    best = max(scores) or 1.0
    power = 16 if kind is RecordKind.EVENT else 8
    return [
        Candidate(c, score, (score / best) ** power, ())
        for c, score in sorted(found, key=lambda item: -item[1])
    ]


def packed(
    candidates: list[Candidate],
    limit: int,
    query: str = "refunds bank",
    packing: Packing = Packing.AUTO,
    vectors: VectorMode = VectorMode.ALL,
) -> Pack:
    texts = {candidate.chunk.record_id: candidate.chunk.text for candidate in candidates}
    weights = dict.fromkeys(analysis.terms(query), 1.0)
    fitting = Fitting(
        count=tokens.counter(Tokenizer.O200K),
        render=shapes.ladder("markdown").forms[0],
        ladder=shapes.ladder("markdown"),
        text_of=texts.__getitem__,
        checked=texts.__getitem__,
        tokens_of=lambda chunk: chunk.tokens,
        weigher=Weigher(weights),
        shape="markdown",
    )
    return pack_candidates(
        query,
        candidates,
        Budget(limit, Tokenizer.O200K),
        packing,
        fitting,
        stats=SearchStats(vectors=vectors),
    )


def value(pack: Pack, candidates: list[Candidate]) -> float:
    """What the texts of a pack are worth: the share of each candidate that is shown, times its probability."""
    shown = {candidate.chunk.record_id: 0 for candidate in candidates}
    by_uri = {candidate.chunk.uri: candidate for candidate in candidates}
    for excerpt in pack.excerpts:
        shown[by_uri[excerpt.citation.uri].chunk.record_id] += len(excerpt.text)
    return sum(c.probability * min(1.0, shown[c.chunk.record_id] / len(c.chunk.text)) for c in candidates)


def test_small_change_does_not_fill_a_pack() -> None:
    relevant = [
        f"{LEDGER} Note {n} says so for the branch in town number {n}, where the bank opens late."
        for n in range(3)
    ]
    crumbs = [f"Wow {n}!" for n in range(200)]
    pack = packed(ranked([*relevant, *crumbs], [1.0, 0.98, 0.96, *[0.7] * 200], RecordKind.EVENT), 500)
    assert sum(e.tokens for e in pack.excerpts if "ledger" in e.text) > 0.7 * sum(
        e.tokens for e in pack.excerpts
    )
    assert sum("ledger" in e.text for e in pack.excerpts) == 3


def test_a_best_hit_that_does_not_fit_is_shown_in_part() -> None:
    long = "\n\n".join(
        f"Paragraph {n} of the handbook is about something else entirely, as are most of them."
        for n in range(200)
    )
    pack = packed(ranked([f"{long}\n\n{LEDGER}", "The bank is closed on Sundays."], [1.0, 0.3]), 200)
    assert any(
        e.citation.uri == "notes/1.md" and e.variant is Variant.EXTRACT and "bank confirms" in e.text
        for e in pack.excerpts
    )


def test_fifty_copies_are_one_text() -> None:
    pack = packed(ranked([LEDGER] * 50, [1 - n / 1000 for n in range(50)]), 2000)
    assert [excerpt.duplicates for excerpt in pack.excerpts] == [49]
    assert sum(omission.reason is OmissionReason.DUPLICATE for omission in pack.omitted) == 49


def test_a_copy_is_counted_however_far_behind_it_stands() -> None:
    others = [" ".join([f"Page {n} of the register, line {line}." for line in range(9)]) for n in range(100)]
    pack = packed(ranked([LEDGER, *others, LEDGER], [1 - n / 200 for n in range(102)]), 150)
    assert [excerpt.duplicates for excerpt in pack.excerpts if "Refunds are booked" in excerpt.text] == [1]


def test_nearly_the_same_is_packed_once() -> None:
    pack = packed(
        ranked(
            [LEDGER, LEDGER.replace("letter", "post"), "Letters to the bank are kept for refunds."],
            [1.0, 0.9, 0.8],
        ),
        2000,
    )
    assert [excerpt.duplicates for excerpt in pack.excerpts] == [1, 0]


@pytest.mark.parametrize("packing", Packing)
def test_scores_that_say_nothing_give_one_answer(packing: Packing) -> None:
    candidates = ranked([f"{LEDGER} Version {n}." for n in range(20)], [0.0] * 20)
    assert packed(candidates, 300, packing=packing).text == packed(candidates, 300, packing=packing).text


def test_a_larger_budget_is_never_worth_less() -> None:
    # Texts without a common sentence, so that none is a copy of another.
    texts = [
        f"{'Refunds of branch ' if n % 3 else 'Letters of '}{n} "
        + " ".join(f"w{n}x{i}" for i in range(5 + 7 * n % 90))
        for n in range(60)
    ]
    candidates = ranked(texts, [1 - n / 100 for n in range(60)])
    values = [value(packed(candidates, limit), candidates) for limit in (250, 500, 1000, 2000, 4000, 8000)]
    assert values == sorted(values)


FAR = ["Refunds: " + " ".join(f"w{n}x{i}" for i in range(20)) for n in range(40)]
FALLING = [0.9, 0.5, 0.32, 0.3, *[0.03] * 36]


@pytest.mark.parametrize(
    ("scores", "vectors", "kept"),
    [
        ([*[0.9] * 12, *[0.32] * 3, *[0.3] * 25], VectorMode.AUTO, 15),
        ([*[0.9] * 12, *[0.32] * 3, *[0.17] * 25], VectorMode.NONE, 15),  # words alone spread scores further
        (FALLING, VectorMode.AUTO, 4),  # nor are the next best worth anything, however poor they are
        ([0.9, *[0.3] * 39], VectorMode.AUTO, 10),  # but beside one that stands out they may be
        ([0.9, *[0.3] * 39], VectorMode.NONE, 40),
    ],
)
def test_what_is_far_below_the_best_is_left_out_though_there_is_room(
    scores: list[float], vectors: VectorMode, kept: int
) -> None:
    candidates = ranked(FAR, scores)
    pack = packed(candidates, 8000, vectors=vectors)
    assert len(pack.excerpts) == kept
    assert [(omission.reference, omission.reason) for omission in pack.omitted] == [
        (candidate.chunk.reference, OmissionReason.LOW_SCORE) for candidate in candidates[kept:]
    ]
    assert len(packed(candidates, 8000, packing=Packing.SKIP, vectors=vectors).excerpts) == 40


@pytest.mark.parametrize(("signal", "kept"), [("exact", 40), ("link", 40), ("author", 40), ("bm25", 10)])
def test_what_is_named_or_quoted_makes_nothing_else_look_poor(signal: str, kept: int) -> None:
    first, *others = ranked(FAR, [0.9, *[0.25] * 39])
    first = first._replace(contributions=(Contribution(signal, 1.0, 0.3),))  # .9, of which it adds .3
    assert len(packed([first, *others], 8000).excerpts) == kept


def test_of_few_candidates_none_is_left_out_for_its_score() -> None:
    assert len(packed(ranked(FAR[:10], FALLING[:10]), 8000).excerpts) == 10


def test_front_matter_is_not_what_a_pack_is_filled_up_with_unless_it_is_what_was_asked_for(
    dp: Daypack, tmp_path: Path
) -> None:
    project(
        tmp_path,
        {
            "refunds.md": "---\ntitle: Refunds\nowner: payments\n---\n\n# Refunds\n\nRefunds are sent within four hours.\n"
        },
    )
    dp.files.add(tmp_path)
    assert [e.citation.span.start_line for e in dp.pack("when are refunds sent?", budget=500).excerpts] == [6]
    assert any("owner: payments" in e.text for e in dp.pack("owner payments", budget=500).excerpts)


# ---------------------------------------------------------------- sentences


def test_the_sentence_that_answers_comes_first_and_the_rest_of_its_paragraph_with_more_room() -> None:
    [candidate] = ranked([LEDGER], [1.0])
    small, large = packed([candidate], 80), packed([candidate], 300)
    assert "Refunds are booked" in small.excerpts[0].text
    assert "ten years" not in small.excerpts[0].text
    assert small.excerpts[0].variant is Variant.EXTRACT
    assert [e.text for e in large.excerpts] == [LEDGER]


def test_each_variant_shows_more_than_the_one_before() -> None:
    [candidate] = ranked([LEDGER], [1.0])
    weigher = Weigher({"refund": 1.0, "auditor": 1.0})
    found = choices(candidate, weigher, whole=candidate.chunk.tokens, overhead=10, further=4)
    sizes = [sum(end - start for start, end in choice.parts) for choice in found]
    assert sizes == sorted(sizes)
    assert [choice.value for choice in found] == sorted(choice.value for choice in found)
    assert found[-1].variant is Variant.FULL
    assert found[-1].value == 1


def test_a_short_turn_is_never_cut() -> None:
    turns = ranked(
        [
            "I went to the bank. They had lost my letter about the refunds, so I wrote another one at the counter. It rained."
        ],
        [1.0],
        RecordKind.EVENT,
    )
    assert [e.variant for e in packed(turns, 300).excerpts] == [Variant.FULL]


def test_the_telling_part_of_data_on_one_line_is_found(tmp_path: Path) -> None:
    rows = [{"id": n, "glaze": "heron blue", "batch": f"B{n}"} for n in range(3_000)]
    rows.insert(2_000, {"id": 7, "note": "batch holds lead, do not sell"})
    with Daypack.open(tmp_path / ".daypack", settings=WORDS) as dp:
        dp.knowledge.add_text("batches", json.dumps(rows))
        printed = [sys.executable, "-c", "print(open('rows.json').read())"]
        (tmp_path / "rows.json").write_text(json.dumps(rows))
        kept = dp.knowledge.run(printed, label="printed", folder=tmp_path)
        packs = [dp.pack("which batch holds lead?", budget=120, source="batches")]
        packs += dp.knowledge.answers(kept, ["which batch holds lead?"], budget=160)
    for pack in packs:
        assert "batch holds lead, do not sell" in pack.text
        assert pack.tokens_used <= 160


def test_a_log_of_equal_lines_is_never_too_big_for_the_budget(dp: Daypack) -> None:
    text = "for n in range(2000): print(f'2026-11-25 12:{n // 60:02}:{n % 60:02} order {n} was packed today')"
    kept = dp.knowledge.run([sys.executable, "-c", text], label="packing")
    for budget in range(130, 460, 10):
        (pack,) = dp.knowledge.answers(kept, ["which order was packed today?"], budget=budget)
        assert pack.excerpts, budget
        assert pack.tokens_used <= budget
