"""A set of records kept for a benchmark, and its questions put to this door."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from daypack.doors.sources.types import AssembleRequest, RetrieveRequest, SourceDraft
from daypack.errors import InputError
from daypack.types import Tokenizer

if TYPE_CHECKING:
    from daypack.doors.sources.door import SourcesDoor
    from daypack.evaluate.benchmark import BenchCase

_FIELDS = (
    "text", "kind", "scope", "title", "summary", "tags", "metadata", "user_id", "session_id", "structured_data", "data_schema",
)  # fmt: skip


class Asked(NamedTuple):
    """The answers to a case: the keys and texts of the retrieved records, the assembled text with its tokens,
    and the CPU milliseconds of both steps.
    """

    keys: tuple[str, ...]
    texts: tuple[str, ...]
    assembled: str
    tokens: int
    retrieve_ms: float
    assemble_ms: float


def ingest(sources: SourcesDoor, found: Sequence[Mapping[str, Any]]) -> tuple[list[tuple[str, str]], int]:
    """Upsert every row; (source key, why) of those that cannot be kept, and how many records a capacity
    pruned for others.
    """
    skipped, pruned = [], 0
    for row in found:
        try:
            done = sources.upsert(
                row["source_key"],
                SourceDraft(**{field: row[field] for field in _FIELDS if row.get(field) is not None}),
            )
        except (InputError, TypeError, ValueError) as error:
            skipped.append((row["source_key"], str(error)))
        else:
            pruned += len(done.pruned.records) if done.pruned is not None else 0
    return skipped, pruned


def ask(
    sources: SourcesDoor,
    case: BenchCase,
    *,
    limit: int,
    ranking: str = "common",
    vectors: str = "all",
    tokenizer: Tokenizer = Tokenizer.O200K,
) -> Asked:
    """Retrieve `limit` records for a case, and assemble a text within its budget."""
    about: dict[str, Any] = {
        "user_id": case.user or None,
        "session_id": case.session or None,
        "include_user_scope": case.include_user,
        "include_global_scope": case.include_global,
        "ranking": ranking,
        "vectors": vectors,
    }
    started = time.process_time()
    found = sources.retrieve(RetrieveRequest(case.query, limit=limit, **about))
    retrieved = time.process_time()
    text = sources.assemble(
        AssembleRequest(case.query, token_budget=case.budget, tokenizer=tokenizer, **about)
    )
    assembled = time.process_time()
    return Asked(
        tuple(item.source_key for item in found.items),
        tuple(item.text for item in found.items),
        text.context_text,
        text.tokens_used,
        round(1000 * (retrieved - started), 3),
        round(1000 * (assembled - retrieved), 3),
    )
