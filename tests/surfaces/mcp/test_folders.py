"""Servers in folders that are no project, where some clients start them."""

from __future__ import annotations

from pathlib import Path

import anyio
import pytest
from tool_calls import client


@pytest.mark.parametrize("within", [".", ".."], ids=["the home folder", "the folder around it"])
def test_a_server_around_projects_makes_no_store_that_would_be_theirs(tmp_path: Path, within: str) -> None:
    home = tmp_path / "users/ada"
    shop = home / "shop"
    (shop / ".git").mkdir(parents=True)
    (shop / "refunds.md").write_text("Refunds are retried twice.\n")

    async def talk() -> None:
        async with client(home / within, env={"HOME": str(home)}) as agent:
            for tool, given in (
                ("status", {}),
                ("pack", {"query": "refunds"}),
                ("remember", {"key": "a", "value": "b"}),
            ):
                answer = await agent.call_tool(tool, given)
                assert answer.is_error
                assert "does not look like one project (" in answer.content[0].text
                assert "begin in the folder of a project" in answer.content[0].text
        assert {path.name for path in (*home.iterdir(), *home.parent.iterdir())} == {"shop", "ada"}
        async with client(shop, env={"HOME": str(home)}) as agent:
            packed = await agent.call_tool("pack", {"query": "How are refunds retried?"})
            assert "Refunds are retried twice." in packed.content[0].text

    anyio.run(talk)


def test_a_server_around_projects_makes_the_store_that_a_setting_names_elsewhere(tmp_path: Path) -> None:
    home, store = tmp_path / "home", tmp_path / "notes"
    home.mkdir()

    async def talk() -> None:
        async with client(home, env={"HOME": str(home), "DAYPACK_STORE": str(store)}) as agent:
            assert not (await agent.call_tool("remember", {"key": "a", "value": "b"})).is_error

    anyio.run(talk)
    assert (store / "daypack.db").exists()
    assert not [*home.iterdir()]


def test_a_home_folder_that_is_the_project_is_served_when_it_is_named_as_the_root(tmp_path: Path) -> None:
    app = tmp_path / "app"
    (app / ".git").mkdir(parents=True)
    (app / "refunds.md").write_text("Refunds are retried twice.\n")

    async def talk() -> None:
        async with client(app, "--root", str(app), env={"HOME": str(app)}) as agent:
            packed = await agent.call_tool("pack", {"query": "How are refunds retried?"})
            assert "Refunds are retried twice." in packed.content[0].text
            assert not (await agent.call_tool("remember", {"key": "a", "value": "b"})).is_error

    anyio.run(talk)
    assert (app / ".daypack/daypack.db").exists()


def test_a_folder_without_a_marker_is_not_indexed_because_something_was_remembered_there(
    tmp_path: Path,
) -> None:
    (tmp_path / "diary.md").write_text("Dear diary, the funnel is blue.\n")

    async def talk() -> None:
        async with client(tmp_path) as agent:
            refused = await agent.call_tool("pack", {"query": "Which colour has the funnel?"})
            assert refused.is_error
            assert "no marker such as .git" in refused.content[0].text
            assert not (
                await agent.call_tool("remember", {"key": "mast", "value": "The mast is red."})
            ).is_error
            packed = await agent.call_tool("pack", {"query": "Which colour has the mast?"})
            assert "The mast is red." in packed.content[0].text
            assert "funnel" not in packed.content[0].text

    anyio.run(talk)
