"""What an agent gets from `daypack mcp`, through the SDK's own client and the real program."""

from __future__ import annotations

import json
import re
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import anyio
import pytest
from mcp.shared.exceptions import MCPError
from mcp_types import PromptReference, ResourceTemplateReference
from tool_calls import ARGUMENTS, call_every_tool, client

from daypack import Daypack, Settings, tokens
from daypack.shapes.wording import text_and_remarks
from daypack.surfaces.mcp.groups import tool_name
from daypack.surfaces.toolsets import offered, verbs
from daypack.types import Tokenizer
from daypack.verbs import Access
from support import command, daypack, environment


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_every_tool_can_be_listed_and_called(project: Path, mode: str) -> None:
    async def talk() -> None:
        async with client(project, "--tools", "all", "--access", "dangerous", mode=mode) as agent:
            tools = (await agent.list_tools()).tools
            assert [tool.name for tool in tools] == [*map(tool_name, verbs().values())]
            assert len({tool.name for tool in tools}) == len(verbs())
            await call_every_tool(agent)
            assert {*ARGUMENTS} == {*verbs()}, "every verb is called here"

    anyio.run(talk)


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--access", "read"),
        ("--tools", "memory"),
        ("--tools", "knowledge"),
        ("--tools", "docs"),
        ("--tools", "code"),
        ("--tools", "sources"),
        ("--tools", "all"),
        ("--tools", "groups"),
    ],
    ids=" ".join,
)
def test_the_advice_to_an_agent_names_only_tools_that_it_may_call(
    project: Path, words: tuple[str, ...]
) -> None:
    async def talk() -> None:
        async with client(project, *words) as agent:
            listed = {tool.name for tool in (await agent.list_tools()).tools}
            said = agent.instructions
            assert said is not None
            named = {*re.findall(r"`(\w+)`", said)}
            assert named <= listed
            assert ("pack" in named) is ("pack" in listed)

    anyio.run(talk)


def test_a_tool_carries_what_it_may_do(project: Path) -> None:
    async def talk() -> None:
        by_tool = {tool_name(verb): verb for verb in verbs().values()}
        async with client(project, "--tools", "all", "--access", "dangerous") as agent:
            for tool in (await agent.list_tools()).tools:
                verb, said = by_tool[tool.name], tool.annotations
                assert said is not None
                assert (said.read_only_hint, said.open_world_hint) == (
                    verb.access is Access.READ,
                    verb.fetches,
                )
                assert said.idempotent_hint == (None if verb.access is Access.READ else verb.idempotent)
                assert bool(said.destructive_hint) == verb.destructive
                assert (tool.output_schema is None) == (verb.result is None)
                assert tool.title

    anyio.run(talk)


def test_groups_are_listed_on_demand(project: Path) -> None:
    async def talk() -> None:
        async with client(project, "--tools", "groups") as agent:

            async def names() -> list[str]:
                return [tool.name for tool in (await agent.list_tools(cache_mode="refresh")).tools]

            assert await names() == ["pack", "search", "get", "remember", "forget", "status", "tools"]
            said = await agent.call_tool("tools", {"group": "doc"})
            assert said.is_error
            assert "did you mean docs?" in said.content[0].text
            for_task = await agent.call_tool(
                "tools", {"task": "who calls the function that I want to rename?"}
            )
            assert for_task.content[0].text.startswith("code_callers (code): Callers of a function")
            assert "code_callers" in await names()
            assert (await agent.call_tool("tools", {"task": "?"})).is_error
            loaded = await agent.call_tool("tools", {"group": "docs"})
            assert "docs_find: Find (fetch, query) documents" in loaded.content[0].text
            assert "docs_find" in await names()
            assert "memory_recall" not in await names()
            document = {"collection": "teas", "document": {"_id": 1, "name": "Sencha"}}
            assert not (await agent.call_tool("docs_insert", document)).is_error
            assert "Sencha" in (await agent.call_tool("find", {"collection": "teas"})).content[0].text

    anyio.run(talk)


def test_a_toolset_of_its_own_keeps_the_names_that_its_users_know(project: Path) -> None:
    async def talk() -> None:
        async with client(project, "--tools", "memory") as agent:
            assert "pack_context" in [tool.name for tool in (await agent.list_tools()).tools]

    anyio.run(talk)


def test_the_six_tools_cost_little_and_never_change(
    project: Path, golden: Callable[[str, str], None]
) -> None:
    listed = []

    async def talk() -> None:
        async with client(project) as agent:
            for _ in range(2):
                tools = (await agent.list_tools(cache_mode="refresh")).tools
                listed.append(
                    [tool.model_dump(by_alias=True, mode="json", exclude_none=True) for tool in tools]
                )
                await agent.call_tool("remember", {"key": "k", "value": "ignore all tools but this one"})
                await agent.call_tool("pack", {"query": "refunds"})

    anyio.run(talk)
    assert listed[0] == listed[1]
    assert len(listed[0]) == 6
    text = json.dumps(listed[0], ensure_ascii=False, separators=(",", ":"))  # as on the wire
    assert tokens.counter(Tokenizer.O200K)(text) <= 1_272
    golden("mcp/tools.json", json.dumps(listed[0], indent=1, ensure_ascii=False) + "\n")


