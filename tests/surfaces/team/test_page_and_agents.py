"""The page and the protocol for agents answer a person, too."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from support_team import HELLO, JSON, PORT, Answered, TeamServer, began, called, message, result_of, serving

BASE = f"http://127.0.0.1:{PORT}"
FORM = {"Content_Type": "application/x-www-form-urlencoded", "Authorization": "", "Origin": BASE}


async def entered(server: TeamServer, who: str, project: str = "") -> str:
    """The cookie of a browser that came in with a person's token."""
    body = urlencode({"token": server.tokens[who], "project": project})
    found = await server.request("POST", "/enter", "", body, **FORM)
    assert found.status == 303, found.text
    return found.headers["set-cookie"].split(";")[0]


async def seen(server: TeamServer, cookie: str, path: str) -> Answered:
    return await server.request("GET", path, "", Authorization="", Cookie=cookie)


async def sent(server: TeamServer, cookie: str, form: str, **fields: str) -> Answered:
    return await server.request("POST", form, "", urlencode(fields), **FORM, Cookie=cookie)


VIEWS = (
    "/", "/?q=quokka", "/why?q=quokka", "/pack.json?q=quokka", "/compare?q=quokka", "/export/pack?q=quokka", "/code", "/sessions",
    "/memories", "/memories?key=diary", "/sources", "/documents", "/evaluations", "/store", "/settings", "/get?ref=memory:diary",
)  # fmt: skip


def test_a_browser_sees_the_page_as_its_person(tmp_path: Path) -> None:
    async def look() -> None:
        async with serving(tmp_path / "team") as server:
            mine = {"key": "diary", "value": "the quokkaria sleeps at noon"}
            await server.ask("ana@pay", "remember", mine)
            await server.ask("will", "remember", {"key": "team", "value": "we all like tea", "shared": True})
            ana, ben = await entered(server, "ana", "pay"), await entered(server, "ben")
            assert "quokkaria" in (await seen(server, ana, "/memories?key=diary")).text
            for path in VIEWS:
                found = await seen(server, ben, path)
                assert found.status in (200, 404), (path, found.status)
                assert "quokkaria" not in found.text, path
                assert str(tmp_path) not in found.text or path in ("/store", "/sources"), path
            assert "we all like tea" in (await seen(server, ben, "/memories")).text

    asyncio.run(look())


def test_the_page_of_a_team_says_what_its_members_can_do(tmp_path: Path) -> None:
    async def look() -> None:
        async with serving(tmp_path / "team") as server:
            rita, will = await entered(server, "rita"), await entered(server, "will")
            for who in (rita, will):
                for path in VIEWS:
                    text = (await seen(server, who, path)).text
                    assert "daypack add" not in text, path
                    assert "daypack remember" not in text, path
                    assert "/sources/add" not in text, path
                    assert "of the 0 differ" not in text, path
                assert "A team server reads no files" in (await seen(server, who, "/sources")).text
                assert "A team server reads no files" in (await seen(server, who, "/code")).text
                assert "its administrator" in (await seen(server, who, "/settings")).text
            assert "form below" not in (await seen(server, rita, "/memories")).text
            assert "the form below keeps a text" in (await seen(server, will, "/sources")).text

    asyncio.run(look())


def test_the_page_offers_removal_to_those_who_may_remove(tmp_path: Path) -> None:
    async def look() -> None:
        async with serving(tmp_path / "team") as server:
            will, ana = await entered(server, "will", "pay"), await entered(server, "ana", "pay")
            await sent(server, will, "/sources/label", label="notes/tea", text="we all like tea")
            for who in ("will", "ana@pay"):
                await server.ask(who, "remember", {"key": "diary", "value": "noon"})
            for path, form in (("/sources", "/sources/remove"), ("/memories?key=diary", "/memories/redact")):
                assert form in (await seen(server, ana, path)).text
                assert form not in (await seen(server, will, path)).text

    asyncio.run(look())


def test_forms_hold_the_role_and_the_machine(tmp_path: Path) -> None:
    async def send() -> None:
        async with serving(tmp_path / "team") as server:
            await server.ask("will", "remember", {"key": "mine", "value": "stays"})
            rita, will = await entered(server, "rita"), await entered(server, "will")
            assert (
                await sent(server, rita, "/memories/supersede", key="k", value="v", new="1")
            ).status == 403
            assert (
                await sent(server, will, "/memories/supersede", key="k", value="v", new="1")
            ).status == 303
            assert (await sent(server, will, "/memories/redact", key="k", reason="r")).status == 403
            for path, fields in (("/store/add", {"file": "/etc/passwd"}), ("/sources/add", {"path": "/etc"})):
                assert (await sent(server, will, path, **fields)).status == 403, path
            away = await server.request(
                "POST", "/memories/forget", "", urlencode({"key": "mine"}), Cookie=will, Authorization="",
                Content_Type="application/x-www-form-urlencoded",
            )  # fmt: skip
            assert away.status == 403, "a form of another page"
            settings = (await seen(server, will, "/settings")).text
            assert "DAYPACK_" not in settings

    asyncio.run(send())


