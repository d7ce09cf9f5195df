"""Forms of clients' settings: their files, and entries of servers and hooks."""

from __future__ import annotations

import enum
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from daypack.shapes.loose_json import list_of
from daypack.system import shell_line
from daypack.verbs import Access


class Syntax(enum.StrEnum):
    JSON = "json"
    TOML = "toml"
    WHOLE = "whole"  # a file that Daypack writes as a whole


@dataclass(frozen=True, slots=True)
class SettingsPlace:
    """A settings file, and the object in it that names servers or hooks."""

    file: PurePosixPath
    path: tuple[str, ...]
    syntax: Syntax = Syntax.JSON
    on: Mapping[str, PurePosixPath] = field(default_factory=dict)  # `sys.platform` → a different file
    folder_variable: str = ""  # a variable with the folder of the file, if the user sets it


class HookForm(enum.Enum):
    """The form of a hook's entry."""

    NESTED = enum.auto()  # {"hooks": [{…}]}, as in Claude Code
    CURSOR = enum.auto()
    COPILOT = enum.auto()  # read by Copilot CLI and by VS Code
    WINDSURF = enum.auto()
    SCRIPTS = enum.auto()  # a folder with an executable file for each event
    PLUGIN = enum.auto()  # a JavaScript module


@dataclass(frozen=True, slots=True)
class Hooks:
    """The hooks of a client. A place without a path is a file, or a folder of files, that Daypack writes as a whole."""

    form: HookForm
    project: SettingsPlace | None
    user: SettingsPlace
    events: Mapping[str, str]  # event of the client → the command to run
    timeout: int = 10  # in the client's unit
    members: Mapping[str, Any] = field(default_factory=dict)  # other members that the file must have
    prompt: str = ""  # the event of a prompt, if the answer reaches the model
    step: str = ""  # the client runs new hooks only after the user takes this step


@dataclass(frozen=True, slots=True)
class Client:
    """The settings files of a client: those of a project are relative to its root, those of a user to the home folder."""

    name: str
    title: str
    project: SettingsPlace | None
    user: SettingsPlace | None
    hooks: Hooks | None = None
    skill: tuple[str, str] = ("", "")  # folders of skills: that of a project, that of a user
    fixed: Mapping[str, Any] = field(default_factory=dict)  # members of an entry that the client requires
    root: str = ""  # the variable for the open folder, in a client that starts servers in another folder
    names_project: bool = False  # the client starts servers in another folder, without such a variable
    one_list: bool = False  # an entry has the command and its arguments in one list

    def hook_place(self, *, for_user: bool) -> SettingsPlace | None:
        if self.hooks is None:
            return None
        return self.hooks.user if for_user else self.hooks.project

    def skill_place(self, *, for_user: bool) -> SettingsPlace | None:
        folder = self.skill[for_user]
        return (
            SettingsPlace(PurePosixPath(folder, "daypack", "SKILL.md"), (), Syntax.WHOLE) if folder else None
        )


SYSTEM_FOLDERS = {"linux": {".config": "XDG_CONFIG_HOME"}, "win32": {"AppData/Roaming": "APPDATA"}}
"""Folders below the home folder that a variable moves, by `sys.platform`."""


def user_file(place: SettingsPlace, home: Path, *, platform: str, variables: Mapping[str, str]) -> Path:
    """The file of a user's settings on `platform`, a value of `sys.platform`."""
    file = place.on.get(platform, place.file)
    if folder := variables.get(place.folder_variable):
        return Path(folder) / file.name
    for below, variable in SYSTEM_FOLDERS.get(platform, {}).items():
        if file.is_relative_to(below) and (folder := variables.get(variable)):
            return Path(folder) / file.relative_to(below)
    return home / file


