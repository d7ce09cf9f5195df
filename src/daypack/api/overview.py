"""The state of an opened store as plain data: counts, sizes and freshness."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from daypack.doors.files import table as walks
from daypack.engine.open_store import OpenStore
from daypack.engine.questions import Conversation
from daypack.engine.upkeep import was_read_earlier
from daypack.errors import ModelError
from daypack.index import census
from daypack.index import sent as sent_table
from daypack.index.vectors import complete
from daypack.types.tuned_weights import from_json

if TYPE_CHECKING:
    from collections.abc import Sequence, Set

    from daypack.doors.files.door import FilesDoor
    from daypack.engine.embedding import Embedding


def status(opened: OpenStore) -> dict[str, Any]:
    """Counts of the visible records, and freshness of files. `embedder` is "" without a usable model."""
    engine, store = opened.engine, opened.engine.store
    files: FilesDoor = opened.door("files")
    looked_at = files.check()
    checked = looked_at.values()
    try:
        model = engine.embedding.model.model_id
    except ModelError:
        model = ""
    with store.reading() as db:
        visible = engine.visibility.visible(db)
        kinds, languages = census.count_records(db, visible)
        places = census.chunks_by_place(db, visible, model)
        counting = complete.complete_places(db, model, counting=True)
        broken = sent_table.broken(db, Conversation(engine.visibility.viewer).asker)
    fitted = from_json(text, store.name) if (text := store.fitted_weights()) else None
    skipped = Counter(issue.reason.value for issue in walks.skipped(store))
    return {
        "store": store.name,
        "root": str(opened.home),
        "bytes": store.size(),
        "sources": files.roots(),
        "missing_sources": [root for root, freshness in looked_at.items() if freshness.missing],
        "records": sum(kinds.values()),
        "chunks": sum(place.chunks for place in places),
        "kinds": kinds,
        "languages": languages,
        "embedder": model,
        "vectors": _vectors(places, counting, engine.visibility.viewer.scopes, engine.embedding),
        "vectors_missing": sum(place.chunks - place.encoded for place in places),
        "stale_files": sum(len(freshness.changed) for freshness in checked),
        "unchecked_files": sum(freshness.unchecked for freshness in checked),
        "stale_folders": sum(freshness.folders for freshness in checked),
        "read_earlier": was_read_earlier(store),
        "skipped": dict(sorted(skipped.items())),
        "broken": broken,
        "fitted": None if fitted is None else fitted.summary(),
    }


def _vectors(
    stored: Sequence[census.Held], counting: Set[tuple[str, str]], scopes: Sequence[str], embedding: Embedding
) -> list[dict[str, Any]]:
    """The vectors of each door: "complete" where the encoder's count for every question, as `counting` records it, else
    "instant", or "partial" without a static table.

    A door with several places has an entry for each scope of the viewer, and one for all others together. It counts
    visible chunks alone: what others hide in a place must not show.
    """
    by_entry: dict[tuple[str, str], list[census.Held]] = {}
    for place in stored:
        by_entry.setdefault((place.door, place.scope if place.scope in scopes else ""), []).append(place)
    doors = Counter(door for door, _ in by_entry)
    entries = []
    for (door, scope), places in by_entry.items():
        chunks, encoded = sum(item.chunks for item in places), sum(item.encoded for item in places)
        if all((item.door, item.scope) in counting for item in places):
            state = "complete"
        else:
            state = "partial" if embedding.static is None else "instant"
        named = {"scope": scope} if doors[door] > 1 and scope else {}
        entries.append({"door": door, **named, "state": state, "chunks": chunks, "encoded": encoded})
    return entries
