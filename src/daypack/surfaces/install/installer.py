"""Writes the changes that `edits` computes: atomically, with a backup, and with a note of the additions for their removal.

The notes and backups are in the user's state folder, one note for each changed file. An uninstallation restores the old bytes
of a file that has no later changes; from other files it removes only the additions.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from daypack.errors import InputError
from daypack.surfaces.install.clients import ANSWER, CLIENTS
from daypack.surfaces.install.contracts import Client, SettingsPlace, Syntax, entry, user_file
from daypack.surfaces.install.edits import (
    BrokenConfig,
    CannotWrite,
    Edit,
    server_in,
    with_hooks,
    with_server,
    without,
)
from daypack.surfaces.install.wholes import SKILL, hook_files
from daypack.system import replacing
from daypack.verbs import Access

LARGEST_CONFIG = 8 << 20


@dataclass(frozen=True, slots=True)
class Change:
    """A file before and after a change. `after` is None when the file is removed."""

    file: Path
    before: str | None
    after: str | None
    made: tuple[tuple[str, ...], ...] = ()
    syntax: Syntax = Syntax.JSON
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
    """The changes to a file: its text before the first change, its hash after the last, and the additions."""

    before: str | None
    after: str
    made: tuple[tuple[str, ...], ...]
    clients: tuple[str, ...] = ()  # the clients that read the file, which is removed with the last of them


class Setup(NamedTuple):
    """The parts of an installation."""

    for_user: bool  # for all projects of the user, instead of this one
    hooks: bool
    packs: bool  # the hooks add a pack to a prompt
    skill: bool  # the text for the agent on the use of the tools
    access: Access
    tools: tuple[str, ...]


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

        Raises BrokenConfig, InputError.
        """
        client, for_user, packs = _client(name), setup.for_user, setup.packs
        place = _place(client, for_user)
        server = entry(client, command, access=setup.access, tools=setup.tools, project=str(self.project))
        edits: dict[Path, Change] = {}
        self._add(edits, place, for_user, lambda text, file: with_server(text, place, server, file))
        wholes: dict[Path, str] = {}
        if (setup.hooks or packs) and client.hooks is None:
            raise InputError(f"{client.title} has no hooks; leave --hooks out")
        if packs and client.hooks is not None and not client.hooks.prompt:
            raise InputError(f"a hook of {client.title} cannot add to a prompt; leave --packs out")
        hook_place = client.hook_place(for_user=for_user)
        if (setup.hooks or packs) and client.hooks is not None and hook_place is not None:
            answered = {client.hooks.prompt: f"{ANSWER} {client.name} --packs"} if packs else {}
            wanted = replace(client.hooks, events={**client.hooks.events, **answered})
            if hook_place.path:
                self._add(
                    edits,
                    hook_place,
                    for_user,
                    lambda text, file: with_hooks(text, hook_place, wanted, command, file),
                )
            base = self._file(hook_place, for_user)
            wholes |= {base / one: text for one, text in hook_files(client, command, wanted).items()}
        if setup.skill and (skill_place := client.skill_place(for_user=for_user)) is not None:
            wholes[self._file(skill_place, for_user)] = SKILL
        left = [file for file, text in wholes.items() if not self._add_whole(edits, file, text)]
        return Plan(tuple(change for change in edits.values() if change.before != change.after), tuple(left))

    def _add_whole(self, edits: dict[Path, Change], file: Path, text: str) -> bool:
        """Add the change that writes a whole file. Returns False for an existing file that Daypack did not write as it is."""
        before, note = _text_of(file), self._note(file)
        if before not in (None, text) and (note is None or _hash(before or "") != note.after):
            return False
        edits[file] = Change(file, before, text, syntax=Syntax.WHOLE, runs=text.startswith("#!"))
        return True

    def _add(
        self,
        edits: dict[Path, Change],
        place: SettingsPlace,
        for_user: bool,
        edit: Callable[[str, str], Edit],
    ) -> None:
        file = self._file(place, for_user)
        earlier = edits.get(file)
        before = earlier.after if earlier else _text_of(file)
        found = edit(before or "", str(file))
        made = (*found.made, *(earlier.made if earlier else ()))
        after = found.after if found.after != (before or "") else before
        edits[file] = Change(file, earlier.before if earlier else before, after, made, place.syntax)

    def plan_removal(self, name: str, *, for_user: bool) -> Plan:
        """The changes that an uninstallation would make; writes nothing. Raises BrokenConfig."""
        client = _client(name)
        changes: list[Change] = []
        left: list[Path] = []
        for place, file in self._places(client, for_user=for_user):
            text, note = _text_of(file), self._note(file)
            if text is None or note is None or any(change.file == file for change in changes):
                continue
            if {*note.clients} - {name}:
                changes.append(Change(file, text, text, syntax=place.syntax))
            elif _hash(text) == note.after:
                changes.append(Change(file, text, note.before, syntax=place.syntax))
            elif place.syntax is Syntax.WHOLE:
                left.append(file)
            else:
                after = without(text, note.made, place.syntax, str(file)).after
                gone = note.before is None and after.strip() in ("", "{}")
                changes.append(Change(file, text, None if gone else after, syntax=place.syntax))
        return Plan(tuple(changes), tuple(left))

    def _places(self, client: Client, *, for_user: bool) -> Iterator[tuple[SettingsPlace, Path]]:
        """The files of a client that Daypack may have changed."""
        hook_place = client.hook_place(for_user=for_user)
        server_place = client.user if for_user else client.project
        for place in (server_place, hook_place, client.skill_place(for_user=for_user)):
            if place is None:
                continue
            file = self._file(place, for_user)
            if place is hook_place and client.hooks is not None and not place.path:
                for one in hook_files(client, ("daypack",), client.hooks):
                    yield place, file / one
            else:
                yield place, file

    def _file(self, place: SettingsPlace, for_user: bool) -> Path:
        if not for_user:
            return self.project / place.file
        return user_file(place, self.home, platform=self.platform, variables=self.variables)

    def server(self, name: str, *, for_user: bool) -> dict[str, Any]:
        """The entry of Daypack in the settings on disk. Raises BrokenConfig, InputError."""
        place = _place(_client(name), for_user)
        file = self._file(place, for_user)
        return server_in(_text_of(file) or "", place, str(file))

    # ------------------------------------------------------------ writing

    def install(self, name: str, changes: Sequence[Change]) -> list[Path]:
        """Write the changes for a client; returns the backups."""
        backups = []
        for change in changes:
            note = self._note(change.file)
            ours = note is not None and change.before is not None and _hash(change.before) == note.after
            first = note.before if note is not None and ours else change.before
            if change.before is not None:
                backups.append(self._backup(change.file, change.before))
            assert change.after is not None
            made, clients = (note.made, note.clients) if note is not None else ((), ())
            clients = (*clients, *((name,) if name not in clients else ()))
            self._keep(change.file, Note(first, _hash(change.after), (*change.made, *made), clients))
            _write(change.file, change.after, mode=0o700 if change.runs else 0o600)
        return backups

    def also_for(self, name: str, *, for_user: bool) -> None:
        """Add a client to the notes of the files that it shares with others."""
        for _, file in self._places(_client(name), for_user=for_user):
            note = self._note(file)
            if note is not None and note.clients and name not in note.clients:
                self._keep(file, replace(note, clients=(*note.clients, name)))

    def uninstall(self, name: str, changes: Sequence[Change]) -> None:
        """Write the removals for a client, and delete the notes."""
        for change in changes:
            note = self._note(change.file)
            if note is not None and (others := tuple(one for one in note.clients if one != name)):
                self._keep(change.file, replace(note, clients=others))
                continue
            if change.after is None:
                change.file.unlink()
                _remove_empty(change.file.parent, {self.home, self.project})
            elif change.after != change.before:
                _write(change.file, change.after)
            self._note_file(change.file).unlink(missing_ok=True)

    def _note_file(self, file: Path) -> Path:
        return self.state / f"{_hash(str(file))}.json"

    def _note(self, file: Path) -> Note | None:
        try:
            data = json.loads(self._note_file(file).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        made = tuple(tuple(path) for path in data["made"])
        return Note(data["before"], data["after"], made, tuple(data.get("clients", ())))

    def _keep(self, file: Path, note: Note) -> None:
        _write(self._note_file(file), json.dumps({"file": str(file), **asdict(note)}))

    def _backup(self, file: Path, text: str) -> Path:
        kept = self.state / "backups" / f"{_hash(str(file))[:8]}-{_hash(text)[:8]}-{file.name.lstrip('.')}"
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


def _hash(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


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


def _write(file: Path, text: str, *, mode: int = 0o600) -> None:
    """Replace the content of a file in one step. Its permissions stay, and a link keeps its target. Raises CannotWrite."""
    file = Path(os.path.realpath(file))
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        mode = file.stat().st_mode & 0o777 if file.exists() else mode
        with replacing(file) as out:
            out.write(text.encode("utf-8"))
            Path(out.name).chmod(mode)
    except OSError as error:
        raise CannotWrite(str(file), error.strerror or str(error)) from None


def _remove_empty(folder: Path, roots: set[Path]) -> None:
    """Remove the folder, and the folders above it, as long as they are empty and not in `roots`."""
    while folder not in roots and folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent
