"""The state of an opened store as plain data: counts, sizes and freshness."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from daypack.doors.files import table as walks
from daypack.engine.open_store import OpenStore
from daypack.errors import ModelError
from daypack.index import census
from daypack.index.vectors import count_pending

if TYPE_CHECKING:
    from daypack.doors.files.door import FilesDoor


def status(opened: OpenStore) -> dict[str, Any]:
    """Counts of the visible records, and the freshness of files. `embedder` is "" when the model cannot be
    used.
    """
    engine, store = opened.engine, opened.engine.store
    files: FilesDoor = opened.door("files")
    stale = sum(len(found.changed) for found in files.check().values())
    try:
        model = engine.embedding.model.model_id
    except ModelError:
        model = ""
    with store.reading() as db:
        visible = engine.visibility.visible(db)
        kinds = census.records_by_kind(db, visible)
        languages = census.records_by_language(db, visible)
        chunks = census.count_chunks(db, visible)
        missing = count_pending(store, model, engine.visibility.hidden_ids(db))
    fitted = engine.fitted()
    skipped = Counter(issue.reason.value for issue in walks.skipped(store))
    return {
        "store": str(store.folder),
        "root": str(opened.home),
        "bytes": store.size(),
        "sources": files.roots(),
        "records": sum(kinds.values()),
        "chunks": chunks,
        "kinds": kinds,
        "languages": languages,
        "embedder": model,
        "vectors_missing": missing,
        "stale_files": stale,
        "skipped": dict(sorted(skipped.items())),
        "fitted": None if fitted is None else fitted.summary(),
    }
