"""The settings of the sources door: their names and defaults. Settings that could delete records wait for trust;
the others only rank.

Apart from their readers, which only a store that sets one pays for.
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
    _setting("record_backend", "sqlite", "where records are kept: sqlite"),
    _setting("index_backend", "sqlite", "where indexes are kept: sqlite"),
    _setting("embedding_dimensions", "auto", "numbers of a vector: as many as the embedder has"),
    _setting("chunk_chars", "auto", "characters of a part of a text: where a thought ends"),
    _setting("chunk_overlap_chars", "0", "characters that parts of a text share: none"),
    _setting(
        "max_records_per_scope_kind",
        "off",
        "active sources that a write leaves of each owner, scope and kind",
    ),
    _setting("retention_days", "off", "what `source prune` goes by where a policy says nothing"),
    _ranking("query_top_k", "6", "items that `source retrieve` gives"),
    _ranking(
        "dedup_threshold", "0.85", "likeness of words from which a write of a source names earlier ones"
    ),
    _ranking("semantic_score_weight", "0.6", "weighted ranking of sources: what a cosine counts"),
    _ranking("lexical_score_weight", "0.25", "… what common words count"),
    _ranking("keyword_bonus_weight", "0.08", "… what words of title, tag, field and key count"),
    _ranking("metadata_bonus_weight", "0.07", "… what a key counts that was asked for; a tag half"),
    _ranking("semantic_candidate_multiplier", "4", "… candidates by meaning, times the limit"),
    _ranking("lexical_candidate_multiplier", "4", "… candidates by words, times the limit"),
    _ranking("decay_start_pct", "0.5", "… share of the largest age at which a score begins to fall"),
)
