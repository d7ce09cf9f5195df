"""Writes the changes that `edits` computes: with a backup, atomically, and with a note of the additions, so
that they can be removed again.

The notes and backups are in the user's state folder, one note for each changed file. A file without later
changes gets its old bytes back; from any other only the additions are removed.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from daypack.errors import InputError
from daypack.surfaces.install.clients import CLIENTS, Client, Place, Syntax, entry, user_file
from daypack.surfaces.install.edits import BrokenConfig, Edit, server_in, with_hooks, with_server, without
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
    """Changes to a file: its text before the first, its hash after the last, and the additions."""

    before: str | None
    after: str
    made: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Installer:
    """Folders of a person's and a project's settings, and the folder of notes of changes."""

    home: Path
    project: Path
    state: Path
    platform: str  # as `sys.platform` names it
    variables: Mapping[str, str]

    # ------------------------------------------------------------ plans

    def plan(
        self,
        name: str,
        command: tuple[str, ...],
        *,
        for_user: bool,
        hooks: bool,
        access: Access,
        tools: tuple[str, ...],
    ) -> list[Change]:
        """Changes that an installation would make; writes nothing. `command` starts Daypack.

        Raises BrokenConfig, InputError.
        """
        client = _client(name)
        server = entry(client, command, access=access, tools=tools)
        place = _place(client, for_user)
        hook_place = client.user_hooks if for_user else client.project_hooks
        edits: dict[Path, Change] = {}
        self._add(edits, place, for_user, lambda text, file: with_server(text, place, server, file))
        if hooks:
            if hook_place is None:
                raise InputError(f"{client.title} has no hooks; leave --hooks out")
            self._add(
                edits,
                hook_place,
                for_user,
                lambda text, file: with_hooks(text, hook_place, client, command, file),
            )
        return [change for change in edits.values() if change.before != change.after]

    def _add(
        self, edits: dict[Path, Change], place: Place, for_user: bool, edit: Callable[[str, str], Edit]
    ) -> None:
        file = self._file(place, for_user)
        earlier = edits.get(file)
        before = earlier.after if earlier else _text_of(file)
        found = edit(before or "", str(file))
        made = (*found.made, *(earlier.made if earlier else ()))
        after = found.after if found.after != (before or "") else before
        edits[file] = Change(file, earlier.before if earlier else before, after, made, place.syntax)

    def plan_removal(self, name: str, *, for_user: bool) -> list[Change]:
        """Changes that an uninstallation would make; writes nothing. Raises BrokenConfig."""
        client = _client(name)
        places = (client.user, client.user_hooks) if for_user else (client.project, client.project_hooks)
        changes: list[Change] = []
        for place in places:
            if place is None:
                continue
            file = self._file(place, for_user)
            text, note = _text_of(file), self._note(file)
            if text is None or note is None or any(change.file == file for change in changes):
                continue
            if _hash(text) == note.after:
                changes.append(Change(file, text, note.before, syntax=place.syntax))
                continue
            after = without(text, note.made, place.syntax, str(file)).after
            gone = note.before is None and after.strip() in ("", "{}")
            changes.append(Change(file, text, None if gone else after, syntax=place.syntax))
        return changes

    def _file(self, place: Place, for_user: bool) -> Path:
        if not for_user:
            return self.project / place.file
        return user_file(place, self.home, platform=self.platform, variables=self.variables)

    def server(self, name: str, *, for_user: bool) -> dict[str, Any]:
        """The entry of Daypack in the settings, as they are on the disk. Raises BrokenConfig, InputError."""
        place = _place(_client(name), for_user)
        file = self._file(place, for_user)
        return server_in(_text_of(file) or "", place, str(file))

    # ------------------------------------------------------------ writing

    def install(self, changes: list[Change]) -> list[Path]:
        """Write the changes; returns the backups."""
        backups = []
        for change in changes:
            note = self._note(change.file)
            ours = note is not None and change.before is not None and _hash(change.before) == note.after
            first = note.before if note is not None and ours else change.before
            if change.before is not None:
                backups.append(self._backup(change.file, change.before))
            assert change.after is not None
            self._keep(
                change.file, Note(first, _hash(change.after), (*change.made, *(note.made if note else ())))
            )
            _write(change.file, change.after)
        return backups

    def uninstall(self, changes: list[Change]) -> None:
        """Write the removals, and forget the notes."""
        for change in changes:
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
        return Note(data["before"], data["after"], tuple(tuple(path) for path in data["made"]))

    def _keep(self, file: Path, note: Note) -> None:
        _write(
            self._note_file(file),
            json.dumps({"file": str(file), "before": note.before, "after": note.after, "made": note.made}),
        )

    def _backup(self, file: Path, text: str) -> Path:
        kept = self.state / "backups" / f"{_hash(str(file))[:8]}-{_hash(text)[:8]}-{file.name.lstrip('.')}"
        _write(kept, text)
        return kept


def _client(name: str) -> Client:
    if name not in CLIENTS:
        raise InputError(f"{name!r} is not a known client; choose from {', '.join(CLIENTS)}")
    return CLIENTS[name]


def _place(client: Client, for_user: bool) -> Place:
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


def _write(file: Path, text: str) -> None:
    """Replace a file by another one in one step; its permissions stay, and a link keeps its target."""
    file = Path(os.path.realpath(file))
    file.parent.mkdir(parents=True, exist_ok=True)
    mode = file.stat().st_mode & 0o777 if file.exists() else 0o600
    descriptor, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        with os.fdopen(descriptor, "wb") as out:
            out.write(text.encode("utf-8"))
            out.flush()
            os.fsync(out.fileno())
        Path(name).chmod(mode)
        Path(name).replace(file)
    except BaseException:
        Path(name).unlink()
        raise


def _remove_empty(folder: Path, roots: set[Path]) -> None:
    """Remove the folders that held only our file."""
    while folder not in roots and folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent
