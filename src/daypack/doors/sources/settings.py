"""The settings of the sources door, one row each, and their values. Settings that could delete records wait for trust; the others only change
the ranking.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from daypack.settings.configuration import Setting

if TYPE_CHECKING:
    from daypack.doors.sources.types import SourceSettings


@dataclass(frozen=True)
class SourceSetting:
    """A setting, the field of its value, and the texts that it takes."""

    name: str
    default: str
    about: str
    field: str = ""  # of SourceSettings; below "weights.", of its weights; "" for a setting with one value
    kind: type[int] | type[float] = float
    least: float = 0
    most: float = 1_000
    can_be_off: bool = False  # "off" is None
    waits: bool = True
    why: str = ""  # the default is the only value

    @property
    def allowed(self) -> str:
        number = "a whole number" if self.kind is int else "a number"
        return f"{'off or ' if self.can_be_off else ''}{number} from {self.least:,} to {self.most:,}"

    def read(self, text: str) -> int | float | str | None:
        """The value of a text. Raises ValueError with the valid values."""
        if self.why:
            if text != self.default:
                raise ValueError(f"{self.default}: {self.why}")
            return text
        if self.can_be_off and text == "off":
            return None
        try:
            whole = text.isascii() and text.isdecimal()
            value = self.kind(text) if self.kind is float or whole else math.nan
        except ValueError:
            value = math.nan
        if not self.least <= value <= self.most:
            raise ValueError(self.allowed)
        return value


_ONE_FILE = "a write is one transaction of one SQLite file, which files beside it could not be part of"
_ranking = partial(SourceSetting, waits=False)
ROWS = (
    SourceSetting("record_backend", "sqlite", "the store of records: sqlite", why=_ONE_FILE),
    SourceSetting("index_backend", "sqlite", "the store of indexes: sqlite", why=_ONE_FILE),
    SourceSetting(
        "embedding_dimensions", "auto", "dimensions of a vector: those of the embedder",
        why="the embedder decides their number (minilm 384, hashing 256)",
    ),
    SourceSetting(
        "chunk_chars", "auto", "characters of a part of a text: up to the end of a thought",
        why="texts are cut at the end of a thought, after about 1,000 characters, so that a rebuilt index equals the one before",
    ),
    SourceSetting(
        "chunk_overlap_chars", "0", "characters that parts of a text share: none",
        why="parts of a text do not overlap; each is ranked with its neighbours instead",
    ),
    SourceSetting(
        "max_records_per_scope_kind", "off", "active sources that a write leaves of each owner, scope and kind",
        "max_records", int, 1, 1_000_000, can_be_off=True,
    ),
    SourceSetting(
        "retention_days", "off", "age limit of `source prune` for records without a policy",
        "retention_days", float, 0.001, 100_000, can_be_off=True,
    ),
    _ranking("query_top_k", "6", "number of items of `source retrieve`", "query_top_k", int, 1),
    _ranking(
        "dedup_threshold", "0.85", "similarity of words from which a write of a source names earlier ones",
        "similar", most=1,
    ),
    _ranking("semantic_score_weight", "0.6", "weighted ranking of sources: weight of a cosine", "weights.semantic"),
    _ranking("lexical_score_weight", "0.25", "weighted ranking of sources: weight of common words", "weights.lexical"),
    _ranking(
        "keyword_bonus_weight", "0.08", "weighted ranking of sources: weight of words of title, tag, field and key",
        "weights.keyword",
    ),
    _ranking(
        "metadata_bonus_weight", "0.07", "weighted ranking of sources: bonus of a requested key or tag",
        "weights.key_match",
    ),
    _ranking(
        "semantic_candidate_multiplier", "4", "weighted ranking of sources: candidates by meaning, times the limit",
        "weights.semantic_candidates", int, 1,
    ),
    _ranking(
        "lexical_candidate_multiplier", "4", "weighted ranking of sources: candidates by words, times the limit",
        "weights.lexical_candidates", int, 1,
    ),
    _ranking(
        "decay_start_pct", "0.5",
        "weighted ranking of sources: share of the largest age at which a score begins to fall",
        "weights.decay_start", most=1,
    ),
)  # fmt: skip
SETTINGS = tuple(Setting(row.name, row.default, row.about, waits=row.waits, read=row.read) for row in ROWS)


def source_settings(given: Mapping[str, str]) -> SourceSettings:
    """Settings from texts by name, with defaults; other doors' names are ignored. Raises ValueError."""
    from daypack.doors.sources.types import (  # no command needs them for its settings
        SourceSettings,
        SourceWeights,
    )

    own: dict[str, Any] = {}
    weights: dict[str, Any] = {}
    for row in ROWS:
        if row.name not in given:
            continue
        value = row.read(given[row.name])
        if row.field:
            room, _, field = row.field.rpartition(".")
            (weights if room else own)[field] = value
    if "key_match" in weights:
        weights["tag_match"] = weights["key_match"]
    return replace(SourceSettings(weights=replace(SourceWeights(), **weights)), **own)
