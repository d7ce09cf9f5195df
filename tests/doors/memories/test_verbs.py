"""The verbs for agents: plain data in, plain data out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support_memory import opened

from daypack import Daypack
from daypack.doors.memories.verbs import forget, memory_index, memory_resource
from daypack.errors import InputError
from daypack.surfaces.toolsets import verbs
from daypack.types import Trust
from daypack.verbs import Access, Answer
from support import Clock

VERBS = verbs("memory")

ARGUMENTS = {
    "pack_context": {"topic": "kettle"}, "search_memories": {"query": "kettle"}, "list_memories": {}, "list_tags": {}, "recall": {"key": "tea/kettle"},
    "memory_history": {"key": "tea/kettle"}, "relate_memories": {"key": "tea/kettle"}, "remember": {"key": "new", "value": "pot"},
    "remember_if_absent": {"key": "tea/kettle", "value": "other"}, "restore_memory": {"key": "tea/kettle"}, "forget": {"key": "tea/kettle"},
    "forget_all": {"tag": "hot"}, "redact_memory": {"key": "tea/kettle", "reason": "wrong"},
}  # fmt: skip


@pytest.mark.parametrize("name", VERBS)
def test_a_verb_takes_and_gives_json(dp: Daypack, name: str) -> None:
    version = dp.memories.remember("tea/kettle", "the kettle is copper", tags=["hot"]).token
    dp.memories.remember("tea/pot", "the pot is iron")
    verb = VERBS[name]
    arguments = {**ARGUMENTS[name], **({"version": version} if name == "restore_memory" else {})}
    found = verb(dp, json.loads(json.dumps(arguments)))
    plain = dict(found.details) if isinstance(found, Answer) else found
    assert json.loads(json.dumps(plain)) == plain
    assert verb.about
    assert isinstance(found, Answer) == (name == "pack_context")


@pytest.mark.parametrize("name", ["search_memories", "pack_context"])
def test_searching_and_packing_take_the_same_weights(dp: Daypack, clock: Clock, name: str) -> None:
    dp.memories.remember("tea/kettle", "the copper kettle, our kettle")
    clock.passes(30 * 86_400)
    dp.memories.remember("tea/new", "the iron kettle")
    given = {"w_semantic": 0.0, "w_keyword": 0.0, "w_recency": 1.0}
    verb = VERBS[name]
    assert {one.name for one in verb.parameters} >= given.keys()
    weighted = str(verb(dp, {**ARGUMENTS[name], **given}))
    assert weighted.index("tea/new") < weighted.index("tea/kettle")


def test_reading_writes_no_text_and_no_verb_for_reading_destroys(tmp_path: Path, clock: Clock) -> None:
    with opened(tmp_path, clock) as dp:
        dp.memories.remember("tea/kettle", "the kettle is copper", tags=["hot"])
        before = dp.engine.store.sequences()[0]
        for verb in VERBS.values():
            if verb.access is Access.READ:
                verb(dp, ARGUMENTS[verb.name])
        assert dp.engine.store.sequences()[0] == before


def test_what_an_agent_says_is_an_agents_word_and_what_a_tool_says_waits(dp: Daypack) -> None:
    dp.engine.writer.trust = Trust.AGENT  # as a server opens it
    said = VERBS["remember"](dp, {"key": "k", "value": "an agent's"})
    assert said["memory"]["trust"] == "agent"
    assert VERBS["remember"](dp, {"key": "k", "value": "a page's", "source": "https://example.org"})[
        "waiting"
    ]


def test_the_index_leads_to_every_memory(dp: Daypack) -> None:
    dp.memories.remember("tea/kettle", "the kettle is copper")
    (entry,) = memory_index(dp)["memories"]
    assert memory_resource(dp, entry["uri"])["value"] == "the kettle is copper"


def test_an_agent_that_asks_about_the_past_gets_what_held_then(dp: Daypack) -> None:
    dp.memories.remember("tea/supplier", "tea comes from Uji", valid_from="2024-02-01")
    dp.memories.remember("tea/supplier", "tea comes from Wazuka", valid_from="2025-03-01")
    asked = "where did tea come from in 2024?"
    first, second = VERBS["search_memories"](dp, {"query": asked})["hits"]
    assert (first["value"], first["held_until"]) == ("tea comes from Uji", "2025-03-01T00:00:00.000Z")
    assert (second["value"], second["held_until"]) == ("tea comes from Wazuka", None)
    block = VERBS["pack_context"](dp, {"topic": asked})
    assert block.text.split("\n")[1] == "- **tea/supplier** (2024-02-01 to 2025-03-01): tea comes from Uji"
    (only,) = VERBS["search_memories"](dp, {"query": "where does tea come from?"})["hits"]
    assert "held_from" not in only


@pytest.mark.parametrize(("name", "arguments"), [("forget_all", {"tag": ""}), ("forget", {"key": ""})])
def test_an_empty_choice_is_refused_by_the_name_of_its_argument(
    dp: Daypack, name: str, arguments: dict[str, str]
) -> None:
    (argument,) = arguments
    with pytest.raises(InputError, match=argument) as refused:
        VERBS.get(name, verbs()[name])(dp, arguments)
    assert "source" not in str(refused.value)


def test_a_cited_key_that_ends_as_lines_do_is_forgotten_itself(dp: Daypack) -> None:
    for key in ("meeting", "meeting:10-12"):
        dp.memories.remember(key, "by the quay")
    assert forget(dp, "memory:meeting:10-12").keys == ("meeting:10-12",)
    assert "meeting" in dp.memories
    assert forget(dp, "memory:meeting:1-1").keys == ("meeting",)