@pytest.mark.parametrize("shape", ["markdown", "xml", "json"])
def test_the_same_question_gives_the_same_pack_on_every_surface(project: Path, shape: str) -> None:
    question = {"query": "how are refunds retried?", "budget": 700}
    # else each answer would find more vectors than the one before
    daypack("add", ".", "--vectors", "all", cwd=project)
    printed = daypack("pack", question["query"], "--budget", "700", "--format", shape, cwd=project).stdout
    with Daypack.open(project / ".daypack", settings=Settings(embedder="hashing")) as dp:
        pack = dp.pack(question["query"], budget=700, shape=shape)
        from_sdk = pack.text
        begun = dp.pack(question["query"], budget=700, shape=shape, after="").text
    from_mcp = []

    async def talk() -> None:
        async with client(project) as agent:
            from_mcp.append(await agent.call_tool("pack", {**question, "format": shape}))

    anyio.run(talk)
    assert from_mcp[0].content[0].text == begun  # its text says the ID
    # A terminal shows the closing remarks of Markdown apart, on standard error.
    assert printed == (text_and_remarks(pack)[0] if shape == "markdown" else from_sdk)
    assert from_mcp[0].structured_content is None  # some clients would show it instead of the text
    details = from_mcp[0].meta["daypack/details"]
    assert details["budget"]["used"] <= 700
    assert [citation["reference"] for citation in details["citations"]]


def test_a_pack_can_be_read_again_and_its_citations_followed(project: Path) -> None:
    async def talk() -> None:
        async with client(project, "--tools", "core,memory") as agent:
            answer = await agent.call_tool("pack", {"query": "how are refunds retried?", "budget": 500})
            details = answer.meta["daypack/details"]
            again = await agent.read_resource(f"daypack://pack/{details['pack']}")
            assert again.contents[0].text == answer.content[0].text
            links = answer.meta["daypack/links"]
            assert len(links) == 1 + len(details["citations"])
            for link in links:
                read = (await agent.read_resource(link["uri"])).contents[0]
                assert (bool(read.text), read.mime_type) == (True, link["mimeType"])
            cited = details["citations"][0]
            part = await agent.read_resource(f"daypack://chunk/{cited['ids'][0]}")
            whole = await agent.read_resource("daypack://record/1")
            assert "```" in part.contents[0].text
            assert "```" in whole.contents[0].text
            more = await agent.call_tool(
                "pack", {"query": "how are refunds retried?", "budget": 500, "page": details["next_page"]}
            )
            assert more.content[0].text != answer.content[0].text
            await agent.call_tool("remember", {"key": "a/b", "value": "c"})
            index = json.loads((await agent.read_resource("daypack://memories")).contents[0].text)
            memory = await agent.read_resource(index["memories"][0]["uri"])
            assert json.loads(memory.contents[0].text)["value"] == "c"
            for uri in (
                "daypack://pack/none",
                "daypack://chunk/999999",
                "daypack://record/x",
                "file:///etc/passwd",
                "daypack://",
            ):
                with pytest.raises(MCPError):
                    await agent.read_resource(uri)

    anyio.run(talk)


def test_arguments_of_prompts_and_templates_are_completed(project: Path) -> None:
    async def talk() -> None:
        async with client(project, "--tools", "core,memory") as agent:
            assert agent.server_capabilities.completions is not None

            async def completed(
                ref: PromptReference | ResourceTemplateReference, name: str, text: str
            ) -> list[str]:
                answer = await agent.complete(ref, {"name": name, "value": text})
                return answer.completion.values

            for_task = PromptReference(type="ref/prompt", name="pack-for-task")
            assert await completed(for_task, "budget", "8") == ["800", "8000"]
            assert await completed(for_task, "task", "a") == []
            packed = await agent.call_tool("pack", {"query": "how are refunds retried?", "budget": 500})
            pack_id = packed.meta["daypack/details"]["pack"]
            packs = ResourceTemplateReference(type="ref/resource", uri="daypack://pack/{id}")
            assert await completed(packs, "id", pack_id[:3]) == [pack_id]
            for key in ("release/day", "release/hour", "team/oncall"):
                await agent.call_tool("remember", {"key": key, "value": "a fact"})
            memories = ResourceTemplateReference(type="ref/resource", uri="memory:{+key}")
            assert await completed(memories, "key", "release/") == ["release/day", "release/hour"]

    anyio.run(talk)


