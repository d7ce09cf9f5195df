"""Uses of the API as type checkers must see them. A line that ends with `# error` must be refused, and every other taken:
`test_typing.py` runs mypy, and pyright where it is installed, on this file. Nothing runs it.
"""

from __future__ import annotations

from typing import assert_type

from daypack import AsyncDaypack, Budget, Daypack, Pack, Packing, SearchResult, VectorMode
from daypack.doors.memories.types import Gone, Memory
from daypack.doors.sources.types import Source
from daypack.types import Candidate, Excerpt, IngestReport


def questions(dp: Daypack) -> None:
    assert_type(dp.pack("q", budget=3, packing="auto", vectors=VectorMode.NONE), Pack)
    assert_type(dp.search("q", limit=3, door=["files", "code"], since=1.0, sort="timeline"), SearchResult)
    assert_type(dp.files.add("docs/"), IngestReport)
    assert_type(dp.memories.recall("key"), Memory | Gone)
    assert_type(dp.pack("q").budget, Budget)
    dp.pack("q", packing=Packing.PREFIX, tokenizer="cl100k", shape="xml", kind="code", tag=["a", "b"])
    dp.pack("q", budgett=3)  # error
    dp.pack("q", k=3)  # error
    dp.pack("q", packing="atuo")  # error
    dp.pack("q", shape="markdwon")  # error
    dp.pack("q", budget="3")  # error
    dp.search("q", k=3)  # error
    dp.search("q", vectors="lasy")  # error
    dp.search("q", since="yesterday")
    dp.search("q", since=["yesterday"])  # error
    dp.search("q", dor="files")  # error
    assert_type(dp.sources.list(kind="topic_pattern", limit=3), tuple[Source, ...])
    dp.sources.list(kinds="topic_pattern")  # error
    dp.sources.store("topic_pattern", "t", title="A title", tags=["a"])
    dp.sources.store("topic_pattern", "t", tittle="A title")  # error
    dp.dance()  # error


def answers(dp: Daypack) -> None:
    assert_type(list(dp.pack("q")), list[Excerpt])
    assert_type(list(dp.search("q")), list[Candidate])
    assert_type(list(dp.memories), list[Memory])
    assert_type(dp.memories.list()[0], Memory)
    assert_type(dp.memories.search("q")[0].memory, Memory)
    assert_type([one.text for one in dp.documents.collection("c").context("text", "q")], list[str])
    assert_type(len(dp.pack("q")) + len(dp.search("q")), int)
    assert_type(f"{dp.pack('q')}", str)
    str(dp.pack("q")[0].txt)  # error
    str(dp.pack("q")["text"])  # error
    dp.pack(None)  # error
    dp.search(b"q")  # error
    dp.get(None)  # error
    dp.files.add(None)  # error
    dp.records.add({"id": "a", "text": "b"})  # error
    dp.records.add([{"id": "a", "text": "b"}])
    dp.memories.remember("key", b"value")  # error
    Daypack.open(None)  # error


async def awaited(dp: AsyncDaypack) -> None:
    assert_type(await dp.pack("q", budget=3, packing="auto", door="files"), Pack)
    assert_type(await dp.search("q", limit=3), SearchResult)
    assert_type(await dp.files.add("docs/"), IngestReport)
    assert_type(await dp.memories.recall("key"), Memory | Gone)
    assert_type(await dp.run(lambda daypack: daypack.get("a:1").text), str)
    await dp.pack("q", budgett=3)  # error
    await dp.search("q", k=3)  # error
    await dp.pack("q", packing="atuo")  # error
    await dp.memories.recall()  # error
    await dp.memories.recal("key")  # error
    await dp.dance()  # error
    AsyncDaypack.open(".daypack", sttings=None)  # error
