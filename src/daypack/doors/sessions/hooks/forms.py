"""Hook events of all clients in a common form: Claude Code's names of events and fields.

    common({"hook_event_name": "AfterAgent", "prompt_response": "Done.", …})
    {"hook_event_name": "Stop", "last_assistant_message": "Done.", …}

`docs/how-to/agents/hooks.md` lists the events of each client. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from daypack.doors.sessions.hooks.capturing import folder_of
from daypack.shapes.loose_json import object_of, parsed, text_of

# The name of an event in another client → its common name.
_MOMENTS = {
    "beforeSubmitPrompt": "UserPromptSubmit", "BeforeAgent": "UserPromptSubmit", "userPromptSubmitted": "UserPromptSubmit", "pre_user_prompt": "UserPromptSubmit",
    "BeforeTool": "PreToolUse", "preToolUse": "PreToolUse",
    "AfterTool": "PostToolUse", "postToolUse": "PostToolUse", "afterMCPExecution": "PostToolUse", "postToolUseFailure": "PostToolUseFailure",
    "afterShellExecution": "PostToolUse", "afterFileEdit": "PostToolUse",
    "post_run_command": "PostToolUse", "post_write_code": "PostToolUse", "post_mcp_tool_use": "PostToolUse",
    "AfterAgent": "Stop", "afterAgentResponse": "Stop", "agentStop": "Stop", "stop": "Stop", "post_cascade_response": "Stop", "subagentStop": "SubagentStop",
    "PreCompress": "PreCompact", "preCompact": "PreCompact",
    "sessionStart": "SessionStart", "TaskStart": "SessionStart", "TaskResume": "SessionStart", "subagentStart": "SubagentStart",
    "sessionEnd": "SessionEnd", "TaskComplete": "SessionEnd", "TaskCancel": "SessionEnd",
}  # fmt: skip

# The common name of a field, and its names in other clients; the first that the event has counts.
_FIELDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("hook_event_name", ("hookEventName", "hookName", "agent_action_name")),
    ("session_id", ("sessionId", "conversation_id", "taskId", "trajectory_id")),
    ("tool_use_id", ("toolUseId", "call_id")),
    ("tool_name", ("toolName", "mcp_tool_name")),
    ("tool_input", ("toolArgs", "parameters", "mcp_tool_arguments")),
    ("tool_response", ("tool_result", "toolResult", "tool_output", "result_json", "mcp_result", "result")),
    ("error", ("error_message",)),
    ("prompt", ("user_prompt",)),
    ("last_assistant_message", ("prompt_response", "response")),
    ("custom_instructions", ("customInstructions",)),
)  # fmt: skip

# Events that do not name a tool: the tool, and its arguments by their fields in the event.
_TOOLS: dict[str, tuple[str, dict[str, str]]] = {
    "afterShellExecution": ("shell", {"command": "command"}),
    "afterFileEdit": ("Edit", {"file_path": "file_path", "edits": "edits"}),
    "post_run_command": ("shell", {"command": "command_line"}),
    "post_write_code": ("Edit", {"file_path": "file_path", "edits": "edits"}),
}
_CAUSES = {
    "TaskStart": {"source": "startup"},
    "TaskResume": {"source": "resume"},
    "TaskComplete": {"reason": "complete"},
    "TaskCancel": {"reason": "cancelled"},
}
EXIT_CODE = re.compile(r"^Exit Code: (\d+)$", re.MULTILINE)  # in the answer of Gemini's shell tool


def common(event: Mapping[str, Any]) -> dict[str, Any]:
    """The event with common names; other fields are unchanged."""
    named = dict(event)
    _rename(named, *_FIELDS[0])
    moment = text_of(named["hook_event_name"])
    # Windsurf and Cline nest the fields of the event in an object.
    for inner in ("tool_info", f"{moment[:1].lower()}{moment[1:]}"):
        named = {**object_of(named.pop(inner, None)), **named}
    for name, others in _FIELDS:
        _rename(named, name, others)
    if moment == "afterAgentResponse":
        named["last_assistant_message"] = named.get("text")
    if moment in _TOOLS:
        tool, names = _TOOLS[moment]
        named |= {"tool_name": tool, "tool_input": {new: named.get(old) for new, old in names.items()}}
        named["tool_response"] = named.get("output")
    if moment in _CAUSES:
        named |= _CAUSES[moment]
    if isinstance(named.get("tool_name"), str):
        named["tool_name"] = tool_of_server(named["tool_name"], text_of(event.get("client")))
    if isinstance(named.get("tool_input"), str):
        named["tool_input"] = object_of(parsed(named["tool_input"], {}))
    response = named.get("tool_response")
    if isinstance(response, dict) and (code := EXIT_CODE.search(text_of(response.get("llmContent")))):
        named["tool_response"] = {**response, "exit_code": int(code[1])}
    if "hookName" in event and "success" in named:
        named["tool_response"] = {"output": response, "success": named["success"]}
    named["cwd"] = folder_of(event) or text_of(named.get("cwd"))
    named["hook_event_name"] = _MOMENTS.get(moment, moment)
    return named


def _rename(event: dict[str, Any], name: str, spellings: tuple[str, ...]) -> None:
    if event.get(name) is None:
        event[name] = next((event[other] for other in spellings if event.get(other) is not None), None)


_OF_SERVER = re.compile(r"mcp_([^_]+)_(.+)")
_OF_OPENCODE = re.compile(r"(?!apply_patch\Z|plan_)([^_]+)_+(.+)")


def tool_of_server(name: str, client: str = "") -> str:
    """The name of a tool with that of its server as most clients write it: `mcp_ferry_board` of Gemini CLI and `ferry_board` of
    opencode are `mcp__ferry__board`.
    """
    found = _OF_SERVER.fullmatch(name) or (_OF_OPENCODE.fullmatch(name) if client == "opencode" else None)
    return f"mcp__{found[1]}__{found[2]}" if found else name
