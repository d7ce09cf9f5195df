"""A retriever, a node postprocessor, tools and a block of memory for LlamaIndex.

from daypack.adapters.llama_index import DaypackMemoryBlock, DaypackRetriever, FitToBudget, tools
DaypackRetriever(budget=1500).retrieve("how are refunds retried?")
Memory.from_defaults(memory_blocks=[DaypackMemoryBlock()])
FitToBudget(budget=1500).postprocess_nodes(nodes, query_str="how are refunds retried?")
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from functools import partial
from typing import Any

from daypack.adapters.fitting import fitted, with_kept
from daypack.adapters.shared import Project, checked_count, checked_options, facts, framework
from daypack.adapters.tools import Tools, arguments_model, reading_verbs
from daypack.doors.sessions.types import Said, Step
from daypack.errors import InputError
from daypack.types import Excerpt

with framework("llama-index"):
    from llama_index.core.llms import ChatMessage
    from llama_index.core.memory import BaseMemoryBlock
    from llama_index.core.postprocessor.types import BaseNodePostprocessor
    from llama_index.core.retrievers import BaseRetriever
    from llama_index.core.schema import (
        MetadataMode,
        NodeRelationship,
        NodeWithScore,
        QueryBundle,
        RelatedNodeInfo,
        TextNode,
    )
    from llama_index.core.tools import FunctionTool
    from pydantic import ConfigDict, PrivateAttr


class DaypackRetriever(BaseRetriever):
    """The excerpts of a pack, best first, each a node with its citation.

    Their texts together count at most `budget` tokens.
    """

    def __init__(
        self,
        folder: str = ".",
        *,
        store: str | None = None,
        budget: int = 4000,
        k: int | None = None,
        options: Mapping[str, Any] | None = None,
        **rest: Any,
    ) -> None:
        """`folder` is in the project, `store` the folder of a store elsewhere; `k` is the most nodes, and `options`
        are those of `Daypack.pack`. Raises InputError for a folder that does not exist.
        """
        super().__init__(**rest)
        self._project, self._budget = Project(folder, store=store), budget
        self._k, self._options = checked_count(k), checked_options(options)

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        found = self._project.excerpts(
            query_bundle.query_str, budget=self._budget, k=self._k, options=self._options
        )
        return [_node(one, facts(one)) for one in found]


class FitToBudget(BaseNodePostprocessor):
    """Nodes of any retriever, cut and chosen so that their texts together count at most `budget` tokens, the
    best for the query first.

    A node stays whole, is cut to the part that the query asks for, or is dropped; duplicates are dropped too.
    `start_line` and `end_line` of a cut node are those of the part; without such lines, `text_start_line` and
    `text_end_line` tell its place in the node. The original node is its source.
    """

    model_config = ConfigDict(extra="forbid")

    budget: int = 4000
    tokenizer: str = "o200k"

    @classmethod
    def class_name(cls) -> str:
        return "FitToBudget"

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        if query_bundle is None:
            raise InputError("the choice of nodes depends on the question: give query_str or query_bundle")
        texts = [one.node.get_content(metadata_mode=MetadataMode.NONE) for one in nodes]
        chosen = fitted(texts, query_bundle.query_str, budget=self.budget, tokenizer=self.tokenizer)
        return [_cut(nodes[number], texts[number], part) for number, part in chosen]


class DaypackMemoryBlock(BaseMemoryBlock[str]):
    """A block of LlamaIndex's `Memory`: memories about the newest message, in at most `budget` tokens.

    Messages that leave the short-term memory are kept as events of `session`, where `daypack session` and later packs
    find them.
    """

    model_config = ConfigDict(extra="forbid")

    name: str = "daypack"
    folder: str = "."
    store: str | None = None
    budget: int = 1000
    session: str = "llama-index"
    _project: Project = PrivateAttr()

    def model_post_init(self, context: Any, /) -> None:
        super().model_post_init(context)
        self._project = Project(self.folder, store=self.store)

    async def _aget(self, messages: list[ChatMessage] | None = None, **block_kwargs: Any) -> str:  # noqa: ARG002
        topic = next((text for one in reversed(messages or []) if (text := one.content)), "")
        if not topic.strip():
            return ""
        self._project = self._project.at(self.folder, self.store)
        block = await asyncio.to_thread(
            self._project.ask,
            lambda daypack: daypack.memories.pack(topic, budget_tokens=self.budget, tokenizer="o200k"),
        )
        return block.text if block else ""

    async def _aput(self, messages: list[ChatMessage]) -> None:
        now = time.time()
        steps = [
            Step(self.session, now, Said("user" if one.role.value == "user" else "assistant", one.content))
            for one in messages
            if one.content and one.role.value in ("user", "assistant")
        ]
        self._project = self._project.at(self.folder, self.store)
        await asyncio.to_thread(self._project.ask, lambda daypack: daypack.sessions.add_steps(steps))


def tools(folder: str = ".", *, store: str | None = None) -> list[FunctionTool]:
    """A tool for each verb that reads: daypack_pack, daypack_search, daypack_get, daypack_status."""
    project = Tools(folder, store=store, prefix="daypack_")

    def called(name: str, **arguments: Any) -> str:
        return project.call(name, arguments)

    return [
        FunctionTool.from_defaults(
            partial(called, name),
            name=f"daypack_{name}",
            description=verb.about,
            fn_schema=arguments_model(name),
        )
        for name, verb in reading_verbs().items()
    ]


def _cut(given: NodeWithScore, text: str, excerpt: Excerpt) -> NodeWithScore:
    if excerpt.whole:
        return NodeWithScore(node=given.node, score=excerpt.score)
    metadata = with_kept(given.node.metadata, text, excerpt)
    found = _node(excerpt, metadata, prefix=f"{given.node.node_id}:")
    found.node.relationships[NodeRelationship.SOURCE] = RelatedNodeInfo(node_id=given.node.node_id)
    return found


def _node(excerpt: Excerpt, metadata: Mapping[str, Any], *, prefix: str = "") -> NodeWithScore:
    """A node whose metadata is hidden from models and vectors: it serves readers who follow the citation."""
    citation = excerpt.citation
    name = (
        f"{prefix}{citation.span.start}-{citation.span.end}"
        if prefix
        else f"{citation.reference}@{citation.record_hash[:6]}"
    )
    hidden = sorted(set(metadata) - {"citation"})
    node = TextNode(
        id_=name,
        text=excerpt.text,
        metadata=dict(metadata),
        excluded_llm_metadata_keys=hidden,
        excluded_embed_metadata_keys=hidden,
    )
    return NodeWithScore(node=node, score=excerpt.score)
