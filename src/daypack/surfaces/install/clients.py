"""The known clients as data, one row per client. `docs/how-to/agents/hooks.md` names the pages that document them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from daypack.surfaces.install.contracts import Client, HookForm, Hooks, SettingsPlace, Syntax

CAPTURE = "session capture"
ANSWER = "session answer"


def _json(file: str, *path: str, **more: Any) -> SettingsPlace:
    return SettingsPlace(PurePosixPath(file), path, **more)


def _toml(file: str, *path: str, **more: Any) -> SettingsPlace:
    return SettingsPlace(PurePosixPath(file), path, Syntax.TOML, **more)


def _whole(file: str) -> SettingsPlace:
    return SettingsPlace(PurePosixPath(file), (), Syntax.WHOLE)


def _on(mac: str, windows: str) -> Mapping[str, PurePosixPath]:
    return {"darwin": PurePosixPath(mac), "win32": PurePosixPath(windows)}


def _events(client: str, answered: str, captured: str) -> dict[str, str]:
    """Event → command for a client: `answered` events get an answer, `captured` ones are only stored."""
    return {
        **dict.fromkeys(answered.split(), f"{ANSWER} {client}"),
        **dict.fromkeys(captured.split(), CAPTURE),
    }


_COPILOT_HOOKS = Hooks(
    HookForm.COPILOT,
    _json(".github/hooks/daypack.json", "hooks"),
    _json(".copilot/hooks/daypack.json", "hooks"),
    _events(
        "copilot",
        "SessionStart SubagentStart",
        "UserPromptSubmit PostToolUse PostToolUseFailure PreCompact Stop SessionEnd",
    ),
    members={"version": 1},
)
_COPILOT_SKILLS = (".github/skills", ".copilot/skills")

CLIENTS = {
    client.name: client
    for client in (
        Client(
            "claude-code",
            "Claude Code",
            _json(".mcp.json", "mcpServers"),
            _json(".claude.json", "mcpServers", folder_variable="CLAUDE_CONFIG_DIR"),
            Hooks(
                HookForm.NESTED,
                _json(".claude/settings.json", "hooks"),
                _json(".claude/settings.json", "hooks", folder_variable="CLAUDE_CONFIG_DIR"),
                _events(
                    "claude-code",
                    "SessionStart SubagentStart",
                    "UserPromptSubmit PostToolUse PostToolUseFailure PreCompact Stop SessionEnd",
                ),
                prompt="UserPromptSubmit",
            ),
            skill=(".claude/skills", ".claude/skills"),
        ),
        Client(
            "claude-desktop",
            "Claude Desktop",
            None,
            _json(
                ".config/Claude/claude_desktop_config.json",
                "mcpServers",
                on=_on(
                    "Library/Application Support/Claude/claude_desktop_config.json",
                    "AppData/Roaming/Claude/claude_desktop_config.json",
                ),
            ),
            names_project=True,
        ),
        Client(
            "cline",
            "Cline",
            None,
            _json(".cline/data/settings/cline_mcp_settings.json", "mcpServers"),
            Hooks(
                HookForm.SCRIPTS,
                None,
                _whole("Documents/Cline/Hooks"),
                _events(
                    "cline",
                    "TaskStart TaskResume",
                    "UserPromptSubmit PostToolUse PreCompact TaskComplete TaskCancel",
                ),
                prompt="UserPromptSubmit",
                step="switch hooks on in its settings",
            ),
            skill=("", ".cline/skills"),
            names_project=True,
        ),
        Client(
            "codex",
            "Codex",
            _toml(".codex/config.toml", "mcp_servers"),
            _toml(".codex/config.toml", "mcp_servers", folder_variable="CODEX_HOME"),
            Hooks(
                HookForm.NESTED,
                _json(".codex/hooks.json", "hooks"),
                _json(".codex/hooks.json", "hooks", folder_variable="CODEX_HOME"),
                _events(
                    "codex", "SessionStart SubagentStart", "UserPromptSubmit PostToolUse PreCompact Stop"
                ),
                prompt="UserPromptSubmit",
                step="open `/hooks` and trust them",
            ),
            skill=(".agents/skills", ".agents/skills"),
        ),
        Client(
            "copilot",
            "Copilot CLI",
            _json(".github/mcp.json", "mcpServers"),
            _json(".copilot/mcp-config.json", "mcpServers", folder_variable="COPILOT_HOME"),
            _COPILOT_HOOKS,
            skill=_COPILOT_SKILLS,
            fixed={"type": "local", "tools": ["*"]},
        ),
        Client(
            "cursor",
            "Cursor",
            _json(".cursor/mcp.json", "mcpServers"),
            _json(".cursor/mcp.json", "mcpServers"),
            Hooks(
                HookForm.CURSOR,
                _json(".cursor/hooks.json", "hooks"),
                _json(".cursor/hooks.json", "hooks"),
                _events(
                    "cursor",
                    "sessionStart",
                    "beforeSubmitPrompt postToolUse postToolUseFailure afterAgentResponse preCompact sessionEnd",
                ),
                members={"version": 1},
            ),
            skill=(".cursor/skills", ".cursor/skills"),
            root="${workspaceFolder}",
        ),
        Client(
            "gemini",
            "Gemini CLI",
            _json(".gemini/settings.json", "mcpServers"),
            _json(".gemini/settings.json", "mcpServers"),
            Hooks(
                HookForm.NESTED,
                _json(".gemini/settings.json", "hooks"),
                _json(".gemini/settings.json", "hooks"),
                _events("gemini", "SessionStart", "BeforeAgent AfterTool AfterAgent PreCompress SessionEnd"),
                timeout=10_000,
                prompt="BeforeAgent",
            ),
            skill=(".gemini/skills", ".gemini/skills"),
        ),
        Client(
            "opencode",
            "opencode",
            _json("opencode.json", "mcp"),
            _json(".config/opencode/opencode.json", "mcp"),
            Hooks(
                HookForm.PLUGIN,
                _whole(".opencode/plugins/daypack.js"),
                _whole(".config/opencode/plugins/daypack.js"),
                _events("opencode", "", "chat.message tool.execute.after session.created session.compacted"),
            ),
            skill=(".opencode/skills", ".config/opencode/skills"),
            fixed={"type": "local", "enabled": True},
            one_list=True,
        ),
        Client(
            "vscode",
            "VS Code",
            _json(".vscode/mcp.json", "servers"),
            _json(
                ".config/Code/User/mcp.json",
                "servers",
                on=_on(
                    "Library/Application Support/Code/User/mcp.json", "AppData/Roaming/Code/User/mcp.json"
                ),
            ),
            _COPILOT_HOOKS,
            skill=_COPILOT_SKILLS,
            fixed={"type": "stdio"},
            root="${workspaceFolder}",
        ),
        Client(
            "windsurf",
            "Windsurf",
            None,
            _json(".codeium/windsurf/mcp_config.json", "mcpServers"),
            Hooks(
                HookForm.WINDSURF,
                None,
                _json(".codeium/windsurf/hooks.json", "hooks"),
                _events(
                    "windsurf",
                    "",
                    "pre_user_prompt post_run_command post_write_code post_mcp_tool_use post_cascade_response",
                ),
            ),
            skill=("", ".codeium/windsurf/skills"),
            names_project=True,
        ),
        Client(
            "zed",
            "Zed",
            _json(".zed/settings.json", "context_servers"),
            _json(
                ".config/zed/settings.json",
                "context_servers",
                on={"win32": PurePosixPath("AppData/Roaming/Zed/settings.json")},
            ),
            skill=(".agents/skills", ".agents/skills"),
            fixed={"source": "custom"},
        ),
    )
}
"""Clients by name. VS Code and Copilot CLI read one file of hooks; VS Code reads those of Claude Code as well."""
