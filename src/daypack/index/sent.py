"""The last packs that were sent: IDs, labels and spans with a digest of their text, never a text or a name.

A pack belongs to its asker, and no other finds it. Its items go with their records, so nothing of a forgotten
text stays; the labels that are missing then tell which items were removed. Items of a renamed file go over to its new record.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from daypack.index import meta, sql
from daypack.ports import Connection

KEPT = 200  # packs of a store; of more, whole conversations go, except the one in use
_BROKEN = "broken:"  # before the asker, a key of `meta`
_CHAIN = """WITH RECURSIVE chain (number, parent) AS (
        SELECT number, parent FROM sent WHERE asker = ?1 AND id = ?2
        UNION SELECT s.number, s.parent FROM chain AS c JOIN sent AS s ON s.asker = ?1 AND s.id = c.parent)"""


class SentPack(NamedTuple):
    """A pack of a conversation: its items have the labels from `first` to `last`; `gone` are labels that it named as
    changed or removed.
    """

    number: int
    first: int
    last: int
    gone: tuple[int, ...]


class SentItem(NamedTuple):
    """An item of a pack: half-open characters of a record, and a digest of their text."""

    label: int
    record_id: int
    start: int
    end: int
    digest: bytes


def packs_up_to(db: Connection, asker: str, pack_id: str) -> list[SentPack]:
    """The asker's pack and those before it in its conversation, newest first; none for an unknown ID, and for a conversation
    whose beginning is gone.
    """
    return sql.rows(
        db,
        lambda row: SentPack(row[0], row[1], row[2], tuple(json.loads(row[3]))),
        f"{_CHAIN} SELECT number, first, last, gone FROM sent WHERE number IN (SELECT number FROM chain)"
        " AND EXISTS (SELECT 1 FROM chain WHERE parent = '') ORDER BY last DESC, number DESC",
        (asker, pack_id),
    )


def items_of(db: Connection, packs: Iterable[SentPack]) -> list[SentItem]:
    """The items of packs whose records the store still holds, by label."""
    statement = (
        f"SELECT label, record_id, start, end, digest FROM sent_item WHERE number {sql.AMONG} ORDER BY label"
    )
    return sql.rows(db, SentItem._make, statement, (sql.ids(pack.number for pack in packs),))


def given(db: Connection, asker: str) -> tuple[int, dict[str, int]]:
    """The number of the asker's packs, and their items by the name of the record."""
    packs = sql.count(db, "SELECT count(*) FROM sent WHERE asker = ?", (asker,))
    statement = """SELECT r.uri, count(*) FROM sent_item AS i JOIN sent AS s ON s.number = i.number JOIN record AS r ON r.id = i.record_id
              WHERE s.asker = ? GROUP BY r.uri"""
    return packs, dict(db.execute(statement, (asker,)))


def record_texts(db: Connection, record_ids: Iterable[int]) -> dict[int, str]:
    """The present texts of records, to be compared and not shown: damage is not checked."""
    statement = f"SELECT id, text FROM record WHERE id {sql.AMONG}"
    return dict(db.execute(statement, (sql.ids(sorted({*record_ids})),)))


def keep(
    db: Connection,
    asker: str,
    pack_id: str,
    parent: str,
    *,
    first: int,
    last: int,
    gone: Sequence[int],
    items: Sequence[SentItem],
) -> None:
    """Keep a pack as the last one used, with those before it, and drop the conversations that were not used for longest.

    A pack that names items as `gone` counts as a break of its asker's conversations, once.
    """
    used = sql.count(db, "SELECT coalesce(max(used), 0) + 1 FROM sent")
    number = sql.row(
        db, lambda row: int(row[0]), "SELECT number FROM sent WHERE asker = ? AND id = ?", (asker, pack_id)
    )
    if number is None:
        row = {"asker": asker, "id": pack_id, "parent": parent, "first": first, "last": last, "gone": [*gone]}
        number = sql.insert(db, "sent", row | {"used": used})
        if gone:
            meta.count_one(db, _BROKEN + asker)
    db.execute("DELETE FROM sent_item WHERE number = ?", (number,))
    # Another process may have removed a record since the pack was made.
    db.executemany(
        "INSERT INTO sent_item SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE EXISTS (SELECT 1 FROM record WHERE id = ?3)",
        [(number, *item) for item in items],
    )
    db.execute(
        f"{_CHAIN} UPDATE sent SET used = ?3 WHERE number IN (SELECT number FROM chain)",
        (asker, pack_id, used),
    )
    # A pack was used with each pack after it, so those used at one time go together, and none goes before those after it.
    db.execute(
        f"""DELETE FROM sent WHERE used < ? AND used <=
            (SELECT used FROM sent ORDER BY used DESC, number DESC LIMIT 1 OFFSET {KEPT})""",
        (used,),
    )


def follow(db: Connection, door: str, scope: str, uids: Sequence[str]) -> None:
    """Let the items of records that are about to go stand in another record of the same text, such as that of a renamed file."""
    gone = "SELECT value FROM json_each(?1)"
    # Beside `|| ''` an index by door and scope is of no use: it leads to every file of the store, that by hash to few.
    moved = f"""SELECT r.id, max(n.id) FROM record AS r
        JOIN record AS n ON n.hash = r.hash AND n.door || '' = r.door AND n.scope || '' = r.scope AND n.uid NOT IN ({gone})
        WHERE r.door = ?2 AND r.scope = ?3 AND r.uid IN ({gone}) AND r.id IN (SELECT record_id FROM sent_item) GROUP BY r.id"""
    for old, new in list(db.execute(moved, (json.dumps([*uids]), door, scope))):
        db.execute("UPDATE sent_item SET record_id = ? WHERE record_id = ?", (new, old))


def broken(db: Connection, asker: str) -> int:
    """The number of packs of this asker that had to name sent items as changed or removed."""
    return meta.number_of(db, _BROKEN + asker)
