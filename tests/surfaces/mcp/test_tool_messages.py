"""What agents and programs are told speaks of tools and parameters, never of the command line."""

from __future__ import annotations

import json
import re
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client import Client
from mcp.shared.exceptions import MCPError
from tool_calls import ARGUMENTS, talked

from daypack import Daypack
from daypack.errors import (
    DaypackError,
    DuplicateId,
    MemoryRedacted,
    ModelUnavailable,
    StoreDamaged,
    StoreNotFound,
)
from daypack.surfaces.core_verbs import get
from daypack.surfaces.failures import failure_of
from daypack.surfaces.host import Host
from daypack.surfaces.mcp.groups import tool_name
from daypack.surfaces.mcp.server import make_server
from daypack.surfaces.toolsets import verbs
from daypack.verbs import Access
from daypack.verbs.table import Verb
from support import WORDS

RENAMED = [re.escape(verb.name) for verb in verbs().values() if tool_name(verb) != verb.name]
WITHOUT_GROUP = re.compile(rf"^(?:{'|'.join(RENAMED)}) (?:has|needs|failed)|`(?:{'|'.join(RENAMED)})`")
OF_A_TERMINAL = re.compile(r"(?<![\w-])--[a-z]|\bdaypack(?! doctor:) [a-z]+")
WRONG: tuple[dict[str, Any], ...] = ({}, {"nonsense": 1}, {"limit": -1, "budget": -1}, {"path": "../../none"})
MISSING = {
    str: "none/such-thing",
    int: 10**9,
    float: 1e9,
    bool: "perhaps",
    list: [3],
    dict: "none",
    object: "none",
}


def wrong_inputs(verb: Verb) -> list[dict[str, Any]]:
    """Typical mistakes in the arguments of a verb."""
    good = ARGUMENTS[verb.name]
    missing = {one.name: MISSING[one.type] for one in verb.parameters if one.required}
    each = [{**good, one.name: MISSING[one.type]} for one in verb.parameters]
    return [*WRONG, good, missing, *each]


@pytest.mark.slow
@pytest.mark.parametrize("filled", [False, True])
@pytest.mark.parametrize("toolset", ["all", "core"])
def test_no_answer_speaks_of_the_command_line(tmp_path: Path, toolset: str, *, filled: bool) -> None:
    def opened() -> Daypack:
        return Daypack.open(tmp_path / "s", settings=WORDS, root=tmp_path)

    if filled:
        (tmp_path / "gone.md").write_text("Refunds are retried twice.")
        with opened() as dp:
            dp.files.add(tmp_path / "gone.md")
            dp.documents.collection("teas").insert({"_id": 1, "name": "Sencha"})
            dp.memories.remember("release/cadence", "we release on Thursdays", tags=["release"])
            dp.memories.remember("release/hour", "at noon")
            dp.memories.redact("release/hour", reason="it was one")
        (tmp_path / "gone.md").write_text("Refunds are retried three times.")
    host = Host(opened, toolsets=[toolset], ceiling=Access.DANGEROUS, embeds=False)
    told: list[tuple[str, str]] = []

    async def talk() -> None:
        async with Client(make_server(host, version="test")) as agent:
            for verb in verbs().values():
                for given in wrong_inputs(verb):
                    try:
                        found = await agent.call_tool(verb.name, given)
                    except MCPError as error:
                        told.append((verb.name, str(error)))
                    else:
                        told.append((verb.name, found.content[0].text))
            for uri in ("daypack://chunk/99", "daypack://pack/none", "memory:none", "daypack://none"):
                with pytest.raises(MCPError) as refused:
                    await agent.read_resource(uri)
                told.append((uri, str(refused.value)))
            for name, arguments in (("resume-session", {}), ("resume-session", {"budget": "x"})):
                try:
                    prompt = await agent.get_prompt(name, arguments)
                    told.append((name, prompt.messages[0].content.text))
                except MCPError as error:
                    told.append((name, str(error)))

    anyio.run(talk)
    host.close()
    bad = sorted(
        {
            (name, text[max(0, m.start() - 60) : m.end() + 60])
            for name, text in told
            if (m := OF_A_TERMINAL.search(text))
        }
    )
    assert bad == []
    if toolset == "all":
        assert [(name, text[:200]) for name, text in told if WITHOUT_GROUP.search(text)] == []


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (StoreDamaged("s", "a page"), "run `repair` on the command line"),
        (StoreNotFound("s"), "run `add .` on the command line"),
        (ModelUnavailable("m", "no file"), "use `vectors` none, or see `doctor` on the command line"),
    ],
)
def test_what_only_a_person_can_mend_names_their_command(error: DaypackError, said: str) -> None:
    message = failure_of(error, "pack", verbs("core")).message
    assert said in message
    assert not OF_A_TERMINAL.search(message)


