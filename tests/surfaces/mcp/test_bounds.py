"""Everything that an agent receives has an end, and says how much it left out and how to get it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.client import Client
from tool_calls import ARGUMENTS

from daypack import Daypack, Settings
from daypack.surfaces.host import Host
from daypack.surfaces.mcp import bounds
from daypack.surfaces.mcp.server import DETAILS, make_server
from daypack.surfaces.toolsets import verbs
from daypack.verbs import Access

PARAGRAPH = "The kettle boils at ninety degrees and the lock gate of the harbour stays shut until noon. "
LONG = "\n".join(PARAGRAPH * 3 + str(number) for number in range(700))  # 190,000 characters
QUESTION = ("how does the kettle boil at the lock gate? " * 200)[:8000]
WORDS = "kettle boil lock gate"


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("large")
    (folder / ".git").mkdir()
    (folder / "long.md").write_text(f"# Kettle\n\n{LONG}\n")
    (folder / "line.md").write_text("kettle " * 30_000)
    code = "\n\n".join(
        f'def kettle_{n}(gate):\n    """{PARAGRAPH}"""\n    return kettle_{n - 1}(gate)'
        for n in range(1, 400)
    )
    (folder / "kettle.py").write_text(f"def kettle_0(gate):\n    return gate\n\n\n{code}\n")
    with Daypack.open(folder / ".daypack", settings=Settings(embedder="hashing"), root=folder) as dp:
        dp.files.add(folder)
        dp.memories.remember("long", LONG)
        for number in range(160):
            dp.memories.remember(
                f"kettle/{number}/{'k' * 200}", PARAGRAPH * 8, tags=[f"tag-{number}-{'t' * 80}", "all"]
            )
        dp.documents.collection("c").insert(
            [
                {"_id": 0, "text": LONG},
                *({"_id": n, "text": PARAGRAPH * 9, f"f{n}": n} for n in range(1, 400)),
            ]
        )
        for number in range(60):
            dp.sources.store("evidence_summary", f"{number} {PARAGRAPH * 40}", tags=["t" * 200])
            dp.knowledge.add_text(f"label {number} {'l' * 150}", PARAGRAPH)
        dp.sources.store("research_report", LONG)
    return folder


def asked(store: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Calls of every tool that ask for as much as they may."""
    for name, verb in verbs().items():
        if name in (
            "apply",
            "rollback",
            "restore_memory",
            "get_source",
            "ctx_purge",
            "delete",
            "prune_sources",
        ):
            continue
        arguments = dict(ARGUMENTS[name])
        for one in verb.parameters:
            if one.name in ("limit", "top_k", "max_related_per_primary") and one.range is not None:
                arguments[one.name] = int(one.range.most)
            elif one.name in ("query", "topic"):
                arguments[one.name] = QUESTION if name != "code_pack" else "kettle_3"
            elif one.name == "queries":
                arguments[one.name] = [QUESTION, WORDS] * 8
            elif one.name == "collection":
                arguments[one.name] = "c"
            elif one.name == "filter":
                arguments[one.name] = {}
            elif one.name == "field":
                arguments[one.name] = "text"
            elif one.name == "trace":
                arguments[one.name] = True
        arguments |= {
            "get": {"reference": "long.md"},
            "recall": {"key": "long"},
            "memory_history": {"key": "long"},
            "relate_memories": {"key": "long", "top_k": 500},
            "remember": {"key": "long", "value": LONG + " and more"},
            "remember_if_absent": {"key": "long", "value": "short"},
            "symbols": {"name": "kettle", "limit": 1000},
            "related": {"reference": "kettle_3", "limit": 1000, "strategy": "deep"},
            "callers": {"reference": "kettle_0", "limit": 1000},
            "tests_for": {"reference": "kettle_0", "limit": 1000},
            **{
                name: {"text": "kettle_0", "budget": 200}
                for name in ("code_impact", "code_tests", "code_uses")
            },
            "insert": {"collection": "c", "document": {"text": LONG}},
            "plan_update": {"collection": "c", "filter": {}, "update": {"$set": {"note": LONG}}},
            "store_source": {"kind": "evidence_summary", "text": LONG},
            "ingest_source": {"text": LONG, "title": "t" * 500},
            "upsert_source": {"source_key": "k" * 500, "text": LONG},
            "ctx_index": {"source": "s" * 100, "content": LONG},
            "forget_all": {"tag": "all"},
            "delete_source": {"source_key": "k" * 500},
            "ctx_batch_execute": {
                "commands": [{"label": str(n), "command": ["cat", "long.md"]} for n in range(12)],
                "queries": [WORDS],
                "budget": 500,
            },
            "update_preference": {"approved_text": f"Dear Ms Lind, in short: {PARAGRAPH * 500} Kind regards"},
        }.get(name, {})
        yield name, arguments


