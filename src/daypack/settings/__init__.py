"""Settings are frozen, read once by the surfaces, and passed in. No inner room reads the environment."""

from __future__ import annotations

from dataclasses import dataclass

LARGEST_BUDGET = 10_000_000
LARGEST_AGENT_BUDGET = 200_000  # tokens of one answer to an agent: few contexts hold more
LONGEST_QUERY_BYTES = 64 << 10  # the first 8 KiB of it are parsed (query/)


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings with which an engine is opened."""

    embedder: str = "minilm"
    embedder_model: str = ""  # the model at an endpoint
    embedder_key: str = ""
    threads: int = 2
    processes: int = 0  # that cut what a large folder holds, at most one a core; 0: at most 4
    # word pieces that the encoder reads of the best candidates: 16 of 256 (docs/decisions/015-instant-vectors.md)
    rescored: int = 4224
    refresh: bool = True
    web: bool = False  # permits fetching pages; no other setting permits the use of the network
    # signals that the ranking leaves out, named as --explain names them, to measure their effect
    without: tuple[str, ...] = ()
    of_doors: tuple[tuple[str, str], ...] = ()  # (name, text) for the settings that doors read
