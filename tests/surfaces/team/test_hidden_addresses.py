"""Members of a team see neither the address of its database nor what the database says; the log of the server may."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from support_team import Answered, TeamServer, serving
from test_page_and_agents import entered, seen

import team_server


def test_members_see_neither_the_database_nor_its_roles(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    if reason := team_server.why_not():
        pytest.skip(reason)

    async def look(server: TeamServer, stop: Callable[[], None], hidden: list[str]) -> None:
        def check(found: Answered, status: int) -> None:
            assert found.status == status, found.text
            for word in hidden:
                assert word not in found.text, found.text

        await server.ask("will", "remember", {"key": "team", "value": "we all like tea", "shared": True})
        cookie = await entered(server, "will")
        check(await seen(server, cookie, "/store"), 200)
        check(await server.ask("will", "status"), 200)
        assert (await server.ask("will", "status")).data["store"] == "pay"
        stop()
        for ask in (server.ask("will", "status"), server.ask("will", "pack", {"query": "tea"})):
            found = await ask
            check(found, 503)
            assert "does not answer; acknowledged writes are safe; ask again later" in found.text
        check(await seen(server, cookie, "/store"), 503)
        health = await server.request("GET", "/health", "", Authorization="")
        check(health, 503)
        assert "daypack doctor" not in health.text
        assert "in the server's log" in health.text

    with team_server.alone() as started:

        async def run() -> None:
            async with serving(tmp_path / "team", url=started.url) as server:
                hidden = ["postgresql://", str(started.port), "pay.", "daypack:", "password"]
                await look(server, started.stop, hidden)
                started.start()  # for the last lines of the log of acts

        asyncio.run(run())
    assert f"127.0.0.1:{started.port}" in caplog.text, "the log has the reason"
