"""Results of calls that Cline and its relatives write as texts of the user's turn.

    ["[read_file for 'src/pump.py'] Result:", "def pump(): …", "<environment_details>…</environment_details>"]

All texts after such a head are output, except the answer to a question of the agent, which is the user's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from daypack.doors.sessions.types import Did
from daypack.shapes.loose_json import object_of, parsed, text_of

_HEAD = re.compile(r"\A\s*\[(\w+)(?: for '(.{0,4000}?)'(?: in '[^'\n]*')?)?\] Result:[ \t]*\n?", re.DOTALL)
_DETAILS = re.compile(
    r"^<environment_details>(?:[^\n]*</environment_details>[ \t]*$|[ \t]*\n.*?(?:</environment_details>|\Z))"
    r"|\A<timestamp>[^<\n]*</timestamp>",
    re.DOTALL | re.MULTILINE,
)
_OF_CLINE = re.compile(r"^[ \t]*<(?:task|user_message|environment_details)>", re.MULTILINE)
_WORDS = re.compile(r"<(task|user_message|user_query|answer|feedback)>(.*)</\1>", re.DOTALL)
_ASKING = frozenset({"ask_followup_question", "attempt_completion", "plan_mode_respond"})
"""Tools whose results have the user's answer."""
_OF_SERVERS = frozenset({"use_mcp_tool", "access_mcp_resource"})
_ARGUMENTS = {"execute_command": "command", "web_fetch": "url", "search_files": "pattern"}


def of_server(tool: str, given: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """(name, arguments) of a call: that of a tool or a resource of another server as all clients name it, others as they are."""
    if tool not in _OF_SERVERS:
        return tool, given
    server, name = text_of(given.get("server_name")), text_of(given.get("tool_name")) or "use"
    arguments = given.get("arguments")
    if isinstance(arguments, str):
        arguments = parsed(arguments, {"arguments": arguments})
    uri = text_of(given.get("uri"))
    return f"mcp__{server}__{name}", object_of(arguments) or ({"url": uri} if uri else {})


def is_of_cline(text: str) -> bool:
    """True for a text of the user's turn with a tag that Cline puts around it."""
    return _OF_CLINE.search(text) is not None


def results_in(texts: Sequence[str], *, of_cline: bool) -> tuple[list[Did], list[str]]:
    """(the calls whose results stand in the texts of a user's turn, the user's own texts). In a chat that is not `of_cline`, a
    head without an argument is the user's: "[Benchmark] Result: 50 ms".
    """
    done: list[Did] = []
    own: list[str] = []
    tool = ""
    for text in texts:
        text = _DETAILS.sub("", text)
        if (head := _HEAD.match(text)) and (head[2] is not None or of_cline):
            tool, text = head[1], text[head.end() :]
            given = {_ARGUMENTS.get(tool, "path"): head[2]} if head[2] else {}
            if tool in _OF_SERVERS:
                done.append(Did(*of_server(tool, {"server_name": head[2] or ""}), ""))
            elif tool not in _ASKING:
                done.append(Did(tool, given, ""))
        words = _WORDS.fullmatch(text.strip())
        if not tool or tool in _ASKING:
            if not tool or words:
                own.append(words[2].strip() if words else text)
        elif text.strip():
            last = done[-1]
            done[-1] = Did(last.tool, last.input, f"{last.output}\n{text}".strip())
    return done, [text for text in own if text.strip()]
