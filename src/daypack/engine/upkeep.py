"""Upkeep: work that makes later questions cheaper. Large writes and idle processes do it, questions never."""

from __future__ import annotations

from daypack.errors import StoreError, StoreReadOnly
from daypack.index import census
from daypack.index.embedded.connection import FileConnection
from daypack.index.store import Store

READER_VERSION = 23
"""Of what reads files, redacts and cuts texts. Raise it with each change after which equal files give other chunks, terms or
marks."""
READ_EARLIER = "an earlier version of Daypack read some of it otherwise; run `daypack reindex` for the answers of this one"
MUCH_WRITTEN = 5_000  # chunks: a fold takes less time than writing so many


def was_read_earlier(store: Store) -> bool:
    """Tell whether an earlier version of Daypack read or cut some of the texts, so that a new store may answer otherwise."""
    with store.reading() as db:
        return store.reader_version() < READER_VERSION and census.has_records(db)


def fold_if_due(store: Store) -> str:
    """Fold a large store that has no fold, or much text beyond it; returns the reason why that failed, else "".

    Answers are the same with and without a fold.
    """
    from daypack.index.folded.folding import fold, is_due  # most commands write little

    if store.read_only or not isinstance(store.db, FileConnection):  # a server keeps no folder
        return ""
    try:
        with store.reading() as db:
            if not is_due(db, store.folder):
                return ""
        fold(store)
    except StoreError as error:  # a full disk or a busy store; `doctor` reports a missing fold
        return str(error)
    return ""


def refold(store: Store) -> None:
    """Fold a store whose segments were all rewritten, if a fold is due, and remove its former fold."""
    from daypack.index.folded.folding import sweep

    fold_if_due(store)
    sweep(store)


def drop_damaged_fold(store: Store) -> bool:
    """Compare the fold with the store, and drop it where they differ; True when it was dropped."""
    from daypack.index.folded import checking, marks
    from daypack.index.folded.folding import sweep

    with store.reading() as db:
        if not checking.differences(db, store.folder):
            return False
    try:
        with store.writing("folds") as db:
            marks.forget(db)
    except StoreReadOnly:
        return False
    sweep(store)
    return True
