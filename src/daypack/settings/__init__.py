"""Settings: frozen, found once at the edge, passed in. Nothing inside reads the environment."""

from __future__ import annotations

from dataclasses import dataclass

STORE_FOLDER = ".daypack"
LARGEST_BUDGET = 10_000_000
LONGEST_QUERY_BYTES = 64 << 10  # of which the first 8 KiB are read (query/)


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings that an engine is opened with."""

    embedder: str = "minilm"
    embedder_model: str = ""  # for an endpoint
    embedder_key: str = ""
    threads: int = 2
    # word pieces of the best candidates that the encoder reads: 16 of 256 (docs/decisions/015-instant-vectors.md)
    rescored: int = 4224
    refresh: bool = True
    web: bool = False  # lets Daypack fetch pages; nothing else here uses the network
    # signals that ranking leaves out, by the names that --explain shows: to measure the worth of each
    without: tuple[str, ...] = ()
    of_doors: tuple[tuple[str, str], ...] = ()  # (setting, text) of the settings that a door reads
