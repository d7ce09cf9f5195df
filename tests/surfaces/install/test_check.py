"""`daypack install` says that an agent can use Daypack only after it has started the server as the agent will."""

from __future__ import annotations

import os
import sys
from pathlib import Path, PurePosixPath

import pytest

from daypack.surfaces.install import check
from daypack.surfaces.install.check import ServerFails, client_environment, tools_of
from daypack.surfaces.install.clients import CLIENTS
from daypack.surfaces.install.contracts import user_file
from support import daypack, environment, project

PLAIN = {"PATH": os.defpath}


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    return project(tmp_path / "shop", {"notes.md": "# Refunds\n\nA refund is retried three times.\n"})


def started(tmp_path: Path, program: str, *, seconds: float = 60) -> list[str]:
    """The tools of a server that runs `program`."""
    server = {"command": sys.executable, "args": ["-c", program]}
    return tools_of("Claude Code", server, folder=tmp_path, environment=PLAIN, seconds=seconds)


def test_a_server_that_was_installed_is_started_as_the_client_will_and_its_tools_are_counted(
    shop: Path,
) -> None:
    home = str(shop.parent / "home")
    done = daypack("install", "--client", "claude-code", "--user", cwd=shop, env=environment(HOME=home))
    assert "works: Claude Code starts Daypack and gets 6 tools" in done.stdout
    assert not (shop / ".daypack").exists()
    command = done.stdout.split('"command": "')[1].split('"')[0]
    assert Path(command).is_absolute()


def test_a_server_that_cannot_start_is_named_with_its_reason_and_exit_status_1(shop: Path) -> None:
    home = str(shop.parent / "home")
    done = daypack(
        "install", "--client", "cursor", cwd=shop, status=1, env=environment(HOME=home, DAYPACK_BUDGET="many")
    )
    assert "works:" not in done.stdout
    assert "daypack: Cursor cannot use Daypack yet: `" in done.stderr
    assert "ended with status 2" in done.stderr
    assert "in a terminal to see more" in done.stderr


ANSWERS = "import sys; sys.stdin.readline(); print({!r}, flush=True); sys.stdin.read()"


@pytest.mark.parametrize(
    ("program", "why"),
    [
        ("import sys; sys.exit('no model')", "does not answer and ended with status 1 (no model)"),
        ("import time; time.sleep(60)", "does not answer in time"),
        (ANSWERS.format("Welcome!"), "prints b'Welcome!' where messages are expected"),
        (
            ANSWERS.format('{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}'),
            'answers with an error ({"code": -1, "message": "no"})',
        ),
        (ANSWERS.format('{"id":1,"result":{}}\n{"id":2,"result":{"tools":[]}}'), "lists no tools"),
    ],
)
def test_each_way_to_fail_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, why: str
) -> None:
    seconds = 60.0
    if "sleep" in program:
        seconds = 1.0
        monkeypatch.setattr(check, "_END_SECONDS", 0.1)  # until a server that stays is killed
    with pytest.raises(ServerFails) as failed:
        started(tmp_path, program, seconds=seconds)
    assert why in str(failed.value)
    assert "\n" not in str(failed.value)


def test_a_command_that_only_an_activated_environment_finds_is_not_found(tmp_path: Path) -> None:
    folder = tmp_path / "venv" / "bin"
    folder.mkdir(parents=True)
    (folder / "daypack").write_text("#!/bin/sh\n")
    (folder / "daypack").chmod(0o755)
    variables = {
        "PATH": os.pathsep.join((str(folder), os.defpath)),
        "VIRTUAL_ENV": str(tmp_path / "venv"),
        "PYTHONPATH": "/src",
        "HOME": "/home/ada",
    }
    seen = client_environment(variables)
    assert seen == {"PATH": os.defpath, "HOME": "/home/ada"}
    with pytest.raises(ServerFails, match="there is no command daypack on its PATH"):
        tools_of("Codex", {"command": "daypack", "args": ["mcp"]}, folder=tmp_path, environment=seen)


HOME = {
    "claude-code": ".claude.json",
    "cline": ".cline/data/settings/cline_mcp_settings.json",
    "codex": ".codex/config.toml",
    "copilot": ".copilot/mcp-config.json",
    "cursor": ".cursor/mcp.json",
    "gemini": ".gemini/settings.json",
    "opencode": ".config/opencode/opencode.json",
    "windsurf": ".codeium/windsurf/mcp_config.json",
}
ELSEWHERE = {
    "claude-desktop": {
        "linux": ".config/Claude/claude_desktop_config.json",
        "darwin": "Library/Application Support/Claude/claude_desktop_config.json",
        "win32": "AppData/Roaming/Claude/claude_desktop_config.json",
    },
    "vscode": {
        "linux": ".config/Code/User/mcp.json",
        "darwin": "Library/Application Support/Code/User/mcp.json",
        "win32": "AppData/Roaming/Code/User/mcp.json",
    },
    "zed": {
        "linux": ".config/zed/settings.json",
        "darwin": ".config/zed/settings.json",
        "win32": "AppData/Roaming/Zed/settings.json",
    },
}


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_settings_of_a_person_stand_where_each_client_documents_them(platform: str) -> None:
    home = Path("/home/ada")
    found = {}
    for name, client in CLIENTS.items():
        assert client.user is not None
        found[name] = user_file(client.user, home, platform=platform, variables={})
    elsewhere = {name: files[platform] for name, files in ELSEWHERE.items()}
    assert found == {name: home / file for name, file in {**HOME, **elsewhere}.items()}


@pytest.mark.parametrize(
    ("name", "platform", "variables", "file"),
    [
        ("claude-code", "darwin", {"CLAUDE_CONFIG_DIR": "/c"}, "/c/.claude.json"),
        ("codex", "linux", {"CODEX_HOME": "/c"}, "/c/config.toml"),
        ("vscode", "linux", {"XDG_CONFIG_HOME": "/x"}, "/x/Code/User/mcp.json"),
        ("vscode", "win32", {"APPDATA": "/r"}, "/r/Code/User/mcp.json"),
        ("vscode", "darwin", {"APPDATA": "/r"}, "/h/Library/Application Support/Code/User/mcp.json"),
    ],
)
def test_variables_move_the_settings_of_a_person(
    name: str, platform: str, variables: dict[str, str], file: str
) -> None:
    place = CLIENTS[name].user
    assert place is not None
    assert user_file(place, Path("/h"), platform=platform, variables=variables) == Path(file)


def test_the_files_of_a_project_are_the_same_everywhere() -> None:
    for client in CLIENTS.values():
        if client.project is None:
            assert client.names_project
            continue
        assert not client.project.on
        assert not PurePosixPath(client.project.file).is_absolute()
