"""A text that was edited behind Daypack's back is damage in every door that would return it, never an answer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest

from daypack import Daypack
from daypack.doors.sessions.types import Said, Step
from daypack.doors.sources.types import AssembleRequest, RetrieveRequest, SourceDraft
from daypack.errors import StoreDamaged
from support import WORDS

TEXT = "The lock gate opens at noon."
ASKED = "when does the lock gate open?"


def put_source(dp: Daypack) -> None:
    draft = SourceDraft(TEXT, structured_data={"gate": "noon"}, scope="user", source_key="gate", title="Gate")
    dp.sources.ingest(draft)


def put_session(dp: Daypack) -> None:
    dp.sessions.add_steps([Step("s1", 1.0, Said("user", TEXT))])


def put_document(dp: Daypack) -> None:
    dp.documents.create("gates")
    dp.documents.collection("gates").insert({"_id": 1, "text": TEXT})
    dp.documents.catch_up()


IN_RECORD = "UPDATE record SET text = replace(text, 'noon', 'nine')"
IN_SOURCE = "UPDATE source_item SET {0} = replace({0}, '{1}', '{2}')"
CASES: dict[str, tuple[Callable[[Daypack], Any], str, tuple[Callable[[Daypack], Any], ...]]] = {
    "a source": (
        put_source,
        IN_SOURCE.format("text", "noon", "nine"),
        (
            lambda dp: dp.sources.list(),
            lambda dp: dp.sources.export(),
            lambda dp: dp.sources.retrieve(RetrieveRequest(ASKED)),
            lambda dp: dp.sources.assemble(AssembleRequest(ASKED)),
            lambda dp: dp.sources.upsert("gate", SourceDraft("It opens at one.", scope="user")),
        ),
    ),
    "a title": (put_source, IN_SOURCE.format("title", "Gate", "Fate"), (lambda dp: dp.sources.list(),)),
    "facts": (put_source, IN_SOURCE.format("data", "noon", "nine"), (lambda dp: dp.sources.list(),)),
    "the trust": (put_source, IN_SOURCE.format("data", '"user"', '"agent"'), (lambda dp: dp.sources.list(),)),
    "an event": (
        put_session,
        IN_RECORD,
        (
            lambda dp: dp.sessions.timeline(),
            lambda dp: dp.sessions.resume(),
            lambda dp: dp.sessions.snapshot(),
            lambda dp: dp.search(ASKED),
        ),
    ),
    "a text": (
        lambda dp: dp.files.add_text(TEXT, name="gate"),
        IN_RECORD,
        (
            lambda dp: dp.pack(ASKED),
            lambda dp: dp.search(ASKED),
            lambda dp: dp.get("gate"),
            lambda dp: dp.engine.find_record(1),
            lambda dp: dp.reindex(),
        ),
    ),
    "a label": (
        lambda dp: dp.knowledge.add_text("gate", TEXT),
        IN_RECORD,
        (lambda dp: dp.pack(ASKED), lambda dp: dp.get("source:gate")),
    ),
    "a memory": (
        lambda dp: dp.memories.remember("gate", TEXT),
        "UPDATE memory_version SET value = replace(value, 'noon', 'nine')",
        (
            lambda dp: dp.memories.recall("gate"),
            lambda dp: dp.memories.list(),
            lambda dp: dp.memories.history("gate"),
            lambda dp: dp.memories.search(ASKED),
        ),
    ),
    "a document": (
        put_document,
        "UPDATE document SET body = replace(body, 'noon', 'nine')",
        (
            lambda dp: dp.documents.collection("gates").find(),
            lambda dp: dp.documents.collection("gates").get(1),
        ),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_an_edited_value_is_damage_and_no_answer(tmp_path: Path, case: str) -> None:
    put, edit, reads = CASES[case]
    with Daypack.open(tmp_path / "s", root=tmp_path, settings=WORDS) as dp:
        put(dp)
    db = apsw.Connection(str(tmp_path / "s" / "daypack.db"))
    db.execute(edit)
    assert db.changes()
    db.close()
    for read in reads:
        with (
            Daypack.open(tmp_path / "s", root=tmp_path, settings=WORDS) as dp,
            pytest.raises(StoreDamaged, match="changed on disk"),
        ):
            read(dp)
