"""A project's store for use from any thread, and an excerpt as the plain data that every framework keeps
beside a text.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from daypack.api import Daypack
from daypack.doors import registry
from daypack.engine.filter_arguments import FilterArguments
from daypack.errors import InputError, MissingExtra
from daypack.settings.installation import adding
from daypack.settings.places import check_named
from daypack.shapes.plain import pick, rounded
from daypack.system import path_named
from daypack.text.checks import likely_or_all
from daypack.types import Excerpt, Pack

T = TypeVar("T")


class StoreThread:
    """A store on a thread of its own: an instance of `Daypack` belongs to one thread, and frameworks call from many."""

    def __init__(self, opened: Callable[[], Daypack]) -> None:
        self._open = opened
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="daypack-adapter")
        self._opened: Daypack | None = None

    def ask(self, work: Callable[[Daypack], T]) -> T:
        """Call `work` on the store, opened with the first call; returns its result. Raises DaypackError."""
        return self._thread.submit(lambda: work(self._daypack())).result()

    def close(self) -> None:
        if self._opened is not None:
            self._thread.submit(self._opened.close).result()
            self._opened = None

    def _daypack(self) -> Daypack:
        if self._opened is None:
            self._opened = self._open()
        return self._opened


class Project(StoreThread):
    """The store of a project. As on the command line, the first question indexes a new project.

    A copy, and one read from a pickle, opens the store again.
    """

    def __init__(self, folder: str | Path = ".", *, store: str | None = None) -> None:
        """`folder` is in the project, `store` the folder of a store elsewhere. Raises InputError for a folder that
        does not exist.
        """
        self._given = str(folder), store
        self.folder = Path(os.path.abspath(path_named(folder)))
        if store is not None:
            check_named(store)
        self._store = None if store is None else os.path.abspath(path_named(store))
        self._check()
        super().__init__(self._opened_there)

    def __reduce__(self) -> tuple[Any, ...]:
        return _project, (str(self.folder), self._store, self._given)

    def at(self, folder: str, store: str | None) -> Project:
        """This project where it was made with these, else theirs: fields of an adapter may change. Raises InputError."""
        return self if self._given == (folder, store) else Project(folder, store=store)

    def pack(self, query: str, *, budget: int, options: Mapping[str, Any] | None = None) -> Pack:
        """`options` are those of `Daypack.pack`. Raises DaypackError."""
        return self.ask(lambda daypack: daypack.pack(query, budget=budget, **(options or {})))

    def excerpts(
        self, query: str, *, budget: int, k: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Excerpt, ...]:
        """The excerpts of a pack, best first, at most `k`. Raises DaypackError."""
        most = checked_count(k)
        return self.pack(query, budget=budget, options=options).excerpts[:most]

    def _check(self) -> None:
        if not self.folder.is_dir():
            raise InputError(f"the folder {self.folder} does not exist; name the folder of a project")

    def _opened_there(self) -> Daypack:
        self._check()  # it may have gone since, and opening would make it again
        context = registry.context_of(self.folder, os.environ)
        return Daypack.open_in(context, context.place(self._store))

    def _daypack(self) -> Daypack:
        found = super()._daypack()
        found.first_use(Path.home())
        return found


def _project(folder: str, store: str | None, given: tuple[str, str | None]) -> Project:
    found = Project(folder, store=store)
    found._given = given
    return found


def checked_count(k: int | None) -> int | None:
    """The number of excerpts that are wanted. Raises InputError."""
    if k is not None and (isinstance(k, bool) or not isinstance(k, int) or k < 1):
        raise InputError(f"k is {k!r}; give the most excerpts that are wanted, 1 or more, or leave it out")
    return k


def checked_options(options: Mapping[str, Any] | None) -> dict[str, Any]:
    """Options of `Daypack.pack`, beside its query and budget. Raises InputError for an unknown one."""
    taken = set(inspect.signature(Daypack.pack).parameters) - {"self", "query", "budget", "narrow"}
    known = sorted(taken | set(FilterArguments.__annotations__))
    for name in options or {}:
        if name not in known:
            raise InputError(f"{name!r} is not an option; {likely_or_all(name, known)}")
    return dict(options or {})


def facts(excerpt: Excerpt) -> dict[str, Any]:
    """Facts of an excerpt beside its text.

    `daypack get` follows `citation` back to the excerpt, or reports that it changed.
    """
    citation = excerpt.citation
    return {
        "source": citation.uri,
        "citation": f"{citation.reference}@{citation.record_hash[:6]}",
        **pick(citation.span, "start_line end_line"),
        **pick(excerpt, "name language trust variant tokens"),
        "score": rounded(excerpt.score),
    }


@contextmanager
def framework(extra: str) -> Iterator[None]:
    """Imports of a framework. Raises MissingExtra, with the name of the extra, for one that is not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise MissingExtra(extra, f"the package {error.name}", adding(extra)) from error
