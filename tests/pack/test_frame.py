"""What stands around the texts is measured, in any shape and by any counter: budgets are filled, small ones
with texts.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import random_packs

from daypack import Daypack, Settings, tokens
from daypack.testing import make_chunk
from daypack.types import (
    Budget,
    Candidate,
    Pack,
    Packing,
    PieceKind,
    RecordKind,
    SearchStats,
    SymbolKind,
    Tokenizer,
)
from packs_read import parse
from support import PAY, project

SUITE = PAY.parent / "pay_suite.json"

PLACES = [
    "lake",
    "harbour",
    "station",
    "bakery",
    "forest",
    "museum",
    "garden",
    "bridge",
    "market",
    "library",
    "tower",
]


def conversation() -> tuple[dict[int, str], list[Candidate]]:
    """150 turns of ten sessions, best first."""
    candidates = []
    for n in range(1, 151):
        place, other = PLACES[n % 11], PLACES[n // 11 % 11]
        walk = f"from the {place} to the {other} number {n * 7}"
        text = f"Turn {n}: last week we walked {walk}, and talked about retries until it was dark and cold."
        about = {"author": "Mel", "session": f"s{n % 10}", "time": 9e8 + 86_400 * (n % 10)}
        chunk = make_chunk(
            text,
            n,
            uri=f"conv-26/D{n % 10}:{n}",
            record_kind=RecordKind.EVENT,
            tokens=tokens.counter(Tokenizer.O200K)(text),
            **about,
        )
        candidates.append(Candidate(chunk, 1 - n / 200, 0.9 - n / 300, ()))
    return {candidate.chunk.record_id: candidate.chunk.text for candidate in candidates}, candidates


def packed(
    limit: int,
    tokenizer: Tokenizer = Tokenizer.O200K,
    shape: str = "markdown",
    packing: Packing = Packing.AUTO,
) -> Pack:
    return packed_from(*conversation(), limit, tokenizer, shape, packing)


def packed_from(
    by_record: dict[int, str],
    candidates: list[Candidate],
    limit: int,
    tokenizer: Tokenizer = Tokenizer.O200K,
    shape: str = "markdown",
    packing: Packing = Packing.AUTO,
) -> Pack:
    return random_packs.packed(
        "where did we talk about retries?",
        by_record,
        candidates,
        Budget(limit, tokenizer),
        packing,
        shape,
        SearchStats(vectors_pending=150),
    )


@pytest.mark.parametrize("packing", [Packing.AUTO, Packing.SKIP])
@pytest.mark.parametrize("tokenizer", Tokenizer)
@pytest.mark.parametrize("shape", ["markdown", "xml", "json"])
def test_a_budget_is_filled_whatever_it_is_counted_in(
    shape: str, tokenizer: Tokenizer, packing: Packing
) -> None:
    limit = 16_000 if tokenizer in (Tokenizer.CHARS, Tokenizer.BYTES) else 4000
    pack = packed(limit, tokenizer, shape, packing)
    assert 0.95 * limit <= pack.tokens_used <= limit
    assert len(parse(pack.text, shape)) == len(pack.excerpts)


@pytest.mark.parametrize(("limit", "share"), [(250, 0.55), (500, 0.6), (1000, 0.68), (4000, 0.72)])
def test_most_of_a_budget_is_text(limit: int, share: float) -> None:
    pack = packed(limit)
    assert sum(excerpt.tokens for excerpt in pack.excerpts) >= share * limit


def test_a_frame_that_takes_too_much_is_left_away() -> None:
    assert "[…" not in packed(100).text
    assert packed(100).truncated
    assert packed(1000).text.endswith(" more]\n")
    assert "stats" not in packed(1000, shape="json").text
    assert '"stats":{' in packed(4000, shape="json").text


PAGES = {
    f"docs/{name}.md": f"# The {name}\n\n"
    + "\n\n".join(
        f"The {name} of the ferry is cleaned in week {week}. Its keeper writes down what was worn, what was "
        f"mended and what has to be ordered, and the harbour master signs the list in week {week + 1}."
        for week in range(1, 9)
    )
    for name in ("funnel", "railing", "anchor", "bell")
}


@pytest.mark.parametrize(
    ("files", "questions", "share"),
    [
        # small files: nine items of a dozen lines each
        (PAY, [case["query"] for case in json.loads(SUITE.read_text())["cases"]], 0.88),
        (PAGES, ["when is the funnel cleaned?", "who signs the list of the bell?", "what is ordered?"], 0.9),
    ],
)
def test_nine_tenths_of_a_pack_are_text(
    tmp_path: Path, files: Path | dict[str, str], questions: list[str], share: float
) -> None:
    folder = project(tmp_path / "made", files) if isinstance(files, dict) else files
    count = tokens.counter(Tokenizer.O200K)
    texts = used = 0
    with Daypack.open(tmp_path / "store", root=folder, settings=Settings(embedder="hashing")) as dp:
        dp.files.add(folder)
        for question in questions:
            pack = dp.pack(question, budget=1000, vectors="none")
            texts += sum(count(excerpt.text) for excerpt in pack.excerpts)
            used += pack.tokens_used
    assert texts >= share * used


def test_one_turn_fits_where_the_full_frame_would_not() -> None:
    assert len(packed(60).excerpts) == 1


def test_a_budget_that_no_turn_fits_says_so_as_long_as_that_fits() -> None:
    texts = [packed(limit).text for limit in range(40)]
    assert texts[20].startswith("Nothing fits the budget. Ask again with a larger one.\n")
    assert texts[0] == ""


def functions_in_tabs(lines: int) -> tuple[dict[int, str], list[Candidate]]:
    """One long function in tabs and a few short ones: JSON escapes every tab and quotation mark."""
    body = "\n".join(
        f'\t\t\tcase "SIG{n}":\n\t\t\t\tlog("caught", "SIG{n}", when)' for n in range(lines // 2)
    )
    texts = [f"func trap() {{\n\tfor sig := range signals {{\n\t\tswitch sig {{\n{body}\n\t\t}}\n\t}}\n}}"]
    texts += [f'func close{n}(name string) {{\n\tlog("closing", name)\n}}' for n in range(4)]
    candidates = [
        Candidate(
            make_chunk(
                text,
                n,
                uri=f"trap{n}.go",
                record_kind=RecordKind.CODE,
                kind=PieceKind.SYMBOL,
                symbol=SymbolKind.FUNCTION,
                language="go",
                signature=text.split("\n")[0],
                tokens=tokens.counter(Tokenizer.O200K)(text),
            ),
            1 - n / 10,
            0.9 if n == 1 else 0.05,
            (),
        )
        for n, text in enumerate(texts, 1)
    ]
    return {candidate.chunk.record_id: candidate.chunk.text for candidate in candidates}, candidates


@pytest.mark.parametrize("shape", ["markdown", "xml", "json"])
@pytest.mark.parametrize("lines", [20, 60, 100])
def test_a_best_hit_that_does_not_fit_as_a_whole_is_shown_in_part(lines: int, shape: str) -> None:
    by_record, candidates = functions_in_tabs(lines)
    whole = candidates[0].chunk.tokens
    for limit in range(300, 2 * whole, 10):
        pack = packed_from(by_record, candidates, limit, shape=shape)
        assert [excerpt.citation.uri for excerpt in pack.excerpts][:1] == ["trap1.go"], limit
        assert pack.tokens_used <= limit
