"""Purposes of files that `.gitattributes` declares, in the words of GitHub's Linguist.

    *.pb.ts         linguist-generated           a program wrote these files
    /lib/ours/**    -linguist-vendored           not third-party code, whatever its path says
    site/**         linguist-documentation

The lines are read as git reads them: the last matching line decides, a deeper file overrides a shallower one, and a nested
repository has its own files. Patterns are those of ignore files, but a pattern that matches a folder does not match the files
in it.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import NamedTuple

from daypack.doors.reading import ignore

FILE_NAME = ".gitattributes"
_PURPOSE = re.compile(r"([-!]?)linguist-(generated|vendored|documentation)(?:=(\S*))?")


class _Line(NamedTuple):
    rule: ignore.Rule
    purposes: dict[str, bool | None]  # None: as if no line named the purpose


class Attributes:
    """The declared purposes of files below a folder. Each `.gitattributes` is read once, at its first use."""

    def __init__(self, root: Path) -> None:
        self._files: dict[str, tuple[tuple[str, list[_Line]], ...]] = {}
        above = [root, *root.parents]
        repository = next((folder for folder in above if os.path.lexists(folder / ".git")), root)
        self._top = str(repository)

    def purposes(self, place: str) -> dict[str, bool]:
        """Purpose (`generated`, `vendored`, `documentation`) → True or False, for those that a line declares for a file."""
        found: dict[str, bool | None] = {}
        folder, name = os.path.split(place)
        for base, lines in self._in(folder):
            for line in lines:
                if line.rule.regex.fullmatch(place[len(base) :] if line.rule.on_path else name):
                    found |= line.purposes
        return {name: value for name, value in sorted(found.items()) if value is not None}

    def _in(self, folder: str) -> tuple[tuple[str, list[_Line]], ...]:
        """(folder with a slash, its lines) for each `.gitattributes` that applies in a folder, the shallowest first."""
        if folder not in self._files:
            parent = os.path.dirname(folder)  # noqa: PTH120 - for each folder of a tree
            is_top = folder == self._top or parent == folder or os.path.lexists(f"{folder}/.git")
            lines = _lines(ignore.read_text(f"{folder}/{FILE_NAME}"))
            own = ((f"{folder.rstrip('/')}/", lines),) if lines else ()
            self._files[folder] = own if is_top else (*self._in(parent), *own)
        return self._files[folder]


def _lines(text: str) -> list[_Line]:
    """The lines of a `.gitattributes` that declare a purpose, in order."""
    found = []
    for number, written in enumerate(text.split("\n"), 1):
        line = written.strip()
        if "linguist-" not in line or line.startswith(("#", "!", "[attr]")):
            continue
        quoted = re.match(r'"((?:[^"\\]|\\.)*)"\s', line)
        pattern = quoted[1] if quoted else line.split()[0]
        declared = line[quoted.end() if quoted else len(pattern) :]
        purposes = {
            name: None if sign == "!" else sign != "-" and value not in ("false", "0")
            for word in declared.split()
            if (match := _PURPOSE.fullmatch(word)) is not None
            for sign, name, value in (match.groups(),)
        }
        rule = ignore.parse_line(pattern, source=FILE_NAME, number=number)
        if purposes and rule is not None and not rule.folders_only:
            found.append(_Line(rule, purposes))
    return found
