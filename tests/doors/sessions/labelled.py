"""A session that was written for these tests, in the format of Claude Code, with the facts that somebody who
goes on must be told.

Twenty-six facts stand among some two hundred steps that nobody will ask for again. A fact is found when its
words stand in the answer.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

SESSION = "5b1f7c02-9d8e-4a55-8f10-3e2a6c9d4b71"
FOLDER = "/srv/ferry"

FACTS: dict[str, str] = {
    "the last request": "export timetable also as iCalendar",
    "the first request": "sailings that are cancelled must disappear from the timetable",
    "the open error": "KeyError: 'DTSTART'",
    "the command that fails": "pytest tests/test_ical.py -q",
    "the task in progress": "Write the iCalendar exporter",
    "an open task": "Document the export in docs/export.md",
    "another open task": "Ask the harbour office for the 2027 holidays",
    "the blocker": "waiting for the harbour office",
    "constraint: no new dependency": "without adding a dependency",
    "constraint: speed": "at most 200 ms",
    "constraint: format": "never change the column order of the CSV",
    "constraint: python": "must stay compatible with Python 3.9",
    "decision: time zone": "keep all times in UTC",
    "decision: storage": "going with SQLite",
    "decision: names": "call them sailings, not departures",
    "decision: caching": "decided to cache the timetable for five minutes",
    "decision: retries": "retry budget of three attempts",
    "rejected: scraping": "scraping the operator's page",
    "rejected: cron": "cron job",
    "file: model": "src/ferry/sailing.py",
    "file: exporter": "src/ferry/ical.py",
    "file: csv": "src/ferry/csv_export.py",
    "the plan": "ship the CSV first",
    "the fix": "pytest tests/test_sailing.py -q",
    "the commit": "Cancelled sailings leave the timetable",
    "the environment": "pip install -e .[dev]",
}


class _Script:
    """Writes lines as Claude Code does: every step a minute after the one before."""

    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []
        self._number = 0

    def _add(self, kind: str, content: Any, **more: Any) -> None:
        self._number += 1
        minute = self._number
        self.lines.append(
            {
                "type": kind,
                "uuid": f"u-{self._number:04}",
                "sessionId": SESSION,
                "cwd": FOLDER,
                "version": "2.0.0",
                "gitBranch": "main",
                "timestamp": f"2026-10-05T{6 + minute // 60:02}:{minute % 60:02}:00.000Z",
                "isSidechain": False,
                "message": {"role": kind, "content": content},
                **more,
            }
        )

    def user(self, text: str) -> None:
        self._add("user", text)

    def says(self, text: str) -> None:
        self._add("assistant", [{"type": "text", "text": text}])

    def does(self, tool: str, given: dict[str, Any], printed: str = "", *, failed: bool = False) -> None:
        call = f"toolu_{self._number:04}"
        self._add("assistant", [{"type": "tool_use", "id": call, "name": tool, "input": given}])
        self._add(
            "user", [{"type": "tool_result", "tool_use_id": call, "content": printed, "is_error": failed}]
        )

    def idles(self, times: int) -> None:
        """Steps that nobody will ask for."""
        for _ in range(times):
            n = self._number
            self.does(
                "Read",
                {"file_path": f"{FOLDER}/vendor/lib_{n}.py"},
                f"def helper_{n}():\n    return {n}\n" * 40,
            )
            self.does("Grep", {"pattern": f"helper_{n}", "path": "vendor"}, f"vendor/lib_{n}.py:1\n")


def lines() -> list[dict[str, Any]]:
    s = _Script()
    s.user(
        "In our ferry project, sailings that are cancelled must disappear from the timetable. Do it without adding a dependency, please."
        " The code must stay compatible with Python 3.9."
    )
    s.idles(8)
    s.does(
        "Bash",
        {"command": "pip install -e .[dev]", "description": "Install the project"},
        "Successfully installed ferry-0.4.0",
    )
    s.says("I looked at the model. We'll keep all times in UTC and convert them when a page is made.")
    s.does(
        "TodoWrite",
        {
            "todos": [
                {"content": "Hide cancelled sailings", "status": "in_progress"},
                {"content": "Write the iCalendar exporter", "status": "pending"},
                {"content": "Document the export in docs/export.md", "status": "pending"},
                {"content": "Ask the harbour office for the 2027 holidays", "status": "pending"},
            ]
        },
        "Todos have been modified",
    )
    s.idles(6)
    s.does(
        "Bash",
        {"command": "pytest tests/test_sailing.py -q"},
        "Exit code 1\nE   AssertionError: cancelled sailing is shown\n1 failed",
        failed=True,
    )
    s.does(
        "Edit",
        {
            "file_path": "src/ferry/sailing.py",
            "old_string": "return all",
            "new_string": "return [s for s in all if not s.cancelled]",
        },
        "ok",
    )
    s.does("Bash", {"command": "pytest tests/test_sailing.py -q"}, "14 passed in 0.31s")
    s.user(
        "Good. Let's call them sailings, not departures, everywhere. A page must be there in at most 200 ms."
    )
    s.idles(10)
    s.says(
        "I tried scraping the operator's page for cancellations, but its markup changes every week. I'm going with SQLite for the cache instead."
    )
    s.does(
        "Bash",
        {"command": 'git commit -am "Cancelled sailings leave the timetable"'},
        "[main 3f2c1ab] Cancelled sailings leave the timetable",
    )
    s.user(
        "Fine. Also export the timetable as CSV, and never change the column order of the CSV: the harbour reads it by position."
    )
    s.says("Plan: ship the CSV first, then look at calendars.")
    s.idles(9)
    s.does(
        "Write",
        {"file_path": "src/ferry/csv_export.py", "content": "COLUMNS = ('date', 'from', 'to')\n"},
        "ok",
    )
    s.says(
        "We decided to cache the timetable for five minutes. The nightly cron job was ruled out, because nobody watches it."
    )
    s.does(
        "TodoWrite",
        {
            "todos": [
                {"content": "Hide cancelled sailings", "status": "completed"},
                {"content": "Write the iCalendar exporter", "status": "in_progress"},
                {"content": "Document the export in docs/export.md", "status": "pending"},
                {"content": "Ask the harbour office for the 2027 holidays", "status": "pending"},
            ]
        },
        "Todos have been modified",
    )
    s.user("What about flaky requests to the operator?")
    s.says(
        "They time out about once an hour. We agreed on a retry budget of three attempts, after which the old timetable stays."
    )
    s.idles(8)
    s.says("For the holidays of 2027 I am waiting for the harbour office to answer.")
    s.user("Then go on: export timetable also as iCalendar, one event a sailing.")
    s.does("Write", {"file_path": "src/ferry/ical.py", "content": "def export(sailings):\n    ...\n"}, "ok")
    s.idles(4)
    s.does(
        "Bash",
        {"command": "pytest tests/test_ical.py -q"},
        "Exit code 1\nTraceback (most recent call last):\n  File \"src/ferry/ical.py\", line 12, in export\nKeyError: 'DTSTART'\n1 failed",
        failed=True,
    )
    return s.lines


def write(path: Path, *, more: Iterable[dict[str, Any]] = ()) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in [*lines(), *more]), encoding="utf-8")
    return path


def as_codex() -> str:
    """The same session as Codex writes it: shell calls, patches, and a plan instead of a list of tasks."""
    out: list[dict[str, Any]] = [
        {"type": "session_meta", "payload": {"id": SESSION, "cwd": FOLDER, "originator": "codex_cli_rs"}}
    ]
    calls: dict[str, bool] = {}
    for line in lines():
        content = line["message"]["content"]
        blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
        for block in blocks:
            item: dict[str, Any]
            match block["type"]:
                case "text":
                    kind = "input_text" if line["type"] == "user" else "output_text"
                    item = {
                        "type": "message",
                        "role": line["type"],
                        "content": [{"type": kind, "text": block["text"]}],
                    }
                case "tool_use":
                    item = {"call_id": block["id"], **_codex_call(block["name"], block["input"])}
                    calls[block["id"]] = item["type"] == "custom_tool_call"
                case _:
                    failed = 1 if block["is_error"] else 0
                    kind = (
                        "custom_tool_call_output" if calls[block["tool_use_id"]] else "function_call_output"
                    )
                    printed = json.dumps({"output": block["content"], "metadata": {"exit_code": failed}})
                    item = {"type": kind, "call_id": block["tool_use_id"], "output": printed}
            out.append({"timestamp": line["timestamp"], "type": "response_item", "payload": item})
    return "".join(json.dumps({"timestamp": line_time(one), **one}) + "\n" for one in out)


def line_time(line: dict[str, Any]) -> str:
    return str(line.get("timestamp", "2026-10-05T06:00:00.000Z"))


def _codex_call(tool: str, given: dict[str, Any]) -> dict[str, Any]:
    def function(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        return {"type": "function_call", "name": name, "arguments": json.dumps(arguments)}

    match tool:
        case "TodoWrite":
            return function(
                "update_plan",
                {"plan": [{"step": todo["content"], "status": todo["status"]} for todo in given["todos"]]},
            )
        case "Write" | "Edit":
            body = "\n".join(
                f"+{text}" for text in given.get("content", given.get("new_string", "")).split("\n")
            )
            verb = "Add" if tool == "Write" else "Update"
            patch = f"*** Begin Patch\n*** {verb} File: {given['file_path']}\n{body}\n*** End Patch"
            return {"type": "custom_tool_call", "name": "apply_patch", "input": patch}
        case "Bash":
            return function("shell", {"command": ["bash", "-lc", given["command"]]})
        case "Read":
            return function("shell", {"command": ["cat", given["file_path"]]})
        case _:
            return function("shell", {"command": ["rg", given["pattern"], given["path"]]})


def as_chat() -> str:
    """What of the session was said, as messages of a plain chat: of tools and their failures nothing is in
    it.
    """
    said = []
    for line in lines():
        content = line["message"]["content"]
        texts = (
            [content]
            if isinstance(content, str)
            else [block["text"] for block in content if block["type"] == "text"]
        )
        said += [{"role": line["type"], "content": text, "timestamp": line["timestamp"]} for text in texts]
    return json.dumps({"id": SESSION, "messages": said})


TOLD_BY_TOOLS = {
    "the open error", "the command that fails", "the task in progress", "an open task", "another open task", "file: model", "file: exporter",
    "file: csv", "the fix", "the commit", "the environment",
}  # fmt: skip
"""Facts that no chat holds."""


def found(text: str) -> set[str]:
    """The facts that a text tells."""
    flat = " ".join(text.split()).casefold()
    return {name for name, words in FACTS.items() if words.casefold() in flat}
