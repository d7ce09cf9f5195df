"""Writes the changes that `edits` computes: atomically, with a backup, and with a note of the text before for their removal.

The notes and backups are in the user's state folder, one note for each changed file. An uninstallation restores the old bytes
of a file that has no later changes. From other files, also those without a note, it removes the entries that it finds there.
"""

from __future__ import annotations

import difflib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from daypack.errors import InputError
from daypack.surfaces.install.clients import ANSWER, CLIENTS
from daypack.surfaces.install.contracts import Client, Hooks, SettingsPlace, entry, user_file
from daypack.surfaces.install.edits import NAME, BrokenConfig, CannotWrite, Parts
from daypack.surfaces.install.jsonc import MARK
from daypack.surfaces.install.wholes import SKILL, hook_files, is_like
from daypack.system import replacing
from daypack.text.storable import text_hash
from daypack.verbs import Access

LARGEST_CONFIG = 8 << 20


@dataclass(frozen=True, slots=True)
class Change:
    """A file before and after a change. `after` is None when the file is removed."""

    file: Path
    before: str | None
    after: str | None
    original: str | None = None  # `before` without Daypack's entries
    runs: bool = False  # the file is executable

    @property
    def diff(self) -> str:
        lines = difflib.unified_diff(
            (self.before or "").splitlines(keepends=True),
            (self.after or "").splitlines(keepends=True),
            str(self.file) if self.before is not None else "(no file)",
            str(self.file) if self.after is not None else "(no file)",
        )
        return "".join(line if line.endswith("\n") else line + "\n" for line in lines)


@dataclass(frozen=True, slots=True)
class Note:
    """The changes to a file: its text before the first change, and its hash after the last."""

    before: str | None
    after: str
    clients: tuple[str, ...] = ()  # the clients that read the file, which is removed with the last of them
    folders: tuple[str, ...] = ()  # the folders above it that Daypack made


class Setup(NamedTuple):
    """The parts of an installation. One that is set up already keeps the others that it has."""

    for_user: bool  # for all projects of the user, instead of this one
    hooks: bool
    packs: bool  # the hooks add a pack to a prompt
    skill: bool  # the text for the agent on the use of the tools
    access: Access | None  # as it is, or to write, when None
    tools: tuple[str, ...]  # as they are when empty


