"""A retriever for LangChain.

from daypack.adapters.langchain import DaypackRetriever
DaypackRetriever(budget=1500).invoke("how are refunds retried?")
"""

from __future__ import annotations

from typing import Any

from daypack.adapters.shared import Project, facts, framework

with framework("langchain"):
    from langchain_core.callbacks import CallbackManagerForRetrieverRun
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever
    from pydantic import Field, PrivateAttr


class DaypackRetriever(BaseRetriever):
    """The excerpts of a pack, best first, each a document with its citation. Their texts together count at
    most `budget` tokens.

    `folder` is in the project, `store` the folder of a store elsewhere; `options` are those of
    `Daypack.pack`, such as `source="src/**"`.
    """

    folder: str = "."
    store: str | None = None
    budget: int = 4000
    options: dict[str, Any] = Field(default_factory=dict)
    _project: Project = PrivateAttr()

    def model_post_init(self, context: Any, /) -> None:
        super().model_post_init(context)
        self._project = Project(self.folder, store=self.store)

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,  # noqa: ARG002
    ) -> list[Document]:
        pack = self._project.pack(query, budget=self.budget, options=self.options)
        return [
            Document(id=(found := facts(one))["citation"], page_content=one.text, metadata=found)
            for one in pack.excerpts
        ]
