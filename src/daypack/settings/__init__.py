"""Settings: frozen, found once at the edge, passed in. Nothing inside reads the environment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from daypack.doors.sources.types import SourceSettings

STORE_FOLDER = ".daypack"
LARGEST_BUDGET = 10_000_000
LONGEST_QUERY_BYTES = 8 << 10


@dataclass(frozen=True, slots=True)
class Settings:
    """What the engine is opened with."""

    embedder: str = "minilm"
    embedder_model: str = ""  # for an endpoint
    embedder_key: str = ""
    threads: int = 2
    lazy_candidates: int = 32  # beyond it nothing is gained (docs/decisions/002-lazy-embedding.md)
    # None: no deadline, for answers that must not depend on the machine's speed
    lazy_seconds: float | None = 1.0
    refresh: bool = True
    web: bool = False  # whether pages may be fetched; nothing else here uses the network
    # signals that ranking leaves out, by the names that --explain shows: to see what each is worth
    without: tuple[str, ...] = ()
    sources: SourceSettings | None = None  # None: their defaults, which only who uses that door need make
