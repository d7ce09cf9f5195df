"""The changes of files that an installation makes, computed before any file is written. Pure."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass
from typing import Any

from daypack.errors import DaypackError, InputError
from daypack.surfaces.install import jsonc
from daypack.surfaces.install.contracts import Hooks, SettingsPlace, Syntax, hook

NAME = "daypack"
_OUR_HOOK = re.compile(r"""daypack(?:\.exe)?[\\"']* session (?:capture|resume|answer)""")


class BrokenConfig(InputError, code="broken_config"):
    """A settings file that its client cannot read either; it is not changed."""

    def __init__(self, file: str, why: str) -> None:
        super().__init__(f"{file} cannot be read ({why}); mend it first, nothing was changed")


class CannotWrite(DaypackError, code="cannot_write", exit_status=3):
    def __init__(self, file: str, why: str) -> None:
        super().__init__(f"{file} cannot be written ({why}); check its permissions, then run this again")


@dataclass(frozen=True, slots=True)
class Edit:
    """A file before and after a change. `made` are the paths of the additions, inner ones first, for their removal."""

    before: str
    after: str
    made: tuple[tuple[str, ...], ...] = ()


def with_server(text: str, place: SettingsPlace, server: dict[str, Any], file: str) -> Edit:
    """The text with the entry of Daypack's server. Raises BrokenConfig."""
    path = (*place.path, NAME)
    if place.syntax is Syntax.TOML:
        return _with_table(text, place, server, file)
    data = _parsed(text, file)
    if jsonc.at(data, path) == server:
        return Edit(text, text)
    return _put(text, path, server, file)


def server_in(text: str, place: SettingsPlace, file: str) -> dict[str, Any]:
    """The entry of Daypack's server; empty when the text has none. Raises BrokenConfig."""
    if place.syntax is Syntax.TOML:
        data: Any = tomllib.loads(text)
    else:
        data = _parsed(text, file)
    found = jsonc.at(data, (*place.path, NAME))
    return found if isinstance(found, dict) else {}


def with_hooks(text: str, place: SettingsPlace, hooks: Hooks, command: tuple[str, ...], file: str) -> Edit:
    """The text with Daypack's hooks, which start `command`; other hooks stay. Raises BrokenConfig."""
    edit = Edit(text, text)
    for key, value in hooks.members.items():
        if jsonc.at(_parsed(edit.after, file), (key,)) is None:
            edit = _joined(edit, _put(edit.after, (key,), value, file))
    wanted = {event: hook(hooks, command, run) for event, run in hooks.events.items()}
    there = jsonc.at(_parsed(text, file), place.path)
    for event, items in there.items() if isinstance(there, dict) else ():
        if (
            isinstance(items, list) and wanted.get(event) not in items
        ):  # from an earlier release, or with another path
            edit = _joined(edit, Edit(edit.after, _without_hooks(edit.after, (*place.path, event), file)))
    for event, made in wanted.items():
        if made not in (jsonc.at(_parsed(edit.after, file), (*place.path, event)) or []):
            edit = _joined(edit, _put(edit.after, (*place.path, event, "-"), made, file))
    return edit


def _without_hooks(text: str, path: tuple[str, ...], file: str) -> str:
    """The text without Daypack's hooks in the list at `path`."""
    items = jsonc.at(_parsed(text, file), path)
    for number in reversed(range(len(items) if isinstance(items, list) else 0)):
        if _is_our_hook(items[number]):
            text = jsonc.drop(text, (*path, str(number)))
    return text


def _joined(one: Edit, other: Edit) -> Edit:
    return Edit(one.before, other.after, (*other.made, *one.made))


def _put(text: str, path: tuple[str, ...], value: Any, file: str) -> Edit:
    data = _parsed(text, file)
    try:
        after = jsonc.put(text, path, value)
    except jsonc.NotJson as error:
        raise BrokenConfig(file, str(error)) from None
    made = [
        path,
        *(path[:depth] for depth in range(len(path) - 1, 0, -1) if jsonc.at(data, path[:depth]) is None),
    ]
    _parsed(after, file)  # checks that the result is readable
    return Edit(text, after, tuple(made))


def without(text: str, made: tuple[tuple[str, ...], ...], syntax: Syntax, file: str) -> Edit:
    """The text without the additions `made`, for a text that the user has changed since. Objects with other members stay."""
    if syntax is Syntax.TOML:
        return Edit(text, _TABLE.sub("", text))
    after = text
    for path in made:
        data = _parsed(after, file)
        if path[-1] == "-":
            after = _without_hooks(after, path[:-1], file)
        elif (
            path[-1] == NAME
            or (found := jsonc.at(data, path)) in ({}, [])
            or (not isinstance(found, (dict, list)) and [*data] == [*path])
        ):
            after = jsonc.drop(after, path)
    return Edit(text, after)


def _is_our_hook(found: Any) -> bool:
    return _OUR_HOOK.search(json.dumps(found)) is not None


def _parsed(text: str, file: str) -> Any:
    try:
        data = jsonc.value_of(text)
    except jsonc.NotJson as error:
        raise BrokenConfig(file, str(error)) from None
    if not isinstance(data, dict):
        raise BrokenConfig(file, "it does not hold an object")
    return data


# ---------------------------------------------------------------- TOML

# to the next table
_TABLE = re.compile(r"(?:(?<=\n)\n)?^\[mcp_servers\.daypack\]\n(?:(?!\[).*(?:\n|\Z))*", re.MULTILINE)


def _with_table(text: str, place: SettingsPlace, server: dict[str, Any], file: str) -> Edit:
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BrokenConfig(file, str(error)) from None
    there = jsonc.at(data, (*place.path, NAME))
    if there == server:
        return Edit(text, text)
    if there is not None:
        text_without = _TABLE.sub("", text)
        if jsonc.at(tomllib.loads(text_without), (*place.path, NAME)) is not None:
            raise BrokenConfig(
                file,
                f"{'.'.join(place.path)}.{NAME} has a form that Daypack cannot change; remove it by hand",
            )
    else:
        text_without = text
    lines = [
        f"[{'.'.join((*place.path, NAME))}]",
        *(f"{key} = {json.dumps(value)}" for key, value in server.items()),
    ]
    gap = "" if not text_without.strip() else "\n" if text_without.endswith("\n") else "\n\n"
    after = text_without + gap + "\n".join(lines) + "\n"
    try:
        added = jsonc.at(tomllib.loads(after), (*place.path, NAME)) == server
    except tomllib.TOMLDecodeError:
        added = False
    if not added:
        raise BrokenConfig(file, f"{'.'.join(place.path)} is not a table that entries can be added to")
    return Edit(text, after, ((*place.path, NAME),))
