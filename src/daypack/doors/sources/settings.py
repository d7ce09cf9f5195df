"""Settings of the door of sources: what the text of each may be, and where its value goes. Their names and
defaults stand in `configuration`.

Apart from it because only who sets one of them pays for this.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from daypack.doors.sources.types import SourceSettings, SourceWeights


def _whole(least: int, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not text.isascii() or not text.isdecimal() or not least <= int(text) <= most:
            raise ValueError(f"a whole number from {least:,} to {most:,}")
        return int(text)

    return read


def _number(least: float, most: float) -> Callable[[str], float]:
    def read(text: str) -> float:
        try:
            found = float(text)
        except ValueError:
            found = math.nan
        if not least <= found <= most:
            raise ValueError(f"a number from {least:,} to {most:,}")
        return found

    return read


def _or_off(other: Callable[[str], Any]) -> Callable[[str], Any]:
    def read(text: str) -> Any:
        try:
            return None if text == "off" else other(text)
        except ValueError as error:
            raise ValueError(f"off or {error}") from None

    return read


def _only(value: str, why: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text != value:
            raise ValueError(f"{value}: {why}")
        return text

    return read


_TIMES, _SHARE, _WEIGHT = _whole(1, 1_000), _number(0, 1), _number(0, 1_000)
_ONE_FILE = "a write is one transaction of one SQLite file, which files beside it could not be part of"

# setting → (field of SourceSettings, "" when it is fixed; how its text is read)
READERS: Mapping[str, tuple[str, Callable[[str], Any]]] = {
    "record_backend": ("", _only("sqlite", _ONE_FILE)),
    "index_backend": ("", _only("sqlite", _ONE_FILE)),
    "embedding_dimensions": ("", _only("auto", "an embedder has as many as it has (minilm 384, hashing 256)")),
    "chunk_chars": ("", _only("auto", "texts are cut where a thought ends, at about 1,000 characters, so that a rebuilt index equals the one before")),
    "chunk_overlap_chars": ("", _only("0", "parts of a text do not overlap; each is ranked with its neighbours instead")),
    "max_records_per_scope_kind": ("max_records", _or_off(_whole(1, 1_000_000))),
    "retention_days": ("retention_days", _or_off(_number(0.001, 100_000))),
    "query_top_k": ("query_top_k", _TIMES),
    "dedup_threshold": ("similar", _SHARE),
    "semantic_score_weight": ("weights.semantic", _WEIGHT),
    "lexical_score_weight": ("weights.lexical", _WEIGHT),
    "keyword_bonus_weight": ("weights.keyword", _WEIGHT),
    "metadata_bonus_weight": ("weights.key_match", _WEIGHT),
    "semantic_candidate_multiplier": ("weights.semantic_candidates", _TIMES),
    "lexical_candidate_multiplier": ("weights.lexical_candidates", _TIMES),
    "decay_start_pct": ("weights.decay_start", _SHARE),
}  # fmt: skip


def read_setting(name: str, text: str) -> Any:
    """The value of a setting's text. Raises ValueError, which says what it may be."""
    return READERS[name][1](text)


def source_settings(given: Mapping[str, str]) -> SourceSettings:
    """Settings from texts by name; what is not given has its default. Raises ValueError."""
    own: dict[str, Any] = {}
    weights: dict[str, Any] = {}
    for name, text in given.items():
        room, _, field = READERS[name][0].rpartition(".")
        value = read_setting(name, text)
        if field:
            (weights if room else own)[field] = value
    if "key_match" in weights:
        weights["tag_match"] = weights["key_match"] / 2
    return replace(SourceSettings(weights=replace(SourceWeights(), **weights)), **own)
