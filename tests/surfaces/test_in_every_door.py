"""`in` reaches every door, over MCP and REST as in Python."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from urllib.parse import urlencode

import pytest
from mcp.client import Client
from starlette.requests import Request

from daypack import Daypack
from daypack.doors.registry import door_names
from daypack.doors.sources.types import SourceDraft
from daypack.surfaces.host import Host
from daypack.surfaces.http import rest
from daypack.surfaces.mcp.server import make_server
from every_door import fill
from support import WORDS

ASKED = {
    "files": "at how many degrees does the kettle boil?", "records": "the harbour ferry", "memories": "when do we deploy?",
    "sessions": "deploy the harbour", "knowledge": "retry budget", "code": "boil a kettle", "docs": "Sencha",
    "sources": "when does the harbour ferry leave?",
}  # fmt: skip
SAID = {
    "files": "The kettle boils at 97 degrees.",
    "records": "is about the harbour ferry",
    "memories": "We deploy on Tuesdays",
    "sessions": "deploy the harbour",
    "knowledge": "The retry budget is ten percent.",
    "code": "def boil(kettle)",
    "docs": "Sencha",
    "sources": "The ferry leaves the harbour at nine.",
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("doors")
    with Daypack.open(root / ".daypack", settings=WORDS, root=root) as dp:
        fill(dp)
        dp.sources.ingest(SourceDraft(SAID["sources"], "research_finding", source_key="harbour"))
    return root


def test_every_door_has_a_text_here() -> None:
    assert {*SAID} == {*ASKED} == {*door_names()}


@pytest.mark.parametrize("door", [*SAID])
def test_a_pack_is_made_of_the_doors_that_are_named(store: Path, door: str) -> None:
    def opened() -> Daypack:
        return Daypack.open(store / ".daypack", settings=WORDS, root=store)

    with opened() as dp:
        wanted = dp.pack(ASKED[door], budget=900, door=[door], after="").text
    assert SAID[door] in wanted
    assert not [
        other for other, said in SAID.items() if other not in (door, "code", "files") and said in wanted
    ]
    host = Host(opened, embeds=False)
    given = {"query": ASKED[door], "budget": 900, "in": [door]}
    [route] = [one for one in rest.routes(host, rest.described(host, version="1")) if one.path == "/v1/pack"]
    query = urlencode(given, doseq=True).encode()
    scope = {"type": "http", "method": "GET", "path": "/v1/pack", "query_string": query, "headers": []}

    async def talk() -> tuple[str, str]:
        async with Client(make_server(host, version="test")) as agent:
            told = (await agent.call_tool("pack", given)).content[0].text
        return told, json.loads((await route.endpoint(Request(scope))).body)["text"]

    assert asyncio.run(talk()) == (wanted, wanted)
    host.close()
