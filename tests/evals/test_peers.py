"""Peers do what their formulas say."""

from __future__ import annotations

import json
import math
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.quality.answers import Options
from evals.quality.datasets import Collection, EvalQuery
from evals.quality.formulas import (
    BlendRecency,
    HashPrefix,
    OverlapHash,
    PorterTrigram,
    _shortest_window,
    fnv1a,
    hashed,
)
from evals.quality.peers import Bm25Peer, Bm25s, Fts5, arms_of, hybrid, of_source, rrf, skip
from evals.quality.pieces import Piece, pieces_of, wholes_of

HASHING = Options(embedder="hashing")
KETTLES = [
    {"id": "kettle", "text": "A kettle boils water in three minutes."},
    {"id": "milk", "text": "Milk is kept in the cold room."},
    {"id": "cups", "text": "Cups of porcelain, twelve of them."},
]


def collection(*records: dict[str, Any]) -> Collection:
    return Collection("c", records or tuple(KETTLES))


def asked(text: str) -> EvalQuery:
    return EvalQuery("q", text, None, "")


def piece(name: str, characters: int) -> Piece:
    return Piece(name, "", "x" * characters, 0, characters)


# ---------------------------------------------------------------- pieces


@given(st.text(alphabet="ab .\n", max_size=6000))
def test_pieces_are_the_whole_text_and_none_is_long(text: str) -> None:
    found = pieces_of(collection({"id": "d", "text": text}))
    assert "".join(p.text for p in found) == text
    assert all(len(p.text) <= 1024 and text[p.start : p.end] == p.text for p in found)


def test_a_piece_ends_at_a_paragraph_where_there_is_one() -> None:
    first, second = pieces_of(collection({"id": "d", "text": "a" * 700 + "\n\n" + "b. " * 200}))
    assert (first.text, second.start) == ("a" * 700 + "\n\n", 702)


def test_a_piece_costs_its_characters_and_its_citation() -> None:
    assert piece("d", 9).cost == 3 + 8


def test_skip_passes_over_what_does_not_fit() -> None:
    ranked = [(piece("large", 400), 3.0), (piece("small", 4), 2.0), (piece("small too", 4), 1.0)]
    taken, used = skip(ranked, 20)
    assert ([p.doc_id for p, _ in taken], used) == (["small", "small too"], 18)


# ---------------------------------------------------------------- words


@pytest.mark.parametrize("peer", [Bm25Peer, Bm25s, Fts5, PorterTrigram, OverlapHash, HashPrefix])
def test_a_peer_finds_the_document_that_has_the_words(peer: Any) -> None:
    if peer is Bm25s:
        pytest.importorskip("bm25s", reason="bm25s is in requirements/bench.txt")
    system = peer(collection())
    answer = system.answer(asked("who keeps the milk cold?"), [40])
    assert answer.ranked[0]["doc_id"] == answer.packs[40].items[0]["doc_id"] == "milk"
    system.close()


def test_bm25_is_its_formula() -> None:
    records = [
        {"id": "a", "text": "tea tea milk"},
        {"id": "b", "text": "milk"},
        {"id": "c", "text": "sugar sugar"},
    ]
    scores = Bm25Peer(collection(*records)).scores(asked("tea milk"))

    def weight(tf: int, length: int, df: int) -> float:
        return math.log(1 + (3 - df + 0.5) / (df + 0.5)) * tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * length / 2))

    assert scores.tolist() == pytest.approx([weight(2, 3, 1) + weight(1, 3, 2), weight(1, 1, 2), 0])


def test_the_source_of_a_tree_is_neither_tests_nor_prose() -> None:
    paths = [
        "src/boil.py",
        "tests/test_boil.py",
        "README.md",
        "src/boil.test.ts",
        "docs/conf.py",
        "cmd/boil_test.go",
        "cmd/boil.go",
    ]
    assert [path for path in paths if of_source(Piece(path, "", "x", 0, 1, 1, 1))] == [
        "src/boil.py",
        "cmd/boil.go",
    ]
    assert of_source(piece("any record", 1))


# ---------------------------------------------------------------- arms


def candidates(*arms: tuple[float, float]) -> list[Any]:
    """Candidates with what bm25 and dense gave them; an arm that gave nothing says nothing."""
    return [
        SimpleNamespace(
            contributions=[
                SimpleNamespace(signal=n, raw=v) for n, v in (("bm25", b), ("dense", d), ("author", 1.0)) if v
            ]
        )
        for b, d in arms
    ]


