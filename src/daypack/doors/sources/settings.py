"""Settings of the sources door: the reader of each text, and the field for its value.

Their names and defaults are in `setting_rows`, which imports this only when one is set.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from daypack.doors.sources.types import SourceSettings, SourceWeights


class SettingRule(NamedTuple):
    """The field of a setting's value, and its range."""

    field: str  # of SourceSettings; below "weights.", of its weights
    kind: type[int] | type[float]
    least: float
    most: float
    can_be_off: bool = False  # "off" is None

    @property
    def allowed(self) -> str:
        number = "a whole number" if self.kind is int else "a number"
        return f"{'off or ' if self.can_be_off else ''}{number} from {self.least:,} to {self.most:,}"


_ONE_FILE = "a write is one transaction of one SQLite file, which files beside it could not be part of"
# setting → (its only value, the reason for it)
FIXED: Mapping[str, tuple[str, str]] = {
    "record_backend": ("sqlite", _ONE_FILE),
    "index_backend": ("sqlite", _ONE_FILE),
    "embedding_dimensions": ("auto", "the embedder decides their number (minilm 384, hashing 256)"),
    "chunk_chars": ("auto", "texts are cut at the end of a thought, after about 1,000 characters, "
        "so that a rebuilt index equals the one before"),
    "chunk_overlap_chars": ("0", "parts of a text do not overlap; each is ranked with its neighbours instead"),
}  # fmt: skip
RULES: Mapping[str, SettingRule] = {
    "max_records_per_scope_kind": SettingRule("max_records", int, 1, 1_000_000, True),
    "retention_days": SettingRule("retention_days", float, 0.001, 100_000, True),
    "query_top_k": SettingRule("query_top_k", int, 1, 1_000),
    "dedup_threshold": SettingRule("similar", float, 0, 1),
    "semantic_score_weight": SettingRule("weights.semantic", float, 0, 1_000),
    "lexical_score_weight": SettingRule("weights.lexical", float, 0, 1_000),
    "keyword_bonus_weight": SettingRule("weights.keyword", float, 0, 1_000),
    "metadata_bonus_weight": SettingRule("weights.key_match", float, 0, 1_000),
    "semantic_candidate_multiplier": SettingRule("weights.semantic_candidates", int, 1, 1_000),
    "lexical_candidate_multiplier": SettingRule("weights.lexical_candidates", int, 1, 1_000),
    "decay_start_pct": SettingRule("weights.decay_start", float, 0, 1),
}


def read_setting(name: str, text: str) -> Any:
    """The value of a setting's text. Raises ValueError with the valid values."""
    if name in FIXED:
        only, why = FIXED[name]
        if text != only:
            raise ValueError(f"{only}: {why}")
        return only
    rule = RULES[name]
    if rule.can_be_off and text == "off":
        return None
    try:
        value = rule.kind(text) if rule.kind is float or (text.isascii() and text.isdecimal()) else math.nan
    except ValueError:
        value = math.nan
    if not rule.least <= value <= rule.most:
        raise ValueError(rule.allowed)
    return value


def source_settings(given: Mapping[str, str]) -> SourceSettings:
    """Settings from texts by name, with defaults; other doors' names are ignored. Raises ValueError."""
    own: dict[str, Any] = {}
    weights: dict[str, Any] = {}
    for name, text in given.items():
        if name not in FIXED and name not in RULES:
            continue
        value = read_setting(name, text)
        if name in RULES:
            room, _, field = RULES[name].field.rpartition(".")
            (weights if room else own)[field] = value
    if "key_match" in weights:
        weights["tag_match"] = weights["key_match"]
    return replace(SourceSettings(weights=replace(SourceWeights(), **weights)), **own)
