"""The settings of the sources door: their names and defaults. Settings that could delete records wait for
trust; the others only change the ranking.

They are separate from their readers, which only a store that sets one imports.
"""

from __future__ import annotations

from functools import partial

from daypack.settings.configuration import Setting


def _setting(name: str, default: str, about: str, *, waits: bool = True) -> Setting:
    def read(text: str) -> object:
        from daypack.doors.sources.settings import read_setting

        return read_setting(name, text)

    return Setting(name, default, about, waits=waits, read=read)


_ranking = partial(_setting, waits=False)

SETTINGS = (
    _setting("record_backend", "sqlite", "the store of records: sqlite"),
    _setting("index_backend", "sqlite", "the store of indexes: sqlite"),
    _setting("embedding_dimensions", "auto", "dimensions of a vector: those of the embedder"),
    _setting("chunk_chars", "auto", "characters of a part of a text: up to the end of a thought"),
    _setting("chunk_overlap_chars", "0", "characters that parts of a text share: none"),
    _setting(
        "max_records_per_scope_kind",
        "off",
        "active sources that a write leaves of each owner, scope and kind",
    ),
    _setting("retention_days", "off", "age limit of `source prune` for records without a policy"),
    _ranking("query_top_k", "6", "number of items of `source retrieve`"),
    _ranking(
        "dedup_threshold", "0.85", "similarity of words from which a write of a source names earlier ones"
    ),
    _ranking("semantic_score_weight", "0.6", "weighted ranking of sources: weight of a cosine"),
    _ranking("lexical_score_weight", "0.25", "weighted ranking of sources: weight of common words"),
    _ranking(
        "keyword_bonus_weight",
        "0.08",
        "weighted ranking of sources: weight of words of title, tag, field and key",
    ),
    _ranking("metadata_bonus_weight", "0.07", "weighted ranking of sources: bonus of a requested key or tag"),
    _ranking(
        "semantic_candidate_multiplier",
        "4",
        "weighted ranking of sources: candidates by meaning, times the limit",
    ),
    _ranking(
        "lexical_candidate_multiplier",
        "4",
        "weighted ranking of sources: candidates by words, times the limit",
    ),
    _ranking(
        "decay_start_pct",
        "0.5",
        "weighted ranking of sources: share of the largest age at which a score begins to fall",
    ),
)