def test_a_browser_leaves_with_its_token_and_revokes_its_own_alone(tmp_path: Path) -> None:
    async def look() -> None:
        async with serving(tmp_path / "team") as server:
            ana, ben = await entered(server, "ana", "pay"), await entered(server, "ben")
            (of_ana,) = [
                one.id for one in server.visitors.cookies.values() if one.caller.person.name == "ana"
            ]
            assert of_ana not in (await seen(server, ben, "/settings")).text
            await sent(server, ben, "/settings/revoke", id=of_ana)
            assert (await seen(server, ana, "/memories")).status == 200
            with server.admin() as dp:
                for token in dp.team.tokens():
                    if token.person == "ben":
                        dp.team.revoke_token(token.id)
            assert (await seen(server, ben, "/memories")).status == 401
            wrong = await server.request("POST", "/enter", "", urlencode({"token": "dpk_guess"}), **FORM)
            assert wrong.status == 403
            await sent(server, ana, "/settings/revoke", id=of_ana)
            assert (await seen(server, ana, "/memories")).status == 401

    asyncio.run(look())


# ---------------------------------------------------------------- the protocol


def test_an_agent_is_answered_as_its_person(tmp_path: Path) -> None:
    async def talk(server: TeamServer) -> None:
        ana, ben, rita = [await began(server, who) for who in ("ana@pay", "ben", "rita")]
        done = await called(server, "ana@pay", ana, "remember", key="diary", value="the quokkaria sleeps")
        assert not done.get("isError")
        packed = await called(server, "ana@pay", ana, "pack", query="who sleeps?")
        assert "quokkaria" in packed["content"][0]["text"]
        assert "quokkaria" not in str(
            await called(server, "ben", ben, "pack", query="who sleeps, the quokkaria?", budget=900)
        )
        uri = next(link["uri"] for link in packed["_meta"]["daypack/links"])
        for read in (uri, "memory:diary", "daypack://memories"):
            body = message("resources/read", uri=read)
            found = await server.request("POST", "/mcp", "ben", body, **JSON, Mcp_Session_Id=ben)
            assert "quokkaria" not in found.text, read
            assert "diary" not in found.text or read == "memory:diary", read
        for prompt, own in (("pack-for-task", {"task": "quokka"}), ("resume-session", {})):
            body = message("prompts/get", name=prompt, arguments=own)
            found = await server.request("POST", "/mcp", "ben", body, **JSON, Mcp_Session_Id=ben)
            assert "quokkaria" not in found.text, prompt
        refused = await called(server, "rita", rita, "remember", key="k", value="v")
        assert refused["isError"]
        assert "role_too_low" in str(refused["_meta"])
        listed = result_of(
            await server.request("POST", "/mcp", "rita", message("tools/list"), **JSON, Mcp_Session_Id=rita)
        )
        names = {tool["name"] for tool in listed["tools"]}
        assert "pack" in names
        assert names.isdisjoint({"remember", "forget", "docs_insert", "batch_execute"})

    asyncio.run(with_protocol(tmp_path, talk))


def test_a_session_belongs_to_who_began_it(tmp_path: Path) -> None:
    async def talk(server: TeamServer) -> None:
        session = await began(server, "ana@pay")
        for who in ("ben", "ana@ship"):
            for method, body in (("POST", message("tools/list")), ("GET", ""), ("DELETE", "")):
                found = await server.request(method, "/mcp", who, body, **JSON, Mcp_Session_Id=session)
                assert found.status == 404, (who, method)
        assert (await server.request("POST", "/mcp", "nobody", HELLO, **JSON)).status == 401
        assert not (await called(server, "ana@pay", session, "status")).get("isError")

    asyncio.run(with_protocol(tmp_path, talk))


async def with_protocol(tmp_path: Path, talk: Any) -> None:
    async with serving(tmp_path / "team") as server, server.started():
        await talk(server)


def test_a_tool_that_no_team_server_offers_is_not_said_to_need_another_start(tmp_path: Path) -> None:
    async def ask() -> None:
        async with serving(tmp_path / "team") as server:
            done = await server.ask("ana@pay", "ctx_fetch_and_index", {"url": "https://example.org"})
            assert (done.status, done.data["code"]) == (404, "not_offered")
            assert "reaches beyond the store, which no call of a team server may" in done.text
            assert "--tools" not in done.text

    asyncio.run(ask())