@pytest.mark.slow
def test_no_result_of_any_tool_is_longer_than_its_bound(large: Path) -> None:
    host = Host(
        lambda: Daypack.open(large / ".daypack", settings=Settings(embedder="hashing"), root=large),
        toolsets=["all"],
        ceiling=Access.DANGEROUS,
        embeds=False,
    )
    lengths: dict[str, tuple[int, int]] = {}
    refused: set[str] = set()

    async def talk() -> None:
        async with Client(make_server(host, version="test")) as agent:
            for name, arguments in asked(large):
                found = await agent.call_tool(name, arguments)
                text = "".join(part.text for part in found.content)
                verb = verbs()[name]
                if found.is_error:
                    assert len(text) <= 1_000, name
                    refused.add(name)
                    continue
                data = found.structured_content or (found.meta or {}).get(DETAILS) or {}
                most = bounds.most_of(verb, arguments)
                lengths[name] = len(text), bounds.size_of(data)
                assert max(lengths[name]) <= most, (name, lengths[name], most)
                if len(text) > most // 2 and "cut" in data:
                    assert data["cut"]["characters"] > 0
                    assert data["cut"]["more"]
            for uri in ("daypack://memories", "memory:long"):
                (content,) = (await agent.read_resource(uri)).contents
                assert len(content.text) <= 2 * bounds.MOST_CHARACTERS, uri

    anyio.run(talk)
    host.close()
    assert refused <= {"ctx_fetch_and_index", "forget", "redact_memory"}
    assert lengths["get"][0] < 20_000
    assert lengths["prepare_task_envelope"][1] <= 26_000, lengths["prepare_task_envelope"]
    assert sum(max(both) > 10_000 for both in lengths.values()) > 10, "the store is too small to say anything"


def test_every_page_of_a_text_is_got_once_and_in_order(large: Path) -> None:
    with Daypack.open(large / ".daypack", settings=Settings(embedder="hashing"), root=large) as dp:
        get = verbs()["get"]
        for reference in ("long.md", "line.md", "memory:long", "kettle.py"):
            parts, page, whole = [], 1, dp.get(reference).text
            while page is not None:
                answer = get(dp, {"reference": reference, "page": page})
                assert len(answer.text) < 20_000
                assert answer.details["characters"] == len(whole)
                lines = answer.text.split("\n")
                parts.append("\n".join(lines[2 : lines.index(lines[1], 2)]))
                page = answer.details["next_page"]
            assert len(parts) == answer.details["pages"] > 1
            joined = "".join(parts) if reference == "line.md" else "\n".join(parts)
            assert joined.replace("\n", "") == whole.replace("\n", "")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3000),
    lambda inner: st.lists(inner, max_size=60) | st.dictionaries(st.text(max_size=400), inner, max_size=60),
    max_leaves=200,
)


@given(st.dictionaries(st.sampled_from(["a", "b", "query", "items"]), JSON))
def test_any_data_fit_and_small_ones_are_left_alone(data: dict[str, Any]) -> None:
    found = bounds.bounded_data(data, 4_000, "ask for less")
    assert bounds.size_of(found) <= 4_000
    if bounds.size_of(data) <= 4_000 and not _echoes(data):
        assert found == data
    elif "cut" in found:
        assert found["cut"]["more"] == "ask for less"
    json.dumps(found)


@pytest.mark.parametrize(
    "data",
    [
        {"a": {"x" * 400: {"y" * 400: {name * 400: list(range(2_000)) for name in "pqr"}}}},
        {
            "a": {
                "x" * 400: {name * 400: name * 3_000 for name in "pqr"},
                **{name * 400: 1 for name in "stuvwyz"},
            }
        },
    ],
    ids=["lists below long names", "no list, and few names"],
)
def test_data_with_long_names_fit_as_well(data: dict[str, Any]) -> None:
    found = bounds.bounded_data(data, 4_000, "ask for less")
    assert bounds.size_of(found) <= 4_000
    assert found["cut"]["characters"] > 0 and found["cut"]["more"] == "ask for less"


def _echoes(value: Any) -> bool:
    if isinstance(value, dict):
        return any(
            (name == "query" and isinstance(item, str) and len(item) > 300) or _echoes(item)
            for name, item in value.items()
        )
    return any(map(_echoes, value)) if isinstance(value, list) else False


@given(st.text(alphabet="ab`\n[", max_size=3000))
def test_a_text_that_is_cut_ends_outside_of_a_fence(text: str) -> None:
    found = bounds.bounded_text(text, 1_000, "ask for less")
    assert len(found) <= 1_000 or found == text
    if found != text:
        assert bounds._open_fence(found) == ""
        assert found.endswith("ask for less]\n")


def test_a_long_text_that_the_caller_sent_does_not_come_back_whole() -> None:
    remember, value = verbs()["remember"], "The ferry waits. " * 500
    answer = {"key": "ferry", "written": True, "memory": {"key": "ferry", "value": value, "tags": ["a"]}}
    found = bounds.bounded_answer(answer, remember, {"key": "ferry", "value": value})
    assert isinstance(found, dict)
    assert found["memory"]["value"].startswith("The ferry waits. ")
    assert bounds.size_of(found) < 500
    other = bounds.bounded_answer(answer, remember, {"key": "ferry", "value": "The ferry leaves."})
    assert other == answer
