"""`daypack install`, run again, changes nothing that is right: options that are not given stay as they are."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from installed import Run

from daypack.surfaces.install import jsonc
from daypack.surfaces.install.clients import CLIENTS
from daypack.surfaces.install.contracts import Syntax, started_by

IN_PROJECT = [name for name, client in CLIENTS.items() if client.project]


def entry_of(name: str, project: Path) -> dict[str, Any]:
    place = CLIENTS[name].project
    assert place is not None
    text = (project / place.file).read_text()
    data = tomllib.loads(text) if place.syntax is Syntax.TOML else json.loads(text)
    return dict(data[place.path[0]]["daypack"])


@pytest.mark.parametrize("name", IN_PROJECT)
def test_access_and_tools_stay_until_they_are_given_anew(
    name: str, folders: tuple[Path, Path], run: Run
) -> None:
    install = ["install", "--client", name]
    run([*install, "--access", "read", "--tools", "memory"])
    first = started_by(entry_of(name, folders[0]))
    assert first[-6:] == ["--access", "read", "--tools", "core", "--tools", "memory"]
    assert "nothing was changed" in run(install)
    assert "nothing was changed" in run([*install, "--tools", "memory"])
    run([*install, "--access", "write"])
    assert started_by(entry_of(name, folders[0])) == [*first[:-6], *first[-4:]]
    run([*install, "--tools", "core", "--access", "dangerous"])
    assert started_by(entry_of(name, folders[0])) == [
        *first[:-6], "--access", "dangerous", "--tools", "core"
    ]  # fmt: skip


@pytest.mark.parametrize("name", IN_PROJECT)
def test_members_that_the_owner_added_stay(name: str, folders: tuple[Path, Path], run: Run) -> None:
    project, place = folders[0], CLIENTS[name].project
    assert place is not None
    run(["install", "--client", name])
    file = project / place.file
    path = (*place.path, "daypack")
    if place.syntax is Syntax.TOML:
        file.write_text(file.read_text() + 'tool_timeout_sec = 90\n\n[mcp_servers.daypack.env]\nA = "1"\n')
    else:
        text = jsonc.put(file.read_text(), (*path, "alwaysAllow"), ["pack"])
        file.write_text(jsonc.put(text, (*path, "env"), {"A": "1"}))
    before, entry = file.read_text(), entry_of(name, project)
    assert "nothing was changed" in run(["install", "--client", name])
    run(["install", "--client", name, "--access", "read"])
    assert entry_of(name, project)["env"] == {"A": "1"}
    assert {*entry_of(name, project)} == {*entry}
    run(["install", "--client", name, "--access", "write"])
    assert file.read_text() == before


def test_an_option_that_was_written_by_hand_stays(folders: tuple[Path, Path], run: Run) -> None:
    file = folders[0] / ".mcp.json"
    words = [
        "--profile",
        "x",
        "--access=read",
        "--no-session",
        "mcp",
        "--root=/a",
        "--access=read",
        "--owner",
        "ann",
    ]
    file.write_text(json.dumps({"mcpServers": {"daypack": {"command": "old/daypack", "args": words}}}))
    run(["install", "--client", "claude-code"])
    found = started_by(entry_of("claude-code", folders[0]))
    assert found[-4:] == ["--root=/a", "--access=read", "--owner", "ann"]
    assert "old/daypack" not in found
    run(["install", "--client", "claude-code", "--access", "dangerous"])
    assert started_by(entry_of("claude-code", folders[0]))[-5:] == [
        "--root=/a", "--owner", "ann", "--access", "dangerous"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        (
            "daypack --store /srv/team/.daypack mcp --access read",
            "--store /srv/team/.daypack mcp --access read",
        ),
        ("daypack --store /srv/daypack mcp", "--store /srv/daypack mcp"),
        ("uvx --with mcp daypack mcp --access read", "mcp --access read"),
        ("uvx --from daypack daypack mcp --access read", "mcp --access read"),
        ("python -m daypack --store /a mcp", "--store /a mcp"),
    ],
)
def test_options_before_mcp_stay_and_those_of_a_starter_go(
    words: str, kept: str, folders: tuple[Path, Path], run: Run
) -> None:
    run(["install", "--client", "claude-code"])
    ours = started_by(entry_of("claude-code", folders[0]))
    file = folders[0] / ".mcp.json"
    command, *arguments = words.split()
    file.write_text(json.dumps({"mcpServers": {"daypack": {"command": command, "args": arguments}}}))
    run(["install", "--client", "claude-code"])
    found = started_by(entry_of("claude-code", folders[0]))
    plain = ours[: ours.index("mcp")]
    assert found[: len(plain)] == plain
    rest = [word for word in found[len(plain) :] if word not in ours or word == "mcp"]
    assert rest == kept.split()


def test_a_server_with_an_address_gives_way_as_a_whole(folders: tuple[Path, Path], run: Run) -> None:
    for file, text in (
        (".mcp.json", '{"mcpServers": {"daypack": {"type": "http", "url": "http://localhost:8377/mcp"}}}'),
        (".codex/config.toml", '[mcp_servers.daypack]\nurl = "http://localhost:8377/mcp"\n'),
    ):
        (folders[0] / file).parent.mkdir(exist_ok=True)
        (folders[0] / file).write_text(text)
    for name in ("claude-code", "codex"):
        run(["install", "--client", name])
        assert {*entry_of(name, folders[0])} == {"command", "args"}


def test_hooks_and_packs_and_a_missing_skill_stay_as_they_are(folders: tuple[Path, Path], run: Run) -> None:
    project = folders[0]
    for client in ("claude-code", "codex"):
        install = ["install", "--client", client]
        run([*install, "--packs", "--no-skill"])
        assert "nothing was changed" in run(install)
        assert "nothing was changed" in run([*install, "--hooks"])
    assert not [*project.rglob("SKILL.md")]
    hooks = project / ".claude/settings.json"
    text = hooks.read_text()
    hooks.write_text(text.replace("daypack session", "/old/bin/daypack session"))
    run(["install", "--client", "claude-code"])
    assert hooks.read_text() == text


def test_the_hook_scripts_of_cline_follow_the_program(folders: tuple[Path, Path], run: Run) -> None:
    script = folders[1] / "Documents/Cline/Hooks/UserPromptSubmit"
    install = ["install", "--client", "cline", "--user"]
    run([*install, "--packs"])
    text = script.read_text()
    assert " --packs" in text
    lines = text.split("\n")
    script.write_text("\n".join([*lines[:2], "/old/daypack session answer cline --packs", *lines[3:]]))
    run(install)
    assert script.read_text() == text
