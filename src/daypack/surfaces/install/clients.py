"""Settings files of clients, with the entries that each expects: one row a client, as data."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from daypack.system import shell_line
from daypack.verbs import Access


class Syntax(enum.StrEnum):
    JSON = "json"
    TOML = "toml"


@dataclass(frozen=True, slots=True)
class Place:
    """A settings file, and the object in it that names servers or hooks."""

    file: PurePosixPath
    path: tuple[str, ...]
    syntax: Syntax = Syntax.JSON
    on: Mapping[str, PurePosixPath] = field(default_factory=dict)  # other files, by `sys.platform`
    folder_variable: str = ""  # where the client's users set it, the file stands in that folder


@dataclass(frozen=True, slots=True)
class Client:
    """Settings files of a client: a project's below its root, a person's below the home folder."""

    name: str
    title: str
    project: Place | None
    user: Place | None
    project_hooks: Place | None = None
    user_hooks: Place | None = None
    fixed: Mapping[str, Any] = field(default_factory=dict)  # the client's own members of an entry
    root: str = ""  # the client's variable for the open folder, when it starts servers elsewhere
    hooks: Mapping[str, str] = field(default_factory=dict)  # its event → the command to run
    nested_hooks: bool = True  # True: a hook is {"hooks": [{…}]}; False: the command itself
    hook_file: Mapping[str, Any] = field(default_factory=dict)  # further members that its hook file must have


def _json(file: str, *path: str, **more: Any) -> Place:
    return Place(PurePosixPath(file), path, **more)


_CODE_USER = {
    "darwin": PurePosixPath("Library/Application Support/Code/User/mcp.json"),
    "win32": PurePosixPath("AppData/Roaming/Code/User/mcp.json"),
}
SYSTEM_FOLDERS = {"linux": {".config": "XDG_CONFIG_HOME"}, "win32": {"AppData/Roaming": "APPDATA"}}
"""Folders below the home folder that a variable moves, by `sys.platform`."""


def user_file(place: Place, home: Path, *, platform: str, variables: Mapping[str, str]) -> Path:
    """The file of a person's settings on `platform`, as `sys.platform` names it."""
    file = place.on.get(platform, place.file)
    if folder := variables.get(place.folder_variable):
        return Path(folder) / file.name
    for below, variable in SYSTEM_FOLDERS.get(platform, {}).items():
        if file.is_relative_to(below) and (folder := variables.get(variable)):
            return Path(folder) / file.relative_to(below)
    return home / file


CAPTURE = "session capture"
RESUME = "session resume --budget 800"

HOOK_SECONDS = 10  # seconds, as clients measure them


def _events(first: str, *others: str) -> dict[str, str]:
    """The commands for each event of a client: the first resumes a session, the others are captured."""
    return {first: RESUME, **dict.fromkeys(others, CAPTURE)}


_EVENTS = _events("SessionStart", "UserPromptSubmit", "PostToolUse", "PreCompact", "Stop", "SessionEnd")

CLIENTS = {
    client.name: client
    for client in (
        Client(
            "claude-code",
            "Claude Code",
            _json(".mcp.json", "mcpServers"),
            _json(".claude.json", "mcpServers", folder_variable="CLAUDE_CONFIG_DIR"),
            _json(".claude/settings.json", "hooks"),
            _json(".claude/settings.json", "hooks", folder_variable="CLAUDE_CONFIG_DIR"),
            hooks=_EVENTS,
        ),
        Client(
            "codex",
            "Codex",
            Place(PurePosixPath(".codex/config.toml"), ("mcp_servers",), Syntax.TOML),
            Place(
                PurePosixPath(".codex/config.toml"),
                ("mcp_servers",),
                Syntax.TOML,
                folder_variable="CODEX_HOME",
            ),
            _json(".codex/hooks.json", "hooks"),
            _json(".codex/hooks.json", "hooks", folder_variable="CODEX_HOME"),
            hooks=_EVENTS,
        ),
        Client(
            "cursor",
            "Cursor",
            _json(".cursor/mcp.json", "mcpServers"),
            _json(".cursor/mcp.json", "mcpServers"),
            _json(".cursor/hooks.json", "hooks"),
            _json(".cursor/hooks.json", "hooks"),
            root="${workspaceFolder}",
            hooks=_events(
                "sessionStart", "beforeSubmitPrompt", "afterFileEdit", "afterShellExecution", "stop"
            ),
            nested_hooks=False,
            hook_file={"version": 1},
        ),
        Client(
            "gemini",
            "Gemini CLI",
            _json(".gemini/settings.json", "mcpServers"),
            _json(".gemini/settings.json", "mcpServers"),
            _json(".gemini/settings.json", "hooks"),
            _json(".gemini/settings.json", "hooks"),
            hooks=_events("SessionStart", "BeforeAgent", "AfterTool", "PreCompress", "SessionEnd"),
        ),
        Client(
            "vscode",
            "VS Code",
            _json(".vscode/mcp.json", "servers"),
            _json(".config/Code/User/mcp.json", "servers", on=_CODE_USER),
            fixed={"type": "stdio"},
            root="${workspaceFolder}",
        ),
    )
}
"""Clients by name. Hooks of VS Code are those of the agent that runs in it."""


def entry(
    client: Client, command: tuple[str, ...], *, access: Access, tools: tuple[str, ...]
) -> dict[str, Any]:
    """The server as the client's settings describe it; `command` starts Daypack."""
    arguments = [*command[1:], "mcp"]
    if client.root:
        arguments += ["--root", client.root]
    if access is not Access.WRITE:
        arguments += ["--access", access]
    for name in tools:
        arguments += ["--tools", name]
    return {**client.fixed, "command": command[0], "args": arguments}


def hook(client: Client, command: tuple[str, ...], run: str) -> dict[str, Any]:
    """A hook as the client's settings describe it; a shell runs it."""
    line = f"{shell_line(command)} {run}"
    if not client.nested_hooks:
        return {"command": line}
    return {"hooks": [{"type": "command", "command": line, "timeout": HOOK_SECONDS}]}
