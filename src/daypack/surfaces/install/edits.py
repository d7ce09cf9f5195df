"""Edits of a settings file as a whole: Daypack's server and hooks, found by what the file holds. Pure.

An edit is read before it is returned: Daypack's entries must be as they should, and the others as they were.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from daypack.errors import DaypackError, InputError
from daypack.shapes.loose_json import list_of, object_of
from daypack.surfaces.install import jsonc, toml
from daypack.surfaces.install.contracts import Hooks, SettingsPlace, Syntax, hook, is_hook_line, is_started

NAME = "daypack"
_LINES = ("command", "bash", "powershell")  # members of a hook that name a command

Keys = tuple[str, ...]


class BrokenConfig(InputError, code="broken_config"):
    """A settings file that its client cannot read either; it is not changed."""

    def __init__(self, file: str, why: str) -> None:
        super().__init__(f"{file} cannot be read ({why}); mend it first, nothing was changed")


class CannotEdit(InputError, code="cannot_edit"):
    """A settings file in a form that Daypack cannot change without touching other entries."""

    def __init__(self, file: str, why: str) -> None:
        super().__init__(f"{file} cannot be changed ({why}); change it by hand, nothing was changed")


class CannotWrite(DaypackError, code="cannot_write", exit_status=3):
    def __init__(self, file: str, why: str) -> None:
        super().__init__(
            f"{file} cannot be written ({why}); nothing was changed: check its permissions, then run this again"
        )


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a settings file in which Daypack has entries."""

    file: str
    server: SettingsPlace | None = None
    hooks: SettingsPlace | None = None
    members: Mapping[str, Any] = field(default_factory=dict)  # what a file of hooks needs beside them

    @property
    def is_toml(self) -> bool:
        return self.server is not None and self.server.syntax is Syntax.TOML

    def read(self, text: str) -> dict[str, Any]:
        """The content of the file. Raises BrokenConfig."""
        try:
            data = toml.value_of(text) if self.is_toml else jsonc.value_of(text)
        except (jsonc.NotJson, toml.NotToml) as error:
            raise BrokenConfig(self.file, str(error)) from None
        if not isinstance(data, dict):
            raise BrokenConfig(self.file, "it does not hold an object")
        return data

    def server_in(self, text: str) -> Any:
        """The entry of Daypack's server, or None. Raises BrokenConfig."""
        return jsonc.at(self.read(text), self._server_path)

    def hook_lines(self, text: str) -> list[str]:
        """The commands of Daypack's hooks. Raises BrokenConfig."""
        data = self.read(text)
        return [line for path in self._our_hooks(data) for line in _lines_of(jsonc.at(data, path))]

    # ------------------------------------------------------------ edits

    def with_server(self, text: str, server: Mapping[str, Any]) -> str:
        """The text with the members of `server` in the entry of Daypack. Raises BrokenConfig, CannotEdit."""
        assert self.server is not None
        self._check_place(text, self.server)
        path, there = self._server_path, self.server_in(text)
        kept = there if is_started(there) else {}
        changed = {key: value for key, value in server.items() if key not in kept or kept[key] != value}
        after = text
        try:
            if self.is_toml:
                after = toml.put(after if kept else toml.drop(after, path), path, changed)
            elif kept:
                for key, value in changed.items():
                    after = jsonc.put(after, (*path, key), value)
            else:
                after = jsonc.put(after, path, server)
        except (jsonc.NotJson, toml.NotToml) as error:
            raise CannotEdit(self.file, str(error)) from None
        return self._checked(text, after, lambda data: jsonc.at(data, path) == {**kept, **server})

    def with_hooks(self, text: str, hooks: Hooks, command: tuple[str, ...]) -> str:
        """The text with Daypack's hooks, which start `command`; other hooks stay. Raises BrokenConfig, CannotEdit."""
        assert self.hooks is not None
        self._check_place(text, self.hooks)
        place, after = self.hooks.path, text
        wanted = {event: hook(hooks, command, run) for event, run in hooks.events.items()}
        try:
            for key, value in self.members.items():
                if key not in self.read(after):
                    after = jsonc.put(after, (key,), value)
            data = self.read(after)
            right: set[str] = set()  # events that have their hook
            for path in reversed([*self._our_hooks(data)]):  # of an earlier release, or with another path
                event = path[len(place)]
                made = wanted.get(event, {})
                if not made or event in right or self._is_in_group(path) != ("hooks" in made):
                    after = self._without_hook(after, path)
                    continue
                if jsonc.at(data, path) != _action(made):
                    after = jsonc.put(after, path, _action(made))
                right.add(event)
            for event, made in wanted.items():
                if event not in right:
                    after = jsonc.put(after, (*place, event, "-"), made)
        except jsonc.NotJson as error:
            raise CannotEdit(self.file, str(error)) from None

        def is_right(data: dict[str, Any]) -> bool:
            found = {path[len(place)]: jsonc.at(data, path) for path in self._our_hooks(data)}
            return found == {event: _action(made) for event, made in wanted.items()}

        return self._checked(text, after, is_right)

    def without_ours(self, text: str, before: str | None) -> str:
        """The text without Daypack's entries, and without the objects around them that are empty now and were not in `before`, the
        text from before the first change. Raises BrokenConfig, CannotEdit.
        """
        after = text
        self.read(text)
        if self.is_toml:
            return self._checked(text, toml.drop(text, self._server_path), self._has_none)
        first = self.read(before or "")
        emptied: set[Keys] = set()
        if self.server is not None:
            while _has(self.read(after), self._server_path):
                after = jsonc.drop(after, self._server_path)
                emptied |= _above(self._server_path)
        for path in reversed([*self._our_hooks(self.read(after))]):
            assert self.hooks is not None
            after = self._without_hook(after, path)
            emptied |= _above(path[: len(self.hooks.path) + 2])
        for path in sorted(emptied, key=len, reverse=True):
            if jsonc.at(self.read(after), path) in ({}, []) and not _has(first, path):
                after = jsonc.drop(after, path)
        for key, value in self.members.items():
            if emptied and self.read(after) == {key: value} and key not in first:
                after = jsonc.drop(after, (key,))
        return self._checked(text, after, self._has_none)

    def _without_hook(self, text: str, path: Keys) -> str:
        """The text without the hook at `path`, and without its group if that holds no other."""
        is_alone = self._is_in_group(path) and len(jsonc.at(self.read(text), path[:-1])) == 1
        return jsonc.drop(text, path[:-2] if is_alone else path)

    def _checked(self, before: str, after: str, is_right: Callable[[dict[str, Any]], bool]) -> str:
        try:
            data = self.read(after)
        except BrokenConfig:
            data = {}
        if not is_right(data) or self._others(self.read(before)) != self._others(data):
            raise CannotEdit(self.file, "its entries have a form that Daypack does not know")
        return after

    def _check_place(self, text: str, place: SettingsPlace) -> None:
        """Raises BrokenConfig when an object around the entries is something else."""
        found = jsonc.at(self.read(text), place.path)
        if found is not None and not isinstance(found, dict):
            kind = "a table" if self.is_toml else "an object"
            raise BrokenConfig(self.file, f"{'.'.join(place.path)} is not {kind}")

    # ------------------------------------------------------------ what is there

    @property
    def _server_path(self) -> Keys:
        return (*self.server.path, NAME) if self.server is not None else ()

    def _our_hooks(self, data: Mapping[str, Any]) -> Iterator[Keys]:
        """The paths of Daypack's hooks, alone or in a group with others."""
        place = self.hooks.path if self.hooks is not None else ()
        events = jsonc.at(data, place) if place else None
        for event, items in object_of(events).items():
            for number, item in enumerate(list_of(items)):
                path = (*place, event, str(number))
                if _is_ours(item):
                    yield path
                    continue
                for inner, one in enumerate(list_of(object_of(item).get("hooks"))):
                    if _is_ours(one):
                        yield (*path, "hooks", str(inner))

    def _is_in_group(self, path: Keys) -> bool:
        assert self.hooks is not None
        return len(path) > len(self.hooks.path) + 2

    def _has_none(self, data: dict[str, Any]) -> bool:
        return not _has(data, self._server_path) and not [*self._our_hooks(data)]

    def _others(self, data: dict[str, Any]) -> str:
        """The content without Daypack's entries, and without the objects and lists that are empty then."""
        if self.server is not None:
            data = _with_change(data, self.server.path, _other_servers)
        if self.hooks is not None:
            data = _with_change(data, self.hooks.path, _other_hooks)
        left = {key: value for key, value in data.items() if self.members.get(key) != value}
        return json.dumps(left, sort_keys=True, default=str)