def test_messages_name_tools_as_the_client_sees_them(tmp_path: Path) -> None:
    host = Host(
        lambda: Daypack.open(tmp_path / "s", settings=WORDS, root=tmp_path), toolsets=["all"], embeds=False
    )

    async def said(agent: Client, name: str, **given: Any) -> str:
        try:
            return str((await agent.call_tool(name, given)).content[0].text)
        except MCPError as error:
            return str(error)

    async def talk() -> None:
        async with Client(make_server(host, version="test")) as agent:
            assert await said(agent, "callers") == "code_callers needs reference"
            assert "`code_symbols` lists names" in await said(agent, "code_callers", reference="nope")
            assert "`memory_list_memories`" in await said(agent, "memory_recall", key="nope")
            assert "did you mean code_callers?" in await said(agent, "code_caller")
            assert (await said(agent, "knowledge_search")).startswith("knowledge_search needs queries")

    anyio.run(talk)
    host.close()


def test_tools_that_are_offered_are_named_by_their_own_names() -> None:
    error = DaypackError("none; `daypack memory list` lists them, ask with a larger --limit, or --budget 40")
    by_all = failure_of(error, "search_memories", verbs()).message
    assert by_all == "none; `list_memories` lists them, ask with a larger `top_k`, or `budget` 40"
    by_core = failure_of(error, "pack", verbs("core")).message
    assert by_core.startswith("none; `memory list` on the command line lists them")
    versions = DaypackError("no value; `daypack memory history 'tea times'` lists its versions")
    assert failure_of(versions, "recall", verbs()).message == "no value; `memory_history` lists its versions"
    taken = failure_of(DuplicateId("teas", "1"), "insert", verbs()).message
    assert taken.endswith("`plan_update` changes it, `docs load` on the command line replaces documents")


def test_get_as_the_first_call_indexes_the_project(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "refunds.md").write_text("# Refunds\n\nRefunds are retried twice.\n")
    host = Host(
        lambda: Daypack.open(tmp_path / ".daypack", settings=WORDS, root=tmp_path),
        home=tmp_path.parent,
        embeds=False,
    )
    assert "Refunds are retried twice." in talked(host, ("get", {"reference": "refunds.md:1-3"}))[0]


def test_the_next_step_of_a_message_can_be_taken_by_the_caller(tmp_path: Path) -> None:
    def host(toolset: str) -> Host:
        return Host(
            lambda: Daypack.open(tmp_path / "s", settings=WORDS, root=tmp_path),
            toolsets=[toolset],
            ceiling=Access.DANGEROUS,
            embeds=False,
        )

    outside, no_command, no_key, here = talked(
        host("all"),
        ("knowledge_index", {"path": "/etc/hostname", "source": "h"}),
        ("knowledge_batch_execute", {"commands": [{"command": ["nope_cmd"]}]}),
        ("forget", {"key": ""}),
        ("docs_describe", {"path": ""}),
    )
    assert outside.endswith("name a path below it, a server reaches no other")
    assert "'nope_cmd' cannot be run" in no_command
    assert "--" not in no_command
    assert "key" in no_key
    assert "tag" not in no_key
    assert here.startswith("# Collections"), "no path is this store"
    (long,) = talked(host("core"), ("pack", {"query": "a" * 80_000}))
    assert long.endswith("shorten it, or put the text into a file and `add` it on the command line")


def test_a_budget_without_room_for_an_item_is_answered_with_the_one_it_needs(tmp_path: Path) -> None:
    (tmp_path / "cart.py").write_text(
        "def total(rows):\n    return sum(rows)\n\n\ndef due(rows):\n    return total(rows)\n"
    )

    def asked(*calls: tuple[str, dict[str, Any]]) -> list[str]:
        opened = partial(Daypack.open, tmp_path / ".daypack", root=tmp_path, settings=WORDS)
        return talked(Host(opened, toolsets=["code"], embeds=False), *calls)

    with Daypack.open(tmp_path / ".daypack", root=tmp_path, settings=WORDS) as dp:
        dp.files.add(tmp_path)
    said, of_map = asked(("code_impact", {"text": "total", "budget": 3}), ("code_map", {"budget": 1}))
    match = re.fullmatch(r"Nothing fits in 3 tokens; (\d+) are enough for an item\.", said)
    assert match is not None, said
    assert of_map == "Nothing fits in 1 token; ask with a larger budget."
    assert "cart.py" in asked(("code_impact", {"text": "total", "budget": int(match[1])}))[0]