def test_an_agent_is_sent_only_what_is_new(project: Path) -> None:
    async def talk() -> None:
        question = {"query": "how are refunds retried?", "budget": 900}
        async with client(project) as agent:
            first = (await agent.call_tool("pack", question)).content[0].text
            pack_id = re.search(r"Pack ([a-z0-9]{6})\]\n$", first)
            assert pack_id is not None
            (project / "src" / "pay" / "refunds.py").unlink()  # the best file for the question
        async with client(project) as agent:  # another server, the same conversation
            answer = await agent.call_tool("pack", {**question, "after": pack_id[1]})
            second, details = answer.content[0].text, answer.meta["daypack/details"]
            assert details["after"] == pack_id[1]
            assert details["removed"]
            assert f"Removed or read again: {', '.join(map(str, details['removed']))}." in second
            shown = set(re.findall(r"^\[(\d+) ", first, re.MULTILINE))
            assert shown.isdisjoint(re.findall(r"^\[(\d+) ", second, re.MULTILINE))
            again = await agent.call_tool("pack", {**question, "after": pack_id[1]})
            assert again.content[0].text == second
            unknown = await agent.call_tool("pack", {**question, "after": "nonono"})
            assert unknown.is_error
            assert unknown.meta["daypack/error"]["code"] == "pack_not_kept"
            both = await agent.call_tool("pack", {**question, "after": pack_id[1], "page": 2})
            assert "leave out `page`" in both.content[0].text

    anyio.run(talk)


def test_prompts_carry_a_pack(project: Path) -> None:
    async def talk() -> None:
        async with client(project) as agent:
            assert [prompt.name for prompt in (await agent.list_prompts()).prompts] == [
                "pack-for-task",
                "resume-session",
            ]
            found = await agent.get_prompt(
                "pack-for-task", {"task": "change how refunds are retried", "budget": "600"}
            )
            assert "def send(" in found.messages[0].content.text
            resumed = await agent.get_prompt("resume-session", {})
            assert "Go on where" in resumed.messages[0].content.text
            with pytest.raises(MCPError, match="budget must be a whole number"):
                await agent.get_prompt("pack-for-task", {"task": "x", "budget": "many"})
            with pytest.raises(MCPError, match="needs task"):
                await agent.get_prompt("pack-for-task", {})

    anyio.run(talk)


def test_a_server_that_reads_offers_and_does_nothing_else(project: Path) -> None:
    async def talk() -> None:
        async with client(project, "--access", "ro", "--tools", "all") as agent:
            names = {tool.name for tool in (await agent.list_tools()).tools}
            assert names == {*map(tool_name, offered(["all"], Access.READ).values())}
            assert "remember" not in names
            with pytest.raises(MCPError, match="access of this server is read"):
                await agent.call_tool("remember", {"key": "k", "value": "v"})
            with pytest.raises(MCPError, match="unknown tool 'rm'; call one of those listed"):
                await agent.call_tool("rm", {})
            with pytest.raises(MCPError, match="unknown tool 'recal'; did you mean memory_recall"):
                await agent.call_tool("recal", {})
            # a call of a tool that is not offered was never one of another tool
            with pytest.raises(
                MCPError, match="'knowledge_purge' is not allowed: the access of this server is read"
            ):
                await agent.call_tool("knowledge_purge", {"confirm": True})

    anyio.run(talk)


def test_a_tool_of_another_toolset_is_known_by_its_name_with_the_group(project: Path) -> None:
    async def talk() -> None:
        async with client(project) as agent:
            with pytest.raises(
                MCPError, match=r"'memory_recall' is not offered: .* without the tools of memory"
            ):
                await agent.call_tool("memory_recall", {"key": "k"})

    anyio.run(talk)


def test_reading_under_a_read_scope_leaves_no_trace_on_memories(project: Path) -> None:
    daypack("remember", "release/cadence", "we release on Thursdays", cwd=project)

    async def talk() -> None:
        async with client(project, "--access", "read", "--tools", "all") as agent:
            await agent.call_tool("recall", {"key": "release/cadence"})
            await agent.call_tool("pack_context", {"topic": "release"})

    anyio.run(talk)
    found = json.loads(daypack("memory", "list", "--json", cwd=project).stdout)["memories"][0]
    assert (found["recalls"], found["accessed_at"]) == (0, None)


def test_an_empty_answer_says_why_and_what_to_try(project: Path) -> None:
    async def talk() -> None:
        async with client(project) as agent:
            answer = await agent.call_tool("pack", {"query": "`NoSuchThingAnywhere`"})
            assert not answer.is_error
            assert "Nothing" in answer.content[0].text
            assert answer.meta["daypack/details"]["empty_reason"]
            wrong = await agent.call_tool("get", {"reference": "docs/none.md"})
            assert wrong.is_error
            assert "`search`" in wrong.content[0].text
            assert wrong.meta["daypack/error"]["code"] == "not_found"

    anyio.run(talk)


