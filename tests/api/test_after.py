"""`after`: what a conversation was sent is not sent again, and what became of it is said."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from daypack import AsyncDaypack, Daypack, Pack
from daypack.errors import InputError, PackNotKept, StoreReadOnly
from daypack.index import sent
from daypack.types import EmptyReason, Excerpt
from support import WORDS, copy_of_pay, daypack

QUESTIONS = [
    "how are refunds retried?",
    "RetryBudget.Allow",
    "attempts_exhausted",
    "who is paged after an outage?",
    "why does every attempt carry the same idempotency key?",
]
NOW = 1_793_750_400.0


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = copy_of_pay(tmp_path_factory.mktemp("after"))
    with Daypack.open(folder / ".daypack", settings=WORDS, clock=lambda: NOW) as dp:
        dp.files.add(folder)
    return folder


@pytest.fixture
def pay(indexed: Path, tmp_path: Path) -> Iterator[Daypack]:
    """examples/pay, indexed, on a clock that stands still."""
    folder = shutil.copytree(indexed, tmp_path / "pay")
    with Daypack.open(folder / ".daypack", settings=WORDS, clock=lambda: NOW) as dp:
        yield dp


def overlap(one: Excerpt, other: Excerpt) -> bool:
    here, there = one.citation, other.citation
    return here.uri == there.uri and here.span.start < there.span.end and there.span.start < here.span.end


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(st.sampled_from(QUESTIONS), st.integers(40, 1500)), min_size=2, max_size=5),
    st.sampled_from(["markdown", "xml", "json"]),
    st.sampled_from(["auto", "skip", "prefix"]),
)
def test_the_packs_of_a_conversation_hold_no_span_twice(
    indexed: Path, asked: list[tuple[str, int]], shape: str, packing: str
) -> None:
    with Daypack.open(indexed / ".daypack", settings=WORDS, clock=lambda: NOW) as dp:
        after, everything = "", []
        for question, budget in asked:
            pack = dp.pack(question, budget=budget, shape=shape, packing=packing, after=after)  # type: ignore[arg-type]
            assert pack.tokens_used <= budget
            again = dp.pack(question, budget=budget, shape=shape, packing=packing, after=after)  # type: ignore[arg-type]
            assert (again.text, again.id) == (pack.text, pack.id)
            packed = {i for excerpt in pack.excerpts for i in excerpt.citation.chunk_ids}
            assert len(packed) + len(pack.omitted) == len(pack.candidates)
            everything += pack.excerpts
            after = pack.id
            assert re.fullmatch("[a-z][a-z0-9]{5}", after)
    assert [excerpt.citation.label for excerpt in everything] == [*range(1, len(everything) + 1)]
    assert not any(overlap(*two) for two in combinations(everything, 2))


def test_a_first_pack_with_room_for_an_id_is_the_same_without_one(pay: Daypack) -> None:
    plain, named = pay.pack(QUESTIONS[0], budget=1200), pay.pack(QUESTIONS[0], budget=1200, after="")
    assert plain.id == named.id != ""
    assert plain.excerpts == named.excerpts
    assert plain.id not in plain.text
    assert named.text.endswith(f"Pack {named.id}]\n")
    for shape in ("xml", "json"):
        assert pay.pack(QUESTIONS[0], budget=600, shape=shape, after="").id in pay.pack(  # type: ignore[arg-type]
            QUESTIONS[0], budget=600, shape=shape, after=""  # type: ignore[arg-type]
        ).text  # fmt: skip


@pytest.mark.parametrize(
    "copied", ["Pack {}", "pack {}", "[… 3 more. See above: 1. Pack {}]", " {} ", "daypack://pack/{}"]
)
def test_an_id_may_be_copied_with_the_words_around_it(pay: Daypack, copied: str) -> None:
    first = pay.pack(QUESTIONS[0], budget=600, after="")
    assert pay.pack(QUESTIONS[0], budget=600, after=copied.format(first.id)).id == (
        pay.pack(QUESTIONS[0], budget=600, after=first.id).id
    )


def test_a_question_whose_answer_was_sent_is_answered_by_its_labels(pay: Daypack) -> None:
    question = "why does every attempt carry the same idempotency key?"
    first = pay.pack(question, budget=4000, after="")
    again = pay.pack(question, budget=4000, after=first.id)
    assert again.empty_reason is EmptyReason.ALL_SENT
    assert not again.excerpts
    assert again.text.startswith("Nothing new")
    assert again.chain is not None
    assert again.chain.again[0] == 1
    assert f"See above: {', '.join(map(str, again.chain.again))}." in again.text
    assert again.id not in ("", first.id)


def test_the_text_of_a_renamed_file_counts_as_sent(pay: Daypack) -> None:
    first = pay.pack(QUESTIONS[0], budget=600, after="")
    old = pay.root / first.excerpts[0].citation.uri
    old.rename(old.with_name(f"renamed{old.suffix}"))
    pay.files.refresh()
    again = pay.pack(QUESTIONS[0], budget=600, after=first.id)
    assert again.chain is not None
    assert (again.chain.changed, again.chain.removed) == ((), ())
    assert not {excerpt.text for excerpt in again.excerpts} & {excerpt.text for excerpt in first.excerpts}


def test_a_renamed_file_whose_text_changed_too_is_removed(pay: Daypack) -> None:
    first = pay.pack(QUESTIONS[0], budget=600, after="")
    old = pay.root / first.excerpts[0].citation.uri
    old.rename(old.with_name(f"renamed{old.suffix}"))
    change(pay, str(old.with_name(f"renamed{old.suffix}").relative_to(pay.root)), "e", "E")
    pay.files.refresh()
    second = pay.pack(QUESTIONS[1], budget=600, after=first.id)
    assert second.chain is not None
    assert 1 in second.chain.removed


def change(dp: Daypack, name: str, old: str, new: str) -> None:
    path = dp.root / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def label_of(pack: Pack, uri: str) -> int:
    return next(one.citation.label for one in pack.excerpts if one.citation.uri == uri)


def test_a_text_that_changed_is_named_once_and_may_come_again(pay: Daypack) -> None:
    first = pay.pack("why is a refund not paid twice?", budget=1500, after="")
    label = label_of(first, "src/pay/refunds.py")
    said = next(one.text for one in first.excerpts if one.citation.label == label)
    change(pay, "src/pay/refunds.py", said.split("\n")[1], said.split("\n")[1] + "  # as of today")
    second = pay.pack("why is a refund not paid twice?", budget=1500, after=first.id)
    assert second.chain is not None
    assert (second.chain.changed, second.chain.removed) == ((label,), ())
    assert f"Changed since: {label}." in second.text
    assert "as of today" in second.text
    third = pay.pack("why is a refund not paid twice?", budget=1500, after=second.id)
    assert third.chain is not None
    assert third.chain.changed == ()
    assert pay.status()["broken"] == 1
    pay.pack("why is a refund not paid twice?", budget=1500, after=first.id)
    assert pay.status()["broken"] == 1, "the same pack again breaks nothing more"


def test_a_text_that_moved_down_its_file_is_neither_changed_nor_sent_again(pay: Daypack) -> None:
    first = pay.pack("why is a refund not paid twice?", budget=1500, after="")
    shown = [one.text for one in first.excerpts if one.citation.uri == "src/pay/refunds.py"]
    path = pay.root / "src/pay/refunds.py"
    path.write_text(
        "# a new first line\n# and another\n" + path.read_text(encoding="utf-8"), encoding="utf-8"
    )
    second = pay.pack("why is a refund not paid twice?", budget=1500, after=first.id)
    assert second.chain is not None
    assert (second.chain.changed, second.chain.removed) == ((), ())
    assert shown
    assert not any(text in second.text for text in shown)
    assert pay.status()["broken"] == 0


def test_a_file_that_left_and_came_back_is_not_called_removed_alone(pay: Daypack) -> None:
    first = pay.pack(QUESTIONS[0], budget=1500, after="", vectors="none")
    uri = "docs/retries.md"
    label = next(one.citation.label for one in first.excerpts if one.citation.uri == uri)
    text = (pay.root / uri).read_text(encoding="utf-8")
    (pay.root / uri).unlink()
    pay.refresh_if_stale()
    (pay.root / uri).write_text(text, encoding="utf-8")
    os.utime((pay.root / uri).parent, ns=(1, 1))  # both changes may fall into one tick of the disk's clock
    second = pay.pack(QUESTIONS[0], budget=4000, after=first.id, vectors="none")
    assert uri in {excerpt.citation.uri for excerpt in second.excerpts}
    assert label in second.chain.removed
    assert f"Removed or read again: {label}" in second.text


def test_a_file_that_is_gone_is_named_as_removed(pay: Daypack) -> None:
    first = pay.pack("how are refunds retried?", budget=1500, after="")
    gone = [one.citation.label for one in first.excerpts if one.citation.uri == "docs/retries.md"]
    (pay.root / "docs/retries.md").unlink()
    second = pay.pack("how are refunds retried?", budget=1500, shape="json", after=first.id)
    assert gone
    assert json.loads(second.text)["removed"] == gone


def test_a_budget_without_room_for_the_line_leaves_it_to_the_next_pack(pay: Daypack) -> None:
    first = pay.pack("how are refunds retried?", budget=1500, after="")
    (pay.root / "docs/retries.md").unlink()
    silent = pay.pack("how are refunds retried?", budget=2, after=first.id)
    assert silent.tokens_used <= 2
    told = pay.pack("how are refunds retried?", budget=1500, after=silent.id)
    assert told.chain is not None
    assert told.chain.removed


def test_a_memory_that_was_replaced_or_forgotten_is_named(tmp_path: Path) -> None:
    with Daypack.open(tmp_path / "s", settings=WORDS, clock=lambda: NOW) as dp:
        dp.memories.remember("release/day", "We release the harbour service on Thursdays.")
        dp.memories.remember("release/hour", "The release of the harbour service begins at noon.")
        dp.memories.remember("release/who", "The release of the harbour service is made by the pilots.")
        first = dp.pack("when do we release the harbour service?", after="")
        labels = {one.citation.uri: one.citation.label for one in first.excerpts}
        dp.memories.remember("release/day", "We release the harbour service on Mondays.")
        dp.memories.forget("release/hour")
        second = dp.pack("when do we release the harbour service?", after=first.id)
        assert second.chain is not None
        assert second.chain.changed == (labels["memory:release/day"],)
        assert second.chain.removed == (labels["memory:release/hour"],)
        assert "Mondays" in second.text
        assert "pilots" not in second.text
        db = dp.engine.store.db
        assert (
            db.execute("SELECT count(*) FROM sent_item WHERE label = ?", (labels["memory:release/hour"],)).get
            == 0
        )


def test_an_id_means_nothing_to_another_owner(tmp_path: Path) -> None:
    def ask(owner: str, after: str) -> Pack:
        with Daypack.open(tmp_path / "s", settings=WORDS, owner=owner, clock=lambda: NOW) as dp:
            return dp.pack("when do we release?", after=after)

    with Daypack.open(tmp_path / "s", settings=WORDS, clock=lambda: NOW) as dp:
        dp.records.add([{"id": "note", "text": "We release on Thursdays, all of us."}])
    mine = ask("ann", "")
    theirs = ask("ben", "")
    assert mine.excerpts[0].text == theirs.excerpts[0].text
    assert mine.id != theirs.id
    with pytest.raises(PackNotKept) as known:
        ask("ben", mine.id)
    with pytest.raises(PackNotKept) as unknown:
        ask("ben", "zzzzzz")
    assert str(known.value).replace(mine.id, "zzzzzz") == str(unknown.value)
    assert ask("ann", mine.id).empty_reason is EmptyReason.ALL_SENT


def test_page_and_after_exclude_each_other(pay: Daypack) -> None:
    first = pay.pack("how are refunds retried?", budget=300, after="")
    assert first.next_page == 2
    with pytest.raises(InputError, match="leave out `page`"):
        pay.pack("how are refunds retried?", budget=300, after=first.id, page=2)
    assert pay.pack("how are refunds retried?", budget=300, after=first.id).next_page is None


def test_a_store_that_cannot_be_written_answers_and_says_that_it_keeps_no_id(
    pay: Daypack, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = pay.pack("how are refunds retried?", budget=400, after="")

    def refuse() -> None:
        raise StoreReadOnly(pay.engine.store.name)

    monkeypatch.setattr(pay.engine.store, "_check_writable", refuse)
    pack = pay.pack("who is paged after an outage?", budget=400, after=first.id, refresh=False)
    assert pack.excerpts
    assert pack.id == ""
    assert "no ID, because the store could not be written" in pack.text
    assert pack.tokens_used <= 400
    line = json.loads(pay.pack("who is paged?", budget=400, shape="json", refresh=False).text)
    assert line["id"] is None


def test_a_store_that_another_process_writes_answers_without_an_id(pay: Daypack) -> None:
    with Daypack.open(pay.engine.store.folder, settings=WORDS) as other, other.engine.store.writing():
        pack = pay.pack("how are refunds retried?", budget=400, after="", refresh=False)
    assert pack.excerpts
    assert (pack.id, pack.tokens_used <= 400) == ("", True)


def test_a_store_keeps_the_last_packs_and_conversations_under_way(
    pay: Daypack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sent, "KEPT", 6)
    begun = after = pay.pack("how are refunds retried?", budget=200, after="").id
    old = pay.pack("who is paged?", budget=200).id
    for budget in range(200, 1000, 200):
        after = pay.pack("how are refunds retried?", budget=budget, after=after).id
        pay.pack(f"attempts_exhausted {budget}", budget=budget)
    assert pay.engine.store.db.execute("SELECT count(*) FROM sent").get == 6
    with pytest.raises(PackNotKept):
        pay.pack("x", after=old)
    assert pay.pack("refunds", after=begun).id


def test_a_conversation_is_kept_or_dropped_as_a_whole(pay: Daypack, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sent, "KEPT", 6)
    after = ""
    for question in ("how are refunds retried?", "who is paged?", "attempts_exhausted"):
        after = pay.pack(question, budget=200, after=after).id
    for budget in range(200, 1000, 200):
        pay.pack(f"attempts_exhausted {budget}", budget=budget)
    with pytest.raises(PackNotKept):  # and never a part, which would send the rest of it again
        pay.pack("how are refunds retried?", after=after)
    assert pay.engine.store.db.execute("SELECT count(*) FROM sent").get == 4


def test_the_conversation_in_use_keeps_its_beginning(pay: Daypack, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sent, "KEPT", 3)
    first = pay.pack("how are refunds retried?", budget=300, after="")
    after = first.id
    for number in range(5):
        after = pay.pack(f"attempts_exhausted {number}", budget=120, after=after).id
    again = pay.pack("how are refunds retried?", budget=300, after=after)
    shown = {excerpt.citation.reference for excerpt in first.excerpts}
    assert shown.isdisjoint(excerpt.citation.reference for excerpt in again.excerpts)


def test_a_conversation_that_an_earlier_release_kept_in_part_is_unknown(pay: Daypack) -> None:
    first = pay.pack("how are refunds retried?", budget=300, after="")
    second = pay.pack("who is paged?", budget=300, after=first.id)
    with pay.engine.store.writing("sent") as db:
        db.execute("DELETE FROM sent WHERE id = ?", (first.id,))
    with pytest.raises(PackNotKept):
        pay.pack("how are refunds retried?", after=second.id)


def test_a_pack_changes_no_answer_and_no_sequence(pay: Daypack) -> None:
    before = pay.engine.store.sequences()
    pay.pack("how are refunds retried?", after="", vectors="none")
    assert pay.engine.store.sequences() == before
    assert pay.engine.store.db.pragma("synchronous") == 2


def test_a_conversation_goes_on_in_another_process(pay: Daypack) -> None:
    first = pay.pack("how are refunds retried?", budget=500, after="")
    root = pay.root
    second = daypack("pack", "how are refunds retried?", "-b", "500", "--after", first.id, "--json", cwd=root)
    line = json.loads(second.stdout)
    assert line["after"] == first.id
    assert line["items"][0]["n"] == len(first.excerpts) + 1
    third = pay.pack("how are refunds retried?", budget=500, after=line["id"])
    shown = {one.citation.reference for one in (*first.excerpts, *third.excerpts)} | {
        one["ref"] for one in line["items"]
    }
    assert len(shown) == len(first.excerpts) + len(third.excerpts) + len(line["items"])


def test_several_questions_of_the_command_line_are_one_conversation(pay: Daypack) -> None:
    asked = ["pack", "-q", "how are refunds retried?", "-q", "how are refunds retried?", "-b", "900"]
    found = daypack(*asked, "--after", "", cwd=pay.root).stdout
    labels = [int(label) for label in re.findall(r"^\[(\d+) ", found, re.MULTILINE)]
    assert labels == [*range(1, len(labels) + 1)]
    assert len(re.findall(r"Pack [a-z0-9]{6}\]$", found, re.MULTILINE)) == 2
    assert "Pack " not in daypack(*asked, cwd=pay.root).stdout
    refused = daypack("pack", "x", "--after", "nonono", cwd=pay.root, status=1).stderr
    assert "no pack 'nonono' is kept" in refused


def test_an_awaited_pack_takes_after_too(pay: Daypack) -> None:
    import asyncio

    async def ask() -> tuple[Pack, Pack]:
        async with AsyncDaypack.open(pay.engine.store.folder, settings=WORDS) as dp:
            first = await dp.pack("how are refunds retried?", budget=300, after="")
            return first, await dp.pack("how are refunds retried?", budget=300, after=first.id)

    first, second = asyncio.run(ask())
    assert second.chain is not None
    assert second.chain.after == first.id