def entry(
    client: Client,
    command: tuple[str, ...],
    *,
    access: Access | None = None,
    tools: tuple[str, ...] = (),
    project: str,
    there: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The members of the server's entry in the client's settings; `command` starts Daypack.

    Options that are not given are those of `there`, the present entry, as are its own.
    """
    kept = there if there is not None and is_started(there) else {}
    before, behind = _arguments(started_by(kept)) if kept else ([], [])
    options = _options(behind)
    root = project if client.names_project else client.root
    if root and root not in _values(options, "--root"):
        first = next((one for one in options if _name(one) == "--root"), None)
        options = [("--root", root), *(one for one in options if one is not first)]
    if access is not None and _values(options, *_ACCESS) != [access]:
        options = [one for one in options if _name(one) not in _ACCESS]
        options += [] if access is Access.WRITE else [("--access", str(access))]
    if tools and _values(options, "--tools") != [*tools]:
        options = [one for one in options if _name(one) != "--tools"] + [("--tools", name) for name in tools]
    arguments = [*command[1:], *before, "mcp", *(word for one in options for word in one)]
    fixed = {name: kept.get(name, value) for name, value in client.fixed.items()}
    if client.one_list:
        return {**fixed, "command": [command[0], *arguments]}
    return {**fixed, "command": command[0], "args": arguments}


_ACCESS = ("--access", "--scope")


def _arguments(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """The words of a command between Daypack's program and `mcp`, and those behind `mcp`."""
    program = _program_in(words)
    first = 0 if program is None else program + 1
    if "mcp" not in words[first:]:
        return [], []
    verb = words.index("mcp", first)
    return [] if program is None else [*words[first:verb]], [*words[verb + 1 :]]


def _program_in(words: Sequence[str]) -> int | None:
    """The position of Daypack's program, also behind one that starts it: `uvx --from daypack daypack`, `python -m daypack`."""
    found = [number for number, word in enumerate(words) if _is_program(word)]
    for number in found:
        before = words[number - 1] if number else ""
        if before == "-m" or not before.startswith("-"):  # not the value of an option
            return number
    return found[-1] if found else None


def _is_program(word: str) -> bool:
    return re.split(r"[/\\]", word)[-1] in ("daypack", "daypack.exe")


def _options(words: Sequence[str]) -> list[tuple[str, ...]]:
    """The options of `daypack mcp` as they are written: ("--access", "read"), ("--access=read",)."""
    found: list[tuple[str, ...]] = []
    for word in words:
        is_value = found and found[-1][0] == _name(found[-1]) and len(found[-1]) == 1
        if is_value and not word.startswith("-"):
            found[-1] = (*found[-1], word)
        else:
            found.append((word,))
    return found


def _name(option: tuple[str, ...]) -> str:
    return option[0].partition("=")[0]


def _values(options: Sequence[tuple[str, ...]], *names: str) -> list[str]:
    """The values of the options with one of the names."""
    return [one[1] if len(one) > 1 else one[0].partition("=")[2] for one in options if _name(one) in names]


def is_started(server: Any) -> bool:
    """True for a server's entry with a command, and False for one with an address."""
    return isinstance(server, Mapping) and isinstance(server.get("command"), (str, list))


def started_by(server: Mapping[str, Any]) -> list[str]:
    """The command and its arguments in a server's entry of any client."""
    command, arguments = server["command"], server.get("args")
    if isinstance(command, list):
        return [*map(str, command)]
    return [str(command), *map(str, list_of(arguments))]


def hook(hooks: Hooks, command: tuple[str, ...], run: str) -> dict[str, Any]:
    """The entry of a hook in the client's settings; a shell runs its command."""
    line = f"{shell_line(command)} {run}"
    match hooks.form:
        case HookForm.CURSOR:
            return {"command": line, "timeout": hooks.timeout}
        case HookForm.COPILOT:
            return {
                "type": "command", "command": line, "bash": line, "powershell": f"& {line}",
                "timeout": hooks.timeout, "timeoutSec": hooks.timeout,
            }  # fmt: skip
        case HookForm.WINDSURF:
            return {"command": line, "powershell": f"& {line}", "show_output": False}
    return {"hooks": [{"type": "command", "command": line, "timeout": hooks.timeout}]}


def is_hook_line(line: str) -> bool:
    """True for a hook's command that runs Daypack and nothing else, as Daypack writes it or an earlier release did."""
    line = line.strip().removeprefix("& ")
    if "\n" in line:  # another command follows
        return False
    try:
        words = shlex.split(line.replace("\\", "/"))  # paths of Windows are written without quotation marks
    except ValueError:
        return False
    begin = 3 if words[1:3] == ["-m", "daypack"] else 1
    is_program = begin == 3 or (bool(words) and _is_program(words[0]))
    return is_program and _HOOK_ARGUMENTS.fullmatch(" ".join(words[begin:])) is not None


_HOOK_ARGUMENTS = re.compile(
    r"session (?:capture|resume|answer)(?: [a-z][a-z-]*)?(?: --packs| --budget [0-9]+)?"
)
