"""Fields in the arguments of a call, in the spellings of all clients."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from daypack.doors.sessions.rules import COMMANDS, TOOLS
from daypack.doors.sessions.types import Category

LONGEST_COMMAND = 600


def path_of(given: Mapping[str, Any]) -> str:
    return first_text(
        given, "file_path", "path", "filePath", "absolute_path", "notebook_path", "filename", "target_file"
    )


@lru_cache(maxsize=4_096)
def category_of(tool: str) -> Category:
    """The category of a tool by its name, with or without the name of its server before `__`."""
    name = tool.rpartition("__")[2].lower()
    return next((rule.category for rule in TOOLS if name in rule.tools), Category.TOOL)


def kind_of_command(command: str) -> Category:
    """The category of a shell command by its text."""
    return next((rule.category for rule in COMMANDS if rule.pattern.search(command)), Category.COMMAND)


def first_text(given: Mapping[str, Any], *names: str) -> str:
    """The first of the named fields that is a string and not empty, or ""."""
    return next((value for name in names if isinstance(value := given.get(name), str) and value), "")


_PATCH = re.compile(r"\A\s*\*\*\* Begin Patch\b")
_PATCHING = re.compile(
    r"\A\s*(?:cd\s+(?P<place>[^\s;&]+)\s*(?:&&|;)\s*)?(?:apply_patch|applypatch)\s+<<-?\s*['\"]?(?P<end>\w+)['\"]?[ \t]*\n"
    r"(?P<patch>.*?)\n[ \t]*(?P=end)\s*\Z",
    re.DOTALL,
)
_PATCHED_FILE = re.compile(r"^(\*\*\* (?:Add|Update|Delete) File: |\*\*\* Move to: )(?!/)", re.MULTILINE)


def patch_of(given: Mapping[str, Any]) -> str:
    """The patch in the arguments of a call that applies it and does nothing else; "" for other calls."""
    command = _command(given)
    if isinstance(command, list) and len(command) == 2 and command[0] in ("apply_patch", "applypatch"):
        return str(command[1])
    script = _script(command)
    for text in (first_text(given, "input", "patch", "patchText"), script):
        if _PATCH.match(text):
            return text
    found = _PATCHING.match(script)
    if found is None:
        return ""
    place = found["place"]
    return _PATCHED_FILE.sub(lambda head: f"{head[1]}{place}/", found["patch"]) if place else found["patch"]


def command_of(given: Mapping[str, Any]) -> str:
    """The shell command in the arguments of a call, as one line of text; "" for none."""
    return _script(_command(given)).strip()[:LONGEST_COMMAND]


def _command(given: Mapping[str, Any]) -> Any:
    return next((given[name] for name in ("command", "cmd", "script") if given.get(name)), "")


def _script(command: Any) -> str:
    if isinstance(command, list):
        words = [str(word) for word in command]
        return words[-1] if len(words) == 3 and words[1] in ("-c", "-lc") else " ".join(words)
    return str(command)
