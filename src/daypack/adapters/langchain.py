"""A retriever, tools and a document compressor for LangChain.

from daypack.adapters.langchain import DaypackRetriever, DaypackTool, FitToBudget
DaypackRetriever(budget=1500).invoke("how are refunds retried?")
DaypackTool(verb="pack").invoke({"query": "how are refunds retried?"})
FitToBudget(budget=1500).compress_documents(documents, "how are refunds retried?")
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from daypack.adapters.fitting import fitted, with_kept
from daypack.adapters.shared import Project, checked_count, checked_options, facts, framework
from daypack.adapters.tools import Tools, arguments_model, reading_verb, reading_verbs
from daypack.errors import DaypackError

with framework("langchain"):
    from langchain_core.callbacks import (
        AsyncCallbackManagerForRetrieverRun,
        CallbackManagerForRetrieverRun,
        Callbacks,
    )
    from langchain_core.documents import BaseDocumentCompressor, Document
    from langchain_core.retrievers import BaseRetriever
    from langchain_core.runnables import run_in_executor
    from langchain_core.tools import BaseTool, ToolException
    from pydantic import ConfigDict, Field, PrivateAttr


class DaypackRetriever(BaseRetriever):
    """The excerpts of a pack, best first, each a document with its citation. Their texts together count at
    most `budget` tokens, and there are at most `k`.

    `folder` is in the project, `store` the folder of a store elsewhere; `options` are those of
    `Daypack.pack`, such as `source="src/**"`. Raises InputError for a folder that does not exist. A changed field counts
    from the next question on.
    """

    model_config = ConfigDict(extra="forbid")

    folder: str = "."
    store: str | None = None
    budget: int = 4000
    k: int | None = None
    options: dict[str, Any] = Field(default_factory=dict)
    _project: Project = PrivateAttr()

    def model_post_init(self, context: Any, /) -> None:
        super().model_post_init(context)
        checked_options(self.options)
        checked_count(self.k)
        self._project = Project(self.folder, store=self.store)

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,  # noqa: ARG002
        k: int | None = None,
        budget: int | None = None,
    ) -> list[Document]:
        self._project = self._project.at(self.folder, self.store)
        found = self._project.excerpts(
            query,
            budget=self.budget if budget is None else budget,
            k=self.k if k is None else k,
            options=self.options,
        )
        return [
            Document(id=(told := facts(one))["citation"], page_content=one.text, metadata=told)
            for one in found
        ]

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun, **given: Any
    ) -> list[Document]:
        found: list[Document] = await run_in_executor(
            None, self._get_relevant_documents, query, run_manager=run_manager.get_sync(), **given
        )
        return found


class FitToBudget(BaseDocumentCompressor):
    """Documents of any retriever, cut and chosen so that their texts together count at most `budget` tokens, the
    best for the query first.

    A document stays whole, is cut to the part that the query asks for, or is dropped; duplicates are dropped too.
    `start_line`, `end_line` and `start_index` of a cut document are those of the part; without such lines,
    `text_start_line` and `text_end_line` tell its place in the document.
    """

    model_config = ConfigDict(extra="forbid")

    budget: int = 4000
    tokenizer: str = "o200k"

    def compress_documents(
        self,
        documents: Sequence[Document],
        query: str,
        callbacks: Callbacks | None = None,  # noqa: ARG002
    ) -> Sequence[Document]:
        texts = [one.page_content for one in documents]
        return [
            documents[number]
            if part.whole
            else documents[number].model_copy(
                update={
                    "page_content": part.text,
                    "metadata": with_kept(documents[number].metadata, texts[number], part),
                }
            )
            for number, part in fitted(texts, query, budget=self.budget, tokenizer=self.tokenizer)
        ]


class DaypackTool(BaseTool):
    """A verb that reads as a tool: `pack`, `search`, `get` or `status`. A model reads errors as answers. A changed
    `folder` or `store` counts from the next call on.
    """

    model_config = ConfigDict(extra="forbid")

    folder: str = "."
    store: str | None = None
    verb: str = "pack"
    _tools: Tools = PrivateAttr()

    def __init__(self, verb: str = "pack", **given: Any) -> None:
        """Raises InputError for another verb, and for a folder that does not exist."""
        known = reading_verb(verb)
        defaults = {"name": f"daypack_{verb}", "description": known.about, "handle_tool_error": True}
        super().__init__(**{**defaults, "args_schema": arguments_model(verb), **given, "verb": verb})

    def model_post_init(self, context: Any, /) -> None:
        super().model_post_init(context)
        self._tools = Tools(self.folder, store=self.store, prefix="daypack_")

    def __reduce__(self) -> tuple[Any, ...]:
        # The class of the arguments is made at run time, so that no pickle can name it.
        given = {name: getattr(self, name) for name in self.model_fields_set if name != "verb"}
        if given.get("args_schema") is arguments_model(self.verb):
            del given["args_schema"]
        return _tool, (self.verb, given, self._tools)

    @property
    def tool_call_schema(self) -> dict[str, Any]:
        """The arguments as a model is shown them: the class of Pydantic would lack `in`, a word of Python."""
        known = reading_verb(self.verb)
        return {**known.schema(), "title": self.name, "description": self.description}

    def _parse_input(self, tool_input: str | dict[str, Any], tool_call_id: str | None) -> dict[str, Any]:  # noqa: ARG002
        """The arguments as they came; the verb checks them, and says what is wrong in a sentence. A text is the first one."""
        if isinstance(tool_input, dict):
            return tool_input
        first = next((one.name for one in reading_verb(self.verb).parameters), "")
        return {first: tool_input} if first else {}

    def _run(self, **arguments: Any) -> str:
        arguments.pop("run_manager", None)
        arguments.pop("config", None)
        try:
            self._tools = self._tools.at(self.folder, self.store)
            return self._tools.call(self.verb, arguments)
        except DaypackError as error:
            raise ToolException(str(error)) from error


def _tool(verb: str, given: dict[str, Any], tools: Tools) -> DaypackTool:
    found = DaypackTool(verb, **{**given, "folder": str(tools.project.folder)})
    found.folder, found._tools = given.get("folder", "."), tools
    return found


def tools(folder: str = ".", *, store: str | None = None) -> list[DaypackTool]:
    """A tool for each verb that reads."""
    return [DaypackTool(verb, folder=folder, store=store) for verb in reading_verbs()]
