"""Fields in the arguments of a call, in the spellings of all clients."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from daypack.doors.sessions.rules import TOOLS
from daypack.doors.sessions.types import Category

LONGEST_COMMAND = 600


def path_of(given: Mapping[str, Any]) -> str:
    return first_text(
        given, "file_path", "path", "filePath", "absolute_path", "notebook_path", "filename", "target_file"
    )


def category_of(tool: str) -> Category:
    """The category of a tool by its name, with or without the name of its server before `__`."""
    name = tool.rpartition("__")[2].lower()
    return next((rule.category for rule in TOOLS if name in rule.tools), Category.TOOL)


def first_text(given: Mapping[str, Any], *names: str) -> str:
    """The first of the named fields that is a string and not empty, or ""."""
    return next((value for name in names if isinstance(value := given.get(name), str) and value), "")


def command_of(given: Mapping[str, Any]) -> str:
    """The shell command in the arguments of a call, as one line of text; "" for none."""
    command = next((given[name] for name in ("command", "cmd", "script") if given.get(name)), "")
    if isinstance(command, list):
        words = [str(word) for word in command]
        command = words[-1] if len(words) == 3 and words[1] in ("-c", "-lc") else " ".join(words)
    return str(command).strip()[:LONGEST_COMMAND]