def test_reciprocal_ranks_add_up() -> None:
    arms = arms_of(candidates((9.0, 0.2), (3.0, 0.8), (0.0, 0.5)))
    assert rrf(arms).tolist() == pytest.approx([1 / 61 + 1 / 63, 1 / 62 + 1 / 61, 1 / 62])


def test_a_hybrid_is_half_of_each_arm() -> None:
    assert hybrid(arms_of(candidates((9.0, 0.2), (3.0, 0.8), (0.0, 0.5)))).tolist() == pytest.approx(
        [0.5, 1 / 6 + 0.5, 0.25]
    )
    assert hybrid(arms_of(candidates((9.0, 0.0), (3.0, 0.0)))).tolist() == pytest.approx([0.5, 0])
    assert hybrid(arms_of(candidates((2.0, 0.4)))).tolist() == [1.0]


# ---------------------------------------------------------------- formulas


def test_hashing_gives_the_published_cosine_and_costs() -> None:
    """Two of four and two words in common: .7071; 28 and 21 characters: 7 and 6 tokens."""
    documents = [
        {"id": "a", "text": "database search and indexing"},
        {"id": "b", "text": "gardens grow in sun, "},
    ]
    system = HashPrefix(collection(*documents))
    answer = system.answer(asked("database search"), [6, 7, 12, 13])
    assert answer.ranked[0] == {"doc_id": "a", "start": 0, "end": 28, "score": 0.707107}
    assert {budget: (len(pack.items), pack.used) for budget, pack in answer.packs.items()} == {
        6: (0, 0),
        7: (1, 7),
        12: (1, 7),
        13: (2, 13),
    }


def test_the_hash_is_fnv1a() -> None:
    assert fnv1a("") == 0xCBF29CE484222325
    assert fnv1a("a") == 0xAF63DC4C8601EC8C
    assert fnv1a("foobar") == 0x85944171F73967E8
    assert np.linalg.norm(hashed(["a", "b", "a"], 256)) == pytest.approx(1)
    assert not hashed([], 256).any()


def test_a_blend_prefers_what_is_recent(tmp_path: Path) -> None:
    day = 86400.0
    notes = [
        {"id": name, "text": "Deploys are on Thursdays.", "time": age * day}
        for name, age in (("old", 0.0), ("new", 60.0))
    ]
    system = BlendRecency(collection(*notes), tmp_path, HASHING)
    answer = system.answer(asked("when are deploys?"), [100])
    system.close()
    assert [item["doc_id"] for item in answer.ranked] == ["new", "old"]
    # two half-lives
    assert answer.ranked[0]["score"] - answer.ranked[1]["score"] == pytest.approx(0.1 * (1 - 1 / 4), abs=1e-5)


def test_near_duplicates_go_and_the_first_item_always_stays() -> None:
    notes = [
        {"id": f"n{n}", "text": "Milk is kept in the cold room. " * 9 + f"Note {n}." * (n == 2)}
        for n in range(3)
    ]
    system = OverlapHash(collection(*notes))
    [document] = [
        item["doc_id"] for item in system.answer(asked("where is milk kept?"), [500]).packs[500].items
    ]
    assert document in ("n0", "n1", "n2")
    tiny = system.answer(asked("where is milk kept?"), [10]).packs[10]
    assert len(tiny.items) == 1
    assert tiny.used is not None
    assert tiny.used > 10


def test_chunks_overlap() -> None:
    system = OverlapHash(collection({"id": "d", "text": "word " * 400}))
    assert [(p.start, p.end) for p in system.pieces] == [(0, 900), (780, 1680), (1560, 2000)]


def test_words_that_stand_together_are_ranked_first() -> None:
    notes = [{"id": "apart", "text": "The retry was long ago. " + "Nothing else happened. " * 9 + "The budget is small."}, {"id": "together", "text": "The retry budget is small. " + "Nothing else happened. " * 9}]  # fmt: skip
    system = PorterTrigram(collection(*notes))
    assert [item["doc_id"] for item in system.answer(asked("retry budget"), []).ranked] == [
        "together",
        "apart",
    ]


@given(st.lists(st.lists(st.integers(0, 50), min_size=1, max_size=5).map(sorted), min_size=1, max_size=4))
def test_the_shortest_window_is_the_shortest(places: list[list[int]]) -> None:
    assert _shortest_window(places) == min(max(chosen) - min(chosen) for chosen in product(*places))


def test_a_whole_is_one_piece_a_document() -> None:
    assert [(p.doc_id, p.end) for p in wholes_of(collection())] == [
        (r["id"], len(r["text"])) for r in KETTLES
    ]
    assert (
        json.dumps(wholes_of(collection())[0].item(1.0))
        == '{"doc_id": "kettle", "start": 0, "end": 38, "score": 1.0}'
    )
