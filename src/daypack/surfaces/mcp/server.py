"""Tools, resources and prompts of the Model Context Protocol, made from the table of verbs.

Text is sent once, as text: a pack is in `content`, its facts for programs in `_meta["daypack/details"]`, and links to its
resources in `_meta["daypack/links"]`. It is not in `structuredContent`, because clients give that to their models *instead
of* the text (docs/decisions/009-what-a-tool-sends.md). Data is sent as data, with its schema.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Collection, Mapping
from typing import Any

from daypack.errors import DaypackError, InputError
from daypack.guard.fences import one_line
from daypack.shapes import answers
from daypack.surfaces.failures import Failure, failure_of
from daypack.surfaces.host import Host, NotOffered
from daypack.surfaces.mcp import bounds, sdk
from daypack.surfaces.mcp.groups import TOOLS, Catalogue, title_of
from daypack.surfaces.mcp.sdk import Session
from daypack.surfaces.team.seats import Seats
from daypack.surfaces.workers import seldom
from daypack.text.checks import check_names
from daypack.verbs import Access, Answer, Verb
from daypack.verbs.results import outline

Wire = dict[str, Any]  # as JSON on the wire

DETAILS = "daypack/details"
LINKS = "daypack/links"
ERROR = "daypack/error"
_ABOUT = "Daypack knows this project's code, documents and memories."
_FIRST = (
    "Call `{}` with the task in full words before you read files one by one; cite what it says as path:lines."
)
_FURTHER = (
    (("search", "get"), "`search` and `get` look closer."),
    (("remember",), "`remember` what later tasks should know."),
)


def make_server(hosts: Host | Seats, *, version: str) -> Any:
    """A server of the SDK for any transport. Its lists do not depend on the stored texts."""
    catalogue = Catalogue(hosts.verbs, hosts.toolsets)

    async def list_tools(params: Wire, session: Session) -> Wire:
        own = catalogue.offered(hosts.of(session.scope).verbs)
        tools = [_tool(name, verb, catalogue) for name, verb in catalogue.tools().items() if name in own]
        return {"tools": [*tools, *([catalogue.loader()] if catalogue.on_demand else [])]}

    async def call_tool(params: Wire, session: Session) -> Wire:
        name, arguments = params["name"], params.get("arguments") or {}
        if name == TOOLS and catalogue.on_demand:
            return await _loaded(catalogue, session, arguments)
        return await _called(hosts.of(session.scope), session, catalogue, name, arguments)

    async def list_resources(params: Wire, session: Session) -> Wire:
        return {"resources": _resources(hosts)}

    async def list_templates(params: Wire, session: Session) -> Wire:
        return {"resourceTemplates": _templates(hosts)}

    async def read_resource(params: Wire, session: Session) -> Wire:
        uri = str(params["uri"])
        host = hosts.of(session.scope)
        async with host.act("resources/read", Access.READ):
            mime_type, text = await _resource(host, catalogue, uri, session.conversation)
        return {"contents": [{"uri": uri, "mimeType": mime_type, "text": text}]}

    async def list_prompts(params: Wire, session: Session) -> Wire:
        return {"prompts": PROMPTS}

    async def get_prompt(params: Wire, session: Session) -> Wire:
        host = hosts.of(session.scope)
        async with host.act("prompts/get", Access.READ):
            name, arguments = params["name"], params.get("arguments") or {}
            return await _prompt(host, catalogue, name, arguments, session.conversation)

    async def complete(params: Wire, session: Session) -> Wire:
        return await _completion(hosts.of(session.scope), params, session.conversation)

    return sdk.server(
        "daypack",
        {
            "tools/list": list_tools,
            "tools/call": call_tool,
            "resources/list": list_resources,
            "resources/templates/list": list_templates,
            "resources/read": read_resource,
            "prompts/list": list_prompts,
            "prompts/get": get_prompt,
            "completion/complete": complete,
        },
        version=version,
        title="Daypack",
        instructions=_instructions(catalogue.tools()),
    )


def _instructions(tools: Collection[str]) -> str:
    """Advice to an agent that names listed tools only."""
    first = [_FIRST.format(name) for name in ("pack", "code_pack") if name in tools][:1]
    further = [sentence for names, sentence in _FURTHER if all(name in tools for name in names)]
    return " ".join([_ABOUT, *first, *further])


# ---------------------------------------------------------------- tools


def _tool(name: str, verb: Verb, catalogue: Catalogue) -> Wire:
    schema = verb.schema()
    inputs = {
        one: facts | {"description": catalogue.spoken(facts["description"])}
        if "description" in facts
        else facts
        for one, facts in schema["properties"].items()
    }
    reads = verb.access is Access.READ
    # Two hints say nothing of a tool that only reads, and a hint that is not sent costs no tokens.
    writes = {"destructiveHint": verb.destructive, "idempotentHint": verb.idempotent}
    hints = {"readOnlyHint": reads, **({} if reads else writes), "openWorldHint": verb.fetches}
    return {
        "name": name,
        "title": title_of(verb),
        "description": catalogue.spoken(verb.about),
        "inputSchema": {**schema, "properties": inputs},
        **({"outputSchema": outline(verb.result)} if verb.result else {}),
        "annotations": hints,
    }


async def _loaded(catalogue: Catalogue, session: Session, arguments: Wire) -> Wire:
    """List a group of tools from now on, by its name or for a task, and tell the client."""
    task, group = arguments.get("task"), arguments.get("group")
    try:
        check_names(TOOLS, arguments, catalogue.loader()["inputSchema"]["properties"])
        if task is None and group is None:
            raise InputError(f"{TOOLS} needs task or group")
        if group is None:
            if not isinstance(task, str):
                raise InputError(f"task must be a string, not {one_line(json.dumps(task), 60)}")
            text = await asyncio.to_thread(catalogue.load_for, task)
        else:
            text = catalogue.load(group)
    except InputError as error:
        return _failed(failure_of(error, TOOLS))
    await session.tools_changed()
    return {"content": [_text(text)]}


async def _called(
    host: Host, session: Session, catalogue: Catalogue, name: str, arguments: dict[str, Any]
) -> Wire:
    verb, tools = catalogue.verb(name), catalogue.offered(host.verbs)
    loop = asyncio.get_running_loop()

    def report(done: int, total: int) -> None:  # on the thread of the store
        asyncio.run_coroutine_threadsafe(session.report(done, total), loop)

    try:
        answer = await host.call(verb, arguments, conversation=session.conversation, progress=seldom(report))
    except NotOffered:
        raise sdk.refusal(host.why_not(verb, tools, called=name)) from None
    except Exception as error:
        return _failed(failure_of(error, catalogue.name_of(verb), tools))
    asked = host.verbs[verb]
    answer = bounds.bounded_answer(asked.for_agent(answer), asked, arguments)
    if isinstance(answer, Answer):
        links = {LINKS: found} if (found := _links(answer.details)) else {}
        # A budget without room for an item has none for the next step: the hint is outside of the text that counts.
        said = [answer.text, *filter(None, [answer.details.get("hint")])]
        content = [_text(part) for part in said if part] or [_text("")]
        return {"content": content, "_meta": {DETAILS: dict(answer.details), **links}}
    text = json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
    return {"content": [_text(text)], "structuredContent": answer}


def _links(details: Mapping[str, Any]) -> list[Wire]:
    """Links to a pack and to the chunks that it cites; none for other answers."""
    if "pack" not in details:
        return []
    rows = [("pack", details["pack"], f"Pack {details['pack']}", _MARKDOWN)]
    rows += [("chunk", one["ids"][0], one["reference"], _PLAIN) for one in details["citations"] if one["ids"]]
    return [
        {"type": "resource_link", "uri": f"daypack://{kind}/{name}", "name": title, "mimeType": mime_type}
        for kind, name, title, mime_type in rows
    ]


def _text(text: str) -> Wire:
    return {"type": "text", "text": text}


def _failed(failure: Failure) -> Wire:
    """An error as a result, so that the model reads what to do next."""
    return {"content": [_text(failure.message)], "isError": True, "_meta": {ERROR: {"code": failure.code}}}


# ---------------------------------------------------------------- resources

_MARKDOWN, _PLAIN, _JSON = "text/markdown", "text/plain", "application/json"


def _templates(host: Host | Seats) -> list[Wire]:
    memory = ("memory", "memory:{+key}", "One memory, by its key.", _JSON)
    rows = (
        ("chunk", "daypack://chunk/{id}", "One indexed part, by its id.", _PLAIN),
        ("record", "daypack://record/{id}", "One whole text, by its id.", _PLAIN),
        ("pack", "daypack://pack/{id}", "A recent pack.", _MARKDOWN),
        *((memory,) if _has_memories(host) else ()),
    )
    return [
        {"name": name, "uriTemplate": uri, "description": about, "mimeType": mime_type}
        for name, uri, about, mime_type in rows
    ]


def _resources(host: Host | Seats) -> list[Wire]:
    if not _has_memories(host):
        return []
    about = "All keys, with tags."
    return [{"name": "memories", "uri": "daypack://memories", "description": about, "mimeType": _JSON}]


def _has_memories(host: Host | Seats) -> bool:
    return any(verb.toolset == "memory" for verb in host.verbs.values())


async def _resource(host: Host, catalogue: Catalogue, uri: str, conversation: str) -> tuple[str, str]:
    """(MIME type, text) of a resource. Raises the error of `sdk.refusal`."""
    kind, _, name = uri.removeprefix("daypack://").partition("/")
    try:
        if uri.startswith("daypack://"):
            if kind in ("chunk", "record") and name.isascii() and name.isdigit() and len(name) <= 18:
                found = await (host.chunk if kind == "chunk" else host.record)(int(name), conversation)
                return _PLAIN, answers.paged(found, 1)[0]
            if kind == "pack" and (text := host.pack_text(name, conversation)) is not None:
                return _MARKDOWN, text
            if kind == "memories" and not name and _has_memories(host):
                from daypack.doors.memories.verbs import memory_index

                keys = await host.run(lambda daypack, _: memory_index(daypack), conversation=conversation)
                return _JSON, _as_json(keys, catalogue)
        elif uri.startswith("memory:") and _has_memories(host):
            from daypack.doors.memories.verbs import memory_resource

            data = await host.run(lambda daypack, _: memory_resource(daypack, uri), conversation=conversation)
            return _JSON, _as_json(data, catalogue)
    except DaypackError as error:
        raise sdk.refusal(failure_of(error, "get", catalogue.offered(host.verbs)).message) from None
    raise sdk.refusal(f"unknown resource {one_line(repr(uri), 120)}")


def _as_json(data: dict[str, Any], catalogue: Catalogue) -> str:
    more = (
        f"`{catalogue.name_of('list_memories')}` lists them in pages, and `get` reads a long value in pages"
    )
    return json.dumps(bounds.bounded_data(data, bounds.MOST_CHARACTERS, more))


# ---------------------------------------------------------------- prompts

PROMPTS: list[Wire] = [
    {
        "name": "pack-for-task",
        "description": "Context for a task from this project, cited, within a token budget.",
        "arguments": [
            {"name": "task", "description": "The task in full words.", "required": True},
            {"name": "budget", "description": "Tokens. Default 4000."},
        ],
    },
    {
        "name": "resume-session",
        "description": "The state of earlier work here: last request, decisions, constraints, open tasks, errors.",
        "arguments": [{"name": "budget", "description": "Tokens. Default 800."}],
    },
]


async def _prompt(
    host: Host, catalogue: Catalogue, name: str, arguments: dict[str, str], conversation: str
) -> Wire:
    known = next((prompt for prompt in PROMPTS if prompt["name"] == name), None)
    if known is None:
        raise sdk.refusal(
            f"unknown prompt {one_line(repr(name), 60)}; choose from pack-for-task, resume-session"
        )
    try:
        if name == "pack-for-task":
            task = arguments.get("task", "")
            if not task.strip():
                raise InputError("pack-for-task needs task: describe the task in full words")
            text = await _pack_text(host, task, arguments.get("budget") or "4000", conversation)
            opening = f"Do this task: {one_line(task, 2000)}\n\nWhat the project says about it, to be cited as path:lines:\n\n"
        else:
            budget = _budget(arguments.get("budget") or "800")
            text = await host.run(
                lambda daypack, _: daypack.sessions.resume(budget=budget).text, conversation=conversation
            )
            opening = "Go on where earlier work here stood. Known facts:\n\n"
    except DaypackError as error:
        raise sdk.refusal(failure_of(error, name, catalogue.offered(host.verbs)).message) from None
    message = {"role": "user", "content": _text(opening + text)}
    return {"description": known["description"], "messages": [message]}


def _budget(text: str) -> int:
    if not text.strip().isdigit():
        raise InputError(f"budget must be a whole number of tokens, not {one_line(repr(text), 40)}")
    return int(text)


async def _pack_text(host: Host, query: str, budget: str, conversation: str) -> str:
    given = {"query": query, "budget": _budget(budget)}
    answer = await host.call("pack", given, conversation=conversation)
    assert isinstance(answer, Answer)
    return answer.text


# ---------------------------------------------------------------- completions

MOST_COMPLETIONS = 100  # the protocol's bound of an answer
BUDGETS = ("500", "800", "1000", "2000", "4000", "8000", "16000")


async def _completion(host: Host, params: Wire, conversation: str) -> Wire:
    """The values of an argument that begin with its text; none for an argument that has no known values."""
    ref, argument = params["ref"], params["argument"]
    begun = str(argument["value"])
    values: list[str] = []
    match ref.get("uri") or ref["type"], argument["name"]:
        case "ref/prompt", "budget":
            values = [*BUDGETS]
        case "daypack://pack/{id}", "id":
            values = host.pack_ids()
        case "memory:{+key}", "key" if _has_memories(host):
            from daypack.doors.memories.verbs import memory_index

            index = await host.run(lambda daypack, _: memory_index(daypack), conversation=conversation)
            values = [memory["key"] for memory in index["memories"]]
    found = [value for value in values if value.startswith(begun)]
    shown = found[:MOST_COMPLETIONS]
    return {"completion": {"values": shown, "total": len(found), "hasMore": len(shown) < len(found)}}
