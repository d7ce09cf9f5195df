"""A project's store for use from any thread, and an excerpt as the plain data that every framework keeps
beside a text.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from daypack.api import Daypack
from daypack.doors import registry
from daypack.errors import MissingExtra
from daypack.shapes.plain import pick, rounded
from daypack.types import Excerpt, Pack

T = TypeVar("T")


class Project:
    """The store of a project. An instance of `Daypack` belongs to one thread, and frameworks call from many
    threads, so the store has its own.

    The first question opens the store and, as on the command line, indexes a new project.
    """

    def __init__(self, folder: str | Path = ".", *, store: str | None = None) -> None:
        """`folder` is in the project, `store` the folder of a store elsewhere."""
        self._folder, self._store = Path(folder), store
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="daypack-adapter")
        self._opened: Daypack | None = None

    def ask(self, work: Callable[[Daypack], T]) -> T:
        """Call `work` on the store; returns its result. Raises DaypackError."""
        return self._thread.submit(lambda: work(self._daypack())).result()

    def pack(self, query: str, *, budget: int, options: Mapping[str, Any] | None = None) -> Pack:
        """`options` are those of `Daypack.pack`. Raises DaypackError."""
        return self.ask(lambda daypack: daypack.pack(query, budget=budget, **(options or {})))

    def close(self) -> None:
        if self._opened is not None:
            self._thread.submit(self._opened.close).result()
            self._opened = None

    def _daypack(self) -> Daypack:
        if self._opened is None:
            context = registry.context_of(self._folder, os.environ)
            self._opened = Daypack.open_in(context, context.place(self._store))
        self._opened.first_use(Path.home())
        return self._opened


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
        raise MissingExtra(extra, f"the package {error.name}") from error
