"""The places in which agents keep their transcripts, and those in them that belong to a project."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from daypack.doors.sessions.transcripts import opencode_storage
from daypack.doors.sessions.transcripts.aider import HISTORY
from daypack.doors.sessions.transcripts.copilot import copilot_folder
from daypack.doors.sessions.transcripts.gemini import LOGS
from daypack.doors.sessions.transcripts.reading import OF_CURSOR, OF_SUB_AGENTS
from daypack.settings.places import find_place
from daypack.shapes.loose_json import object_of, parsed

_HEAD = 64 << 10  # bytes, in which a transcript names its working folder
_FOLDER = re.compile(r'"cwd"\s*:\s*("(?:[^"\\]|\\.)*")')


def usual_places(root: Path, home: Path, variables: Mapping[str, str]) -> dict[Path, int]:
    """Transcript → its bytes, for those that agents keep for a project, also of sessions begun in a folder inside it; a command
    asks the user before it reads them. `variables` name the agents' folders where the user moved them.
    """
    claude = Path(variables.get("CLAUDE_CONFIG_DIR") or home / ".claude") / "projects"
    own = re.sub(r"[^A-Za-z0-9]", "-", str(root))
    found = sorted((claude / own).glob("*.jsonl"))
    # The name of a folder inside begins so, and that of some other folders does too.
    found += [path for path in sorted(claude.glob(f"{own}-*/*.jsonl")) if _holds(root, _named_in(path))]
    codex = Path(variables.get("CODEX_HOME") or home / ".codex") / "sessions"
    found += [path for path in sorted(codex.rglob("rollout-*.jsonl")) if _holds(root, _named_in(path))]
    copilot = Path(variables.get("COPILOT_HOME") or home / ".copilot") / "session-state"
    found += [path for path in sorted(copilot.glob("*/events.jsonl")) if _holds(root, _of_copilot(path))]
    found += _of_cursor(Path(variables.get("CURSOR_DATA_DIR") or home / ".cursor") / "projects", root)
    found += _of_gemini(Path(variables.get("GEMINI_CLI_HOME") or home) / ".gemini", root)
    found += [path for path in (root / HISTORY,) if path.is_file() and not path.is_symlink()]
    data = Path(variables.get("XDG_DATA_HOME") or home / ".local" / "share") / "opencode"
    sizes = {path: path.stat().st_size for path in found if os.access(path, os.R_OK)}
    return sizes | _of_opencode(data, root, variables.get("OPENCODE_DB") or "")


def _holds(root: Path, folders: Iterable[str]) -> bool:
    """True where a session began in the project, and no store inside has it, as with hooks."""
    for folder in folders:
        try:
            place = Path(folder)
            if place == root or (root in place.parents and find_place(place, store=None).root == root):
                return True
        except (OSError, ValueError):  # no name of a folder
            continue
    return False


def _head(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            return stream.read(_HEAD).decode("utf-8", "replace")
    except OSError:
        return ""


def _named_in(path: Path) -> set[str]:
    """The folders in the head of a transcript of Claude Code or Codex."""
    found = set[str]()
    for match in _FOLDER.finditer(_head(path)):
        try:
            found.add(json.loads(match[1]))
        except ValueError:  # cut off
            continue
    return found


def _of_copilot(path: Path) -> set[str]:
    """The folder in the first line of a transcript of Copilot CLI; the calls of tools may name others."""
    first, _, _ = _head(path).partition("\n")
    return {copilot_folder(object_of(parsed(first, {})))}


# ---------------------------------------------------------------- opencode and Gemini CLI


def _of_opencode(data: Path, root: Path, named: str) -> dict[Path, int]:
    """opencode moved its sessions from files into a database, and left the files."""
    databases = sorted({*data.glob(opencode_storage.DATABASES), *([data / named] if named else [])})
    found: dict[str, tuple[Path, int]] = {}
    for place, kept_in in (
        *((path, opencode_storage.kept_in_database) for path in databases),
        (data / "storage", opencode_storage.kept_in_files),
    ):
        try:
            own = [one.path for one in kept_in(place) if _holds(root, [one.folder])]
            found = {path.stem: (path, opencode_storage.size_of(path)) for path in own} | found
        except (OSError, ValueError):
            continue
    return dict(found.values())


def _of_gemini(place: Path, root: Path) -> list[Path]:
    """Gemini CLI has a folder for each project: newer versions write down the project's folder, older ones hash it."""
    found = list[Path]()
    own = hashlib.sha256(str(root).encode()).hexdigest()
    noted = object_of(object_of(parsed(_head(place / "projects.json"), {})).get("projects"))
    folders = {name: folder for folder, name in noted.items() if isinstance(name, str)}
    for kept in sorted((place / "tmp").glob("*")):
        folder = _head(kept / ".project_root").strip() or folders.get(kept.name, "")
        if kept.name == own or (folder and _holds(root, [folder])):
            chats = kept / "chats"
            lines = {*chats.glob("session-*.jsonl")}
            # a session that goes on in a newer version is copied into a file of lines
            older = {path for path in chats.glob("session-*.json") if path.with_suffix(".jsonl") not in lines}
            found += [*sorted(older), *sorted(lines)]
            found += [path for path in (kept / LOGS,) if path.is_file()]
    return found


# ---------------------------------------------------------------- Cursor


def _of_cursor(projects: Path, root: Path) -> list[Path]:
    """Cursor's transcripts name no folder, and the names of their places are ambiguous: `srv-ferry-sub` is that of /srv/ferry/sub
    and of /srv/ferry-sub. A place counts where all folders of its name are in the project.
    """
    own = _dashed(root)
    found = list[Path]()
    for place in sorted(projects.glob(f"*/{OF_CURSOR}")):
        name = place.parent.name.lower()
        if name == own or name.startswith(f"{own}-"):
            below = name.removeprefix(_dashed(root.anchor)).removeprefix("-")
            folders = _trusted(place.parent) or {*_folders_named(below, Path(root.anchor))}
            if folders and all(_holds(root, [folder]) for folder in folders):
                kept = (*place.glob("*.jsonl"), *place.glob("*/*.jsonl"))
                found += sorted(path for path in kept if path.parent.name != OF_SUB_AGENTS)
    return found


def _dashed(path: Path | str) -> str:
    """The name that Cursor gives to the place of a folder; the case of a drive's letter varies."""
    return re.sub("[^a-z0-9]+", "-", str(path).lower()).strip("-")


def _trusted(place: Path) -> set[str]:
    """The folder that Cursor's command line wrote down when the user trusted it, if any."""
    noted = object_of(parsed(_head(place / ".workspace-trusted"), {})).get("workspacePath")
    return {noted} if isinstance(noted, str) and noted else set()


def _folders_named(name: str, above: Path) -> Iterator[str]:
    """The folders below `above` whose dashed names, from there on, are `name`."""
    try:
        inside = [entry for entry in os.scandir(above) if entry.is_dir(follow_symlinks=False)]
    except OSError:
        return
    for entry in inside:
        part = _dashed(entry.name)
        if name == part:
            yield entry.path
        elif not part:
            yield from _folders_named(name, Path(entry.path))
        elif name.startswith(f"{part}-"):
            yield from _folders_named(name.removeprefix(f"{part}-"), Path(entry.path))