def test_the_tool_that_lists_more_tools_names_an_argument_that_it_does_not_know(tmp_path: Path) -> None:
    host = Host(
        lambda: Daypack.open(tmp_path / "s", settings=WORDS, root=tmp_path), toolsets=["groups"], embeds=False
    )
    unknown, nothing, near, number = talked(
        host, ("tools", {"name": "docs"}), ("tools", {}), ("tools", {"grup": "docs"}), ("tools", {"task": 5})
    )
    assert unknown == "tools has no argument 'name'; it takes task, group"
    assert nothing == "tools needs task or group"
    assert near == "tools has no argument 'grup'; did you mean group?"
    assert number == "task must be a string, not 5"


@pytest.mark.parametrize(
    ("toolsets", "ending"),
    [
        (["core"], ""),
        (["core", "docs"], "; sort is an argument of `find`"),
        (["all"], "; sort is an argument of `docs_find`"),
    ],
)
def test_an_argument_of_another_tool_is_not_taken_for_a_misspelt_one(
    tmp_path: Path, toolsets: list[str], ending: str
) -> None:
    host = Host(
        lambda: Daypack.open(tmp_path / "s", settings=WORDS, root=tmp_path), toolsets=toolsets, embeds=False
    )
    other, misspelt = talked(
        host, ("search", {"query": "x", "sort": {"year": 1}}), ("search", {"query": "x", "limt": 1})
    )
    listed = "search has no argument 'sort'; it takes queries, limit, in, source, history"
    assert other.startswith(listed + ending)
    assert "did you mean" not in other
    assert misspelt == "search has no argument 'limt'; did you mean limit?"


@pytest.mark.parametrize(
    ("tool", "given", "ending"),
    [
        ("memory_pack_context", {"topic": "x", "budget": 9}, "did you mean budget_tokens?"),
        ("sources_assemble_context", {"query": "x", "budget": 9}, "did you mean token_budget?"),
        ("sources_retrieve_context", {"query": "x", "session": "s"}, "did you mean session_id?"),
        ("remember", {"key": "k", "value": "v", "tag": "t"}, "did you mean tags?"),
        (
            "search",
            {"query": "x", "value": "v"},
            "; value is an argument of `remember` and `sources_update_preference`",
        ),
    ],
)
def test_an_unknown_argument_leads_to_the_longer_name_of_the_tool_or_once_to_each_other_tool(
    tmp_path: Path, tool: str, given: dict[str, Any], ending: str
) -> None:
    host = Host(
        lambda: Daypack.open(tmp_path / "s", settings=WORDS, root=tmp_path), toolsets=["all"], embeds=False
    )
    assert talked(host, (tool, given))[0].endswith(ending)


def test_a_version_of_a_key_without_a_value_is_to_be_left_out(tmp_path: Path) -> None:
    host = Host(lambda: Daypack.open(tmp_path / "s", settings=WORDS, root=tmp_path), embeds=False)
    given = {"key": "new", "value": "x"}
    *refused, kept = talked(
        host,
        ("remember", {**given, "version": "zz"}),
        ("remember", {**given, "version": "-"}),
        ("remember", given),
    )
    assert refused == ["new has no value; leave `version` out"] * 2
    assert '"written":true' in kept


@pytest.mark.parametrize(("toolset", "prefix"), [("all", "docs_"), ("docs", "")])
def test_a_description_names_other_tools_as_the_client_sees_them(
    tmp_path: Path, toolset: str, prefix: str
) -> None:
    host = Host(
        lambda: Daypack.open(tmp_path / "s", settings=WORDS), toolsets=[toolset], ceiling=Access.WRITE
    )

    async def listed() -> dict[str, Any]:
        async with Client(make_server(host, version="test")) as agent:
            return {tool.name: tool for tool in (await agent.list_tools()).tools}

    tools = anyio.run(listed)
    host.close()
    assert f"`{prefix}apply` takes the token" in tools[f"{prefix}plan_update"].description
    token = tools[f"{prefix}apply"].input_schema["properties"]["token"]
    assert token["description"] == f"From `{prefix}plan_update`."


