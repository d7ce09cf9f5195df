"""JSON Schemas of answers to questions, with their items."""

from __future__ import annotations

from daypack.verbs.results import facts

_ITEM = (
    "record_id:t chunk_id:i kind:t scope:t source_type:t content_class:t source_key source_version:i title:t text:t summary:t tags:[t] "
    "score:n parts:o selection_reason:t token_count_estimate:i created_at:t reference:t cut?:b trust?:t"
)
RETRIEVED = facts(
    "query_text items:[item] weak?:b unknown?:[t] retrieval_strategy total_candidates:i excluded_counts:o degraded:[t]",
    item=facts(_ITEM),
)
PREPARED = facts(
    "query_text assembly_mode token_budget:i token_count_estimate:i context_blocks:[block] truncated:b",
    block=facts("name:t text:t score:n selection_reason:t token_count_estimate:i provenance:o"),
)
SELECTION = facts(
    "query_text assembly_mode items:[item] omitted_items:i total_candidates:i excluded_counts:o",
    item=facts(f"{_ITEM} selected:b section"),
)
