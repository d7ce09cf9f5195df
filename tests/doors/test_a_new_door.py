"""A door that is registered appears on every surface: `notes_door.py` is an example, and nothing else knows it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import anyio
import notes_door
import pytest
from mcp import ClientSession, StdioServerParameters, stdio_client

from daypack import Daypack
from daypack.doors import registry
from daypack.errors import InputError
from daypack.surfaces.toolsets import offered, toolsets
from daypack.verbs import Access
from support import WORDS, environment

NOTES = "The north pump needs a new seal.\n\nOrder seals at the chandlery by Friday.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "notes.txt").write_text(NOTES, encoding="utf-8")
    return tmp_path


@pytest.fixture
def dp(folder: Path) -> Iterator[Daypack]:
    registry.register(notes_door.DOOR)
    try:
        with Daypack.open(folder / ".daypack", settings=WORDS) as opened:
            verbs = offered([notes_door.NAME], Access.WRITE)
            assert verbs["note_add"](opened, {"path": str(folder / "notes.txt")}) == {"added": 2}
            yield opened
    finally:
        registry.unregister(notes_door.NAME)


def test_its_records_are_packed_found_and_cited(dp: Daypack) -> None:
    assert "north pump" in dp.pack("which pump needs a seal?").text
    (found, *_) = dp.search("chandlery", door="notes").candidates
    assert (found.chunk.door, found.chunk.uri) == ("notes", "note:notes.txt/3")
    assert dp.get(found.chunk.reference).text == "Order seals at the chandlery by Friday."
    assert dp.search("chandlery", door="files").candidates == ()


def test_its_check_is_the_doctors(dp: Daypack) -> None:
    assert [check.detail for check in dp.doctor() if check.name == "notes"] == ["0 notes say nothing"]


def test_its_verbs_are_a_toolset_and_its_name_a_choice(dp: Daypack) -> None:
    assert "notes" in toolsets()
    (names,) = (
        one.choices for one in offered(["core"], Access.READ)["search"].parameters if one.name == "in"
    )
    assert "notes" in names
    registry.unregister("notes")
    assert "notes" not in toolsets()
    with pytest.raises(InputError, match="'notes' is not a toolset"):
        offered(["notes"], Access.READ)


def test_two_doors_have_no_name_in_common() -> None:
    with pytest.raises(ValueError, match="'files'"):
        registry.register(notes_door.DOOR._replace(name="files"))


def run(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, notes_door.__file__, *arguments],
        cwd=folder, env=environment(), capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    return done.stdout


def test_the_command_line_knows_it(dp: Daypack, folder: Path) -> None:
    dp.close()
    assert "note:notes.txt/3" in run(folder, "search", "chandlery", "--in", "notes", "--no-refresh")
    assert "notes" in run(folder, "doctor")


def test_an_agent_gets_its_tools(dp: Daypack, folder: Path) -> None:
    dp.close()
    server = StdioServerParameters(
        command=sys.executable,
        args=[notes_door.__file__, "mcp", "--tools", "notes", "--access", "read-write"],
        env=environment(),
        cwd=folder,
    )

    async def talk() -> list[str]:
        async with stdio_client(server) as (read, write), ClientSession(read, write) as agent:
            await agent.initialize()
            return [tool.name for tool in (await agent.list_tools()).tools]

    assert anyio.run(talk) == ["note_add"]
