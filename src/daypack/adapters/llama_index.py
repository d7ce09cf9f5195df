"""A retriever and a node postprocessor for LlamaIndex.

from daypack.adapters.llama_index import DaypackRetriever, FitToBudget
DaypackRetriever(budget=1500).retrieve("how are refunds retried?")
FitToBudget(budget=1500).postprocess_nodes(nodes, query_str="how are refunds retried?")
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from typing import Any

from daypack.adapters.shared import Project, facts, framework
from daypack.api import Daypack
from daypack.errors import InputError, member
from daypack.types import Excerpt, Tokenizer

with framework("llama-index"):
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
        options: Mapping[str, Any] | None = None,
        **rest: Any,
    ) -> None:
        """`folder` is in the project, `store` the folder of a store elsewhere; `options` are those of
        `Daypack.pack`.
        """
        super().__init__(**rest)
        self._project, self._budget, self._options = Project(folder, store=store), budget, dict(options or {})

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        pack = self._project.pack(query_bundle.query_str, budget=self._budget, options=self._options)
        return [_node(one, facts(one)) for one in pack.excerpts]


class FitToBudget(BaseNodePostprocessor):
    """Nodes of any retriever, cut and chosen so that their texts together count at most `budget` tokens, the
    best for the query first.

    A node stays whole, is cut to the part that the query asks for, or is dropped; duplicates are dropped too.
    A cut node has the kept lines as `start_line` and `end_line`, and the original node as its source.
    """

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
        with tempfile.TemporaryDirectory(prefix="daypack-") as folder, Daypack.open(folder) as daypack:
            daypack.records.add(
                {"id": str(number), "text": text} for number, text in enumerate(texts) if text.strip()
            )
            pack = daypack.pack(
                query_bundle.query_str, budget=self.budget, tokenizer=member(Tokenizer, self.tokenizer)
            )
        return [_cut(nodes[int(one.citation.uri)], one) for one in pack.excerpts]


def _cut(given: NodeWithScore, excerpt: Excerpt) -> NodeWithScore:
    if excerpt.whole:
        return NodeWithScore(node=given.node, score=excerpt.score)
    kept = {
        name: value
        for name, value in facts(excerpt).items()
        if name in ("start_line", "end_line", "variant", "tokens")
    }
    found = _node(excerpt, {**given.node.metadata, **kept}, prefix=f"{given.node.node_id}:")
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
