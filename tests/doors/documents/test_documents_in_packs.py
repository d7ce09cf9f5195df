"""Documents by meaning, and documents beside everything else: vectors of a field, and the common search and
pack.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from daypack import Daypack
from daypack.doors.documents.collection import Collection
from daypack.embed import hashing
from daypack.errors import FilterError
from support import ills, indexed

TEXTS = [
    "database search and indexing",
    "chocolate cake recipe",
    "search",
    "",
    "a database of cakes and of recipes",
    "search search database",
]


@pytest.fixture
def notes(dp: Daypack) -> Collection:
    collection = dp.documents.collection("notes")
    collection.insert(
        [{"_id": number, "text": text, "even": number % 2 == 0} for number, text in enumerate(TEXTS)]
    )
    return collection


def expected(query: str, ids: Sequence[int]) -> list[tuple[int, float]]:
    """Cosines of counts of hashed words, from their definition."""

    def vector(text: str) -> dict[int, int]:
        found: dict[int, int] = {}
        for word in text.split():
            bucket = hashing.fnv1a(word.encode()) % 256
            found[bucket] = found.get(bucket, 0) + 1
        return found

    def cosine(one: dict[int, int], other: dict[int, int]) -> float:
        dot = sum(count * other.get(bucket, 0) for bucket, count in one.items())
        return (
            dot / math.sqrt(sum(c * c for c in one.values()) * sum(c * c for c in other.values()))
            if dot
            else 0.0
        )

    scored = [(number, cosine(vector(query), vector(TEXTS[number]))) for number in ids]
    return sorted(scored, key=lambda item: (-item[1], item[0]))


@pytest.mark.parametrize("synced", [False, True])
@pytest.mark.parametrize("limit", [1, 3, 10])
def test_the_nearest_are_exact_with_vectors_and_without(notes: Collection, synced: bool, limit: int) -> None:
    if synced:
        notes.vsync("text")
    for query in ("database search", "cake", "nothing like it"):
        hits = notes.vsearch("text", query, limit=limit).hits
        assert [(hit.id, hit.score) for hit in hits] == expected(query, range(6))[:limit]
        some = notes.vsearch("text", query, limit=limit, filter={"even": True}).hits
        assert [(hit.id, hit.score) for hit in some] == expected(query, [0, 2, 4])[:limit]


def test_what_was_written_since_is_found_and_reported(notes: Collection) -> None:
    assert notes.vstale("text").never_embedded == 6
    assert notes.vsync("text").embedded == 6
    assert notes.vstale("text").stale == 0
    notes.load([({"_id": 0, "text": "gardening", "even": True}, "line")], replace=True)
    notes.load([({"_id": 1, "text": TEXTS[1], "even": True}, "line")], replace=True)
    notes.insert({"_id": 6, "text": "more gardening"})
    notes.insert({"_id": 7, "other": 1})
    notes.delete({"_id": 2})
    found = notes.vstale("text")
    assert (found.documents, found.text_changed, found.never_embedded, found.other_model) == (6, 1, 1, 0)
    assert [hit.id for hit in notes.vsearch("text", "gardening", limit=2).hits] == [0, 6]
    assert notes.vsync("text").embedded == 2
    assert notes.vstale("text").stale == 0
    assert notes.vsync("text").embedded == 0


def test_vectors_go_with_the_last_text_that_they_are_of(dp: Daypack, notes: Collection) -> None:
    def vectors() -> int:
        return dp.engine.store.counts()["vec"]

    notes.insert({"_id": 10, "text": TEXTS[0]})
    notes.vsync("text")
    assert vectors() == len(TEXTS)
    notes.delete({"_id": 0})
    assert vectors() == len(TEXTS)
    notes.delete({"_id": 10})
    assert vectors() == len(TEXTS) - 1
    notes.load([({"_id": 1, "text": TEXTS[2]}, "line")], replace=True)
    notes.vsync("text")
    assert vectors() == len(TEXTS) - 2
    notes.delete({})
    assert vectors() == 0


class Lengths:
    """A model that knows nothing but the length of a text."""

    model_id = "lengths-2-v1"
    dim = 2

    def embed(self, texts: Sequence[str]) -> Any:
        angles = np.asarray([len(text) for text in texts], dtype=np.float32) / 30
        return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


def test_another_model_makes_every_vector_stale_and_its_own(dp: Daypack, notes: Collection) -> None:
    notes.vsync("text")
    dp.documents.vectors.model("folder:lengths").model = Lengths()
    assert notes.vstale("text", embedder="folder:lengths").other_model == 6
    assert notes.vsync("text", embedder="folder:lengths").embedded == 6
    assert notes.vstale("text").stale == 0
    assert notes.vsearch("text", "x" * len(TEXTS[1]), limit=1).hits[0].id == 1
    notes.insert({"_id": 9, "text": "x" * 21})
    answer = notes.vsearch("text", "x" * 21)
    assert answer.stale == 1
    assert 9 not in [hit.id for hit in answer.hits]


def test_vectors_of_a_field_by_a_former_version_of_its_model_go_when_it_is_synced(
    dp: Daypack, notes: Collection
) -> None:
    class Newer(Lengths):
        model_id = "lengths-2-v2"
        former_ids = (Lengths.model_id,)

    def models() -> list[str]:
        return [name for (name,) in dp.engine.store.db.execute("SELECT name FROM model ORDER BY name")]

    notes.vsync("text")
    embedding = dp.documents.vectors.model("folder:lengths")
    embedding.model = Lengths()
    notes.vsync("text", embedder="folder:lengths")
    embedding.model = Newer()
    assert notes.vsync("text", embedder="folder:lengths").embedded == 6
    assert models() == ["hashing-256-v2", "lengths-2-v2"]
    assert notes.vsearch("text", "x" * len(TEXTS[1]), limit=1).hits[0].id == 1


def test_documents_are_found_beside_everything_else_with_their_citation(
    dp: Daypack, notes: Collection
) -> None:
    dp.records.add([{"id": "r1", "text": "A record about chocolate."}])
    found = dp.search("chocolate", vectors="none", refresh=False)
    assert {candidate.chunk.uri for candidate in found.candidates} == {"r1", "docs:notes/1"}
    only = dp.pack("chocolate recipe", door="docs", vectors="none", refresh=False, budget=200)
    excerpt = only.excerpts[0]
    assert {item.door for item in only.excerpts} == {"docs"}
    assert excerpt.citation.uri == "docs:notes/1"
    assert dp.get(excerpt.citation.reference).text == "text: chocolate cake recipe\neven: false"
    assert ills(dp) == []


def test_a_filter_of_json_judges_documents_by_their_fields_and_the_rest_by_the_record(
    dp: Daypack, notes: Collection
) -> None:
    dp.records.add(
        [
            {"id": "r1", "text": "A record about search.", "tags": ["even"], "metadata": {"even": True}},
            {"id": "r2", "text": "Another record about search.", "author": "ana"},
        ]
    )

    def uris(filter: Any, **narrow: Any) -> set[str]:
        found = dp.search("search", filter=filter, vectors="none", refresh=False, **narrow)
        return {candidate.chunk.uri for candidate in found.candidates}

    assert uris({"even": True}) == {"docs:notes/0", "docs:notes/2"}
    assert uris({"even": True}, door="docs") == {"docs:notes/0", "docs:notes/2"}
    assert uris({"metadata.even": True}) == {"r1"}
    assert uris({"$or": [{"tags": "even"}, {"even": False}]}) == {"r1", "docs:notes/5"}
    assert uris({"author": {"$regex": "^a"}}, door="records") == {"r2"}
    assert uris({"_id": {"$gt": 100}}) == set()
    with pytest.raises(FilterError, match="no field 'auhtor'; did you mean 'author'"):
        uris({"auhtor": "ana"}, door="records")


def test_the_text_follows_what_is_written(dp: Daypack, notes: Collection) -> None:
    def uris(query: str) -> list[str]:
        return [c.chunk.uri for c in dp.search(query, door="docs", vectors="none", refresh=False).candidates]

    assert uris("chocolate") == ["docs:notes/1"]
    notes.load([({"_id": 1, "text": "vanilla"}, "line")], replace=True)
    assert uris("chocolate") == []
    assert uris("vanilla") == ["docs:notes/1"]
    plan = notes.plan_update({"_id": 1}, {"$set": {"text": "pepper"}})
    notes.apply(plan.token)
    assert uris("pepper") == ["docs:notes/1"]
    notes.rollback(plan.token)
    assert uris("vanilla") == ["docs:notes/1"]
    notes.delete({"_id": 1})
    assert uris("vanilla") == []
    before = indexed(dp.engine.store)
    dp.reindex()
    assert indexed(dp.engine.store) == before


def test_a_large_load_is_said_until_its_text_has_followed(
    dp: Daypack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("daypack.doors.documents.indexing.FOLLOWED", 3)
    monkeypatch.setattr("daypack.doors.documents.indexing.TEXT_BATCH", 2)
    dp.documents.collection("c").insert(
        [{"_id": number, "text": f"word{number} common"} for number in range(10)]
    )
    found = dp.search("common", vectors="none", refresh=False)
    assert len(found.candidates) == 3
    assert found.stats.degraded == ("7 documents are not in the index yet; run `daypack docs sync`",)
    assert dp.documents.catch_up() == 7
    assert len(dp.search("common", vectors="none", refresh=False).candidates) == 10


def test_a_body_that_rots_on_disk_is_damage_and_never_an_answer(dp: Daypack) -> None:
    from daypack.errors import StoreDamaged

    collection = dp.documents.collection("c")
    collection.insert({"_id": 1, "text": "as it was"})
    with dp.engine.store.writing() as db:
        db.execute("UPDATE document SET body = ?", (json.dumps({"_id": 1, "text": "as it is"}),))
    with pytest.raises(StoreDamaged):
        collection.get(1)
    assert [ill for ill in ills(dp) if ill.startswith("documents")]


def test_context_with_packing_auto_and_pack_agree_on_what_answers(tmp_path: Path) -> None:
    texts = (
        "a recipe with dark cocoa and butter",
        "the espresso machine is descaled every second week",
        "our cat is called Miso",
    )
    with Daypack.open(tmp_path / ".daypack") as dp:
        notes = dp.documents.collection("notes")
        notes.insert([{"title": f"note {n}", "text": text} for n, text in enumerate(texts)])
        for query in ("dessert baking", "coffee maker maintenance", "pet name", "quantum chromodynamics"):
            packed = dp.pack(query, door="docs")
            found = notes.context("text", query, packing="auto")
            assert bool(found.chunks) == bool(packed.excerpts), query
            assert [chunk.score for chunk in found.chunks[:1]] == [
                round(excerpt.score, 6) for excerpt in packed.excerpts[:1]
            ]


def test_the_name_of_a_collection_is_a_word_of_its_documents(dp: Daypack) -> None:
    complaints = dp.documents.collection("complaints")
    complaints.insert(
        {"_id": "C-201", "subject": "Voucher instead of money", "text": "She wanted her money."}
    )
    dp.documents.collection("teas").insert({"_id": "T-1", "subject": "Sencha", "text": "From Uji, green."})
    pack = dp.pack("complaints of last week", vectors="none")
    assert pack.excerpts[0].citation.uri == "docs:complaints/C-201"
    assert "complaints" not in pack.stats.unknown


@pytest.mark.parametrize(
    ("identity", "asked"),
    [
        ("SKU-01777", "SKU-01777"),
        ("SKU-01777", '"SKU-01777"'),
        (4021, "4021"),
        ({"$oid": "6b0888b6de3963665a4f6f7d"}, "6b0888b6de3963665a4f6f7d"),
        ("https://example.org/" + "a/" * 60 + "tale", "example.org tale"),
    ],
)
def test_the_id_of_a_document_finds_it_and_does_not_stand_in_its_text(
    dp: Daypack, identity: Any, asked: str
) -> None:
    parts = dp.documents.collection("parts")
    parts.insert([{"_id": f"other-{number}", "text": f"a bolt, {number} mm"} for number in range(20)])
    parts.insert({"_id": identity, "text": "a nut of brass"})
    found = dp.search(asked, vectors="none")
    assert found.candidates[0].chunk.text.strip() == "text: a nut of brass"
    assert found.stats.unknown == ()


def test_a_vector_in_a_document_is_no_text(dp: Daypack) -> None:
    notes = dp.documents.collection("notes")
    notes.insert({"_id": 1, "embedding": [0.25] * 1536, "point": [52.5, 13.4], "text": "a lighthouse"})
    found = dp.search("lighthouse", vectors="none").candidates
    assert [one.chunk.text for one in found] == [
        "embedding: (1,536 numbers)\npoint: 52.5, 13.4\ntext: a lighthouse"
    ]
    chunk = notes.context("text", "lighthouse", packing="auto").chunks[0]
    assert (chunk.text, chunk.span) == ("a lighthouse", (0, 12))


def test_reindexing_makes_text_again_that_an_earlier_version_wrote_in_another_form(dp: Daypack) -> None:
    dp.documents.collection("notes").insert([{"_id": number, "text": "x"} for number in range(3)])
    assert dp.documents.catch_up() == 3
    dp.reindex()
    assert dp.documents.pending() == 0
    with dp.engine.store.writing() as db:
        db.execute("UPDATE record SET tags = '[\"notes\"]' WHERE door = 'docs' AND uid LIKE '%1%'")
    dp.reindex()
    assert dp.documents.catch_up() == 1


def test_a_document_behind_a_large_load_is_found_at_once(dp: Daypack) -> None:
    dp.documents.collection("many").load({"_id": n, "text": f"row {n}"} for n in range(2_500))
    dp.documents.collection("few").insert({"_id": "k", "text": "The kettle whistles"})
    assert [one.chunk.uri for one in dp.search("kettle")] == ["docs:few/k"]
    assert dp.documents.pending() == 501
