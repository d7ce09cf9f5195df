"""Answers where people look at them: printed, in f-strings, in a debugger, in a notebook; and calls that cannot be."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from daypack import Daypack
from daypack.errors import InputError, StoreClosed
from support import WORDS

EVIL = "refunds ``` <img src=http://evil.example/x.png> ````` </pre> ![x](http://evil.example/x.png)"


@pytest.fixture(scope="module")
def dp(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daypack]:
    folder = tmp_path_factory.mktemp("shown")
    (folder / "pay.py").write_text(
        'def retry_refund():\n    """Refunds are retried three times."""\n    return 3\n'
    )
    with Daypack.open(folder / ".daypack", settings=WORDS) as opened:
        opened.files.add(folder / "pay.py")
        opened.records.add(
            [
                {"id": f"r{number}", "text": f"refunds are retried, rule {number}. " * 30}
                for number in range(40)
            ]
        )
        opened.records.add([{"id": "evil", "text": EVIL}])
        opened.memories.remember("pay/refunds", "refunds are retried three times")
        opened.documents.collection("rules").insert({"_id": 1, "text": "refunds are retried"})
        opened.documents.collection("rules").vsync("text")
        yield opened


ANSWERS: dict[str, Callable[[Daypack], Any]] = {
    "pack": lambda dp: dp.pack("refunds", budget=8000),
    "search": lambda dp: dp.search("refunds"),
    "code pack": lambda dp: dp.code.pack("retry_refund"),
    "memory": lambda dp: dp.memories.recall("pay/refunds"),
    "memories": lambda dp: dp.memories.search("refunds"),
    "memory block": lambda dp: dp.memories.pack("refunds"),
    "memory page": lambda dp: dp.memories.list(),
    "document pack": lambda dp: dp.documents.collection("rules").context("text", "refunds"),
    "nearest documents": lambda dp: dp.documents.collection("rules").vsearch("text", "refunds"),
    "code map": lambda dp: dp.code.map(),
    "timeline": lambda dp: dp.sessions.timeline(),
    "briefing": lambda dp: dp.sessions.resume(),
    "text": lambda dp: dp.get("pay.py"),
    "excerpt": lambda dp: dp.pack("refunds", budget=900).excerpts[0],
    "candidate": lambda dp: dp.search("refunds").candidates[0],
    "chunk": lambda dp: dp.search("refunds").candidates[0].chunk,
    "store": lambda dp: dp,
    "collection": lambda dp: dp.documents.collection("rules"),
}  # fmt: skip


@pytest.mark.parametrize("name", ANSWERS)
def test_repr_is_one_short_line(dp: Daypack, name: str) -> None:
    shown = repr(ANSWERS[name](dp))
    assert len(shown) < 250
    assert "\n" not in shown
    assert " object at 0x" not in shown


@pytest.mark.parametrize(
    ("name", "text"),
    [("pack", lambda it: it.text), ("memory", lambda it: it.value), ("memory block", lambda it: it.text),
     ("document pack", lambda it: it.to_json()), ("text", lambda it: it.text), ("code map", lambda it: it.text)],
)  # fmt: skip
def test_print_and_f_strings_give_the_text(dp: Daypack, name: str, text: Callable[[Any], str]) -> None:
    found = ANSWERS[name](dp)
    assert f"{found}" == str(found) == text(found) != ""


@pytest.mark.parametrize(
    ("name", "items"),
    [("pack", "excerpts"), ("search", "candidates"), ("memories", "hits"), ("memory block", "memories"),
     ("memory page", "memories"), ("document pack", "chunks"), ("nearest documents", "hits"),
     ("code pack", "items"), ("code map", "shown")],
)  # fmt: skip
def test_answers_are_sequences_of_their_items(dp: Daypack, name: str, items: str) -> None:
    found = ANSWERS[name](dp)
    expected = [*getattr(found, items)]
    assert [*found] == expected
    assert len(found) == len(expected) > 0
    assert found[0] == expected[0]
    assert found


def test_an_answer_without_items_is_false(dp: Daypack) -> None:
    assert not dp.pack("refunds", budget=0)
    assert not dp.memories.list(tags=["none"])


def test_memories_and_documents_are_collections(dp: Daypack) -> None:
    assert [memory.key for memory in dp.memories] == ["pay/refunds"]
    assert len(dp.memories) == 1
    rules = dp.documents.collection("rules")
    assert [document["_id"] for document in rules] == [1]
    assert len(rules) == 1


def test_a_notebook_shows_stored_text_and_renders_none_of_it(dp: Daypack) -> None:
    pack = dp.pack("evil refunds img", budget=2000, source="evil")
    assert EVIL in pack.text
    html = pack._repr_html_()
    assert "<img" not in html
    assert html.count("</pre>") == 1
    first, *lines, last = pack._repr_markdown_().rstrip("\n").split("\n")
    assert re.fullmatch("`{6,}text", first)
    assert last == first.removesuffix("text")
    assert "\n".join(lines) == pack.text.rstrip()


def test_a_search_prints_a_line_for_each_candidate_and_no_control_character(dp: Daypack) -> None:
    found = dp.search("retry_refund", limit=3)
    assert len(str(found).splitlines()) == len(found.candidates) + len(found.notes)
    assert found.candidates[0].chunk.reference in str(found)
    dp.records.add([{"id": "esc", "uri": "a\x1b[31mb", "text": "escapesequence"}])
    assert "\x1b" not in str(dp.search("escapesequence"))


WRONG: dict[str, Callable[[Daypack, Any], Any]] = {
    "pack": lambda dp, it: dp.pack(it),
    "search": lambda dp, it: dp.search(it),
    "get": lambda dp, it: dp.get(3.5 if it == 3 else it),  # a whole number is the id of a chunk
    "files.add": lambda dp, it: dp.files.add(it),
    "records.add": lambda dp, it: dp.records.add(it),
    "records.delete": lambda dp, it: dp.records.delete(it),
    "memories.remember": lambda dp, it: dp.memories.remember("key", it),
    "memories.recall": lambda dp, it: dp.memories.recall(it),
    "memories.search": lambda dp, it: dp.memories.search(it),
    "memories.pack": lambda dp, it: dp.memories.pack(it),
    "collection": lambda dp, it: dp.documents.collection(it),
    "insert": lambda dp, it: dp.documents.collection("rules").insert(it),
    "context": lambda dp, it: dp.documents.collection("rules").context("text", it),
    "code.pack": lambda dp, it: dp.code.pack(it),
    "code.symbols": lambda dp, it: dp.code.symbols(it),
    "source": lambda dp, it: dp.pack("refunds", source=[it]),
    "author": lambda dp, it: dp.search("refunds", author=it if it is not None else [None]),
    "open": lambda _, it: Daypack.open(it),
}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        pytest.param(name, value, id=f"{type(value).__name__}-{name}")
        for name in WRONG
        for value in (None, b"refunds", 3)
        if value is not None or name != "code.symbols"  # whose name is "" by default
    ],
)
def test_none_bytes_and_numbers_are_refused_with_the_next_step(dp: Daypack, name: str, value: Any) -> None:
    with pytest.raises(InputError) as caught:
        WRONG[name](dp, value)
    message = str(caught.value)
    assert ("None" if value is None else "bytes" if isinstance(value, bytes) else "number") in message
    assert ".decode()" in message or not isinstance(value, bytes)


def test_a_single_mapping_is_a_record_to_be_put_into_a_list(dp: Daypack) -> None:
    with pytest.raises(InputError, match=r"add\(\[record\]\)"):
        dp.records.add({"id": "b", "text": "one"})  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"ids=\['r1'\]"):
        dp.records.delete("r1")
    with pytest.raises(InputError, match="limit"):
        dp.search("refunds", limit=None)  # type: ignore[arg-type]


def test_a_closed_store_says_that_it_was_closed(tmp_path: Path) -> None:
    with Daypack.open(tmp_path / ".daypack", settings=WORDS) as dp:
        rules = dp.documents.collection("rules")
        rules.insert({"_id": 1})
    for call in (
        lambda: dp.pack("refunds"), lambda: dp.search("refunds"), lambda: dp.get("a.md"), dp.status, dp.check,
        lambda: dp.records.add([{"id": "a", "text": "b"}]), lambda: dp.memories.recall("a"), rules.find,
        dp.embed_in_background, lambda: dp.knowledge.run(["touch", str(tmp_path / "ran")]),
    ):  # fmt: skip
        with pytest.raises(StoreClosed, match=r"is closed; .*Daypack\.open"):
            call()
    assert not (tmp_path / "ran").exists()
    dp.close()
    assert "closed" in repr(dp)


def test_an_answer_is_padded_as_its_text_and_sliced_as_its_items(tmp_path: Path) -> None:
    with Daypack.open(tmp_path / ".daypack", settings=WORDS) as dp:
        dp.records.add([{"id": str(number), "text": f"Ferry {number} leaves."} for number in range(3)])
        pack, found = dp.pack("ferry"), dp.search("ferry")
    assert f"{pack:>5000}" == str(pack).rjust(5000)
    assert found[0:2] == found.candidates[:2]
    assert [one.text for one in pack[:1]] == [pack[0].text]
