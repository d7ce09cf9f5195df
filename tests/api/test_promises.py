"""The promises of docs/reference/promises.md, kept on examples/pay."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from daypack import Daypack
from support import WORDS, copy_of_pay

QUESTIONS = [
    "how are refunds retried?",
    "RetryBudget.Allow",
    "attempts_exhausted",
    "who is paged after an outage?",
    "config/retry.yaml",
]


@pytest.fixture
def pay(tmp_path: Path) -> Iterator[Daypack]:
    """examples/pay, indexed, on a clock that stands still."""
    folder = copy_of_pay(tmp_path)
    with Daypack.open(folder / ".daypack", settings=WORDS, clock=lambda: 1_793_750_400.0) as dp:
        dp.files.add(folder)
        yield dp


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_citation_leads_back_to_exactly_the_text_that_was_packed(pay: Daypack, question: str) -> None:
    pack = pay.pack(question, budget=800)
    assert pack.excerpts
    for excerpt in pack.excerpts:
        citation = excerpt.citation
        found = pay.get(f"{citation.reference}@{citation.record_hash}")
        assert found.state == "current"
        assert excerpt.text in found.text
        whole = pay.get(citation.uri.partition("#")[0]).text
        assert whole[citation.span.start : citation.span.end] == excerpt.text


def test_adding_what_is_there_writes_nothing(pay: Daypack) -> None:
    before = pay.engine.store.sequences()
    report = pay.files.add(pay.root)
    assert (report.added, report.updated, report.removed, report.chunks) == (0, 0, 0, 0)
    assert pay.engine.store.sequences() == before


@pytest.mark.parametrize("vectors", ["none", "all"])
def test_the_same_store_and_question_give_the_same_bytes(pay: Daypack, vectors: str) -> None:
    pay.embed()
    first = [pay.pack(question, budget=500, vectors=vectors).text for question in QUESTIONS]
    with Daypack.open(pay.engine.store.folder, settings=pay.engine.settings, clock=pay.engine.clock) as again:
        assert [again.pack(question, budget=500, vectors=vectors).text for question in QUESTIONS] == first


def test_rebuilding_what_is_derived_changes_no_answer(pay: Daypack) -> None:
    pay.embed()
    first = [pay.pack(question, budget=500, vectors="all").text for question in QUESTIONS]
    pay.reindex()
    assert [pay.pack(question, budget=500, vectors="all").text for question in QUESTIONS] == first


def test_rebuilding_a_store_with_a_history_changes_no_answer_and_neither_does_a_new_store(
    tmp_path: Path,
) -> None:
    """Of texts that match alike, more than a pool holds: which of them are candidates, and in which order."""
    folder = tmp_path / "notes"
    folder.mkdir()

    def write(number: int, word: str) -> None:
        (folder / f"{number:03}.md").write_text(f"The {word} boils water {number:03}.\n", encoding="utf-8")

    def found(dp: Daypack) -> list[str]:
        return [
            candidate.chunk.reference
            for vectors in ("none", "all")
            for question in ("which kettle boils water?", "water")
            for candidate in dp.search(question, limit=1_000, vectors=vectors).candidates
        ]

    with Daypack.open(tmp_path / "old", root=folder, settings=WORDS) as dp:
        for number in range(250):
            write(number, "teapot")
        dp.files.add(folder)
        for first in (0, 1, 2):  # a third at a time, so that the last files are not written last
            for number in range(first, 250, 3):
                write(number, "kettle")
            dp.files.refresh()
        answer = found(dp)
        dp.reindex()
        assert found(dp) == answer
    with Daypack.open(tmp_path / "new", root=folder, settings=WORDS) as dp:
        dp.files.add(folder)
        assert found(dp) == answer


@pytest.mark.parametrize("question", QUESTIONS)
def test_what_the_signals_added_is_the_score(pay: Daypack, question: str) -> None:
    found = pay.search(question, limit=50, vectors="all").candidates
    assert found
    for candidate in found:
        assert candidate.contributions or not candidate.score  # the weakest of all may have none
        assert sum(part.share for part in candidate.contributions) == pytest.approx(candidate.score, abs=1e-5)


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_candidate_is_in_the_pack_or_among_what_was_left_out(pay: Daypack, question: str) -> None:
    pack = pay.pack(question, budget=400)
    packed = {chunk_id for excerpt in pack.excerpts for chunk_id in excerpt.citation.chunk_ids}
    assert packed
    assert pack.omitted
    assert len(packed) + len(pack.omitted) == len(pack.candidates)


def test_a_renamed_file_keeps_its_vectors(pay: Daypack) -> None:
    pay.embed()
    (pay.root / "docs" / "retries.md").rename(pay.root / "docs" / "trying-again.md")
    report = pay.files.refresh()
    assert (report.added, report.removed) == (1, 1)
    assert pay.status()["vectors_missing"] == 0


def test_a_secret_is_never_on_disk(pay: Daypack) -> None:
    token = "ghp_" + "a1B2c3D4e5F6" * 3
    (pay.root / "docs" / "token.md").write_text(f"The deploy token is {token}.\n", encoding="utf-8")
    report = pay.files.refresh()
    assert report.redactions == 1
    pay.close()
    for path in (pay.root / ".daypack").iterdir():
        assert token.encode() not in path.read_bytes()
    with Daypack.open(pay.root / ".daypack") as dp:
        assert token not in dp.pack("what is the deploy token?", budget=500, vectors="none").text
