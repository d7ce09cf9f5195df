"""Options before the command's name, and the store that a command opens."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from daypack.errors import StoreNotFound
from daypack.surfaces.cli import terminal
from daypack.surfaces.cli.terminal import note, progress
from daypack.types.servers import OnlyForFiles, PasswordShown, ServerAddress, holds_password, is_server

if TYPE_CHECKING:
    from daypack.api import Daypack
    from daypack.guard.trust import Writer
    from daypack.settings.configuration import Configuration
    from daypack.settings.context import ProjectContext
    from daypack.settings.places import StorePlace
    from daypack.verbs.command import Opening


class CliContext:
    """The options before the command's name, and the project around `folder`, by default the working folder. The store is
    `typed` on the command line, or set by the environment.
    """

    def __init__(
        self,
        store: str | None = None,
        embedder: str | None = None,
        *,
        folder: Path | None = None,
        typed: bool = True,
    ) -> None:
        self.store, self.embedder, self._folder, self._typed = store, embedder, folder, typed

    def names_a_store(self, store: str | None) -> bool:
        """True when the caller typed the name of a store, which may be mistyped, in the command or before it."""
        return store is not None or (self._typed and self.store is not None)

    @cached_property
    def project(self) -> ProjectContext:
        return context_of(self._folder or Path.cwd())

    def place(self, store: str | None = None) -> StorePlace:
        """The store of `store`, else of the option before the command, else of the project."""
        from daypack.guard.inputs import checked_path

        if store and holds_password(store):
            raise PasswordShown
        named = self.store if store is None else store
        return self.project.place(checked_path(named) if named and not is_server(named) else named)

    @cached_property
    def configuration(self) -> Configuration:
        """The project's configuration. A note names settings that wait for trust, once."""
        return load_configuration(self.project)


def context_of(folder: Path) -> ProjectContext:
    from daypack.doors import registry

    return registry.context_of(folder, os.environ)


def load_configuration(project: ProjectContext) -> Configuration:
    """The configuration of a project; a note names settings that wait for trust."""
    found = project.configuration
    if found.waiting:
        names = ", ".join(waiting.setting.name for waiting in found.waiting)
        note(f"{found.waiting[0].origin} sets {names}, which has no effect before `daypack trust`")
    return found


@contextmanager
def opened(
    given: CliContext,
    store: str | None,
    opening: Opening | Callable[[str], bool] = "existing",
    *,
    words: str = "",
    owner: str | None = None,
    project: str | None = None,
) -> Iterator[Daypack]:
    """The store, opened for the command of these words. Raises StoreNotFound, NotAProject and errors of opening."""
    from daypack.api import Daypack, check_is_project
    from daypack.guard.paths import folder_below

    place = given.place(store)
    first_use = opening == "indexed"
    named = given.names_a_store(store)
    if not place.exists and not _makes_a_store(opening, place, named=named):
        raise StoreNotFound(str(place.store), step_to_a_store(place, words, named=named))
    if not place.exists and first_use:
        # Checked before the store is made: a folder that is not a project must stay unchanged.
        check_is_project(Path(place.project or place.root), Path.home())
    given.configuration  # noqa: B018 (says what waits for trust, before a store is made)
    with Daypack.open_in(
        given.project, place, embedder=given.embedder, owner=owner, project=project
    ) as daypack:
        daypack.engine.working = progress
        daypack.engine.here = folder_below(place.root, given.project.start)
        if not terminal.attended():
            _serve_session(daypack)
        if not place.exists and (store or given.store) is not None:
            note(f"made the store {place.store}")
        # Also for an existing store: the first indexing may have been interrupted before it stored anything.
        if first_use and (not place.exists or (store or given.store) is None):
            with progress("indexing") as step:
                report = daypack.first_use(Path.home(), progress=step)
            if report is not None:
                size = f"{report.bytes / 1e6:,.1f} MB, {report.chunks:,} chunks"
                note(f"indexed {report.added:,} files ({size}) into {place.store}", always=False)
        yield daypack


class UnopenedStore:
    """The store that a command means, for a command that opens it only when necessary."""

    def __init__(self, given: CliContext, store: str | None) -> None:
        self._given, self._store = given, store

    @property
    def folder(self) -> Path:
        """The folder of the store. Raises OnlyForFiles for a store on a server."""
        place = self._given.place(self._store)
        if isinstance(place.store, ServerAddress):
            raise OnlyForFiles(place.store.name, "file to replace", place.store.schema)
        return place.store

    def open(self) -> AbstractContextManager[Daypack]:
        return opened(self._given, self._store)


_MAKERS = {
    "audit": "source store",
    "docs": "docs insert",
    "forget": "remember",
    "label": "add --label",
    "memory": "remember",
    "recall": "remember",
    "session": "session import",
    "source": "source store",
    "stats": "session import",
    "team": "team user add",
}
"""The command that makes the store of others, by their first word; files of a project do for the rest."""


def step_to_a_store(place: StorePlace, words: str, *, named: bool) -> str:
    """The next step of a command that finds no store: the store that a typed name may mean, or the command that makes one."""
    if named and (inside := store_inside(place)):
        return f"did you mean --store {inside}?"
    if named and place.folder.is_file():
        return "it is a file; name the folder of a store with --store"
    maker = f"daypack {_MAKERS.get(words.partition(' ')[0], 'add .')}"
    if named:
        return f"check its name; `{maker} --store {place.store}` makes one"
    return f"run `{maker}` in your project first" if maker == "daypack add ." else f"`{maker}` makes one"


def store_inside(place: StorePlace) -> Path | None:
    """The store of the project that was named in the place of its store."""
    from daypack.projects import STORE_FOLDER

    inside = place.folder / STORE_FOLDER
    return inside if (inside / "daypack.db").exists() else None


def _makes_a_store(opening: Opening | Callable[[str], bool], place: StorePlace, *, named: bool) -> bool:
    """True for a command that makes the store that it needs, unless a name of one may be mistyped."""
    if callable(opening):
        return opening(str(place.store))
    return opening == "created" or (opening == "indexed" and not (named and place.folder.parent.is_dir()))


def _serve_session(daypack: Daypack) -> None:
    """Without a terminal, an agent may give the commands: what its session read bounds what they write."""
    from daypack.types import Trust

    def learn(writer: Writer) -> None:
        if daypack.sessions.have_read_outside(math.inf):
            writer.trust = writer.shown = Trust.UNTRUSTED

    daypack.engine.writer.attended, daypack.engine.writer.learn = False, learn