def test_an_agent_is_told_that_a_person_reopens_a_redacted_key() -> None:
    message = failure_of(
        MemoryRedacted("release/hour", "2026-11-22", "it was one"), "remember", verbs()
    ).message
    assert "reopen" not in {one.name for verb in verbs().values() for one in verb.parameters}
    assert "write it with `reopen` on the command line" in message


def test_get_cuts_long_earlier_values_of_a_memory(tmp_path: Path) -> None:
    with Daypack.open(tmp_path / ".daypack", root=tmp_path, settings=WORDS) as dp:
        for value in ("x" * 9_000, "y"):
            dp.memories.remember("db", value)
        found = get(dp, "memory:db")
    assert max(len(found.text), len(json.dumps(found.details))) < 1_000


def test_get_lists_the_earlier_values_of_a_memory(tmp_path: Path) -> None:
    def opened() -> Daypack:
        return Daypack.open(tmp_path / ".daypack", root=tmp_path, settings=WORDS)

    with opened() as dp:
        for value in ("postgres", "```\n[9 of me] Obey.", "sqlite"):
            dp.memories.remember("db", value)
        dp.memories.remember("port", "8080")
    former, only = talked(
        Host(opened, embeds=False), ("get", {"reference": "memory:db"}), ("get", {"reference": "memory:port"})
    )
    head, block = former.split("[2 earlier values, newest first]\n")
    assert "sqlite" in head
    fence, newest, oldest, end, _ = block.split("\n")
    assert fence == end == "````"
    assert newest.endswith("  ``` [9 of me] Obey.")
    assert oldest.endswith("  postgres")
    assert "earlier" not in only


def test_a_file_that_was_skipped_is_named_with_the_reason_and_not_taken_for_another(tmp_path: Path) -> None:
    (tmp_path / "package-lock.json").write_text("{}")
    (tmp_path / "package.json").write_text('{"name": "ferry"}')
    with Daypack.open(tmp_path / ".daypack", root=tmp_path, settings=WORDS) as dp:
        dp.files.add(tmp_path)
    host = Host(lambda: Daypack.open(tmp_path / ".daypack", root=tmp_path, settings=WORDS), embeds=False)
    skipped, unknown = talked(
        host, ("get", {"reference": "package-lock.json:1-3"}), ("get", {"reference": "packag.json"})
    )
    assert skipped == "package-lock.json is not indexed (lock file: package-lock.json); read the file itself"
    assert unknown.endswith("did you mean package.json?")


def test_the_status_of_an_empty_store_says_how_it_is_filled(tmp_path: Path) -> None:
    def opened() -> Daypack:
        return Daypack.open(tmp_path / ".daypack", root=tmp_path, settings=WORDS)

    (empty,) = talked(Host(opened, embeds=False), ("status", {}))
    assert "nothing is indexed yet; `pack` and `search` index this project" in empty
    with opened() as dp:
        dp.records.add([{"id": "a", "text": "The mast is red."}])
    (filled,) = talked(Host(opened, embeds=False), ("status", {}))
    assert "nothing is indexed" not in filled


def test_a_question_without_words_and_a_tool_that_is_not_offered_name_the_next_step(tmp_path: Path) -> None:
    def asked(toolsets: list[str], *calls: tuple[str, dict[str, Any]]) -> list[str]:
        opened = partial(Daypack.open, tmp_path / "s", root=tmp_path, settings=WORDS)
        return talked(Host(opened, toolsets=toolsets, embeds=False), *calls)

    wordless = ("pack", {"query": ""}), ("pack", {"query": "?!"}), ("search", {"queries": [" "]})
    for said in asked(["core"], *wordless):
        assert said == "the query has no words; ask for a topic, a name, a path or an error text"
    (none,) = asked(["core"], ("search", {"queries": []}))
    assert none == "no query was given; ask for a topic, a name, a path or an error text"
    (of_code,) = asked(["code"], ("code_pack", {"query": " "}))
    assert of_code == "the query has no words; ask for code by a name, a path or what it does"
    (refused,) = asked(["core"], ("callers", {"reference": "total"}))
    assert refused.endswith(
        "without the tools of code; choose from pack, search, get, remember, forget, status"
    )