@dataclass(frozen=True, slots=True)
class Plan:
    """The changes of an installation, and the files that it does not change, because they differ from those that Daypack wrote."""

    changes: tuple[Change, ...]
    left: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class Installer:
    """The folders with the settings of the user and of a project, and the folder of notes."""

    home: Path
    project: Path
    state: Path
    platform: str  # a value of `sys.platform`
    variables: Mapping[str, str]

    # ------------------------------------------------------------ plans

    def plan(self, name: str, command: tuple[str, ...], setup: Setup) -> Plan:
        """The changes that an installation would make; writes nothing. `command` starts Daypack.

        Raises BrokenConfig, CannotEdit, InputError.
        """
        client, for_user = _client(name), setup.for_user
        _place(client, for_user)
        hooks = self._hooks(client, setup)
        there = self.server(name, for_user=for_user)
        project = str(self.project)
        server = entry(client, command, access=setup.access, tools=setup.tools, project=project, there=there)
        changes: list[Change] = []
        for file, parts in self._settings(client, for_user).items():
            before = _text_of(file)
            after = before or ""
            if parts.server is not None:
                after = parts.with_server(after, server)
            if parts.hooks is not None and hooks is not None:
                after = parts.with_hooks(after, hooks, command)
            if after != (before or ""):
                original = self._without_ours(file, before, parts) if before is not None else None
                changes.append(Change(file, before, after, original))
        left: list[Path] = []
        wholes = self._hook_files(client, command, hooks, for_user) if hooks is not None else {}
        if setup.skill:
            skill = self._skill(client, for_user)
            wholes |= {file: text for file, text in skill.items() if not there or _text_of(file) is not None}
        for file, text in wholes.items():
            before = _text_of(file)
            if before is not None and not self._is_ours(file, before, text):
                left.append(file)
            elif before != text:
                changes.append(Change(file, before, text, runs=text.startswith("#!")))
        return Plan(tuple(changes), tuple(left))

    def _hooks(self, client: Client, setup: Setup) -> Hooks | None:
        """The hooks that a setup adds, or that are set up already; None without any. Raises InputError."""
        packs = setup.packs
        if (setup.hooks or packs) and client.hooks is None:
            raise InputError(f"{client.title} has no hooks; leave --hooks out")
        if packs and client.hooks is not None and not client.hooks.prompt:
            raise InputError(f"a hook of {client.title} cannot add to a prompt; leave --packs out")
        lines = self._hook_lines(client, setup.for_user)
        hooks = client.hooks if setup.hooks or packs or lines else None
        if hooks is not None and hooks.prompt and (packs or any(" --packs" in line for line in lines)):
            answered = {hooks.prompt: f"{ANSWER} {client.name} --packs"}
            return replace(hooks, events={**hooks.events, **answered})
        return hooks

    def plan_removal(self, name: str, *, for_user: bool) -> Plan:
        """The changes that an uninstallation would make; writes nothing. Raises BrokenConfig, CannotEdit."""
        client = _client(name)
        changes: list[Change] = []
        left: list[Path] = []
        for file, parts in self._settings(client, for_user).items():
            text = _text_of(file)
            if text is None or (after := self._without_ours(file, text, parts)) == text:
                continue
            if change := self._removal(name, file, text, after, for_user):
                changes.append(change)
        for file, like in self._wholes(client, for_user).items():
            text = _text_of(file)
            if text is not None and self._is_ours(file, text, like):
                if change := self._removal(name, file, text, None, for_user):
                    changes.append(change)
            elif text is not None:
                left.append(file)
        return Plan(tuple(changes), tuple(left))

    def _removal(self, name: str, file: Path, text: str, after: str | None, for_user: bool) -> Change | None:
        """The removal from a file. One that another client uses stays; this client is taken from its note, if it is there."""
        note = self._note(file)
        if note is not None and {*note.clients} - {name}:
            return Change(file, text, text) if name in note.clients else None
        if note is None and self._is_shared(file, name, for_user):
            return None
        return Change(file, text, after)

    def _without_ours(self, file: Path, text: str, parts: Parts) -> str | None:
        """The text of a file without Daypack's entries, and None if Daypack made the file and it has no others."""
        note = self._note(file)
        first = note.before if note is not None else None
        if note is not None and note.after == text_hash(text):
            if first is None:
                return None
            text = first
        after = parts.without_ours(text, first)
        is_void = after.removeprefix(MARK).strip() in ("", "{}")
        return None if first is None and is_void and after != text else after

    def _is_ours(self, file: Path, text: str, like: str) -> bool:
        """True for a whole file as Daypack wrote it; `like` is what it writes there now."""
        note = self._note(file)
        return is_like(text, like) or (note is not None and note.after == text_hash(text))

    def _is_shared(self, file: Path, name: str, for_user: bool) -> bool:
        """True when another client that has Daypack's server reads the file as well."""
        for other, client in CLIENTS.items():
            if other != name and file in self._files(client, for_user):
                try:
                    if self.server(other, for_user=for_user):
                        return True
                except InputError:  # has no settings here, or they cannot be read
                    continue
        return False

    # ------------------------------------------------------------ files

    def _files(self, client: Client, for_user: bool) -> list[Path]:
        """The files of a client that Daypack may have changed."""
        return [*self._settings(client, for_user), *self._wholes(client, for_user)]

    def _settings(self, client: Client, for_user: bool) -> dict[Path, Parts]:
        """The settings files of a client, in which other entries may be."""
        found: dict[Path, Parts] = {}
        if (place := client.user if for_user else client.project) is not None:
            file = self._file(place, for_user)
            found[file] = Parts(str(file), place)
        place = client.hook_place(for_user=for_user)
        if place is not None and place.path and client.hooks is not None:
            file = self._file(place, for_user)
            parts = found.get(file, Parts(str(file)))
            found[file] = replace(parts, hooks=place, members=client.hooks.members)
        return found

    def _wholes(self, client: Client, for_user: bool) -> dict[Path, str]:
        """The files that Daypack writes as a whole, with their text for a command of any name."""
        hooks = client.hooks
        made = self._hook_files(client, ("daypack",), hooks, for_user) if hooks is not None else {}
        return made | self._skill(client, for_user)

    def _hook_files(
        self, client: Client, command: tuple[str, ...], hooks: Hooks, for_user: bool
    ) -> dict[Path, str]:
        place = client.hook_place(for_user=for_user)
        if place is None:
            return {}
        base = self._file(place, for_user)
        return {base / one: text for one, text in hook_files(client, command, hooks).items()}

    def _hook_lines(self, client: Client, for_user: bool) -> list[str]:
        """The commands of the hooks that are installed."""
        settings, hooks = self._settings(client, for_user), client.hooks
        made = self._hook_files(client, ("daypack",), hooks, for_user) if hooks is not None else {}
        lines = [line for file, parts in settings.items() for line in parts.hook_lines(_text_of(file) or "")]
        scripts = ((file, _text_of(file) or "", like) for file, like in made.items())
        return lines + [text for file, text, like in scripts if text and self._is_ours(file, text, like)]

    def _skill(self, client: Client, for_user: bool) -> dict[Path, str]:
        place = client.skill_place(for_user=for_user)
        return {self._file(place, for_user): SKILL} if place is not None else {}

    def _file(self, place: SettingsPlace, for_user: bool) -> Path:
        if not for_user:
            return self.project / place.file
        return user_file(place, self.home, platform=self.platform, variables=self.variables)

    def server(self, name: str, *, for_user: bool) -> dict[str, Any]:
        """The entry of Daypack in the settings on disk; empty when it is missing. Raises BrokenConfig, InputError."""
        place = _place(_client(name), for_user)
        file = self._file(place, for_user)
        found = Parts(str(file), place).server_in(_text_of(file) or "")
        return found if isinstance(found, dict) else {}

    # ------------------------------------------------------------ writing

    def install(self, name: str, changes: Sequence[Change]) -> list[Path]:
        """Write the changes for a client, all or none; returns the backups. Raises CannotWrite."""
        backups = [self._backup(one.file, one.before) for one in changes if one.before is not None]
        with ExitStack() as undo:
            for change in changes:
                note = self._note(change.file)
                clients = dict.fromkeys((*(note.clients if note is not None else ()), name))
                folders = self._made_folders(change.file)
                undo.callback(_remove_empty, [one for one in folders if not os.path.lexists(one)])
                assert change.after is not None
                new = Note(change.original, text_hash(change.after), tuple(clients), folders)
                self._keep(change.file, new, undo)
                _write(change.file, change.after, mode=0o700 if change.runs else 0o600, undo=undo)
            undo.pop_all()
        return backups

    def also_for(self, name: str, *, for_user: bool) -> None:
        """Add a client to the notes of the files that it shares with others."""
        for file in self._files(_client(name), for_user):
            note = self._note(file)
            if note is not None and note.clients and name not in note.clients:
                self._keep(file, replace(note, clients=(*note.clients, name)))

    def uninstall(self, name: str, changes: Sequence[Change]) -> None:
        """Write the removals for a client, all or none, and delete the notes. Raises CannotWrite."""
        folders: list[str] = []
        with ExitStack() as undo:
            for change in changes:
                note = self._note(change.file)
                if note is not None and (others := tuple(one for one in note.clients if one != name)):
                    self._keep(change.file, replace(note, clients=others), undo)
                    continue
                if change.after is None:
                    _remove(change.file, undo)
                elif change.after != change.before:
                    _write(change.file, change.after, undo=undo)
                if note is not None:
                    folders += note.folders
                    _remove(self._note_file(change.file), undo)
                elif change.file.parent.name == NAME:  # of the skill
                    folders.append(str(change.file.parent))
            undo.pop_all()
        _remove_empty(folders)

    def _made_folders(self, file: Path) -> tuple[str, ...]:
        """The folders above a file that Daypack makes, or has made for others."""
        made: set[str] = set()
        for one in self.state.glob("*.json"):
            note = _read_note(one)
            made |= {*note.folders} if note is not None else set()
        above = map(str, Path(os.path.realpath(file)).parents)
        return tuple(folder for folder in above if folder in made or not os.path.lexists(folder))

    def _note_file(self, file: Path) -> Path:
        return self.state / f"{text_hash(str(file))}.json"

    def _note(self, file: Path) -> Note | None:
        return _read_note(self._note_file(file))

    def _keep(self, file: Path, note: Note, undo: ExitStack | None = None) -> None:
        _write(self._note_file(file), json.dumps({"file": str(file), **asdict(note)}), undo=undo)

    def _backup(self, file: Path, text: str) -> Path:
        kept = (
            self.state
            / "backups"
            / f"{text_hash(str(file))[:8]}-{text_hash(text)[:8]}-{file.name.lstrip('.')}"
        )
        _write(kept, text)
        return kept