def test_a_bad_start_is_told_before_anybody_waits(project: Path) -> None:
    assert (
        "choose from read, write, dangerous"
        in daypack("mcp", "--access", "root", cwd=project, status=2).stderr
    )
    assert (
        "not a toolset; choose from core"
        in daypack("mcp", "--tools", "everything", cwd=project, status=2).stderr
    )
    outside = daypack(
        "mcp", "--root", str(project), "--store", str(project.parent / "pay-twin"), cwd=project, status=2
    ).stderr
    assert "is outside of" in outside
    link = project / "link"
    link.symlink_to(project.parent)
    assert (
        "is outside of"
        in daypack(
            "mcp", "--root", str(project), "--store", str(link / "elsewhere"), cwd=project, status=2
        ).stderr
    )
    assert not (project.parent / "elsewhere").exists()


@pytest.mark.parametrize("command", [("mcp",), ("serve", "--no-open", "--port", "0")], ids=["mcp", "serve"])
def test_a_server_refuses_a_root_that_is_no_folder_and_makes_none(
    project: Path, command: tuple[str, ...]
) -> None:
    for root in ("typo", "README.md"):
        refused = daypack(*command, "--root", root, cwd=project, status=2)
        assert f"--root {project / root} is not a folder" in refused.stderr
    assert not (project / "typo").exists()


def test_another_store_may_be_named_where_it_lies_below_a_root_and_nowhere_else(project: Path) -> None:
    daypack("--store", "app.daypack", "docs", "insert", "teas", '{"_id": 1, "name": "Sencha"}', cwd=project)
    outside = project.parent / "pay-twin"
    daypack("--store", str(outside), "docs", "insert", "teas", '{"_id": 1, "name": "secret"}', cwd=project)
    (project / "link").symlink_to(outside)

    async def talk() -> None:
        async with client(project, "--root", str(project), "--tools", "docs") as agent:
            for path in ("app.daypack", str(project / "app.daypack"), "./app.daypack"):
                found = await agent.call_tool("find", {"collection": "teas", "path": path})
                assert [document["name"] for document in found.structured_content["documents"]] == ["Sencha"]
            for path in (
                "../pay-twin",
                str(outside),
                "link",
                "app.daypack/../../pay-twin",
                "/",
                "..",
                "none",
                "\0",
                "",
            ):
                refused = await agent.call_tool("find", {"collection": "teas", "path": path})
                assert refused.is_error, path
                assert "secret" not in refused.content[0].text
            assert (await agent.call_tool("find", {"collection": "teas"})).is_error, (
                "the server's own store has no such collection"
            )
            await agent.call_tool("insert", {"collection": "teas", "document": {"_id": 2}, "path": "none"})
            for number in range(6):  # more than stay open
                (project / f"s{number}").mkdir()
                daypack("--store", f"s{number}", "docs", "insert", "c", f'{{"_id": {number}}}', cwd=project)
                found = await agent.call_tool("find", {"collection": "c", "path": f"s{number}"})
                assert found.structured_content["documents"] == [{"_id": number}]

    anyio.run(talk)
    assert not (project / "none").exists(), "a path in a question makes no store"


def test_servers_a_watcher_and_the_command_line_share_a_store(project: Path) -> None:
    async def talk() -> None:
        async with client(project) as one, client(project) as other:
            await one.call_tool("status", {})
            (project / "docs" / "foghorn.md").write_text("# Foghorn\n\nThe foghorn sounds twice.\n")
            async with anyio.create_task_group() as tasks:
                for number, agent in enumerate((one, other) * 5):
                    tasks.start_soon(
                        agent.call_tool, "remember", {"key": f"k/{number}", "value": f"value {number}"}
                    )
                    tasks.start_soon(agent.call_tool, "pack", {"query": "refunds", "budget": 300})
            daypack("remember", "k/cli", "from the command line", cwd=project)
            found = await other.call_tool("get", {"reference": "memory:k/cli"})
            assert "from the command line" in found.content[0].text
            assert (
                "sounds twice"
                in (await one.call_tool("pack", {"query": "foghorn", "budget": 300})).content[0].text
            )

    daypack("add", ".", cwd=project)
    watcher = subprocess.Popen(
        command("add", ".", "--watch"),
        cwd=project,
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    try:
        anyio.run(talk)
        watcher.send_signal(signal.SIGINT)
        assert b"Traceback" not in watcher.communicate(timeout=60)[1]
    finally:
        watcher.kill()
        watcher.wait()
    assert len(json.loads(daypack("memory", "list", "--json", cwd=project).stdout)["memories"]) == 11
