"""Every system under test by its name: Daypack, and its peers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from evals.quality import formulas, knowledge, peers
from evals.quality.answers import Options, System
from evals.quality.datasets import Collection
from evals.quality.daypack_system import DaypackSystem


def systems() -> dict[str, Callable[[Collection, Path, Options], System]]:
    """Every system by its name: how it is opened for a collection."""

    def alone(peer: Callable[[Collection], System]) -> Callable[[Collection, Path, Options], System]:
        """A peer that keeps no store and has no options."""
        return lambda collection, _store, _options: peer(collection)

    def packing(how: str) -> Callable[[Collection, Path, Options], System]:
        return lambda collection, store, options: DaypackSystem(
            collection, store, replace(options, packing=how)
        )

    def fused(fusion: peers.Fusion) -> Callable[[Collection, Path, Options], System]:
        return lambda collection, store, options: peers.Fused(collection, store, options, fusion)

    return {
        "daypack": DaypackSystem,
        "knowledge": knowledge.Knowledge,
        "skip": packing("skip"),
        "prefix": packing("prefix"),
        "bm25": alone(peers.Bm25Peer),
        "bm25-source": alone(lambda collection: peers.Bm25Peer(collection, peers.of_source)),
        "bm25s": alone(peers.Bm25s),
        "fts5": alone(peers.Fts5),
        "dense": fused(peers.dense),
        "rrf": fused(peers.rrf),
        "hybrid": fused(peers.hybrid),
        "hash-prefix": alone(formulas.HashPrefix),
        "blend-recency": formulas.BlendRecency,
        "porter-trigram": alone(formulas.PorterTrigram),
        "overlap-hash": alone(formulas.OverlapHash),
    }


WITH_VECTORS = ("daypack", "knowledge", "skip", "prefix", "dense", "rrf", "hybrid", "blend-recency")
"""Systems that look at Daypack's options."""

WITH_HISTORY = ("daypack", "skip", "prefix")
"""Systems that take the turns before a question apart from it; others get one text."""


def label(system: str, options: Options) -> str:
    """The name of a system with the options that differ from the defaults."""
    if system not in WITH_VECTORS:
        return system
    parts = [system, options.vectors]
    parts += [options.packing] if options.packing != "auto" else []
    parts += [options.embedder] if options.embedder != "minilm" else []
    parts += [f"no-{signal}" for signal in options.without]
    return "-".join(parts)
