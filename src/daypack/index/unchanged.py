"""The check of every stored text as it is read: a value that was edited behind Daypack's back is damage, not an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from daypack.errors import StoreDamaged

if TYPE_CHECKING:
    from daypack.ports import Connection


def check_unchanged(db: Connection, what: str, *, unchanged: bool) -> None:
    """Raise StoreDamaged about `what` where it differs from its hash."""
    if not unchanged:
        raise StoreDamaged(db.store_name, f"{what} has changed on disk since it was stored", db.mend)
