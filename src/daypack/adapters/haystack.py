"""A component for Haystack.

from daypack.adapters.haystack import DaypackRetriever
pipeline.add_component("daypack", DaypackRetriever(budget=1500))
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from daypack.adapters.shared import Project, checked_count, checked_options, facts, framework

with framework("haystack"):
    from haystack import Document, component, default_to_dict


@component
class DaypackRetriever:
    """The excerpts of a pack as documents, and the pack as the text of a prompt.

    The text counts at most `budget` tokens.
    """

    def __init__(
        self,
        folder: str = ".",
        *,
        store: str | None = None,
        budget: int = 4000,
        k: int | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        """`folder` is in the project, `store` the folder of a store elsewhere; `k` is the most documents, and
        `options` are those of `Daypack.pack`. Raises InputError for a folder that does not exist.
        """
        self._folder, self._store, self._budget = folder, store, budget
        self._k, self._options = checked_count(k), checked_options(options)
        self._project = Project(folder, store=store)

    @component.output_types(documents=list[Document], text=str)
    def run(self, query: str, budget: int | None = None, k: int | None = None) -> dict[str, Any]:
        """`budget` and `k` override those of the component; `text` is the whole pack. Raises DaypackError."""
        most = self._k if k is None else checked_count(k)
        pack = self._project.pack(
            query, budget=self._budget if budget is None else budget, options=self._options
        )
        found = [
            Document(content=one.text, meta=(meta := facts(one)), score=one.score, id=meta["citation"])
            for one in pack.excerpts[:most]
        ]
        return {"documents": found, "text": pack.text}

    def to_dict(self) -> dict[str, Any]:
        """The component as data, for saved pipelines. Haystack loads them with
        `allowed_modules=["daypack.adapters.haystack"]`.
        """
        found: dict[str, Any] = default_to_dict(
            self,
            folder=self._folder,
            store=self._store,
            budget=self._budget,
            k=self._k,
            options=self._options,
        )
        return found
