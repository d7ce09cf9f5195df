"""Suites read from files, and the saved runs of a store."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from daypack.errors import BadRun, BadSuite, DaypackError
from daypack.evaluate.cases import Suite, parse_suite
from daypack.evaluate.runs import NAME, Run, from_json, is_run, to_json
from daypack.guard.inputs import NotReadable, read_file
from daypack.settings.places import make_store_folder
from daypack.shapes.wording import counted
from daypack.system import replacing
from daypack.text.checks import did_you_mean

FOLDER = "evals"
"""Inside the store's folder, which excludes itself from git: runs hold questions and names of files."""
LARGEST_FILE = 64 << 20  # bytes; a run of 10,000 cases has some 10 MB


def read_suite_file(path: Path) -> Suite:
    """A suite from a file. Raises BadSuite."""
    suite = parse_suite(_text(path, lambda problem: BadSuite(str(path), "", problem)), path.name)
    return replace(suite, file=os.path.abspath(path))


def _text(path: Path, error: Callable[[str], DaypackError]) -> str:
    try:
        return read_file(path, most=LARGEST_FILE).decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise error("is not UTF-8 text") from None
    except NotReadable as trouble:
        raise error(f"cannot be read ({trouble.why}); check the path") from None


class RunFolder:
    """The runs of a store, each a JSON file with the run's name. Files elsewhere are named by their path."""

    def __init__(self, store: Path) -> None:
        self.folder = store / FOLDER

    def save(self, run: Run, name: str | None = None) -> Run:
        """Keep a run under `name`; returns it with the name. `name` is a name, or a path that ends in .json;
        a run of that name and suite is replaced.

        Raises BadRun for an invalid name, for a file that is not a run, and for a run of another suite.
        """
        self.check(name, run.suite)
        path = self._path(name or run.id)
        if name is not None:
            run = replace(run, id=path.stem)
        try:
            if path.parent == self.folder:
                make_store_folder(self.folder.parent)
                self.folder.mkdir(mode=0o700, exist_ok=True)
            with replacing(path, synced=False) as stream:
                stream.write(to_json(run).encode())
        except OSError as error:
            raise BadRun(
                str(path), f"cannot be written ({error.strerror}); name a file with --name FILE.json"
            ) from None
        return run

    def check(self, name: str | None, suite: str) -> None:
        """Raise BadRun for a name that a run of this suite cannot have: checked before the work is done."""
        if name is None:
            return
        path = self._path(name)
        if path.exists() and not is_run_file(path):
            raise BadRun(name, "exists already, and is not a run; it was not changed, choose another name")
        if path.exists() and (other := suite_of(path)) not in ("", suite):
            raise BadRun(
                name, f"is a run of the suite {other!r:.80}; it was not changed, choose another name"
            )
        if path.parent != self.folder and not path.parent.is_dir():
            raise BadRun(
                name, f"cannot be saved, because the folder {path.parent} does not exist; make it first"
            )

    def load(self, name: str) -> Run:
        """A run by path, by name, by the start of its name, or `latest` and `latest~N`. Raises BadRun."""
        path = self.find(name)
        run = from_json(_text(path, lambda problem: BadRun(name, problem)), name)
        # A file that was copied here still says the name of the other one.
        return replace(run, id=path.stem) if path.parent == self.folder else run

    def find(self, name: str) -> Path:
        """The file of a run, as `load` names it. Raises BadRun."""
        if name.endswith(".json") or os.sep in name:
            return Path(name)
        known = self.names()
        if match := re.fullmatch(r"latest(?:~(\d{1,6}))?", name):
            back = int(match[1] or 0)
            if back >= len(known):
                raise BadRun(
                    name,
                    f"is not saved, because the store has {counted(len(known), 'saved run')}; `daypack eval run SUITE` makes one",
                )
            name = known[-1 - back]
        elif name not in known:
            near = [other for other in known if other.startswith(name)]
            if len(near) != 1:
                raise BadRun(name, _no_run(name, near, known))
            name = near[0]
        return self._path(name)

    def write_page(self, name: str, text: str, out: str | None) -> Path:
        """A page at `out`, or beside the run that `name` names. Raises BadRun when it cannot be written."""
        path = self.find(name).with_suffix(".html") if out is None else Path(out)
        try:
            with replacing(path, synced=False) as stream:
                stream.write(text.encode())
        except OSError as error:
            raise BadRun(
                str(path), f"cannot be written as a page ({error.strerror}); name a file with --out FILE"
            ) from None
        return path

    def names(self) -> list[str]:
        """Names of the saved runs, oldest first."""
        try:
            files = [(path.stat().st_mtime_ns, path.stem) for path in self.folder.glob("*.json")]
        except OSError:
            return []
        return [name for _, name in sorted(files)]

    def _path(self, name: str) -> Path:
        if name.endswith(".json"):
            return Path(name)
        if not NAME.fullmatch(name) or name.startswith("latest"):
            raise BadRun(
                name,
                "is not a valid name for a run; use letters, digits, '.', '_' and '-', or a path "
                "that ends in .json",
            )
        return self.folder / f"{name}.json"


def _no_run(name: str, near: Sequence[str], known: Sequence[str]) -> str:
    if near:
        return f"may be any of {', '.join(near[:5])}; write more of its name"
    return f"is not saved; {did_you_mean(name, known, '`daypack eval runs` lists those that are')}"


def suite_of(path: Path) -> str:
    """The name of the suite of a saved run; "" where the file does not say, as one of another version."""
    told = json.loads(_text(path, lambda problem: BadRun(str(path), problem))).get("suite")
    return str(told.get("name", "")) if isinstance(told, dict) else ""


def is_run_file(path: Path) -> bool:
    """True when a file is a saved run, readable or of another version."""
    try:
        return is_run(json.loads(_text(path, lambda problem: BadRun(str(path), problem))))
    except (BadRun, ValueError, RecursionError):
        return False