def _client(name: str) -> Client:
    if name not in CLIENTS:
        raise InputError(f"{name!r} is not a known client; choose from {', '.join(CLIENTS)}")
    return CLIENTS[name]


def _place(client: Client, for_user: bool) -> SettingsPlace:
    place = client.user if for_user else client.project
    if place is None:
        raise InputError(
            f"{client.title} has no settings {'of a user' if for_user else 'of a project'}; {'leave --user out' if for_user else 'add --user'}"
        )
    return place


def _text_of(file: Path) -> str | None:
    """The text of a settings file; None for a missing file. Raises BrokenConfig."""
    try:
        if file.stat().st_size > LARGEST_CONFIG:
            raise BrokenConfig(str(file), "it has more than 8 MB")
        return file.read_bytes().decode("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except UnicodeDecodeError:
        raise BrokenConfig(str(file), "it is not UTF-8") from None
    except OSError as error:
        raise BrokenConfig(str(file), error.strerror or str(error)) from None


def _read_note(file: Path) -> Note | None:
    """The note in a file; None for a missing one, and for one that was damaged."""
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        clients, folders = map(str, data.get("clients", ())), map(str, data.get("folders", ()))
        return Note(data["before"], data["after"], tuple(clients), tuple(folders))
    except (FileNotFoundError, ValueError, LookupError, TypeError, AttributeError):
        return None


def _write(file: Path, text: str, *, mode: int = 0o600, undo: ExitStack | None = None) -> None:
    """Replace the content of a file in one step; `undo` gets the way back. Its permissions stay, and a link keeps its target. Raises
    CannotWrite.
    """
    real = Path(os.path.realpath(file))
    try:
        before = real.read_bytes() if real.exists() else None
        real.parent.mkdir(parents=True, exist_ok=True)
        _replace(real, text.encode("utf-8"), mode)
    except OSError as error:
        raise CannotWrite(str(file), error.strerror or str(error)) from None
    if undo is not None and before is not None:
        undo.callback(_replace, real, before, mode)
    elif undo is not None:
        undo.callback(real.unlink)


def _replace(file: Path, content: bytes, mode: int) -> None:
    mode = file.stat().st_mode & 0o777 if file.exists() else mode
    with replacing(file) as out:
        out.write(content)
        Path(out.name).chmod(mode)


def _remove(file: Path, undo: ExitStack) -> None:
    """Remove a file, or the target of a link, which the user made. Raises CannotWrite."""
    real = Path(os.path.realpath(file))
    try:
        before, mode = real.read_bytes(), real.stat().st_mode & 0o777
        real.unlink()
    except OSError as error:
        raise CannotWrite(str(file), error.strerror or str(error)) from None
    undo.callback(_replace, real, before, mode)


def _remove_empty(folders: Iterable[str]) -> None:
    """Remove those of the folders that are empty, inner ones first."""
    for folder in sorted({*folders}, key=len, reverse=True):
        with suppress(OSError):
            Path(folder).rmdir()