def _with_change(data: Any, path: Keys, change: Callable[[Any], Any]) -> Any:
    """The data with another value at `path`, or with none if that is empty."""
    if not path:
        return change(data)
    if not isinstance(data, dict) or path[0] not in data:
        return data
    value = _with_change(data[path[0]], path[1:], change)
    rest = {key: one for key, one in data.items() if key != path[0]}
    return rest if value in ({}, []) else {**rest, path[0]: value}


def _other_servers(found: Any) -> Any:
    return {key: one for key, one in found.items() if key != NAME} if isinstance(found, dict) else found


def _other_hooks(found: Any) -> Any:
    if not isinstance(found, dict):
        return found
    others = {event: _other_items(items) for event, items in found.items()}
    return {event: items for event, items in others.items() if items != []}


def _other_items(items: Any) -> Any:
    kept = []
    for item in list_of(items):
        group = object_of(item).get("hooks")
        left = [one for one in group if not _is_ours(one)] if isinstance(group, list) else None
        if not _is_ours(item) and (left or not group):
            kept.append({**item, "hooks": left} if left else item)
    return kept if isinstance(items, list) else items


def _action(made: dict[str, Any]) -> dict[str, Any]:
    """The hook itself in an entry, which may be a group."""
    return dict(made["hooks"][0]) if "hooks" in made else made


def _lines_of(found: Any) -> list[str]:
    if not isinstance(found, dict):
        return []
    return [line for key in _LINES if isinstance(line := found.get(key), str)]


def _is_ours(found: Any) -> bool:
    return any(is_hook_line(line) for line in _lines_of(found))


def _has(data: Any, path: Keys) -> bool:
    """True when an object has a member at `path`, which may be null."""
    above = jsonc.at(data, path[:-1]) if path else None
    return isinstance(above, dict) and path[-1] in above


def _above(path: Keys) -> set[Keys]:
    return {path[:depth] for depth in range(1, len(path))}
