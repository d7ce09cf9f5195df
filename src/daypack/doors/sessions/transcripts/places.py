"""The places in which agents keep their transcripts, and those in them that belong to a project."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from daypack.doors.sessions.hooks.forms import object_of, parsed
from daypack.doors.sessions.transcripts.copilot import copilot_folder
from daypack.settings.places import find_place

_HEAD = 64 << 10  # bytes, in which a transcript names its working folder
_FOLDER = re.compile(r'"cwd"\s*:\s*("(?:[^"\\]|\\.)*")')


def usual_places(root: Path, home: Path, variables: Mapping[str, str]) -> list[Path]:
    """The transcripts that agents keep for a project, also of sessions begun in a folder inside it; a command asks the user
    before it reads them. `variables` name the agents' folders where the user moved them.
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
    return [path for path in found if os.access(path, os.R_OK)]


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
